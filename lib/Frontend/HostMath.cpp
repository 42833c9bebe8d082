// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic and comparison on host values, with Python's rules.
#include "Evaluator.h"
#include "tilewright/Support/Checked.h"
#include <cmath>
#include <fmt/format.h>

namespace tilewright::frontend {

//===--- Arithmetic
//----------------------------------------------------------------------------------===//

static std::optional<int64_t> checkedSub(int64_t a, int64_t b) {
  int64_t r;
  return __builtin_sub_overflow(a, b, &r) ? std::nullopt : std::optional(r);
}

static std::optional<int64_t> checkedPower(int64_t base, int64_t exponent) {
  if (base == 0 || base == 1)
    return exponent == 0 ? 1 : base;
  if (base == -1)
    return exponent % 2 ? -1 : 1;
  std::optional<int64_t> result = 1;
  for (int64_t i = 0; i < exponent && result; ++i) // overflows after at most 63 steps
    result = checkedMul(*result, base);
  return result;
}

static std::optional<int64_t> checkedShift(const std::string &op, int64_t value, int64_t amount) {
  if (op == ">>")
    return value >> std::min<int64_t>(amount, 63);
  if (amount > 62)
    return value == 0 ? std::optional<int64_t>(0) : std::nullopt;
  return checkedMul(value, int64_t(1) << amount);
}

/// `op` with the operands' overflow as nullopt; the divisor is not 0, exponents and shifts are not
/// negative.
static std::optional<int64_t> integerResult(const std::string &op, int64_t a, int64_t b) {
  if (op == "+")
    return checkedAdd(a, b);
  if (op == "-")
    return checkedSub(a, b);
  if (op == "*")
    return checkedMul(a, b);
  if (op == "**")
    return checkedPower(a, b);
  if (op == "<<" || op == ">>")
    return checkedShift(op, a, b);
  if (op == "&" || op == "|" || op == "^")
    return op == "&" ? a & b : op == "|" ? a | b : a ^ b;
  if (a == INT64_MIN && b == -1)
    return op == "%" ? std::optional<int64_t>(0) : std::nullopt;
  return op == "//" ? floorDiv(a, b) : a - floorDiv(a, b) * b;
}

Value Evaluator::integerBinary(const Node &node, const std::string &op, int64_t lhs, int64_t rhs) {
  bool divides = op == "//" || op == "%" || op == "/";
  if (divides && rhs == 0)
    userError(node, "frontend.division-by-zero", fmt::format("{} {} 0 divides by zero", lhs, op),
              "check the sizes that lead here");
  if (op == "/")
    return double(lhs) / double(rhs);
  if (op == "**" && rhs < 0)
    return std::pow(double(lhs), double(rhs));
  if ((op == "<<" || op == ">>") && rhs < 0)
    userError(node, "frontend.host-math", "a shift by a negative count", "shift by 0 or more");
  if (std::optional<int64_t> result = integerResult(op, lhs, rhs))
    return *result;
  userError(node, "frontend.overflow",
            fmt::format("{} {} {} does not fit in 64 bits", lhs, op, rhs), "use smaller sizes");
}

Value Evaluator::realBinary(const Node &node, const std::string &op, double lhs, double rhs) {
  if ((op == "/" || op == "//" || op == "%") && rhs == 0)
    userError(node, "frontend.division-by-zero", fmt::format("{} {} 0 divides by zero", lhs, op),
              "check the values that lead here");
  if (op == "+")
    return lhs + rhs;
  if (op == "-")
    return lhs - rhs;
  if (op == "*")
    return lhs * rhs;
  if (op == "/")
    return lhs / rhs;
  if (op == "//")
    return std::floor(lhs / rhs);
  if (op == "%")
    return lhs - std::floor(lhs / rhs) * rhs;
  if (op == "**" && (lhs >= 0 || rhs == std::floor(rhs)))
    return std::pow(lhs, rhs);
  unsupported(node, fmt::format("{} {} {}", lhs, op, rhs), "use + - * / // % ** on real numbers");
}

Value Evaluator::hostBinary(const Node &node, const std::string &op, const Value &lhs,
                            const Value &rhs) {
  if (lhs.isInteger() && rhs.isInteger() && op != "@")
    return integerBinary(node, op, lhs.integer(), rhs.integer());
  if (lhs.isNumber() && rhs.isNumber())
    return realBinary(node, op, lhs.real(), rhs.real());
  if (op == "+" && lhs.items() && rhs.items()) {
    ValueList items = *lhs.items();
    items.insert(items.end(), rhs.items()->begin(), rhs.items()->end());
    if (items.size() > 1024)
      unsupported(node, "a sequence of more than 1024 items", "shorten it");
    return makeSequence(std::move(items), lhs.as<Sequence>()->tuple);
  }
  bool size = lhs.is<BlockSizeRef>() || rhs.is<BlockSizeRef>();
  bool tile = lhs.is<TileRef>() || rhs.is<TileRef>();
  if (size || tile)
    unsupported(node, size ? "arithmetic on a block size" : "arithmetic on a tile",
                "block sizes are chosen by the solver; use tiles as indices and sizes only");
  if (lhs.is<TensorRef>() || rhs.is<TensorRef>())
    unsupported(node, fmt::format("'{}' on {} and {}", op, kindText(lhs), kindText(rhs)),
                "read blocks of tensors inside a tile loop, as in x[tile] " + op + " y[tile]");
  userError(node, "frontend.operands",
            fmt::format("'{}' does not take {} and {}", op, kindText(lhs), kindText(rhs)),
            "use numbers or tiles");
}

//===--- Comparison
//----------------------------------------------------------------------------------===//

static bool opensUp(const Value &value) {
  return value.is<Block>() || value.is<TensorRef>() || value.is<TileRef>();
}

bool Evaluator::equal(const Node &node, const Value &lhs, const Value &rhs) {
  step(node);
  if (lhs.isNumber() && rhs.isNumber())
    return lhs.isInteger() && rhs.isInteger() ? lhs.integer() == rhs.integer()
                                              : lhs.real() == rhs.real();
  if (lhs.items() && rhs.items()) {
    const ValueList &a = *lhs.items(), &b = *rhs.items();
    for (size_t i = 0; a.size() == b.size() && i < a.size(); ++i)
      if (!equal(node, a[i], b[i]))
        return false;
    return a.size() == b.size();
  }
  if (lhs.isNone() || rhs.isNone())
    return lhs.isNone() && rhs.isNone();
  if (lhs.is<std::string>() && rhs.is<std::string>())
    return *lhs.as<std::string>() == *rhs.as<std::string>();
  if (lhs.is<Dtype>() && rhs.is<Dtype>())
    return *lhs.as<Dtype>() == *rhs.as<Dtype>();
  if (lhs.is<Opaque>() && rhs.is<Opaque>())
    return lhs.as<Opaque>()->what == rhs.as<Opaque>()->what;
  if (opensUp(lhs) || opensUp(rhs) || lhs.is<BlockSizeRef>() || rhs.is<BlockSizeRef>())
    unsupported(node, fmt::format("comparing {} with {}", kindText(lhs), kindText(rhs)),
                "compare host values: sizes, dtypes, numbers, strings, None");
  return false;
}

bool Evaluator::identical(const Node &node, const Value &lhs, const Value &rhs) {
  if (lhs.isNone() || rhs.isNone())
    return lhs.isNone() && rhs.isNone();
  if (lhs.is<TensorRef>() && rhs.is<TensorRef>())
    return *lhs.as<TensorRef>() == *rhs.as<TensorRef>();
  if (lhs.data.index() != rhs.data.index())
    return false;
  return equal(node, lhs, rhs);
}

bool Evaluator::compare(const Node &node, const std::string &op, const Value &lhs,
                        const Value &rhs) {
  if (op == "is" || op == "is not")
    return identical(node, lhs, rhs) == (op == "is");
  if (op == "==" || op == "!=")
    return equal(node, lhs, rhs) == (op == "==");
  if (op == "in" || op == "not in") {
    if (!rhs.items())
      unsupported(node, "'" + op + "' on " + kindText(rhs), "test membership in tuples and lists");
    bool found =
        llvm::any_of(*rhs.items(), [&](const Value &item) { return equal(node, lhs, item); });
    return found == (op == "in");
  }
  if (!lhs.isNumber() || !rhs.isNumber())
    unsupported(node, fmt::format("'{}' on {} and {}", op, kindText(lhs), kindText(rhs)),
                "order host numbers only; a condition on device values cannot decide a branch");
  double a = lhs.real(), b = rhs.real();
  int order = lhs.isInteger() && rhs.isInteger()
                  ? (lhs.integer() > rhs.integer()) - (lhs.integer() < rhs.integer())
                  : (a > b) - (a < b);
  if (std::isnan(a) || std::isnan(b))
    return false;
  return op == "<" ? order < 0 : op == "<=" ? order <= 0 : op == ">" ? order > 0 : order >= 0;
}

bool Evaluator::truth(const Node &node, const Value &value) {
  if (value.isNumber())
    return value.real() != 0;
  if (auto text = value.as<std::string>())
    return !text->empty();
  if (value.items())
    return !value.items()->empty();
  if (opensUp(value) || value.is<BlockSizeRef>())
    unsupported(node, "a condition on " + kindText(value),
                "conditions are decided while compiling: compare sizes, dtypes, numbers or None");
  return !value.isNone();
}

//===--- Operands of a known kind
//--------------------------------------------------------------------===//

int64_t Evaluator::integer(const Node &node, const Value &value, const std::string &what) const {
  if (!value.isInteger())
    userError(node, "frontend.operands", what + " must be an integer, not " + kindText(value),
              "use a host integer");
  return value.integer();
}

double Evaluator::number(const Node &node, const Value &value, const std::string &what) const {
  if (!value.isNumber())
    userError(node, "frontend.operands", what + " must be a number, not " + kindText(value),
              "use a host number");
  return value.real();
}

Dtype Evaluator::elementDtype(const Node &node, const Value &value, const std::string &what) const {
  auto dtype = value.as<Dtype>();
  if (!dtype)
    userError(node, "frontend.operands", what + " must be a dtype, not " + kindText(value),
              "write torch.float32");
  if (!dtype->isElement())
    unsupported(node, "dtype torch." + dtype->name, std::string(takenDtypes));
  return *dtype;
}

Block Evaluator::block(const Node &node, const Value &value, const std::string &what) const {
  if (auto block = value.as<Block>())
    return *block;
  if (value.is<TensorRef>())
    onDevice() ? userError(node, "frontend.operands", what + " is the whole " + kindText(value),
                           "index it with the loop's tiles")
               : unsupported(node, "computing with " + kindText(value) + " outside of a tile loop",
                             "compute inside a loop over hl.tile(...)");
  userError(node, "frontend.operands", what + " must be a tile, not " + kindText(value),
            "use a loaded or computed tile");
}

} // namespace tilewright::frontend
