// agon/report/figure.h
//
// A chart as SVG, with one or two vertical axes: lines and points with intervals. Plain shapes and text, no script.
//
//   Figure f{.title = "Selection", .x = "rows", .left = "error rate", .right = "gap"};
//   f.series.push_back({.name = "error", .points = {{400, 0.12, 0.10, 0.14}}});
//   write(f.svg());
#pragma once

#include <string>
#include <vector>

namespace agon {

struct FigurePoint {
  double x = 0, y = 0;
  double low = 0, high = 0;  // of the interval; both 0: none
};

struct FigureSeries {
  std::string name;
  std::string colour = "#1f5fa8";
  std::vector<FigurePoint> points = {};
  bool on_right = false;  // measured on the right axis
  bool line = true;       // joined; else points alone
  bool dashed = false;
};

struct Figure {
  std::string title;
  std::string x, left, right;  // what the axes show; right "": none
  bool log_left = false;       // decades on the left axis; values of 0 or less are left out
  std::vector<FigureSeries> series = {};

  std::string svg() const;
};

}  // namespace agon
