// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatter plots with logarithmic axes, as SVG.
#pragma once

#include <string>
#include <vector>

namespace tilewright::driver {

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points; ///< positive
  bool line = false;
};

struct Plot {
  std::string title, xTitle, yTitle;
  std::vector<Series> series;
};

/// At most `most` points of each series are drawn, evenly spaced by index. Points that are not
/// positive are left out. The same plot gives the same bytes.
std::string svg(const Plot &plot, size_t most = 400);

} // namespace tilewright::driver
