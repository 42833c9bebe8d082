// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slot allocation over a map's expression. Matrix engine and packer are preferred where they lose
// nothing that the stored type keeps; everything else runs on the vector engine.
#include "MapPlan.h"
#include <cmath>

using namespace mlir;

namespace tilewright::ttmetal {

Spread spreadOf(const Plan &plan, tw::MapOp map, int input) {
  auto from = cast<tw::ViewType>(map.getInputs()[input].getType()).getDims();
  auto to = cast<tw::ViewType>(map.getTarget().getType()).getDims();
  auto [rows, columns] = blockSides(plan, from);
  auto [targetRows, targetColumns] = blockSides(plan, to);
  bool row = rows.elements == 1 && rows.label.empty() &&
             !(targetRows.elements == 1 && targetRows.label.empty());
  bool column = columns.elements == 1 && columns.label.empty() &&
                !(targetColumns.elements == 1 && targetColumns.label.empty());
  if (row && column)
    return Spread::Scalar;
  return row ? Spread::Row : column ? Spread::Column : Spread::None;
}

namespace {

class Planner {
public:
  Planner(const Plan &plan, tw::MapOp map, const std::function<bool(int)> &fpuAllowed)
      : plan(plan), map(map), fpuAllowed(fpuAllowed) {
    exact = cast<tw::ViewType>(map.getTarget().getType()).getElementType().isF32();
  }
  MapPlan run();

private:
  struct Held {
    int slot;
    bool owned; ///< the caller may overwrite it
  };
  const Plan &plan;
  tw::MapOp map;
  const std::function<bool(int)> &fpuAllowed;
  bool exact = false; ///< the stored type keeps more bits than the matrix engine reads
  MapPlan out;
  std::vector<bool> busy;
  llvm::DenseMap<Value, int> kept, usesLeft, height;
  /// Values that the matrix engine just put into DST, and the f32 input that it last had in SrcA
  /// (or -1): DST goes back through SrcA in that input's format.
  llvm::DenseMap<Value, int> wideInput;

  Value resolve(Value value) const;
  int uses(Value value) const;
  int need(Value value);
  int take(bool fresh);
  void release(int slot) { busy[slot] = false; }
  DstOp &push(DstOp::Kind kind, int slot);
  Held gen(Value value);
  int genOwned(Value value);
  int compute(Operation *op);
  int load(BlockArgument argument);
  int binary(tw::BinaryOp op);
  int fpuBinary(tw::BinaryOp op, BlockArgument lhs, BlockArgument rhs);
  int fpuReuse(tw::BinaryOp op, Value value, BlockArgument input);
  int scalarBinary(tw::BinaryOp op, Value value, double scalar, bool reversed);
  int sfpuBinary(tw::BinaryOp op);
  bool fpuReads(BlockArgument argument, tw::BinaryKind kind);
  BlockArgument argument(Value value) const { return dyn_cast<BlockArgument>(value); }
};

/// Widening changes nothing in DST.
Value Planner::resolve(Value value) const {
  while (auto cast = value.getDefiningOp<tw::CastOp>()) {
    Type from = cast.getOperand().getType(), to = cast.getType();
    if (from != to && !(from.isBF16() && to.isF32()))
      break;
    value = cast.getOperand();
  }
  return value;
}

int Planner::uses(Value value) const {
  int n = 0;
  for (Operation *user : value.getUsers()) {
    auto cast = dyn_cast<tw::CastOp>(user);
    n += cast && resolve(cast.getResult()) == resolve(value) ? uses(cast.getResult()) : 1;
  }
  return n;
}

/// Sethi-Ullman number: slots that an evaluation of `value` needs.
int Planner::need(Value value) {
  value = resolve(value);
  Operation *op = value.getDefiningOp();
  if (!op)
    return 1;
  if (auto it = height.find(value); it != height.end())
    return it->second;
  int best = 1;
  if (op->getNumOperands() == 1)
    best = need(op->getOperand(0));
  if (op->getNumOperands() == 2) {
    int a = need(op->getOperand(0)), b = need(op->getOperand(1));
    best = a == b ? a + 1 : std::max(a, b);
  }
  return height[value] = best;
}

/// A free slot; a fresh one has not held anything since the registers were cleared, which the
/// accumulating operations of the matrix engine need.
int Planner::take(bool fresh) {
  for (size_t i = 0; !fresh && i < busy.size(); ++i)
    if (!busy[i]) {
      busy[i] = true;
      return i;
    }
  busy.push_back(true);
  out.slots = std::max<int>(out.slots, busy.size());
  return busy.size() - 1;
}

DstOp &Planner::push(DstOp::Kind kind, int slot) {
  DstOp op{kind};
  op.slot = slot;
  out.ops.push_back(op);
  return out.ops.back();
}

Planner::Held Planner::gen(Value value) {
  value = resolve(value);
  if (auto it = kept.find(value); it != kept.end()) {
    bool last = --usesLeft[value] == 0;
    return {it->second, last};
  }
  if (BlockArgument input = argument(value))
    return {load(input), true};
  int slot = compute(value.getDefiningOp());
  int total = uses(value);
  if (total > 1 && !value.getDefiningOp<tw::ConstantOp>()) {
    kept[value] = slot;
    usesLeft[value] = total - 1;
    return {slot, false};
  }
  return {slot, true};
}

int Planner::genOwned(Value value) {
  Held held = gen(value);
  if (held.owned)
    return held.slot;
  int slot = take(false);
  push(DstOp::Duplicate, slot).left = held.slot;
  return slot;
}

int Planner::load(BlockArgument input) {
  int slot = take(false), position = input.getArgNumber();
  Spread spread = spreadOf(plan, map, position);
  DstOp &op = push(spread == Spread::None ? DstOp::Copy : DstOp::Broadcast, slot);
  op.input = position;
  op.spread = spread;
  return slot;
}

int Planner::compute(Operation *op) {
  if (auto constant = dyn_cast<tw::ConstantOp>(op)) {
    int slot = take(false);
    push(DstOp::Fill, slot).scalar = constant.getValue().convertToDouble();
    return slot;
  }
  if (auto unary = dyn_cast<tw::UnaryOp>(op)) {
    int slot = genOwned(unary.getOperand());
    push(DstOp::SfpuUnary, slot).unary = unary.getKind();
    return slot;
  }
  if (auto cast = dyn_cast<tw::CastOp>(op)) {
    int slot = genOwned(cast.getOperand());
    push(DstOp::Round, slot);
    return slot;
  }
  if (auto two = dyn_cast<tw::BinaryOp>(op))
    return binary(two);
  unsupported("ttmetal.operation",
              "\"" + op->getName().getStringRef().str() + "\" cannot run inside a map",
              "use unary, binary, cast and constant", op);
}

/// An f32 operand or a product loses bits on the matrix engine; where f32 is stored that shows.
bool Planner::fpuReads(BlockArgument input, tw::BinaryKind kind) {
  if (!input || !fpuAllowed(input.getArgNumber()))
    return false;
  return !exact || (input.getType().isBF16() && kind != tw::BinaryKind::Mul);
}

static bool fpuKind(tw::BinaryKind kind) {
  return kind == tw::BinaryKind::Add || kind == tw::BinaryKind::Sub || kind == tw::BinaryKind::Mul;
}
static bool commutes(tw::BinaryKind kind) {
  return kind != tw::BinaryKind::Sub && kind != tw::BinaryKind::Div;
}

int Planner::fpuBinary(tw::BinaryOp op, BlockArgument lhs, BlockArgument rhs) {
  if (!fpuKind(op.getKind()) || !fpuReads(lhs, op.getKind()) || !fpuReads(rhs, op.getKind()))
    return -1;
  if (spreadOf(plan, map, lhs.getArgNumber()) != Spread::None && commutes(op.getKind()))
    std::swap(lhs, rhs);
  if (spreadOf(plan, map, lhs.getArgNumber()) != Spread::None)
    return -1;
  int slot = take(true);
  DstOp &fpu = push(DstOp::FpuBinary, slot);
  fpu.binary = op.getKind();
  fpu.input = lhs.getArgNumber();
  fpu.other = rhs.getArgNumber();
  fpu.spread = spreadOf(plan, map, fpu.other);
  wideInput[op.getResult()] = lhs.getType().isF32() ? fpu.input : -1;
  return slot;
}

/// One operand already in DST: worth it only while nothing else needs the vector engine.
int Planner::fpuReuse(tw::BinaryOp op, Value value, BlockArgument input) {
  value = resolve(value);
  if (exact || !fpuKind(op.getKind()) || !fpuReads(input, op.getKind()) ||
      spreadOf(plan, map, input.getArgNumber()) != Spread::None || uses(value) > 1 ||
      !value.getDefiningOp<tw::BinaryOp>())
    return -1;
  int slot = binary(value.getDefiningOp<tw::BinaryOp>());
  auto wide = wideInput.find(value);
  if (wide == wideInput.end() || wide->second < 0) {
    kept[value] = slot;
    usesLeft[value] = 1;
    return -1;
  }
  DstOp &fpu = push(DstOp::FpuReuse, slot);
  fpu.binary = op.getKind();
  fpu.input = input.getArgNumber();
  fpu.other = wide->second;
  wideInput[op.getResult()] = fpu.other;
  return slot;
}

/// The vendor's div_unary_tile multiplies by a reciprocal that the kernel passes. That is exact for
/// powers of two; other divisions keep both operands in DST.
static bool hasExactReciprocal(double scalar) {
  int exponent;
  return std::isfinite(scalar) && std::abs(std::frexp(scalar, &exponent)) == 0.5 &&
         std::abs(exponent) < 126;
}

int Planner::scalarBinary(tw::BinaryOp op, Value value, double scalar, bool reversed) {
  bool divides = op.getKind() == tw::BinaryKind::Div;
  if (divides && (reversed || !hasExactReciprocal(scalar)))
    return -1;
  int slot = genOwned(value);
  DstOp &sfpu = push(DstOp::SfpuScalar, slot);
  sfpu.binary = divides ? tw::BinaryKind::Mul : op.getKind();
  sfpu.scalar = divides ? 1 / scalar : scalar;
  sfpu.reversed = reversed && op.getKind() == tw::BinaryKind::Sub;
  return slot;
}

int Planner::sfpuBinary(tw::BinaryOp op) {
  bool rightFirst = need(op.getRhs()) > need(op.getLhs());
  Held first = gen(rightFirst ? op.getRhs() : op.getLhs());
  Held second = gen(rightFirst ? op.getLhs() : op.getRhs());
  // The same kept value twice: it is free once its last use has come.
  bool same = first.slot == second.slot;
  bool firstOwned = first.owned || (same && second.owned);
  int slot = firstOwned ? first.slot : second.owned ? second.slot : take(false);
  DstOp &sfpu = push(DstOp::SfpuBinary, slot);
  sfpu.binary = op.getKind();
  sfpu.left = rightFirst ? second.slot : first.slot;
  sfpu.right = rightFirst ? first.slot : second.slot;
  if (firstOwned && second.owned && !same)
    release(second.slot);
  return slot;
}

int Planner::binary(tw::BinaryOp op) {
  Value lhs = resolve(op.getLhs()), rhs = resolve(op.getRhs());
  if (argument(lhs) && argument(rhs))
    if (int slot = fpuBinary(op, argument(lhs), argument(rhs)); slot >= 0)
      return slot;
  if (auto constant = rhs.getDefiningOp<tw::ConstantOp>())
    if (!lhs.getDefiningOp<tw::ConstantOp>())
      if (int slot = scalarBinary(op, lhs, constant.getValue().convertToDouble(), false); slot >= 0)
        return slot;
  if (auto constant = lhs.getDefiningOp<tw::ConstantOp>())
    if (int slot = scalarBinary(op, rhs, constant.getValue().convertToDouble(), true); slot >= 0)
      return slot;
  if (argument(rhs))
    if (int slot = fpuReuse(op, lhs, argument(rhs)); slot >= 0)
      return slot;
  if (argument(lhs) && commutes(op.getKind()))
    if (int slot = fpuReuse(op, rhs, argument(lhs)); slot >= 0)
      return slot;
  return sfpuBinary(op);
}

MapPlan Planner::run() {
  auto yield = cast<tw::YieldOp>(map.getBody().front().back());
  Value value = resolve(yield.getValues()[0]);
  // The packer rounds to the stored type and can clamp: a last cast and a last ReLU cost nothing.
  auto strip = [&] {
    if (auto cast = value.getDefiningOp<tw::CastOp>(); cast && !out.packerRelu)
      value = resolve(cast.getOperand());
  };
  strip();
  auto relu = value.getDefiningOp<tw::UnaryOp>();
  if (relu && relu.getKind() == tw::UnaryKind::Relu && uses(value) == 1) {
    value = resolve(relu.getOperand());
    if (auto cast = value.getDefiningOp<tw::CastOp>(); cast && !exact)
      value = resolve(cast.getOperand());
    out.packerRelu = true;
  }
  out.result = gen(value).slot;
  if (out.slots > plan.limits.dstTiles)
    unsupported(
        "ttmetal.live-values",
        fmt::format("a map keeps {} tiles alive, DST holds {}", out.slots, plan.limits.dstTiles),
        "split the expression with an intermediate tensor", map);
  return std::move(out);
}

} // namespace

MapPlan planMap(const Plan &plan, tw::MapOp map, const std::function<bool(int)> &fpuAllowed) {
  return Planner(plan, map, fpuAllowed).run();
}

//===--- Zeros
//---------------------------------------------------------------------------------------===//

static bool unaryKeepsZero(tw::UnaryKind kind) {
  switch (kind) {
  case tw::UnaryKind::Exp:
  case tw::UnaryKind::Exp2:
  case tw::UnaryKind::Log:
  case tw::UnaryKind::Rsqrt:
  case tw::UnaryKind::Reciprocal:
  case tw::UnaryKind::Sigmoid:
  case tw::UnaryKind::Cos:
    return false;
  default:
    return true;
  }
}

bool mapsZeroToZero(tw::MapOp map, const std::function<bool(int)> &zero) {
  llvm::DenseMap<Value, bool> known;
  for (BlockArgument argument : map.getBody().getArguments())
    known[argument] = zero(argument.getArgNumber());
  for (Operation &op : map.getBody().front().without_terminator()) {
    bool a = op.getNumOperands() > 0 && known[op.getOperand(0)];
    bool b = op.getNumOperands() > 1 && known[op.getOperand(1)], result = a;
    if (auto constant = dyn_cast<tw::ConstantOp>(op))
      result = constant.getValue().isZero();
    else if (auto unary = dyn_cast<tw::UnaryOp>(op))
      result = a && unaryKeepsZero(unary.getKind());
    else if (auto binary = dyn_cast<tw::BinaryOp>(op)) {
      auto divisor = binary.getRhs().getDefiningOp<tw::ConstantOp>();
      switch (binary.getKind()) {
      case tw::BinaryKind::Mul:
        result = a || b;
        break;
      case tw::BinaryKind::Div:
        result = a && divisor && !divisor.getValue().isZero();
        break;
      default:
        result = a && b;
      }
    }
    known[op.getResult(0)] = result;
  }
  return known[map.getBody().front().back().getOperand(0)];
}

} // namespace tilewright::ttmetal
