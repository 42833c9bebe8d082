// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Casts and binary operations: the value and its error rule, element by element with broadcasting.
#include "Block.h"
#include "Rounding.h"

namespace tilewright::reference {

Block makeBlock(std::vector<int64_t> dims, std::vector<int64_t> valid, bool bf16) {
  Block block;
  int64_t count = elementCount(dims);
  block.dims = std::move(dims);
  block.valid = std::move(valid);
  block.bf16 = bf16;
  block.value.resize(count);
  block.error.resize(count);
  return block;
}

/// Widening changes nothing; narrowing is a rounding of what the device reads.
BlockPtr cast(const Block &operand, bool toBf16, const Precision &precision) {
  auto result = std::make_shared<Block>(makeBlock(operand.dims, operand.valid, toBf16));
  result->neverNegative = operand.neverNegative;
  bool narrows = toBf16 && !operand.bf16;
  for (size_t i = 0; i < operand.value.size(); ++i) {
    Rounded y{operand.value[i], operand.error[i]};
    if (narrows) {
      bool decided = !std::isfinite(y.value) && y.error == 0;
      y = finish(readOperand(y.value, y.error, false, precision), true, decided, precision);
    }
    result->value[i] = y.value;
    result->error[i] = y.error;
  }
  return result;
}

//===--- Broadcasting: aligned at the last dim; a dim of size 1 stands still
//-------------------------===//

namespace {
struct Shape {
  std::vector<int64_t> dims, valid;
};
} // namespace

static Shape broadcastShape(const Block &a, const Block &b) {
  const Block &longer = a.dims.size() >= b.dims.size() ? a : b;
  const Block &shorter = &longer == &a ? b : a;
  Shape shape{longer.dims, longer.valid};
  size_t shift = longer.dims.size() - shorter.dims.size();
  for (size_t d = 0; d < shorter.dims.size(); ++d) {
    int64_t &dim = shape.dims[shift + d], &valid = shape.valid[shift + d];
    valid = dim == 1               ? shorter.valid[d]
            : shorter.dims[d] == 1 ? valid
                                   : std::min(valid, shorter.valid[d]);
    dim = std::max(dim, shorter.dims[d]);
  }
  return shape;
}

/// For each position of `dims`, the position in `block` that it reads.
static std::vector<int64_t> positions(const Block &block, const std::vector<int64_t> &dims) {
  std::vector<int64_t> result{0};
  size_t shift = dims.size() - block.dims.size();
  for (size_t d = 0; d < dims.size(); ++d) {
    int64_t size = d < shift ? 1 : block.dims[d - shift];
    std::vector<int64_t> next;
    next.reserve(result.size() * dims[d]);
    for (int64_t base : result)
      for (int64_t i = 0; i < dims[d]; ++i)
        next.push_back(base * size + (size == 1 ? 0 : i));
    result = std::move(next);
  }
  return result;
}

//===--- Binary operations
//---------------------------------------------------------------------------===//

static double value(tw::BinaryKind kind, double a, double b) {
  switch (kind) {
  case tw::BinaryKind::Add:
    return a + b;
  case tw::BinaryKind::Sub:
    return a - b;
  case tw::BinaryKind::Mul:
    return a * b;
  case tw::BinaryKind::Div:
    return a / b;
  case tw::BinaryKind::Max:
    return std::isnan(a) || a > b ? a : b;
  case tw::BinaryKind::Min:
    return std::isnan(a) || a < b ? a : b;
  }
  llvm_unreachable("all binary kinds are listed");
}

/// |a~ / b~ - a / b| <= (error(a) + |a / b| error(b)) / (|b| - error(b)).
static double quotientError(Number a, Number b, double quotient, const Precision &precision) {
  double room = std::abs(b.value) - b.error;
  if (room <= 0)
    return infinite;
  double error = (a.error + std::abs(quotient) * b.error) / room;
  const Approximation &divide = precision.divide;
  return error + divide.relative * (std::abs(quotient) + error) + divide.absolute;
}

/// Distance of the device's result, before its rounding, from the exact result on the reference's
/// values.
static double errorBefore(tw::BinaryKind kind, Number a, Number b, double loss, double exact,
                          const Precision &precision) {
  switch (kind) {
  case tw::BinaryKind::Add:
  case tw::BinaryKind::Sub:
    return a.error + b.error;
  case tw::BinaryKind::Mul:
    return std::abs(a.value) * b.error + a.error * b.magnitude() +
           loss * a.magnitude() * b.magnitude();
  case tw::BinaryKind::Div:
    return quotientError(a, b, exact, precision);
  case tw::BinaryKind::Max:
  case tw::BinaryKind::Min:
    return std::max(a.error, b.error);
  }
  llvm_unreachable("all binary kinds are listed");
}

/// Whether a result that is not finite must be so on the device: an operand is (there too), and the
/// other one cannot change the outcome by crossing zero within its error.
static bool isDecided(tw::BinaryKind kind, Number a, Number b) {
  if (!(a.error < infinite) || !(b.error < infinite))
    return false;
  if (std::isnan(a.value) || std::isnan(b.value))
    return true;
  bool scales = kind == tw::BinaryKind::Mul || kind == tw::BinaryKind::Div;
  auto signless = [&](Number x) { return scales && x.error > 0 && std::abs(x.value) <= x.error; };
  return (std::isinf(a.value) && !signless(b)) || (std::isinf(b.value) && !signless(a));
}

static bool selects(tw::BinaryKind kind) {
  return kind == tw::BinaryKind::Max || kind == tw::BinaryKind::Min;
}

BlockPtr binary(tw::BinaryKind kind, const Block &lhs, const Block &rhs, bool toBf16,
                const Precision &precision) {
  Shape shape = broadcastShape(lhs, rhs);
  auto result = std::make_shared<Block>(makeBlock(shape.dims, shape.valid, toBf16));
  std::vector<int64_t> left = positions(lhs, shape.dims), right = positions(rhs, shape.dims);
  bool bothBf16 = lhs.bf16 && rhs.bf16;
  // Choosing one of the operands rounds nothing if the result's type holds them.
  bool exactly = selects(kind) && (!toBf16 || bothBf16);
  double loss = bothBf16 ? precision.fidelityLoss : precision.fidelityLossF32;
  for (size_t i = 0; i < result->value.size(); ++i) {
    float av = lhs.value[left[i]], bv = rhs.value[right[i]];
    float ae = lhs.error[left[i]], be = rhs.error[right[i]];
    double exact = value(kind, av, bv);
    bool decided = isDecided(kind, {av, ae}, {bv, be});
    Rounded y{float(exact), std::max(ae, be)};
    if (!exactly) {
      Number a = readOperand(av, ae, lhs.bf16, precision),
             b = readOperand(bv, be, rhs.bf16, precision);
      // An infinite operand is the same on the device, so a finite result then depends on nothing.
      double error =
          decided && std::isfinite(exact) ? 0 : errorBefore(kind, a, b, loss, exact, precision);
      y = finish({exact, error}, toBf16, decided, precision);
    } else if (!std::isfinite(y.value) && decided) {
      y.error = 0;
    }
    result->value[i] = y.value;
    result->error[i] = y.error;
  }
  return result;
}

} // namespace tilewright::reference
