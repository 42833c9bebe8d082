// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flat program: built in post-order, evaluated in checked 64-bit arithmetic, and again in 128
// bits in the rare case that something overflows or divides by zero (perhaps only in an arm not
// chosen).
#include "tilewright/Symbolic/Tape.h"
#include "Node.h"
#include "tilewright/Support/Checked.h"
#include "tilewright/Symbolic/Interval.h"
#include <algorithm>
#include <unordered_map>

namespace tilewright::symbolic {

class TapeBuilder {
public:
  TapeBuilder(Tape &t, std::span<const std::string> s) : tape(t) {
    for (size_t i = 0; i < s.size(); ++i)
      indexOf.emplace(s[i], int32_t(i));
  }
  int32_t slot(const Expr &e) {
    auto found = memo.find(e.identity());
    if (found != memo.end())
      return found->second;
    Tape::Instruction instruction = compile(e);
    tape.code.push_back(instruction);
    return memo[e.identity()] = int32_t(tape.code.size() - 1);
  }

private:
  Tape::Instruction compile(const Expr &e);
  Tape::Instruction compileList(Op op, int64_t value, std::vector<Tape::Term> list);
  Tape::Instruction compileSum(const Expr &e);
  int32_t symbolIndex(const Expr &e) const;

  Tape &tape;
  std::unordered_map<std::string, int32_t> indexOf;
  std::unordered_map<const Node *, int32_t> memo;
};

int32_t TapeBuilder::symbolIndex(const Expr &e) const {
  auto found = indexOf.find(e.name());
  if (found == indexOf.end())
    throw Error(Kind::User, "symbolic.unbound", "symbol \"" + e.name() + "\" has no value",
                "give it a value");
  return found->second;
}

Tape::Instruction TapeBuilder::compileList(Op op, int64_t value, std::vector<Tape::Term> list) {
  int32_t begin = int32_t(tape.terms.size());
  tape.terms.insert(tape.terms.end(), list.begin(), list.end());
  return {op, begin, int32_t(tape.terms.size()), 0, value};
}

Tape::Instruction TapeBuilder::compileSum(const Expr &e) {
  Linear linear(e);
  std::vector<Tape::Term> list;
  for (const Linear::Term &term : linear.terms)
    list.push_back({int64_t(term.coefficient), slot(term.base)});
  return compileList(Op::Add, int64_t(linear.constant), std::move(list));
}

Tape::Instruction TapeBuilder::compile(const Expr &e) {
  std::vector<Tape::Term> list;
  switch (e.op()) {
  case Op::Constant:
    return {e.op(), 0, 0, 0, e.value()};
  case Op::Symbol:
    return {e.op(), symbolIndex(e), 0, 0, 0};
  case Op::Add:
    return compileSum(e);
  case Op::Mul:
    for (const Expr &factor : factorsOf(e).rest)
      list.push_back({1, slot(factor)});
    return compileList(e.op(), factorsOf(e).coefficient, std::move(list));
  case Op::Min:
  case Op::Max:
    for (const Expr &operand : e.operands())
      list.push_back({1, slot(operand)});
    return compileList(e.op(), 0, std::move(list));
  default:
    break;
  }
  int32_t x[3] = {0, 0, 0};
  for (size_t i = 0; i < e.operands().size(); ++i)
    x[i] = slot(e.operands()[i]);
  return {e.op(), x[0], x[1], x[2], 0};
}

Tape::Tape(std::span<const Expr> roots, std::span<const std::string> symbols) {
  TapeBuilder builder(*this, symbols);
  for (const Expr &root : roots)
    rootSlots.push_back(builder.slot(root));
}

/// Floor or ceiling quotient, or remainder; the divisor is neither 0 nor -1.
static inline int64_t divideValues(Op op, int64_t a, int64_t b) {
  int64_t q = a / b, r = a % b;
  bool differ = (r < 0) != (b < 0);
  if (op == Op::Mod)
    return r != 0 && differ ? r + b : r;
  if (op == Op::FloorDiv)
    return r != 0 && differ ? q - 1 : q;
  return r != 0 && !differ ? q + 1 : q;
}

bool Tape::evaluate(std::span<const int64_t> point, std::span<int64_t> results,
                    std::vector<int64_t> &scratch) const {
  scratch.resize(code.size());
  int64_t *const v = scratch.data();
  const Term *const pool = terms.data();
  bool bad = false;
  int64_t *out = v;
  for (const Instruction &i : code) {
    int64_t r = i.value;
    switch (i.op) {
    case Op::Constant:
      break;
    case Op::Symbol:
      r = point[i.a];
      break;
    case Op::Add:
      for (const Term *t = pool + i.a, *end = pool + i.b; t != end; ++t) {
        int64_t product;
        bad |= __builtin_mul_overflow(t->coefficient, v[t->slot], &product);
        bad |= __builtin_add_overflow(r, product, &r);
      }
      break;
    case Op::Mul:
      for (const Term *t = pool + i.a, *end = pool + i.b; t != end; ++t)
        bad |= __builtin_mul_overflow(r, v[t->slot], &r);
      break;
    case Op::FloorDiv:
    case Op::CeilDiv:
    case Op::Mod:
      if (v[i.b] == 0 || v[i.b] == -1)
        return evaluateWide(point, results);
      r = divideValues(i.op, v[i.a], v[i.b]);
      break;
    case Op::Min:
      r = v[pool[i.a].slot];
      for (const Term *t = pool + i.a + 1, *end = pool + i.b; t != end; ++t)
        r = std::min(r, v[t->slot]);
      break;
    case Op::Max:
      r = v[pool[i.a].slot];
      for (const Term *t = pool + i.a + 1, *end = pool + i.b; t != end; ++t)
        r = std::max(r, v[t->slot]);
      break;
    case Op::Le:
      r = v[i.a] <= v[i.b];
      break;
    case Op::Lt:
      r = v[i.a] < v[i.b];
      break;
    case Op::Eq:
      r = v[i.a] == v[i.b];
      break;
    case Op::Ne:
      r = v[i.a] != v[i.b];
      break;
    case Op::Select:
      r = v[i.a] ? v[i.b] : v[i.c];
      break;
    }
    *out++ = r;
  }
  if (bad)
    return evaluateWide(point, results);
  for (size_t i = 0; i < rootSlots.size(); ++i)
    results[i] = v[rootSlots[i]];
  return true;
}

namespace {

/// A value with room to spare. Only a product may be wider than 64 bits, and only on its way into a
/// sum.
struct Slot {
  Wide value = 0;
  bool good = true;
  bool narrowGood() const { return good && fits(value); }
};

} // namespace

static Slot wideProduct(Wide coefficient, std::span<const Slot *const> factors) {
  Slot r{coefficient, true};
  bool zero = false, overflow = false;
  for (const Slot *factor : factors) {
    r.good &= factor->narrowGood();
    zero |= factor->value == 0;
    overflow |= __builtin_mul_overflow(r.value, factor->value, &r.value);
  }
  if (zero)
    r.value = 0;
  r.good &= zero || !overflow;
  return r;
}

static Slot wideDivide(Op op, const Slot &a, const Slot &b) {
  if (!a.narrowGood() || !b.narrowGood() || b.value == 0)
    return {0, false};
  Slot r;
  if (b.value == -1)
    r.value = op == Op::Mod ? 0 : -a.value;
  else
    r.value = divideValues(op, int64_t(a.value), int64_t(b.value));
  r.good = fits(r.value);
  return r;
}

static Slot wideCompare(Op op, const Slot &a, const Slot &b) {
  bool good = a.narrowGood() && b.narrowGood();
  switch (op) {
  case Op::Le:
    return {a.value <= b.value, good};
  case Op::Lt:
    return {a.value < b.value, good};
  case Op::Eq:
    return {a.value == b.value, good};
  default:
    return {a.value != b.value, good};
  }
}

static Slot wideSelect(const Slot &condition, const Slot &then, const Slot &otherwise) {
  const Slot &chosen = condition.value ? then : otherwise;
  return {chosen.value, condition.narrowGood() && chosen.narrowGood()};
}

static Slot wideExtreme(Op op, std::span<const Slot *const> operands) {
  Slot r = *operands[0];
  for (const Slot *operand : operands) {
    r.value = op == Op::Min ? std::min(r.value, operand->value) : std::max(r.value, operand->value);
    r.good &= operand->narrowGood();
  }
  return r;
}

static Slot wideSum(Wide constant, std::span<const Slot *const> operands,
                    const int64_t *coefficients) {
  Slot r{constant, true};
  for (size_t i = 0; i < operands.size(); ++i) {
    Wide product = 0;
    r.good &= operands[i]->good &&
              !__builtin_mul_overflow(operands[i]->value, Wide(coefficients[i]), &product);
    r.good &= !__builtin_add_overflow(r.value, product, &r.value);
  }
  r.good &= fits(r.value);
  return r;
}

bool Tape::evaluateWide(std::span<const int64_t> point, std::span<int64_t> results) const {
  std::vector<Slot> v(code.size());
  std::vector<const Slot *> operands;
  std::vector<int64_t> coefficients;
  for (size_t k = 0; k < code.size(); ++k) {
    const Instruction &i = code[k];
    operands.clear(), coefficients.clear();
    if (i.op == Op::Add || i.op == Op::Mul || i.op == Op::Min || i.op == Op::Max)
      for (int32_t t = i.a; t < i.b; ++t)
        operands.push_back(&v[terms[t].slot]), coefficients.push_back(terms[t].coefficient);
    switch (i.op) {
    case Op::Constant:
      v[k].value = i.value;
      break;
    case Op::Symbol:
      v[k].value = point[i.a];
      break;
    case Op::Add:
      v[k] = wideSum(i.value, operands, coefficients.data());
      break;
    case Op::Mul:
      v[k] = wideProduct(i.value, operands);
      break;
    case Op::Min:
    case Op::Max:
      v[k] = wideExtreme(i.op, operands);
      break;
    case Op::FloorDiv:
    case Op::CeilDiv:
    case Op::Mod:
      v[k] = wideDivide(i.op, v[i.a], v[i.b]);
      break;
    case Op::Select:
      v[k] = wideSelect(v[i.a], v[i.b], v[i.c]);
      break;
    default:
      v[k] = wideCompare(i.op, v[i.a], v[i.b]);
    }
  }
  bool good = true;
  for (size_t i = 0; i < rootSlots.size(); ++i) {
    good &= v[rootSlots[i]].narrowGood();
    results[i] = int64_t(v[rootSlots[i]].value);
  }
  return good;
}

void Tape::bounds(std::span<const Interval> box, std::span<Interval> results,
                  std::vector<Interval> &scratch) const {
  scratch.resize(code.size());
  Interval *const v = scratch.data();
  const Term *const pool = terms.data();
  Interval *out = v;
  for (const Instruction &i : code) {
    Interval r{i.value, i.value};
    switch (i.op) {
    case Op::Constant:
      break;
    case Op::Symbol:
      r = box[i.a];
      break;
    case Op::Add:
      for (const Term *t = pool + i.a, *end = pool + i.b; t != end; ++t)
        r = addScaled(r, t->coefficient, v[t->slot]);
      break;
    case Op::Mul:
      for (const Term *t = pool + i.a, *end = pool + i.b; t != end; ++t)
        r = mulIntervals(r, v[t->slot]);
      break;
    case Op::FloorDiv:
    case Op::CeilDiv:
    case Op::Mod:
      r = divideIntervals(i.op, v[i.a], v[i.b]);
      break;
    case Op::Min:
    case Op::Max:
      r = v[pool[i.a].slot];
      for (const Term *t = pool + i.a + 1, *end = pool + i.b; t != end; ++t) {
        const Interval &x = v[t->slot];
        r = i.op == Op::Min ? Interval{std::min(r.lo, x.lo), std::min(r.hi, x.hi)}
                            : Interval{std::max(r.lo, x.lo), std::max(r.hi, x.hi)};
      }
      break;
    case Op::Select:
      r = selectIntervals(v[i.a], v[i.b], v[i.c]);
      break;
    default:
      r = compareIntervals(i.op, v[i.a], v[i.b]);
    }
    *out++ = r;
  }
  for (size_t i = 0; i < rootSlots.size(); ++i)
    results[i] = v[rootSlots[i]];
}

Interval bounds(Expr e, const Box &box) {
  std::vector<std::string> names;
  std::vector<Interval> intervals;
  for (const auto &[name, interval] : box) {
    names.push_back(name);
    intervals.push_back(interval);
  }
  Interval result;
  std::vector<Interval> scratch;
  Tape(std::span(&e, 1), names).bounds(intervals, std::span(&result, 1), scratch);
  return result;
}

} // namespace tilewright::symbolic
