// agon/study/figure.h
//
// A chart as SVG, with one or two vertical axes: lines and points with intervals. Plain shapes and text, no script.
//
//   Figure f{.title = "Selection", .x = "rows", .left = "error rate", .right = "gap"};
//   f.series.push_back({.name = "error", .points = {{400, 0.12, 0.10, 0.14}}});
//   out << f.svg();
//
// With x_names, the positions 0, 1, ... on the horizontal axis are labelled with these names.
#pragma once

#include <string>
#include <vector>

namespace agon {

struct FigurePoint {
  double x = 0, y = 0;
  double low = 0, high = 0;  // of the interval; both 0: no interval
  std::string mark = "";     // a letter above the point
};

struct FigureSeries {
  std::string name;
  std::string colour = "#1f5fa8";
  std::vector<FigurePoint> points = {};
  bool on_right = false;  // measured on the right axis
  bool line = true;       // points are joined by a line
  bool dashed = false;
  double stroke = 1.5;  // width of the line
};

struct Figure {
  std::string title;
  std::string x, left, right;  // labels of the axes; right "": no right axis
  bool log_left = false;       // logarithmic left axis; values of 0 or less are omitted
  std::vector<FigureSeries> series = {};
  std::vector<std::string> x_names = {};  // empty: the axis shows numbers
  double width = 640;

  std::string svg() const;

 private:
  struct LegendPlace {
    double x = 0;
    int line = 0;
  };
  std::vector<LegendPlace> legend_places() const;
};

}  // namespace agon
