// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device as sloppy as a correct one may be: it cuts operands to TF32, multiplies in phases, adds
// in any order, errs in its functions and skips roundings. Written from docs/numerics.md, not from
// the library.
#pragma once

#include "Programs.h"
#include <algorithm>
#include <bit>

namespace tilewright::reference::test {

struct Device {
  int phases = 4;           // partial products hi*hi, lo(A) hi(B), hi(A) lo(B), lo*lo
  bool tf32 = false;        // f32 operands are cut
  double functionError = 0; // relative
  bool exactSums = false;   // long double instead of f32 (a better device is correct as well)
  Random random{1};

  static constexpr int upperA = 5, upperB = 7;

  Precision precision() const {
    Precision p = tf32 ? Precision::ofMultiplier(phases, upperA, upperB, 11) : Precision::exact();
    if (!tf32 && phases < 4) {
      p.fidelityLoss = fidelityLoss(phases, 8, upperA, upperB);
      p.fidelityLossF32 = fidelityLoss(phases, 24, upperA, upperB);
    }
    for (int kind = 0; kind <= int(tw::UnaryKind::Cos); ++kind)
      p.sfpu[tw::UnaryKind(kind)] = {functionError, 0};
    p.divide = {functionError, 0};
    return p;
  }

  /// The upper `bits` significant bits.
  static float upper(float x, int bits) {
    return std::bit_cast<float>(std::bit_cast<uint32_t>(x) & ~((1u << (24 - bits)) - 1));
  }
  float read(float x, bool bf16) const { return tf32 && !bf16 ? upper(x, 11) : x; }
  float sloppy(double x) { return float(x * (1 + functionError * (2.0 * random.uniform() - 1))); }

  /// b comes from SrcB (a matmul's lhs), a from SrcA.
  double multiply(double b, double a) const {
    double bHi = upper(float(b), upperB), aHi = upper(float(a), upperA), bLo = b - bHi,
           aLo = a - aHi;
    double sum = aHi * bHi;
    if (phases > 1)
      sum += aLo * bHi;
    if (phases > 2)
      sum += aHi * bLo;
    return phases > 3 ? sum + aLo * bLo : sum;
  }

  /// The terms in a random order: one after the other, or as a tree.
  double add(std::vector<double> terms) {
    for (size_t i = terms.size(); i > 1; --i)
      std::swap(terms[i - 1], terms[random.below(i)]);
    if (exactSums) {
      long double sum = 0;
      for (double term : terms)
        sum += term;
      return double(sum);
    }
    return random.below(2) ? inSequence(terms) : asTree(terms);
  }
  static double inSequence(const std::vector<double> &terms) {
    float sum = 0;
    for (double term : terms)
      sum += float(term);
    return sum;
  }
  static double asTree(std::vector<double> terms) {
    std::vector<float> level(terms.begin(), terms.end());
    while (level.size() > 1) {
      std::vector<float> next;
      for (size_t i = 0; i + 1 < level.size(); i += 2)
        next.push_back(level[i] + level[i + 1]);
      if (level.size() % 2)
        next.push_back(level.back());
      level = next;
    }
    return level.empty() ? 0 : level[0];
  }

  /// relu(x @ y + bias) or without either, in whole tensors.
  Tensor gemm(const GemmText &text, const Tensor &x, const Tensor &y, const Tensor *bias) {
    Tensor out{"out", text.out, {text.m, text.n}, {}};
    bool xb = text.x == "bf16", yb = text.y == "bf16";
    for (int64_t i = 0; i < text.m; ++i)
      for (int64_t j = 0; j < text.n; ++j) {
        std::vector<double> terms;
        for (int64_t p = 0; p < text.k; ++p)
          terms.push_back(multiply(read(at(x, i, p), xb), read(at(y, p, j), yb)));
        double value = add(terms);
        if (bias)
          value = float(double(read(float(value), false)) + bias->values[j]);
        if (text.activation == "relu")
          value = value < 0 ? 0 : value;
        float read32 = read(float(value), false);
        out.values.push_back(text.out == "bf16" ? nearestBf16(read32) : read32);
      }
    return out;
  }
};

} // namespace tilewright::reference::test
