// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From stage-3 IR to the facts that mapping and modelling need.
#include "tilewright/Mapping/Program.h"
#include "tilewright/Support/Checked.h"
#include <algorithm>

using namespace mlir;

namespace tilewright::mapping {

static Location locationOf(Operation *op) {
  Location location;
  if (auto file = op->getLoc()->findInstanceOf<FileLineColLoc>()) {
    location.file = file.getFilename().str();
    location.line = file.getLine();
    location.column = file.getColumn();
  }
  return location;
}

[[noreturn]] static void unsupported(Operation *op, const std::string &what,
                                     const std::string &hint) {
  throw Error(Kind::Unsupported, "mapping.program-form", what, hint, locationOf(op));
}

namespace {
class Analyzer {
public:
  Analyzer(func::FuncOp function, int64_t tileRows, int64_t tileColumns)
      : function(function), tileRows(tileRows), tileColumns(tileColumns) {}

  Program run() {
    program.name = function.getName().str();
    if (auto source = function->getAttrOfType<StringAttr>(tw::sourceAttr))
      program.source = source.str();
    for (Operation &op : function.getBody().front())
      visitTop(&op);
    if (!grid)
      unsupported(function, "a kernel without a tile loop",
                  "write an outer loop over hl.tile([...])");
    collectStorage();
    program.body = scope(grid.getBody().front(), nullptr);
    return std::move(program);
  }

private:
  void visitTop(Operation *op) {
    if (auto symbol = dyn_cast<tw::SymOp>(op))
      program.symbols.push_back({symbol.getLabel().str(), (int64_t)symbol.getExtent(),
                                 (int64_t)symbol.getLower(), (int64_t)symbol.getUpper(),
                                 locationOf(op)});
    if (auto found = dyn_cast<tw::GridOp>(op)) {
      if (grid)
        unsupported(op, "a kernel with more than one outermost tile loop",
                    "split it into two kernels");
      grid = found;
      for (auto [i, label] : llvm::enumerate(found.getLabels().getAsRange<FlatSymbolRefAttr>()))
        program.axes.push_back({label.getValue().str(), found.getExtents()[i]});
    }
  }

  //===--- Shapes
  //------------------------------------------------------------------------------------===//

  static Expr padded(Attribute dim, int64_t unit) {
    if (auto size = dyn_cast<IntegerAttr>(dim))
      return ceilDiv(size.getInt(), unit) * unit;
    return tw::dimExpr(dim); // symbols are multiples of the unit
  }
  /// Rows and columns in elements, padded to whole tiles. A missing row dim is one row of tiles.
  std::pair<Expr, Expr> paddedShape(ArrayRef<Attribute> dims) const {
    Expr columns = dims.empty() ? Expr(tileColumns) : padded(dims.back(), tileColumns);
    Expr rows = dims.size() < 2 ? Expr(tileRows) : padded(dims[dims.size() - 2], tileRows);
    return {rows, columns};
  }
  static int64_t bytesPerElement(Type type) { return ceilDiv(type.getIntOrFloatBitWidth(), 8); }

  //===--- Storage
  //-----------------------------------------------------------------------------------===//

  void collectStorage() {
    for (auto alloc : grid.getBody().front().getOps<tw::MemAllocOp>()) {
      auto type = cast<tw::MemType>(alloc.getMemory().getType());
      auto [rows, columns] = paddedShape(type.getDims());
      Storage storage;
      storage.bytes = rows * columns * bytesPerElement(type.getElementType());
      for (Operation *user : alloc.getMemory().getUsers())
        if (auto bind = dyn_cast<tw::VBBindOp>(user))
          describe(storage, bind);
      storageLabels(alloc, storage);
      program.storage.push_back(std::move(storage));
    }
  }
  /// Labels of the buffers on one memory, in program order.
  static void storageLabels(tw::MemAllocOp alloc, Storage &storage) {
    for (auto bind : alloc->getBlock()->getOps<tw::VBBindOp>())
      if (bind.getMemory() == alloc.getMemory())
        storage.label += (storage.label.empty() ? "" : " / ") + bind.getLabel().str();
  }
  static void describe(Storage &storage, tw::VBBindOp bind) {
    for (Operation *user : bind.getBuffer().getUsers())
      for (Operation *access : user->getUsers())
        if (auto copy = dyn_cast<tw::CopyOp>(access)) {
          bool load = copy.getDirection() == tw::Direction::In;
          storage.role = load ? Storage::Role::Load : Storage::Role::Store;
          auto loop = copy->getParentOfType<tw::LoopOp>();
          storage.scope = loop ? loop.getLabel().str() : "";
        }
  }

  //===--- Scopes
  //------------------------------------------------------------------------------------===//

  Scope scope(Block &block, tw::LoopOp loop) {
    Scope result;
    if (loop) {
      result.symbol = loop.getLabel().str();
      result.extent = loop.getExtent();
    }
    for (Operation &op : block)
      visit(&op, result);
    return result;
  }

  void visit(Operation *op, Scope &scope) {
    if (auto copy = dyn_cast<tw::CopyOp>(op))
      return addAccess(copy, scope);
    if (auto loop = dyn_cast<tw::LoopOp>(op)) {
      scope.items.push_back({(int)scope.loops.size(), -1});
      scope.loops.push_back(this->scope(loop.getBody().front(), loop));
    } else if (isa<tw::SetOp, tw::ContractOp, tw::MapOp>(op)) {
      scope.items.push_back({-1, (int)scope.work.size()});
      scope.work.push_back(work(op));
    } else if (isa<tw::LoadOp, tw::StoreOp, tw::MatmulOp, tw::VBCreateOp>(op)) {
      throw Error(Kind::Internal, "mapping.stage", "the program is not in stage 3", "",
                  locationOf(op));
    }
  }

  void addAccess(tw::CopyOp copy, Scope &scope) {
    auto type = cast<tw::ViewType>(copy.getView().getType());
    auto [rows, columns] = paddedShape(type.getDims());
    Access access;
    access.tensor = tw::argumentName(copy.getGlobal());
    access.label = access.tensor + tw::dimsText(type.getDims());
    access.isLoad = copy.getDirection() == tw::Direction::In;
    access.order = copies++;
    access.tiles = floordiv(rows * columns, Expr(tileRows * tileColumns));
    access.bytes = rows * columns * bytesPerElement(type.getElementType());
    for (Value index : copy.getIndices())
      if (auto argument = dyn_cast<BlockArgument>(index))
        if (argument.getOwner() == &grid.getBody().front())
          access.axes.insert(argument.getArgNumber());
    (access.isLoad ? scope.loads : scope.stores).push_back(std::move(access));
  }

  Work work(Operation *op) const {
    Work work;
    Value target;
    if (auto contract = dyn_cast<tw::ContractOp>(op)) {
      work.kind = Work::Kind::Contract;
      target = contract.getTarget();
      auto lhs = cast<tw::ViewType>(contract.getLhs().getType());
      work.depth = paddedShape(lhs.getDims()).second;
      work.operations.push_back(lhs.getElementType().isF32() ? "f32" : "bf16");
    } else if (auto map = dyn_cast<tw::MapOp>(op)) {
      work.kind = Work::Kind::Map;
      target = map.getTarget();
      for (Operation &inner : map.getBody().front())
        work.operations.push_back(operationName(&inner));
    } else {
      target = cast<tw::SetOp>(op).getView();
    }
    auto type = cast<tw::ViewType>(target.getType());
    std::tie(work.rows, work.columns) = paddedShape(type.getDims());
    work.elementType = type.getElementType().isF32() ? "f32" : "bf16";
    work.label = op->getName().stripDialect().str() + tw::dimsText(type.getDims());
    return work;
  }

  static std::string operationName(Operation *op) {
    if (auto unary = dyn_cast<tw::UnaryOp>(op))
      return "unary." + tw::stringifyUnaryKind(unary.getKind()).str();
    if (auto binary = dyn_cast<tw::BinaryOp>(op))
      return "binary." + tw::stringifyBinaryKind(binary.getKind()).str();
    return op->getName().stripDialect().str();
  }

  func::FuncOp function;
  int64_t tileRows, tileColumns;
  tw::GridOp grid;
  Program program;
  int copies = 0;
};

void appendLoads(const Scope &scope, std::vector<const Access *> &loads) {
  for (const Access &load : scope.loads)
    loads.push_back(&load);
  for (const Scope &loop : scope.loops)
    appendLoads(loop, loads);
}
} // namespace

std::vector<const Access *> Program::allLoads() const {
  std::vector<const Access *> loads;
  appendLoads(body, loads);
  std::sort(loads.begin(), loads.end(),
            [](const Access *a, const Access *b) { return a->order < b->order; });
  return loads;
}

Program analyze(func::FuncOp function, int64_t tileRows, int64_t tileColumns) {
  return Analyzer(function, tileRows, tileColumns).run();
}

} // namespace tilewright::mapping
