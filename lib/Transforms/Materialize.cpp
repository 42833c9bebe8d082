// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a schedule against a program and writes it in.
#include "tilewright/Transforms/Materialize.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tilewright::tw;

namespace tilewright::transforms {
namespace {

class Materializer {
public:
  Materializer(func::FuncOp func, const MaterializeSpec &spec)
      : func(func), spec(spec), builder(func) {
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto copy = dyn_cast<CopyOp>(op); copy && copy.getDirection() == Direction::In)
        loads.push_back(copy);
      if (auto contract = dyn_cast<ContractOp>(op))
        contracts.push_back(contract);
      if (auto symbol = dyn_cast<SymOp>(op))
        symbols.push_back(symbol);
      if (auto bind = dyn_cast<VBBindOp>(op))
        binds.push_back(bind);
      if (auto found = dyn_cast<GridOp>(op))
        grids.push_back(found);
    });
  }

  LogicalResult run() {
    if (failed(checkStage()) || failed(checkSymbols()) || failed(checkPlacement()) ||
        failed(checkTransfers()) || failed(checkDepths()) || failed(checkSubblocks()))
      return failure();
    apply();
    return success();
  }

private:
  static LogicalResult error(Operation *op, const Twine &message, StringRef id) {
    return op->emitError(message) << " [transforms.schedule-" << id << "]";
  }
  LogicalResult count(StringRef what, size_t given, size_t needed) {
    if (given == needed)
      return success();
    return error(func,
                 "the schedule has " + Twine(given) + " " + what + " where the program has " +
                     Twine(needed),
                 "count");
  }
  LogicalResult checkStage();
  LogicalResult checkSymbols();
  LogicalResult checkPlacement();
  LogicalResult checkTransfers();
  LogicalResult checkDepths();
  LogicalResult checkSubblocks();
  PlacementAttr placement() {
    return PlacementAttr::get(func.getContext(), spec.xAxes, spec.xExtents, spec.yAxes,
                              spec.yExtents, spec.order);
  }
  void apply();

  func::FuncOp func;
  const MaterializeSpec &spec;
  Builder builder;
  SmallVector<CopyOp> loads;
  SmallVector<ContractOp> contracts;
  SmallVector<SymOp> symbols;
  SmallVector<VBBindOp> binds;
  SmallVector<GridOp> grids;
};

LogicalResult Materializer::checkStage() {
  if (grids.size() != 1)
    return error(func, "a schedule is for one grid, the function has " + Twine(grids.size()),
                 "stage");
  auto result = func.walk([](Operation *op) -> WalkResult {
    if (isa<VBCreateOp, LoadOp, StoreOp, FillOp, MatmulOp>(op))
      return error(op, "the program has no memory yet: run tw-concretize-buffers first", "stage");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult Materializer::checkSymbols() {
  llvm::StringSet<> known;
  for (SymOp symbol : symbols) {
    known.insert(symbol.getLabel());
    auto it = spec.symbols.find(symbol.getLabel().str());
    if (it == spec.symbols.end())
      return error(symbol, "the schedule has no value for \"" + symbol.getLabel() + "\"", "symbol");
    // A block that covers its extent may reach beyond it, to the end of the machine's last tile.
    int64_t upper = symbol.getUpper(), extent = symbol.getExtent();
    bool tooLarge = upper < extent && it->second > upper;
    if (it->second < (int64_t)symbol.getLower() || tooLarge)
      return error(symbol,
                   "\"" + symbol.getLabel() + "\" = " + Twine(it->second) + " is outside [" +
                       Twine(symbol.getLower()) + ", " + Twine(symbol.getUpper()) + "]",
                   "symbol");
  }
  for (auto &[label, value] : spec.symbols)
    if (!known.contains(label))
      return error(
          func, "the schedule has a value for \"" + label + "\", which the program does not have",
          "symbol");
  return success();
}

LogicalResult Materializer::checkPlacement() {
  int64_t axes = grids[0].getExtents().size();
  std::vector<int64_t> sorted = spec.order;
  llvm::sort(sorted);
  bool good = (int64_t)sorted.size() == axes;
  for (int64_t i = 0; good && i < axes; ++i)
    good = sorted[i] == i;
  if (!good)
    return error(grids[0],
                 "the temporal order is not a permutation of the grid's " + Twine(axes) + " axes",
                 "placement");
  auto factors = [&](ArrayRef<int64_t> owners, ArrayRef<int64_t> extents) {
    return owners.size() == extents.size() &&
           llvm::all_of(owners, [&](int64_t axis) { return axis >= 0 && axis < axes; }) &&
           llvm::all_of(extents, [](int64_t extent) { return extent >= 1; });
  };
  if (!factors(spec.xAxes, spec.xExtents) || !factors(spec.yAxes, spec.yExtents))
    return error(grids[0],
                 "the placement's factors do not match the grid's " + Twine(axes) + " axes",
                 "placement");
  return success();
}

LogicalResult Materializer::checkTransfers() {
  if (failed(count("transfers", spec.transfers.size(), loads.size())))
    return failure();
  for (auto [load, transfer] : llvm::zip(loads, spec.transfers))
    if (transfer.first < 1 || transfer.second < 1)
      return error(load,
                   "a transfer to " + Twine(transfer.first) + " by " + Twine(transfer.second) +
                       " cores",
                   "transfer");
  return success();
}

LogicalResult Materializer::checkDepths() {
  llvm::StringSet<> known;
  for (VBBindOp bind : binds) {
    known.insert(bind.getLabel());
    auto it = spec.depths.find(bind.getLabel().str());
    if (it == spec.depths.end())
      continue;
    if (it->second < 1)
      return error(bind, "\"" + bind.getLabel() + "\" has a depth of " + Twine(it->second),
                   "depth");
    if (it->second > 1 && !bind.getMemory().hasOneUse())
      return error(bind,
                   "\"" + bind.getLabel() + "\" shares its memory and cannot have a depth of " +
                       Twine(it->second),
                   "depth");
  }
  for (auto &[label, depth] : spec.depths)
    if (!known.contains(label))
      return error(
          func, "the schedule has a depth for \"" + label + "\", which the program does not have",
          "depth");
  return success();
}

LogicalResult Materializer::checkSubblocks() {
  if (failed(count("sub-blocks", spec.subblocks.size(), contracts.size())))
    return failure();
  for (auto [contract, subblock] : llvm::zip(contracts, spec.subblocks))
    if (subblock.first < 1 || subblock.second < 1)
      return error(contract,
                   "a sub-block of " + Twine(subblock.first) + " by " + Twine(subblock.second) +
                       " tiles",
                   "subblock");
  return success();
}

void Materializer::apply() {
  for (SymOp symbol : symbols)
    symbol.setValueAttr(builder.getI64IntegerAttr(spec.symbols.at(symbol.getLabel().str())));
  grids[0].setPlacementAttr(placement());
  for (auto [load, transfer] : llvm::zip(loads, spec.transfers))
    load.setTransferAttr(TransferAttr::get(func.getContext(), transfer.first, transfer.second));
  for (VBBindOp bind : binds)
    if (auto it = spec.depths.find(bind.getLabel().str()); it != spec.depths.end())
      bind.getMemory().getDefiningOp<MemAllocOp>().setDepth(it->second);
  for (auto [contract, subblock] : llvm::zip(contracts, spec.subblocks))
    contract.setSubblockAttr(builder.getDenseI64ArrayAttr({subblock.first, subblock.second}));
}

} // namespace

LogicalResult materialize(func::FuncOp func, const MaterializeSpec &spec) {
  return Materializer(func, spec).run();
}

} // namespace tilewright::transforms
