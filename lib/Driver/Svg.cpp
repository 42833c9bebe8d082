// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Svg.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace tilewright::driver {

namespace {
constexpr double width = 760, height = 520, left = 80, right = 180, top = 40, bottom = 60;
const char *const colours[] = {"#4477aa", "#ee6677", "#228833", "#ccbb44",
                               "#aa3377", "#66ccee", "#777777"};

/// Whole decades around the points.
struct Axis {
  int from = 0, to = 1;
  void include(double value) {
    from = std::min(from, int(std::floor(std::log10(value))));
    to = std::max(to, int(std::ceil(std::log10(value))));
  }
  double place(double value, double begin, double end) const {
    return begin + (end - begin) * (std::log10(value) - from) / std::max(1, to - from);
  }
};

struct Canvas {
  Axis x, y;
  double px(double value) const { return x.place(value, left, width - right); }
  double py(double value) const { return y.place(value, height - bottom, top); }
};
} // namespace

static bool drawable(const std::pair<double, double> &p) {
  return p.first > 0 && p.second > 0 && std::isfinite(p.first) && std::isfinite(p.second);
}

static Canvas canvasOf(const Plot &plot) {
  Canvas c;
  bool first = true;
  for (const Series &s : plot.series)
    for (const auto &p : s.points)
      if (drawable(p)) {
        if (first)
          c.x.from = c.x.to = int(std::floor(std::log10(p.first))),
          c.y.from = c.y.to = int(std::floor(std::log10(p.second)));
        first = false;
        c.x.include(p.first), c.y.include(p.second);
      }
  return c;
}

static std::string grid(const Canvas &c) {
  std::string text;
  for (int d = c.x.from; d <= c.x.to; ++d) {
    double x = c.px(std::pow(10, d));
    text += fmt::format("<line x1='{0:.1f}' y1='{1}' x2='{0:.1f}' y2='{2}' stroke='#ddd'/>\n"
                        "<text x='{0:.1f}' y='{3}' text-anchor='middle'>1e{4}</text>\n",
                        x, top, height - bottom, height - bottom + 18, d);
  }
  for (int d = c.y.from; d <= c.y.to; ++d) {
    double y = c.py(std::pow(10, d));
    text += fmt::format("<line x1='{1}' y1='{0:.1f}' x2='{2}' y2='{0:.1f}' stroke='#ddd'/>\n"
                        "<text x='{3}' y='{0:.1f}' text-anchor='end' dy='4'>1e{4}</text>\n",
                        y, left, width - right, left - 8, d);
  }
  return text;
}

static std::string draw(const Canvas &c, const Series &s, const char *colour, size_t most) {
  std::string text;
  if (s.line) {
    text = fmt::format("<polyline fill='none' stroke='{}' stroke-width='2' points='", colour);
    for (const auto &p : s.points)
      if (drawable(p))
        text += fmt::format("{:.1f},{:.1f} ", c.px(p.first), c.py(p.second));
    return text + "'/>\n";
  }
  size_t step = std::max<size_t>(1, (s.points.size() + most - 1) / most);
  for (size_t i = 0; i < s.points.size(); i += step)
    if (drawable(s.points[i]))
      text +=
          fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='1.6' fill='{}' fill-opacity='0.5'/>\n",
                      c.px(s.points[i].first), c.py(s.points[i].second), colour);
  return text;
}

std::string svg(const Plot &plot, size_t most) {
  Canvas c = canvasOf(plot);
  std::string text = fmt::format("<svg xmlns='http://www.w3.org/2000/svg' width='{}' height='{}' "
                                 "font-family='sans-serif' font-size='12'>\n"
                                 "<rect width='100%' height='100%' fill='white'/>\n"
                                 "<text x='{}' y='22' font-size='15'>{}</text>\n",
                                 width, height, left, plot.title);
  text += grid(c);
  for (size_t i = 0; i < plot.series.size(); ++i) {
    const char *colour = colours[i % std::size(colours)];
    text += draw(c, plot.series[i], colour, most);
    text += fmt::format("<text x='{}' y='{}' fill='{}'>{}</text>\n", width - right + 12,
                        top + 16 + 18 * double(i), colour, plot.series[i].name);
  }
  text += fmt::format("<text x='{:.0f}' y='{}' text-anchor='middle'>{}</text>\n",
                      (left + width - right) / 2, height - 18, plot.xTitle);
  text += fmt::format("<text x='20' y='{0:.0f}' text-anchor='middle' transform='rotate(-90 20 "
                      "{0:.0f})'>{1}</text>\n</svg>\n",
                      (top + height - bottom) / 2, plot.yTitle);
  return text;
}

} // namespace tilewright::driver
