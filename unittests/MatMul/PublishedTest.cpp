// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model against times published for silicon, none of which a constant was fitted on
// (docs/evaluation-ascend.md has every row).
#include "AscendRows.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::matmul;
using namespace tilewright::bench;

static double predicted(const Row &row) {
  Target target = targetOf(row);
  return target.microseconds(predict(target, row).cycles);
}

TEST(Published, MedianErrorIsWithinTwentyPerCent) {
  std::vector<double> errors;
  for (const Row &row : rows()) {
    double error = std::abs(predicted(row) / row.microseconds - 1);
    errors.push_back(error);
    if (error > 0.2)
      EXPECT_STRNE(row.missing, "") << row.name << ": " << error;
  }
  std::sort(errors.begin(), errors.end());
  EXPECT_GE(errors.size(), 35u);
  EXPECT_LE(errors[errors.size() / 2], 0.2);
}

TEST(Published, EveryStepHasTheRightDirection) {
  auto find = [](const std::string &name) -> const Row & {
    for (const Row &row : rows())
      if (row.name == name)
        return row;
    ADD_FAILURE() << name;
    return rows().front();
  };
  for (const Step &step : steps()) {
    const Row &before = find(step.before), &after = find(step.after);
    EXPECT_LT(after.microseconds, before.microseconds) << step.before;
    EXPECT_LE(predicted(after), predicted(before)) << step.before;
  }
}
