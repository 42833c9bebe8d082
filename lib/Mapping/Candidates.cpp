// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enumeration of placements and transfers, and the merging of equivalent candidates.
#include "tilewright/Mapping/Candidates.h"
#include "tilewright/Support/Checked.h"
#include <algorithm>
#include <numeric>

namespace tilewright::mapping {

static int64_t product(const std::vector<Factor> &factors) {
  int64_t size = 1;
  for (const Factor &factor : factors)
    size *= factor.extent;
  return size;
}

int64_t Placement::sizeX() const {
  return product(x);
}
int64_t Placement::sizeY() const {
  return product(y);
}

int64_t Placement::cores(int axis) const {
  int64_t size = 1;
  for (const auto *dimension : {&x, &y})
    for (const Factor &factor : *dimension)
      if (factor.axis == axis)
        size *= factor.extent;
  return size;
}

std::string Candidate::name(const Program &program) const {
  std::string text = std::to_string(placement.sizeX()) + "x" + std::to_string(placement.sizeY());
  auto add = [&](const char *dimension, const std::vector<Factor> &factors) {
    for (const Factor &factor : factors)
      text +=
          " " + program.axes[factor.axis].symbol + ":" + dimension + std::to_string(factor.extent);
  };
  add("x", placement.x);
  add("y", placement.y);
  text += " |";
  auto loads = program.allLoads();
  for (size_t i = 0; i < loads.size(); ++i)
    text += " " + loads[i]->tensor + ":" + std::to_string(sharing[i].x) + "x" +
            std::to_string(sharing[i].y);
  return text;
}

//===--- Views
//---------------------------------------------------------------------------------------===//

static void extendView(int64_t rest, int axes, std::vector<Factor> &view,
                       std::vector<std::vector<Factor>> &views) {
  if (rest == 1) {
    views.push_back(view);
    return;
  }
  for (int axis = 0; axis < axes; ++axis) {
    if (std::any_of(view.begin(), view.end(), [&](const Factor &f) { return f.axis == axis; }))
      continue;
    for (int64_t extent = rest; extent >= 2; --extent) {
      if (rest % extent)
        continue;
      view.push_back({axis, extent});
      extendView(rest / extent, axes, view, views);
      view.pop_back();
    }
  }
}

std::vector<std::vector<Factor>> viewsOf(int64_t size, int axes) {
  std::vector<std::vector<Factor>> views;
  std::vector<Factor> view;
  extendView(size, axes, view, views);
  return views;
}

//===--- Transfers
//-----------------------------------------------------------------------------------===//

static int64_t sharedRun(const std::vector<Factor> &factors, const std::set<int> &axes) {
  int64_t run = 1;
  for (const Factor &factor : factors) {
    if (axes.count(factor.axis))
      break;
    run *= factor.extent;
  }
  return run;
}

std::vector<Sharing> legalSharing(const Placement &placement, const std::set<int> &axes) {
  int64_t runX = sharedRun(placement.x, axes), runY = sharedRun(placement.y, axes);
  std::vector<Sharing> result;
  for (int64_t x = runX; x >= 1; --x)
    for (int64_t y = runY; y >= 1; --y)
      if (runX % x == 0 && runY % y == 0)
        result.push_back({x, y});
  return result;
}

/// One rectangle per number of sharing cores: the first of `legalSharing`, widest along x.
static std::vector<Sharing> distinctSharing(const std::vector<Sharing> &legal,
                                            int64_t maxReceivers) {
  std::vector<Sharing> result;
  for (const Sharing &sharing : legal) {
    bool known = std::any_of(result.begin(), result.end(),
                             [&](const Sharing &s) { return s.cores() == sharing.cores(); });
    if (!known && sharing.cores() - 1 <= maxReceivers)
      result.push_back(sharing);
  }
  return result;
}

//===--- Loads that are alike
//------------------------------------------------------------------------===//

static const Scope *scopeOf(const Scope &scope, const Access *load) {
  for (const Access &access : scope.loads)
    if (&access == load)
      return &scope;
  for (const Scope &loop : scope.loops)
    if (const Scope *found = scopeOf(loop, load))
      return found;
  return nullptr;
}

/// For each load the nearest earlier one that costs the same whatever is chosen, or -1.
static std::vector<int> earlierAlike(const Program &program) {
  auto loads = program.allLoads();
  std::vector<int> result(loads.size(), -1);
  for (size_t i = 0; i < loads.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (loads[i]->axes == loads[j]->axes && loads[i]->tiles == loads[j]->tiles &&
          loads[i]->bytes == loads[j]->bytes &&
          scopeOf(program.body, loads[i]) == scopeOf(program.body, loads[j]))
        result[i] = j;
  return result;
}

//===--- Enumeration
//---------------------------------------------------------------------------------===//

namespace {
class Enumerator {
public:
  Enumerator(const Program &program, int64_t tileRows, int64_t maxReceivers, bool mergeAlike)
      : program(program), loads(program.allLoads()), alike(loads.size(), -1), tileRows(tileRows),
        maxReceivers(maxReceivers) {
    if (mergeAlike)
      alike = earlierAlike(program);
    std::vector<int> order(program.axes.size());
    std::iota(order.begin(), order.end(), 0);
    do
      orders.push_back(order);
    while (std::next_permutation(order.begin(), order.end()));
  }

  void add(const std::vector<Factor> &x, const std::vector<Factor> &y) {
    Placement placement{x, y, orders.front()};
    std::vector<std::vector<Sharing>> choices;
    std::optional<int64_t> count = orders.size();
    for (const Access *load : loads) {
      auto legal = legalSharing(placement, load->axes);
      count = count ? checkedMul(*count, int64_t(legal.size())) : count;
      choices.push_back(distinctSharing(legal, maxReceivers));
    }
    auto all = count ? checkedAdd(space.enumerated, *count) : count;
    if (!all)
      tooMany();
    space.enumerated = *all;
    if (hasIdleCores(placement)) {
      space.idle += *count;
      return;
    }
    std::vector<int64_t> key;
    for (size_t axis = 0; axis < program.axes.size(); ++axis)
      key.push_back(placement.cores(axis));
    combine(placement, choices, key, {});
  }

  CandidateSpace take() {
    for (auto &entry : classes)
      space.candidates.push_back(std::move(entry.second));
    return std::move(space);
  }

private:
  /// A few seconds of work.
  static constexpr int64_t mostVisited = int64_t(1) << 20;

  [[noreturn]] void tooMany() const {
    throw Error(Kind::Unsupported, "mapping.candidates",
                "the " + std::to_string(loads.size()) + " loads of '" + program.name +
                    "' can be shared by cores in more than " + std::to_string(mostVisited) +
                    " ways",
                "load fewer tensors, or give a smaller --grid");
  }

  bool hasIdleCores(const Placement &placement) const {
    for (size_t axis = 0; axis < program.axes.size(); ++axis)
      if (placement.cores(axis) > ceilDiv(program.axes[axis].extent, tileRows))
        return true;
    return false;
  }

  /// Fewer factors are simpler to read and to route; the first enumerated wins a tie.
  static size_t pieces(const Placement &placement) {
    return placement.x.size() + placement.y.size();
  }

  using Choices = std::vector<std::vector<Sharing>>;

  /// Of loads that are alike, a later one is not shared by more cores than an earlier one.
  bool ordered(size_t load, const Sharing &sharing, const std::vector<Sharing> &chosen) const {
    return alike[load] < 0 || sharing.cores() <= chosen[alike[load]].cores();
  }

  void combine(const Placement &placement, const Choices &choices, std::vector<int64_t> &key,
               std::vector<Sharing> chosen) {
    size_t load = chosen.size();
    if (load == choices.size()) {
      if (++visited > mostVisited)
        tooMany();
      auto [entry, fresh] = classes.try_emplace(key, Candidate{placement, chosen});
      if (!fresh && pieces(placement) < pieces(entry->second.placement))
        entry->second = Candidate{placement, chosen};
      return;
    }
    for (const Sharing &sharing : choices[load]) {
      if (!ordered(load, sharing, chosen))
        continue;
      key.push_back(sharing.cores());
      chosen.push_back(sharing);
      combine(placement, choices, key, chosen);
      chosen.pop_back();
      key.pop_back();
    }
  }

  const Program &program;
  std::vector<const Access *> loads;
  std::vector<int> alike;
  int64_t tileRows, maxReceivers;
  std::vector<std::vector<int>> orders;
  std::map<std::vector<int64_t>, Candidate> classes;
  CandidateSpace space;
  int64_t visited = 0;
};
} // namespace

CandidateSpace enumerate(const Program &program, int64_t gridX, int64_t gridY, int64_t tileRows,
                         int64_t maxReceivers, bool mergeAlike) {
  Enumerator enumerator(program, tileRows, maxReceivers, mergeAlike);
  int axes = program.axes.size();
  // The last axis on x and the first on y is the usual picture of a matrix: it comes first among
  // equals.
  std::vector<std::vector<std::vector<Factor>>> views;
  for (int64_t size = 1; size <= std::max(gridX, gridY); ++size)
    views.push_back(viewsOf(size, axes));
  for (int64_t sizeX = gridX; sizeX >= 1; --sizeX)
    for (int64_t sizeY = gridY; sizeY >= 1; --sizeY)
      for (auto x = views[sizeX - 1].rbegin(); x != views[sizeX - 1].rend(); ++x)
        for (const auto &y : views[sizeY - 1])
          enumerator.add(*x, y);
  return enumerator.take();
}

} // namespace tilewright::mapping
