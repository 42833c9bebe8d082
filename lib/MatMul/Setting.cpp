// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Setting.h"
#include <numeric>

namespace tilewright::matmul {

/// One vector pass that reads a matrix and writes it in another form.
static int64_t padCycles(const Target &t, int64_t bytes) {
  int64_t rate = bytes <= t.padHotLimit ? t.padHotPer1000 : t.padColdPer1000;
  return t.launchPass + ceildiv(bytes * 1000, rate * t.vectorCores);
}

/// `pitch`, `inner` and `outer` in elements, as the matrix lies in memory.
static Operand operand(const Target &t, bool kInner, int64_t pitch, int64_t inner, int64_t outer,
                       int64_t copies, Pad pad) {
  Operand o;
  o.kInner = kInner;
  o.bytes = inner * outer * copies * t.elementBytes;
  o.nz = pad == Pad::Nz;
  if (pad == Pad::None) {
    o.alignment = pitchAlignment(pitch * t.elementBytes, t.alignment);
    o.rowwise = pitch > t.maxStride;
    o.hazard = pitch > t.tlbInner && pitch % t.tlbInner == 0 && outer >= t.tlbOuter;
    return o;
  }
  o.alignment = t.alignment;
  o.rowwise = pad == Pad::Nd && inner > t.maxStride - t.alignment;
  o.padCycles = padCycles(t, o.bytes);
  o.inL2 = o.bytes <= t.l2Usable;
  return o;
}

Setting::Setting(const Target &target, const Shape &shape, Template kind, const Modules &modules)
    : t(target), kind(kind), modules(modules), m(shape.m), n(shape.n), k(shape.k),
      batch(shape.batch), groups(shape.groups) {
  int64_t products = groups.empty() ? batch : int64_t(groups.size());
  int64_t copiesA = groups.empty() ? batch : 1;
  bool rowA = shape.layoutA == Layout::Row, rowB = shape.layoutB == Layout::Row;
  a = operand(t, rowA, shape.pitchA(), rowA ? k : m, rowA ? m : k, copiesA, modules.padA);
  b = operand(t, !rowB, shape.pitchB(), rowB ? n : k, rowB ? k : n, products, modules.padB);
  a.rowwise |= modules.smallM;
  int64_t c = m * n * copiesA;
  fitsL2 = a.bytes + b.bytes + c * t.elementBytes <= t.l2Usable;
  cAligned = modules.padC != Pad::None || shape.pitchC() * t.elementBytes % t.alignment == 0;
  partialBytes = 4 * c;
  partialInL2 = partialBytes <= t.l2Usable;
  padCCycles = modules.padC == Pad::None ? 0 : padCycles(t, c * t.elementBytes);
}

int64_t memoryBytes(const Setting &s) {
  int64_t c = s.partialBytes / 4 * s.t.elementBytes;
  return s.a.bytes * (s.a.padCycles ? 2 : 1) + s.b.bytes * (s.b.padCycles ? 2 : 1) +
         c * (s.padCCycles ? 2 : 1);
}

} // namespace tilewright::matmul
