// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Monomial bounds over a box; see Relaxation.h. Floating point, hence a margin on the final figure.
#include "Relaxation.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilewright::solver {

using symbolic::Interval;
using symbolic::Op;

/// Relative safety margin: far above the rounding of some hundred operations on logarithms
/// below 44.
static constexpr double margin = 1e-10;

Relaxation::Relaxation(const symbolic::Tape &t, std::span<const int64_t> divisors)
    : tape(t), symbolCount(divisors.size()), n(symbolCount), divisorOf(slotDivisors(divisors)),
      monomials(t.size()), gradients(2 * t.size() * n), ends(t.size()), place(n, -1), center(n),
      lower(n), upper(n), trial(n) {}

std::vector<int64_t> Relaxation::slotDivisors(std::span<const int64_t> divisors) const {
  std::vector<int64_t> result;
  for (const Instruction &i : tape.instructions()) {
    auto terms = tape.operands().subspan(i.op == Op::Add || i.op == Op::Mul ? i.a : 0,
                                         i.op == Op::Add || i.op == Op::Mul ? i.b - i.a : 0);
    int64_t d = i.op == Op::Constant || i.op == Op::Add || i.op == Op::Mul ? i.value : 1;
    bool known = d != INT64_MIN;
    if (i.op == Op::Symbol)
      d = divisors[i.a];
    for (const auto &term : terms) {
      int64_t other = result[term.slot];
      known &= term.coefficient != INT64_MIN &&
               !(i.op == Op::Mul && __builtin_mul_overflow(d, other, &d));
      if (i.op == Op::Add)
        known = known && !__builtin_mul_overflow(other, term.coefficient, &other),
        d = known ? std::gcd(d, other) : 1;
    }
    result.push_back(known ? d : 1);
  }
  return result;
}

bool Relaxation::dividesExactly(const Instruction &i) const {
  const Instruction &b = tape.instructions()[i.b];
  return b.op == Op::Constant && b.value > 0 && divisorOf[i.a] % b.value == 0;
}

/// The interval's ends as monomials of degree 0, where they beat or replace what the operation
/// gave.
void Relaxation::useConstants(size_t k) {
  Monomial &m = monomials[k];
  if (!m.low || m.lowLog < ends[k].low)
    m.low = true, m.lowLog = ends[k].low, std::fill_n(lowGradient(k), n, 0.0);
  if (!m.high)
    m.high = true, m.highLog = ends[k].high, std::fill_n(highGradient(k), n, 0.0);
}

void Relaxation::visitSymbol(size_t k, int32_t symbol) {
  int32_t p = place[symbol];
  monomials[k] = {true, true, center[p], center[p]};
  std::fill_n(lowGradient(k), n, 0.0);
  std::fill_n(highGradient(k), n, 0.0);
  lowGradient(k)[p] = highGradient(k)[p] = 1;
}

/// Positive part P with a tangent below it, plus a constant C; for C < 0, P + C >= P * (1 - |C| /
/// min P).
void Relaxation::visitSum(size_t k, Slots slots) {
  const Instruction &i = tape.instructions()[k];
  auto terms = tape.operands().subspan(i.a, i.b - i.a);
  double constant = double(i.value), total = 0, least = 0;
  weights.assign(terms.size(), 0);
  for (size_t t = 0; t < terms.size(); ++t) {
    const Interval &range = slots[terms[t].slot];
    const Monomial &m = monomials[terms[t].slot];
    double c = double(terms[t].coefficient);
    if (c > 0 && m.low) {
      weights[t] = c * std::exp(m.lowLog);
      total += weights[t], least += c * double(range.lo);
    } else {
      constant += c * double(c > 0 ? range.lo : range.hi);
    }
  }
  double all = constant > 0 ? total + constant : total;
  if (total <= 0 || (constant < 0 && least + constant <= 0))
    return;
  monomials[k].low = true;
  monomials[k].lowLog = std::log(all) + (constant < 0 ? std::log1p(constant / least) : 0);
  double *gradient = lowGradient(k);
  std::fill_n(gradient, n, 0.0);
  for (size_t t = 0; t < terms.size(); ++t)
    if (weights[t] > 0)
      for (size_t v = 0; v < n; ++v)
        gradient[v] += weights[t] / all * lowGradient(terms[t].slot)[v];
}

void Relaxation::visitProduct(size_t k) {
  const Instruction &i = tape.instructions()[k];
  if (i.value <= 0)
    return;
  Monomial m{true, true, std::log(double(i.value)), std::log(double(i.value))};
  std::fill_n(lowGradient(k), n, 0.0);
  std::fill_n(highGradient(k), n, 0.0);
  for (const auto &term : tape.operands().subspan(i.a, i.b - i.a)) {
    const Monomial &factor = monomials[term.slot];
    m.low &= factor.low, m.high &= factor.high;
    m.lowLog += factor.lowLog, m.highLog += factor.highLog;
    for (size_t v = 0; v < n; ++v) {
      lowGradient(k)[v] += lowGradient(term.slot)[v];
      highGradient(k)[v] += highGradient(term.slot)[v];
    }
  }
  monomials[k] = m;
}

void Relaxation::visitQuotient(size_t k, Slots slots) {
  const Instruction &i = tape.instructions()[k];
  const Monomial &a = monomials[i.a], &b = monomials[i.b];
  bool exact = dividesExactly(i);
  if (slots[k].lo < 1 || !a.low || !b.low)
    return;
  double q = double(slots[k].lo); // floor(x) >= x * q / (q + 1) for every x >= q
  double loss = exact || i.op == Op::CeilDiv ? 0 : std::log(q / (q + 1));
  monomials[k] = {true, exact || i.op == Op::FloorDiv, a.lowLog - b.highLog + loss,
                  a.highLog - b.lowLog};
  for (size_t v = 0; v < n; ++v) {
    lowGradient(k)[v] = lowGradient(i.a)[v] - highGradient(i.b)[v];
    highGradient(k)[v] = highGradient(i.a)[v] - lowGradient(i.b)[v];
  }
}

void Relaxation::copy(size_t k, size_t from) {
  monomials[k] = monomials[from];
  std::copy_n(lowGradient(from), 2 * n, lowGradient(k)); // both gradients lie side by side
}

/// A maximum is at least its largest operand at the point of expansion.
void Relaxation::visitExtreme(size_t k) {
  const Instruction &i = tape.instructions()[k];
  auto terms = tape.operands().subspan(i.a, i.b - i.a);
  int32_t best = -1;
  for (const auto &term : terms)
    if (monomials[term.slot].low &&
        (best < 0 || monomials[term.slot].lowLog > monomials[best].lowLog))
      best = term.slot;
  if (best < 0)
    return;
  copy(k, best);
  monomials[k].high = false;
}

/// By how much the lower line of `a` exceeds that of `b` where it does so most in the box; at least
/// 0.
double Relaxation::lead(size_t a, size_t b) {
  double most = monomials[a].lowLog - monomials[b].lowLog;
  for (size_t v = 0; v < n; ++v) {
    double slope = lowGradient(a)[v] - lowGradient(b)[v];
    most += slope * ((slope > 0 ? upper : lower)[v] - center[v]);
  }
  return std::max(most, 0.0);
}

/// What may be either of two values is at least one's lower line, sunk until it is nowhere above
/// the other's.
void Relaxation::visitEither(size_t k, size_t a, size_t b) {
  if (!monomials[a].low || !monomials[b].low)
    return;
  double sunkA = lead(a, b), sunkB = lead(b, a);
  bool first = monomials[a].lowLog - sunkA >= monomials[b].lowLog - sunkB;
  copy(k, first ? a : b);
  monomials[k].lowLog -= first ? sunkA : sunkB;
  monomials[k].high = false;
}

void Relaxation::visit(size_t k, Slots slots) {
  const Instruction &i = tape.instructions()[k];
  monomials[k] = {};
  if (slots[k].lo < 1)
    return;
  if (slots[k].lo == slots[k].hi)
    return useConstants(k);
  switch (i.op) {
  case Op::Symbol:
    visitSymbol(k, i.a);
    break;
  case Op::Add:
    visitSum(k, slots);
    break;
  case Op::Mul:
    visitProduct(k);
    break;
  case Op::FloorDiv:
  case Op::CeilDiv:
    visitQuotient(k, slots);
    break;
  case Op::Max:
    visitExtreme(k);
    break;
  case Op::Select:
    if (slots[i.a].lo > 0 || slots[i.a].hi < 0)
      copy(k, i.b);
    else if (slots[i.a].lo == 0 && slots[i.a].hi == 0)
      copy(k, i.c);
    else
      visitEither(k, i.b, i.c);
    break;
  default:
    break;
  }
  useConstants(k);
}

/// Lowers `lhs` to at most `limit` (a logarithm) at the least cost of the objective, whose value at
/// y is `value`: moves coordinates in the order of cost per gain. Infinite when the box does not
/// allow it.
double Relaxation::knapsack(size_t lhs, double limit, double value, std::vector<double> &y) {
  const double *g = lowGradient(tape.roots().back()), *h = lowGradient(lhs);
  double excess = monomials[lhs].lowLog - limit;
  for (size_t v = 0; v < n; ++v)
    excess += h[v] * (y[v] - center[v]);
  while (excess > margin) {
    size_t best = n;
    double bestRatio = 0;
    for (size_t v = 0; v < n; ++v) {
      double end = h[v] > 0 ? lower[v] : upper[v];
      if (h[v] == 0 || y[v] == end)
        continue;
      double ratio = std::abs(g[v] / h[v]);
      if (best == n || ratio < bestRatio)
        best = v, bestRatio = ratio;
    }
    if (best == n)
      return INFINITY;
    double end = h[best] > 0 ? lower[best] : upper[best];
    double gain = h[best] * (y[best] - end);
    double step = gain > excess ? excess / gain : 1;
    double move = step * (end - y[best]);
    y[best] = step == 1 ? end : y[best] + move;
    value += g[best] * move;
    excess -= step == 1 ? gain : excess;
  }
  return value;
}

double Relaxation::minimise(Slots slots, std::vector<double> &y) {
  size_t objective = tape.roots().back();
  const double *g = lowGradient(objective);
  double value = monomials[objective].lowLog;
  std::vector<double> &corner = trial;
  for (size_t v = 0; v < n; ++v) {
    corner[v] = g[v] > 0 ? lower[v] : upper[v];
    value += g[v] * (corner[v] - center[v]);
  }
  y = corner;
  double best = value;
  std::vector<double> moved;
  for (size_t r = 0; r + 2 < tape.roots().size(); r += 2) {
    size_t lhs = tape.roots()[r], rhs = tape.roots()[r + 1];
    if (!monomials[lhs].low || slots[rhs].hi < 1)
      continue;
    moved = corner;
    double bound = knapsack(lhs, ends[rhs].high, value, moved);
    if (bound > best)
      best = bound, y = moved;
  }
  return best;
}

/// Numbers the symbols that still vary and takes the logarithms of all ends.
void Relaxation::prepare(std::span<const Interval> box, Slots slots) {
  n = 0;
  for (size_t v = 0; v < symbolCount; ++v) {
    bool varies = box[v].lo >= 1 && box[v].lo < box[v].hi;
    place[v] = varies ? int32_t(n) : -1;
    if (!varies)
      continue;
    lower[n] = std::log(double(box[v].lo));
    upper[n] = std::log(double(box[v].hi));
    center[n] = (lower[n] + upper[n]) / 2;
    ++n;
  }
  for (size_t k = 0; k < tape.size(); ++k) {
    ends[k].low = slots[k].lo < 1 ? 0 : std::log(double(slots[k].lo));
    ends[k].high = slots[k].lo == slots[k].hi ? ends[k].low
                   : slots[k].hi < 1          ? 0
                                              : std::log(double(slots[k].hi));
  }
}

int64_t Relaxation::bound(std::span<const Interval> box, Slots slots, int64_t enough,
                          std::vector<double> &minimiser) {
  const Interval &objective = slots[tape.roots().back()];
  if (objective.lo < 1)
    return INT64_MIN;
  prepare(box, slots);
  double best = -INFINITY;
  constexpr int rounds = 3;        // expanding again nearer to the minimiser tightens the tangent
  constexpr double hopeless = 0.8; // too far from `enough` to get there
  for (int round = 0; round < rounds; ++round) {
    for (size_t k = 0; k < tape.size(); ++k)
      visit(k, slots);
    double value = minimise(slots, lowest);
    best = std::max(best, value);
    double reached = std::exp(best) / double(enough);
    if (value == INFINITY || reached >= 1 + 2 * margin || reached < hopeless)
      break;
    for (size_t v = 0; v < n; ++v)
      center[v] += (lowest[v] - center[v]) / (round + 2);
  }
  minimiser.resize(symbolCount);
  for (size_t v = 0; v < symbolCount; ++v)
    minimiser[v] = place[v] >= 0   ? lowest[place[v]]
                   : box[v].lo < 1 ? 0
                                   : std::log(double(box[v].lo));
  double exact = std::exp(best) * (1 - margin);
  return exact >= 9e18 ? INT64_MAX : int64_t(std::ceil(exact));
}

} // namespace tilewright::solver
