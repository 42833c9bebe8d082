// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tilewright/MatMul/Choice.h"

namespace tilewright::matmul {

const char *name(Template t) {
  static const char *const names[] = {"Common",       "SingleCoreSplitK", "MultiCoreSplitK",
                                      "HybridSplitK", "StreamK",          "Fill",
                                      "Nothing"};
  return names[size_t(t)];
}

const char *name(Pad pad) {
  static const char *const names[] = {"none", "nd", "nz"};
  return names[size_t(pad)];
}

const char *name(Pipelining pipelining) {
  static const char *const names[] = {"single buffer", "double buffer", "preload"};
  return names[size_t(pipelining)];
}

std::vector<std::string> moduleNames(const Modules &m) {
  std::vector<std::string> names;
  auto pad = [&](const char *which, Pad p) {
    if (p != Pad::None)
      names.push_back(std::string("padding ") + which + " " + name(p));
  };
  pad("A", m.padA);
  pad("B", m.padB);
  pad("C", m.padC);
  if (m.resident != Resident::None)
    names.push_back(m.resident == Resident::A ? "L1 resident A" : "L1 resident B");
  if (m.pipelining != Pipelining::Single)
    names.push_back(name(m.pipelining));
  for (auto [on, text] :
       {std::pair(m.shuffleK, "shuffleK"), std::pair(m.smallM, "small-M copy"),
        std::pair(m.eliminateScalar, "eliminate scalar"), std::pair(m.atomic, "atomic reduction")})
    if (on)
      names.push_back(text);
  return names;
}

std::string Choice::str() const {
  std::string text = name(kind);
  if (kind == Template::Nothing || kind == Template::Fill)
    return text;
  auto value = [&](const char *what, int64_t v) {
    text += std::string(" ") + what + "=" + std::to_string(v);
  };
  value("m1", tiles.m1);
  value("n1", tiles.n1);
  value("kA", tiles.kA);
  value("kB", tiles.kB);
  if (!onChip(kind)) {
    value("m0", tiles.m0);
    value("n0", tiles.n0);
  }
  value("k0", tiles.k0);
  if (tiles.split > 1)
    value("split", tiles.split);
  if (tiles.swizzle > 1)
    value("swizzle", tiles.swizzle);
  for (const std::string &module : moduleNames(modules))
    text += ", " + module;
  return text;
}

} // namespace tilewright::matmul
