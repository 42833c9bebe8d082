// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tw-materialize: the schedule of Materialize.h from textual options, for tests and single steps.
#include "tilewright/Transforms/Materialize.h"
#include "tilewright/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewright::tw;

namespace tilewright::transforms {
#define GEN_PASS_DEF_MATERIALIZE
#include "tilewright/Transforms/Passes.h.inc"

namespace {

SmallVector<StringRef> parts(StringRef text, char separator) {
  SmallVector<StringRef> pieces, result;
  text.split(pieces, separator, -1, /*KeepEmpty=*/false);
  for (StringRef piece : pieces)
    if (!piece.trim().empty())
      result.push_back(piece.trim());
  return result;
}

/// "a=1;b=2", split at each piece's last '='.
bool parseValues(StringRef text, std::map<std::string, int64_t> &values) {
  return llvm::all_of(parts(text, ';'), [&](StringRef piece) {
    auto [name, number] = piece.rsplit('=');
    int64_t value;
    return !number.trim().getAsInteger(10, value) &&
           values.emplace(name.trim().str(), value).second;
  });
}

/// "8x1;1x4".
bool parsePairs(StringRef text, std::vector<std::pair<int64_t, int64_t>> &pairs) {
  return llvm::all_of(parts(text, ';'), [&](StringRef piece) {
    auto [first, second] = piece.split('x');
    auto &pair = pairs.emplace_back();
    return !first.trim().getAsInteger(10, pair.first) &&
           !second.trim().getAsInteger(10, pair.second);
  });
}

/// "x 1:8 0:2 y 0:4 order 0 1": factors as axis:cores, inner first.
bool parsePlacement(StringRef text, MaterializeSpec &spec) {
  std::vector<int64_t> *axes = nullptr, *extents = nullptr;
  for (StringRef word : parts(text, ' ')) {
    int64_t axis, extent;
    auto [first, second] = word.split(':');
    if (word == "x")
      axes = &spec.xAxes, extents = &spec.xExtents;
    else if (word == "y")
      axes = &spec.yAxes, extents = &spec.yExtents;
    else if (word == "order")
      axes = &spec.order, extents = nullptr;
    else if (!axes || first.getAsInteger(10, axis) || (extents && second.getAsInteger(10, extent)))
      return false;
    else {
      axes->push_back(axis);
      if (extents)
        extents->push_back(extent);
    }
  }
  return true;
}

struct Materialize : impl::MaterializeBase<Materialize> {
  using MaterializeBase::MaterializeBase;

  void runOnOperation() override {
    MaterializeSpec spec;
    bool good = parseValues(symbols, spec.symbols) && parsePlacement(placement, spec) &&
                parsePairs(transfers, spec.transfers) && parseValues(depths, spec.depths) &&
                parsePairs(subblocks, spec.subblocks);
    if (!good)
      getOperation().emitError(
          "the options of tw-materialize cannot be read [transforms.schedule-text]");
    if (!good || failed(materialize(getOperation(), spec)))
      signalPassFailure();
  }
};

} // namespace
} // namespace tilewright::transforms
