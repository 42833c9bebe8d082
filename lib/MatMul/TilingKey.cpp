// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tilewright/MatMul/TilingKey.h"
#include "Enumerate.h"
#include <fmt/format.h>

namespace tilewright::matmul {

namespace {
constexpr uint64_t version = 1;

/// One field: where it lies and how many values it has.
struct Field {
  unsigned shift, bits;
  uint64_t values;
};
constexpr Field kindField{0, 4, 7}, layoutAField{4, 1, 2}, layoutBField{5, 1, 2},
    dtypeField{6, 2, 2}, padAField{8, 2, 3}, padBField{10, 2, 3}, padCField{12, 2, 2},
    residentField{14, 2, 3}, pipeliningField{16, 2, 3}, shuffleField{18, 1, 2},
    smallField{19, 1, 2}, scalarField{20, 1, 2}, atomicField{21, 1, 2}, l0cField{22, 1, 2},
    rowwiseAField{23, 1, 2}, rowwiseBField{24, 1, 2}, formField{25, 2, 3};
constexpr unsigned firstReserved = 27, versionShift = 56;

template <class T> uint64_t put(Field field, T value) {
  return uint64_t(value) << field.shift;
}

[[noreturn]] void refuse(uint64_t key, const std::string &why) {
  throw Error(Kind::User, "matmul.key", fmt::format("tiling key 0x{:016x} {}", key, why),
              "take keys from 'tilewright matmul plan' or 'build' of this version");
}

template <class T> void get(uint64_t key, Field field, T &value) {
  uint64_t raw = key >> field.shift & ((uint64_t(1) << field.bits) - 1);
  if (raw >= field.values)
    refuse(key, fmt::format("has the value {} in bits {} to {}, the largest is {}", raw,
                            field.shift, field.shift + field.bits - 1, field.values - 1));
  value = T(raw);
}
} // namespace

uint64_t encode(const KeyFields &f) {
  const Modules &m = f.modules;
  return put(kindField, f.kind) | put(layoutAField, f.layoutA) | put(layoutBField, f.layoutB) |
         put(dtypeField, f.dtype) | put(padAField, m.padA) | put(padBField, m.padB) |
         put(padCField, m.padC) | put(residentField, m.resident) |
         put(pipeliningField, m.pipelining) | put(shuffleField, m.shuffleK) |
         put(smallField, m.smallM) | put(scalarField, m.eliminateScalar) |
         put(atomicField, m.atomic) | put(l0cField, f.doubleL0c) | put(rowwiseAField, f.rowwiseA) |
         put(rowwiseBField, f.rowwiseB) | put(formField, f.form) | version << versionShift;
}

KeyFields decode(uint64_t key) {
  if (key >> versionShift != version)
    refuse(key, fmt::format("is of version {}, this is version {}", key >> versionShift, version));
  if (uint64_t reserved = (key << (64 - versionShift)) >> (64 - versionShift + firstReserved))
    refuse(key, fmt::format("has reserved bits set (0x{:x})", reserved));
  KeyFields f;
  Modules &m = f.modules;
  get(key, kindField, f.kind);
  get(key, layoutAField, f.layoutA);
  get(key, layoutBField, f.layoutB);
  get(key, dtypeField, f.dtype);
  get(key, padAField, m.padA);
  get(key, padBField, m.padB);
  get(key, padCField, m.padC);
  get(key, residentField, m.resident);
  get(key, pipeliningField, m.pipelining);
  get(key, shuffleField, m.shuffleK);
  get(key, smallField, m.smallM);
  get(key, scalarField, m.eliminateScalar);
  get(key, atomicField, m.atomic);
  get(key, l0cField, f.doubleL0c);
  get(key, rowwiseAField, f.rowwiseA);
  get(key, rowwiseBField, f.rowwiseB);
  get(key, formField, f.form);
  return f;
}

KeyFields keyFields(const Target &target, const Shape &shape, const Choice &choice) {
  KeyFields f{choice.kind, shape.layoutA, shape.layoutB, shape.dtype, choice.modules};
  f.form = !shape.groups.empty() ? Form::Groups : shape.batch > 1 ? Form::Batch : Form::Single;
  if (choice.kind == Template::Fill || choice.kind == Template::Nothing)
    return f;
  Setting s(target, shape, choice.kind, choice.modules);
  f.rowwiseA = s.a.rowwise && !choice.modules.smallM;
  f.rowwiseB = s.b.rowwise;
  f.doubleL0c =
      choice.modules.pipelining == Pipelining::Preload && storeOverlaps(s, tilesOf(choice.tiles));
  return f;
}

std::string kernelName(uint64_t key) {
  KeyFields f = decode(key);
  static const char *const kinds[] = {"common",  "scsk", "mcsk",   "hybrid",
                                      "streamk", "fill", "nothing"};
  static const char *const layouts = "rc";
  static const char *const buffering[] = {"single", "double", "preload"};
  const Modules &m = f.modules;
  std::string text =
      fmt::format("tw_matmul_{}_{}{}_{}_{}", kinds[size_t(f.kind)], layouts[size_t(f.layoutA)],
                  layouts[size_t(f.layoutB)], name(f.dtype), buffering[size_t(m.pipelining)]);
  auto number = [&](const char *what, uint64_t value) {
    if (value)
      text += fmt::format("_{}{}", what, value);
  };
  number("pa", uint64_t(m.padA));
  number("pb", uint64_t(m.padB));
  number("pc", uint64_t(m.padC));
  number("res", uint64_t(m.resident));
  number("form", uint64_t(f.form));
  for (auto [on, what] : {std::pair(m.shuffleK, "shuffle"), std::pair(m.smallM, "smallm"),
                          std::pair(m.eliminateScalar, "lean"), std::pair(m.atomic, "atomic"),
                          std::pair(f.doubleL0c, "l0c2"), std::pair(f.rowwiseA, "rowsa"),
                          std::pair(f.rowwiseB, "rowsb")})
    if (on)
      text += std::string("_") + what;
  return text;
}

} // namespace tilewright::matmul
