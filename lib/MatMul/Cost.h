// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The analytical model (AdaptCore paper, section 5.2), written once over a number type V: int64_t
// in the planner, symbolic::Expr for the exact solver and `verify`. All times are cycles of one
// core, all sizes elements or bytes as named.
#pragma once

#include "Setting.h"
#include "tilewright/Model/Overlap.h"

namespace tilewright::matmul {

template <class V> struct TilesOf {
  V m1, n1, kA, kB, m0, n0, k0, split, swizzle;
};

/// Busy cycles of the stages.
template <class V> struct Busy {
  V mte2 = 0, mte1 = 0, cube = 0, fix = 0;
};

/// What depends on the tiles but not on the kind of tile.
template <class V> struct Context {
  TilesOf<V> x;
  V depth;          ///< of one part of K
  V slice;          ///< of one step of the pipeline: the larger of kA and kB
  V readsA, readsB; ///< cores that share one fetch from memory
  V coldPer1000;    ///< bytes per 1000 cycles of one core's share of memory
};

/// Cycles of one transfer of an x by k piece of `o` to L1: the engine converts row by row while the
/// memory system delivers the bytes; the slower of the two counts.
template <class V>
V transfer(const Setting &s, const Operand &o, V x, V k, V reads, V coldPer1000) {
  const Target &t = s.t;
  V bytes = x * k * V(t.elementBytes), rows = o.kInner ? x : k, row = o.kInner ? k : x;
  V engine = 0;
  if (o.nz) {
    bytes = roundUp(x, t.fractal) * roundUp(k, t.fractal) * V(t.elementBytes);
    engine = V(t.mte2Issue) + ceildiv(bytes, V(t.mte2Hot));
  } else if (o.rowwise) {
    engine = rows * (V(t.mte2Issue) + ceildiv(row * V(t.elementBytes), V(t.mte2Hot)));
  } else {
    engine = V(t.mte2Issue) + ceildiv(rows * rows1000(t, row, o.alignment), V(1000));
  }
  V memory = ceildiv(bytes, V(t.mte2Hot));
  if (!o.inL2)
    memory = max(memory, ceildiv(bytes * V(1000), coldPer1000 * reads));
  if (!s.modules.shuffleK)
    memory = select(gt(reads, V(1)), ceildiv(memory * V(t.sameAddressPermille), V(1000)), memory);
  V cycles = max(engine, memory);
  return o.hazard ? ceildiv(cycles * V(t.tlbPermille * (s.modules.shuffleK ? t.tlbPermille : 1000)),
                            V(1000000))
                  : cycles;
}

/// `depth` of an operand in pieces of `piece`.
template <class V>
V load(const Setting &s, const Operand &o, V x, V depth, V piece, V reads, V coldPer1000) {
  V rest = mod(depth, piece);
  V full = floordiv(depth, piece);
  return when(full, [&] { return full * transfer(s, o, x, piece, reads, coldPer1000); }) +
         when(gt(rest, V(0)),
              [&] { return transfer(s, o, x, max(rest, V(1)), reads, coldPer1000); });
}

/// MTE1 and Cube for an m by n by k piece, in sub-blocks of m0 by n0 and steps of k0.
template <class V> Busy<V> compute(const Setting &s, const TilesOf<V> &x, V m, V n, V k) {
  const Target &t = s.t;
  V mb = ceildiv(m, V(t.cubeM)), nb = ceildiv(n, V(t.cubeN)), kb = ceildiv(k, V(t.cubeK));
  V subM = onChip(s.kind) ? V(1) : ceildiv(m, x.m0),
    subN = onChip(s.kind) ? V(1) : ceildiv(n, x.n0);
  V steps = ceildiv(k, x.k0) * subM * subN;
  V fractals = kb * V(t.cubeK * t.elementBytes);
  Busy<V> busy;
  busy.cube = mb * nb * kb + V(t.cubeHead) * steps;
  busy.mte1 = V(2 * t.mte1Issue) * steps + ceildiv(mb * V(t.cubeM) * fractals, V(t.mte1A)) * subN +
              ceildiv(nb * V(t.cubeN) * fractals, V(t.mte1B)) * subM;
  return busy;
}

/// FixPipe for an m by n result, to C or (partial sums, always aligned) to the workspace.
template <class V> V store(const Setting &s, V m, V n, bool partial, V coldPer1000) {
  const Target &t = s.t;
  V elements = roundUp(m, t.cubeM) * roundUp(n, t.cubeN);
  V cycles = V(t.fixIssue) + ceildiv(elements * V(4), V(t.fixRate));
  if (!partial)
    return s.cAligned ? cycles : ceildiv(cycles * V(t.fixUnalignedPermille), V(1000));
  if (s.modules.atomic)
    cycles = ceildiv(cycles * V(t.sameAddressPermille), V(1000));
  // Beyond L2 a sum is read from memory and written back.
  return s.partialInL2 ? cycles : max(cycles, ceildiv(elements * V(8 * 1000), coldPer1000));
}

/// One output tile through one part of K.
template <class V> struct TileTime {
  V serial = 0;  ///< slices one after the other
  V steady = 0;  ///< slices overlapped, one period each
  V last = 0;    ///< the last period
  V exposed = 0; ///< first load and last computation
  V drain = 0;   ///< output after the last slice
  Busy<V> busy;
};

template <class V> struct Slice {
  V load, compute, store, period;
  Busy<V> busy;
};

template <class V> Slice<V> slice(const Setting &s, const Context<V> &c, V m, V n, V k) {
  Slice<V> r;
  V a = s.modules.resident == Resident::A ? V(0)
                                          : load(s, s.a, m, k, c.x.kA, c.readsA, c.coldPer1000);
  V b = 0;
  if (onChip(s.kind)) {
    b = s.modules.resident == Resident::B ? V(0)
                                          : load(s, s.b, n, k, c.x.kB, c.readsB, c.coldPer1000);
  } else { // B arrives in pieces of n0 columns
    V rest = mod(n, c.x.n0);
    b = floordiv(n, c.x.n0) * load(s, s.b, c.x.n0, k, c.x.kB, c.readsB, c.coldPer1000) +
        when(gt(rest, V(0)),
             [&] { return load(s, s.b, max(rest, V(1)), k, c.x.kB, c.readsB, c.coldPer1000); });
  }
  r.busy = compute(s, c.x, m, n, k);
  r.busy.mte2 = a + b;
  r.load = a + b;
  r.compute = max(r.busy.mte1, r.busy.cube);
  r.store = 0;
  if (!onChip(s.kind)) {
    r.store = r.busy.fix = store(s, m, n, true, c.coldPer1000) +
                           V(s.t.fixIssue) * (ceildiv(m, c.x.m0) * ceildiv(n, c.x.n0) - V(1));
    r.compute = max(r.compute, r.store); // two halves of L0C alternate
  }
  r.period = max(r.load, r.compute);
  return r;
}

/// The load that nothing hides: one buffer of each operand, and the first step into L0.
template <class V> V firstLoad(const Setting &s, const Context<V> &c, V m, V n) {
  V depthA = min(c.x.kA, c.depth), depthB = min(c.x.kB, c.depth);
  V columns = onChip(s.kind) ? n : min(n, c.x.n0);
  V a = s.modules.resident == Resident::A ? V(0)
                                          : transfer(s, s.a, m, depthA, c.readsA, c.coldPer1000);
  V b = s.modules.resident == Resident::B
            ? V(0)
            : transfer(s, s.b, columns, depthB, c.readsB, c.coldPer1000);
  V step = min(c.x.k0, c.depth) * V(s.t.elementBytes);
  V rows = onChip(s.kind) ? m : min(m, c.x.m0);
  return a + b + V(2 * s.t.mte1Issue) + ceildiv(rows * step, V(s.t.mte1A)) +
         ceildiv(columns * step, V(s.t.mte1B));
}

template <class V>
TileTime<V> tileTime(const Setting &s, const Context<V> &c, V m, V n, bool partial) {
  V full = floordiv(c.depth, c.slice), rest = mod(c.depth, c.slice), hasRest = gt(rest, V(0));
  Slice<V> f{}, l{};
  if (needed(full))
    f = slice(s, c, m, n, c.slice);
  if (needed(rest))
    l = slice(s, c, m, n, max(rest, V(1)));
  auto total = [&](V one, V tail) { return full * one + select(hasRest, tail, V(0)); };
  TileTime<V> r;
  r.serial = total(f.load + f.compute, l.load + l.compute);
  r.steady = total(f.period, l.period);
  r.last = select(hasRest, l.period, f.period);
  // Never below the last period: everything has to be loaded, however little the first load is.
  r.exposed = max(firstLoad(s, c, m, n) + select(hasRest, l.compute, f.compute), r.last);
  r.busy.mte2 = total(f.busy.mte2, l.busy.mte2);
  r.busy.mte1 = total(f.busy.mte1, l.busy.mte1);
  r.busy.cube = total(f.busy.cube, l.busy.cube);
  if (onChip(s.kind)) {
    r.drain = store(s, m, n, partial, c.coldPer1000);
    r.busy.fix = r.drain;
  } else {
    r.drain = store(s, min(m, c.x.m0), min(n, c.x.n0), true, c.coldPer1000);
    r.busy.fix = total(f.busy.fix, l.busy.fix);
  }
  return r;
}

} // namespace tilewright::matmul
