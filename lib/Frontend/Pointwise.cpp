// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device arithmetic with torch's dtype rules: every operation rounds to its own result dtype.
#include "Evaluator.h"
#include <fmt/format.h>

namespace tilewright::frontend {

//===--- Pointwise
//-----------------------------------------------------------------------------------===//

Value Evaluator::binary(const Node &node, const std::string &op, const Value &lhs,
                        const Value &rhs) {
  step(node);
  if (op == "@" && (lhs.is<Block>() || rhs.is<Block>()))
    return matmul(node, lhs, rhs);
  if (!lhs.is<Block>() && !rhs.is<Block>())
    return hostBinary(node, op, lhs, rhs);
  if (op == "**")
    return power(node, lhs, rhs);
  static const std::map<std::string, tw::BinaryKind> kinds = {{"+", tw::BinaryKind::Add},
                                                              {"-", tw::BinaryKind::Sub},
                                                              {"*", tw::BinaryKind::Mul},
                                                              {"/", tw::BinaryKind::Div}};
  auto kind = kinds.find(op);
  if (kind == kinds.end())
    unsupported(node, "'" + op + "' on tiles",
                "+ - * / ** @ and torch functions are supported on tiles");
  return pointwise(node, kind->second, lhs, rhs);
}

Value Evaluator::negate(const Node &node, const Value &operand) {
  if (operand.is<Block>())
    return unary(node, tw::UnaryKind::Neg, operand, "-");
  if (operand.is<double>())
    return -operand.real();
  return hostBinary(node, "-", int64_t(0), operand);
}

/// A factor or divisor of exactly 1 changes no bit.
static bool isIdentity(tw::BinaryKind kind, const Value &lhs, const Value &rhs) {
  bool mul = kind == tw::BinaryKind::Mul, div = kind == tw::BinaryKind::Div;
  return (mul || div) && lhs.is<Block>() && rhs.isNumber() && rhs.real() == 1;
}

/// Tiles promote; a Python number takes the tile's dtype for the result but keeps its own f32
/// value. The number is a tile without dims.
Value Evaluator::pointwise(const Node &node, tw::BinaryKind kind, const Value &lhs,
                           const Value &rhs) {
  if (isIdentity(kind, lhs, rhs))
    return lhs;
  if (kind == tw::BinaryKind::Mul && isIdentity(kind, rhs, lhs))
    return rhs;
  auto left = lhs.as<Block>(), right = rhs.as<Block>();
  auto operand = [&](const Value &value) {
    return value.isNumber() ? program.fill(value.real(), {}, Dtype{"float32"}, at(node))
                            : block(node, value, "an operand");
  };
  if (!left && !right)
    block(node, lhs.isNumber() ? rhs : lhs, "an operand");
  Dtype dtype =
      left && right ? promote(left->dtype(), right->dtype()) : (left ? left : right)->dtype();
  Block a = operand(lhs), b = operand(rhs);
  if (mlir::failed(tw::broadcastDims(a.dims(), b.dims())))
    userError(node, "frontend.shape",
              "shapes " + tw::dimsText(a.dims()) + " and " + tw::dimsText(b.dims()) +
                  " do not broadcast",
              "index both with the same tiles, or add a dim with [:, None]");
  return program.binary(kind, a, b, dtype, at(node));
}

Value Evaluator::unary(const Node &node, tw::UnaryKind kind, const Value &operand,
                       const std::string &name) {
  return program.unary(kind, block(node, operand, "the operand of '" + name + "'"), at(node));
}

Value Evaluator::power(const Node &node, const Value &base, const Value &exponent) {
  if (base.is<Block>() && exponent.isNumber()) {
    double value = exponent.real();
    if (value == 2)
      return unary(node, tw::UnaryKind::Square, base, "**");
    if (value == 0.5)
      return unary(node, tw::UnaryKind::Sqrt, base, "**");
    if (value == 1)
      return base;
    if (value == -1)
      return unary(node, tw::UnaryKind::Reciprocal, base, "**");
    if (value == -0.5)
      return unary(node, tw::UnaryKind::Rsqrt, base, "**");
    if (value == 3)
      return pointwise(node, tw::BinaryKind::Mul, unary(node, tw::UnaryKind::Square, base, "**"),
                       base);
  }
  unsupported(node, "this power of a tile", "exponents 2, 3, 1, 0.5, -0.5 and -1 are supported");
}

//===--- Matrix products
//-----------------------------------------------------------------------------===//

static std::string shapesText(const Block &lhs, const Block &rhs) {
  return tw::dimsText(lhs.dims()) + " and " + tw::dimsText(rhs.dims());
}

static void checkProduct(const Evaluator &evaluator, const Node &node, const Block &lhs,
                         const Block &rhs) {
  if (lhs.dims().size() != 2 || rhs.dims().size() != 2)
    evaluator.unsupported(node, "a matrix product of shapes " + shapesText(lhs, rhs),
                          "both operands need two dims; add one with [:, None]");
  if (lhs.dims()[1] != rhs.dims()[0])
    evaluator.userError(node, "frontend.shape",
                        "a matrix product of shapes " + shapesText(lhs, rhs) +
                            " has inner dims that differ",
                        "index both operands with the same tile along the summed dim");
}

/// The sum is made in f32 and rounded once to the result's dtype, also when f32 values follow.
Value Evaluator::matmul(const Node &node, const Value &lhs, const Value &rhs,
                        std::optional<Dtype> out) {
  Block a = block(node, lhs, "the left operand"), b = block(node, rhs, "the right operand");
  checkProduct(*this, node, a, b);
  Block zero = program.fill(0, {a.dims()[0], b.dims()[1]}, Dtype{"float32"}, at(node));
  Dtype dtype = out ? *out : promote(a.dtype(), b.dtype());
  return program.cast(program.matmul(a, b, zero, at(node)), dtype, at(node));
}

Value Evaluator::accumulate(const Node &node, Block accumulator, const Value &lhs,
                            const Value &rhs) {
  Block a = block(node, lhs, "the left operand"), b = block(node, rhs, "the right operand");
  checkProduct(*this, node, a, b);
  llvm::SmallVector<mlir::Attribute> dims = {a.dims()[0], b.dims()[1]};
  auto joined = tw::broadcastDims(accumulator.dims(), dims);
  if (mlir::failed(joined) || *joined != dims)
    userError(node, "frontend.shape",
              "an accumulator of shape " + tw::dimsText(accumulator.dims()) +
                  " for a product of shape " + tw::dimsText(dims),
              "give the accumulator the product's shape");
  return program.matmul(a, b, program.broadcast(accumulator, dims, at(node)), at(node));
}

} // namespace tilewright::frontend
