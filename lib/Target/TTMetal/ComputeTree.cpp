// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Configuration by forward data flow: at a join only what both sides agree on is known; a field
// that a loop would set again in every iteration is set before the loop when that saves a setting
// inside.
#include "ComputeTree.h"

namespace tilewright::ttmetal {

namespace {

using Counts = std::map<std::string, int>;

class Configurer {
public:
  Counts settings; ///< how often each field is set
  std::vector<Step> run(const std::vector<Step> &steps, EngineState &state);

private:
  void set(const Need &need, EngineState &state, std::vector<Step> &out);
  void block(const Step &step, EngineState &state, std::vector<Step> &out);
  EngineState hoist(const Step &step, EngineState &state, std::vector<Step> &out);
};

EngineState join(const EngineState &a, const EngineState &b) {
  EngineState both;
  for (const auto &[field, value] : a)
    if (auto it = b.find(field); it != b.end() && it->second == value)
      both[field] = value;
  return both;
}

/// Every way in which the steps set `field` to `value` is the same; finds one.
const Need *findNeed(const std::vector<Step> &steps, const std::string &field,
                     const std::string &value) {
  for (const Step &step : steps) {
    for (const Need &need : step.needs)
      if (need.field == field && need.value == value)
        return &need;
    if (const Need *found = findNeed(step.body, field, value))
      return found;
  }
  return nullptr;
}

/// Leaves every field that has to be left and that `wanted` names.
template <typename Predicate>
void leave(EngineState &state, std::vector<Step> &out, Predicate wanted) {
  for (auto it = state.begin(); it != state.end();) {
    if (it->second.leave.empty() || !wanted(it->first)) {
      ++it;
      continue;
    }
    out.push_back(Step::line(it->second.leave));
    it = state.erase(it);
  }
}

void Configurer::set(const Need &need, EngineState &state, std::vector<Step> &out) {
  auto it = state.find(need.field);
  if (it != state.end() && it->second.value == need.value)
    return;
  if (it != state.end() && !it->second.leave.empty())
    out.push_back(Step::line(it->second.leave));
  for (const std::string &line : need.lines)
    out.push_back(Step::line(line));
  ++settings[need.field];
  state[need.field] = {need.value, need.leave, need.replay};
  // Both engines' inits may record into the one replay buffer: the later one destroys the earlier.
  const char *other = need.field == fields::sfpu ? fields::fpu : fields::sfpu;
  if (auto lost = state.find(other); need.replay && lost != state.end() && lost->second.replay)
    state.erase(lost);
}

bool needs(const std::vector<Step> &body, const std::string &field) {
  for (const Step &step : body) {
    for (const Need &need : step.needs)
      if (need.field == field)
        return true;
    if (needs(step.body, field))
      return true;
  }
  return false;
}

/// Whether the steps may change `field`; the two engines' inits may make each other unknown.
bool touches(const std::vector<Step> &body, const std::string &field) {
  bool engine = field == fields::fpu || field == fields::sfpu;
  return engine ? needs(body, fields::fpu) || needs(body, fields::sfpu) : needs(body, field);
}

/// Sets before a loop what the loop would otherwise set more often: compares an iteration that
/// knows nothing with one that starts where an iteration ends. Two trial runs, whatever the number
/// of fields, keep the work at 3^depth.
EngineState Configurer::hoist(const Step &step, EngineState &state, std::vector<Step> &out) {
  EngineState exit;
  Configurer unknown, repeated;
  unknown.run(step.body, exit);
  EngineState entry = exit;
  std::erase_if(entry, [](const auto &known) { return !known.second.leave.empty(); });
  EngineState last = entry;
  repeated.run(step.body, last);
  for (const auto &[field, known] : entry)
    if (const Need *need = findNeed(step.body, field, known.value))
      if (repeated.settings[field] < unknown.settings[field])
        set(*need, state, out);
  return exit;
}

/// A block's fields with leave lines are left at its borders: none is open where two paths meet.
void Configurer::block(const Step &step, EngineState &state, std::vector<Step> &out) {
  auto touched = [&](const std::string &field) { return touches(step.body, field); };
  EngineState exit;
  if (!step.conditional)
    exit = hoist(step, state, out);
  leave(state, out, touched);
  EngineState inside = state;
  if (!step.conditional)
    std::erase_if(inside, [&](const auto &known) {
      auto it = exit.find(known.first);
      return touched(known.first) && (it == exit.end() || it->second != known.second);
    });
  Step done = step;
  EngineState before = inside;
  done.body = run(step.body, inside);
  leave(inside, done.body, touched);
  state = join(step.conditional ? state : before, inside);
  out.push_back(std::move(done));
}

std::vector<Step> Configurer::run(const std::vector<Step> &steps, EngineState &state) {
  std::vector<Step> out;
  for (const Step &step : steps) {
    for (const Need &need : step.needs)
      set(need, state, out);
    if (step.kind == Step::Line) {
      if (!step.text.empty())
        out.push_back(Step::line(step.text));
      continue;
    }
    block(step, state, out);
  }
  return out;
}

} // namespace

std::vector<Step> configure(const std::vector<Step> &steps, EngineState &state) {
  Configurer configurer;
  std::vector<Step> out = configurer.run(steps, state);
  leave(state, out, [](const std::string &) { return true; });
  return out;
}

void print(const std::vector<Step> &steps, CodeWriter &out) {
  for (const Step &step : steps) {
    if (step.kind == Step::Line) {
      out.line(std::string_view(step.text));
      continue;
    }
    out.open(step.text);
    print(step.body, out);
    out.close();
  }
}

} // namespace tilewright::ttmetal
