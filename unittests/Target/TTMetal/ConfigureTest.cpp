// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Configuration is checked by running the configured tree along random paths with an engine whose
// state is explicit: every statement must find the state that it needs.
#include "../../../lib/Target/TTMetal/ComputeTree.h"
#include "tilewright/Support/Random.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::ttmetal;

namespace {

Need need(const std::string &field, const std::string &value, bool leave = false) {
  std::string line = field + "=" + value;
  // The vector engine's inits and the matrix engine's value 1 use the replay buffer.
  bool replay = field == fields::sfpu || (field == fields::fpu && value == "1");
  return {field, value, {line}, leave ? "leave " + line : "", replay};
}

std::string useText(const std::vector<Need> &needs) {
  std::string text = "use";
  for (const Need &n : needs)
    text += "|" + n.field + "=" + n.value;
  return text;
}

/// Executes configured text. Returns how many settings ran.
struct Machine {
  std::map<std::string, std::string> state;
  std::string open; ///< a field value that must be left before it changes
  Random &random;
  int settings = 0;

  void run(const std::vector<Step> &steps) {
    for (const Step &step : steps)
      if (step.kind == Step::Line)
        line(step.text);
      else
        for (uint64_t n = random.below(step.conditional ? 2 : 4); n > 0; --n)
          run(step.body);
  }
  void line(const std::string &text) {
    if (text.rfind("use", 0) == 0) {
      for (size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 1)) {
        std::string want = text.substr(at + 1, text.find('|', at + 1) - at - 1);
        std::string field = want.substr(0, want.find('='));
        ASSERT_EQ(state[field], want) << text;
      }
      return;
    }
    if (text.rfind("leave ", 0) == 0) {
      ASSERT_EQ(open, text.substr(6));
      open.clear();
      state.erase(text.substr(6, text.find('=') - 6));
      return;
    }
    ++settings;
    std::string field = text.substr(0, text.find('='));
    if (field == fields::fpu) {
      ASSERT_EQ(open, "");
      if (text.back() == '2')
        open = text;
    }
    if (field == fields::sfpu && state[fields::fpu].ends_with('1'))
      state.erase(fields::fpu);
    if (field == fields::fpu && text.ends_with('1'))
      state.erase(fields::sfpu);
    state[field] = text;
  }
};

std::vector<Step> randomTree(Random &random, int depth) {
  static const char *names[] = {fields::srcA, fields::pack, fields::sfpu, fields::fpu};
  std::vector<Step> steps;
  for (uint64_t n = 1 + random.below(4); n > 0; --n) {
    if (depth > 0 && random.below(3) == 0) {
      std::vector<Step> body = randomTree(random, depth - 1);
      steps.push_back(random.below(2) ? Step::loop("for", body) : Step::when("if", body));
      continue;
    }
    std::vector<Need> needs;
    for (int field = 0; field < 4; ++field)
      if (random.below(2)) {
        uint64_t value = random.below(3);
        needs.push_back(need(names[field], std::to_string(value), field == 3 && value == 2));
      }
    // One statement does not run on both engines.
    if (needs.size() > 1 && needs[needs.size() - 2].field == fields::sfpu)
      needs.pop_back();
    steps.push_back(Step::line(useText(needs), needs));
  }
  return steps;
}

} // namespace

TEST(Configure, EveryStatementFindsItsState) {
  Random random(7);
  for (int trial = 0; trial < 2000; ++trial) {
    EngineState start;
    std::vector<Step> tree = configure(randomTree(random, 3), start);
    for (int path = 0; path < 4; ++path) {
      Machine machine{{}, "", random};
      machine.run(tree);
      ASSERT_EQ(machine.open, "");
      if (HasFatalFailure())
        return;
    }
  }
}

TEST(Configure, OneNeedInALoopIsSetBeforeIt) {
  Step use = Step::line("use", {need(fields::fpu, "0")});
  EngineState state;
  auto out = configure({Step::loop("for", {Step::loop("for", {use})})}, state);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].text, std::string(fields::fpu) + "=0");
}

TEST(Configure, AlternatingNeedsStayInside) {
  EngineState state;
  auto out = configure({Step::loop("for", {Step::line("use", {need(fields::fpu, "0")}),
                                           Step::line("use", {need(fields::fpu, "1")})})},
                       state);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].body.size(), 4u);
}
