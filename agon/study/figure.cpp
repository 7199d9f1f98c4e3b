#include "agon/study/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "agon/base/text.h"

namespace agon {
namespace {

constexpr double kHeight = 400, kLeft = 70, kRight = 70, kTop = 40, kBottom = 80, kLegendLine = 18;

// Maps values to positions on the page, with ticks at round numbers.
struct Axis {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  bool log = false;

  double scaled(double v) const { return log ? std::log10(v) : v; }
  void see(double v) {
    if (log && !(v > 0)) return;
    low = std::min(low, scaled(v));
    high = std::max(high, scaled(v));
  }
  void settle() {
    if (!(low <= high)) low = 0, high = 1;
    if (!log && low > 0 && low < 0.5 * high) low = 0;
    if (log) low = std::floor(low), high = std::ceil(high);
    if (high - low < 1e-12 * (1 + std::abs(low))) high = low + 1;
  }
  double share(double v) const { return (scaled(v) - low) / (high - low); }
  std::vector<double> ticks() const {
    std::vector<double> out;
    double step = log ? std::max(1.0, std::ceil((high - low) / 8)) : std::pow(10, std::floor(std::log10(high - low)));
    if (!log) {
      if ((high - low) / step < 2) step /= 5;
      if ((high - low) / step < 4) step /= 2;
    }
    for (double t = std::ceil(low / step - 1e-9) * step; t <= high + 1e-9 * (high - low); t += step) {
      out.push_back(log ? std::pow(10, t) : std::abs(t) < 1e-9 * step ? 0 : t);
    }
    return out;
  }
};

}  // namespace

// As many entries on a line as there is room for.
std::vector<Figure::LegendPlace> Figure::legend_places() const {
  std::vector<LegendPlace> places;
  LegendPlace next{kLeft, 0};
  for (const FigureSeries& s : series) {
    const double room = 28 + 6.6 * static_cast<double>(s.name.size());
    if (next.x > kLeft && next.x + room > width - 10) next = {kLeft, next.line + 1};
    places.push_back(next);
    next.x += room;
  }
  return places;
}

std::string Figure::svg() const {
  Axis across, up_left, up_right;
  up_left.log = log_left;
  for (const FigureSeries& s : series) {
    for (const FigurePoint& p : s.points) {
      across.see(p.x);
      Axis& up = s.on_right ? up_right : up_left;
      up.see(p.y);
      if (p.low != 0 || p.high != 0) up.see(p.low), up.see(p.high);
    }
  }
  if (!x_names.empty()) across.see(0), across.see(static_cast<double>(x_names.size()) - 1);
  across.settle(), up_left.settle(), up_right.settle();
  const double plot_width = width - kLeft - kRight, height = kHeight - kTop - kBottom;
  const std::vector<LegendPlace> legend = legend_places();
  const double page_height = kHeight + kLegendLine * (legend.empty() ? 0 : legend.back().line);
  const auto at_x = [&](double v) { return kLeft + plot_width * across.share(v); };
  const auto at_y = [&](const Axis& axis, double v) {
    return kTop + height * (1 - std::clamp(axis.share(v), 0.0, 1.0));
  };

  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<title>{2}</title>\n<rect width=\"{0}\" height=\"{1}\" "
      "fill=\"white\"/>\n<text x=\"{3}\" y=\"22\" text-anchor=\"middle\" font-size=\"14\">{2}</text>\n",
      width, page_height, html_escaped(title), width / 2);
  const auto text = [&](double x_at, double y_at, const char* anchor, const std::string& words, double turn = 0) {
    out += fmt::format("<text x=\"{0:.1f}\" y=\"{1:.1f}\" text-anchor=\"{2}\"{3}>{4}</text>\n", x_at, y_at, anchor,
                       turn == 0 ? "" : fmt::format(" transform=\"rotate({} {:.1f} {:.1f})\"", turn, x_at, y_at),
                       html_escaped(words));
  };
  const auto rule = [&](double x1, double y1, double x2, double y2, const std::string& colour) {
    out += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2,
                       y2, colour);
  };
  const auto tick = [&](double t, const std::string& words) {
    rule(at_x(t), kTop + height, at_x(t), kTop + height + 4, "black");
    text(at_x(t), kTop + height + 18, "middle", words);
  };
  for (size_t k = 0; k < x_names.size(); ++k) tick(static_cast<double>(k), x_names[k]);
  if (x_names.empty()) {
    for (const double t : across.ticks()) tick(t, fmt::format("{:g}", t));
  }
  for (const double t : up_left.ticks()) {
    rule(kLeft, at_y(up_left, t), kLeft + plot_width, at_y(up_left, t), "#e4e4e4");
    text(kLeft - 6, at_y(up_left, t) + 4, "end", fmt::format("{:g}", t));
  }
  if (!right.empty()) {
    for (const double t : up_right.ticks())
      text(kLeft + plot_width + 6, at_y(up_right, t) + 4, "start", fmt::format("{:g}", t));
  }
  rule(kLeft, kTop + height, kLeft + plot_width, kTop + height, "black");
  rule(kLeft, kTop, kLeft, kTop + height, "black");
  text(kLeft + plot_width / 2, kTop + height + 36, "middle", x);
  text(18, kTop + height / 2, "middle", left, -90);
  if (!right.empty()) text(width - 14, kTop + height / 2, "middle", right, 90);

  for (size_t k = 0; k < series.size(); ++k) {
    const FigureSeries& s = series[k];
    const Axis& up = s.on_right ? up_right : up_left;
    std::string path;
    for (const FigurePoint& p : s.points) {
      if (up.log && !(p.y > 0)) continue;
      path += fmt::format("{:.1f},{:.1f} ", at_x(p.x), at_y(up, p.y));
      if ((p.low != 0 || p.high != 0) && !(up.log && !(p.low > 0))) {
        rule(at_x(p.x), at_y(up, p.low), at_x(p.x), at_y(up, p.high), s.colour);
      }
      out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", at_x(p.x), at_y(up, p.y),
                         s.colour);
      if (!p.mark.empty()) text(at_x(p.x), at_y(up, p.y) - 7, "middle", p.mark);
    }
    if (s.line) {
      out += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", path,
                         s.colour, s.stroke, s.dashed ? " stroke-dasharray=\"5 4\"" : "");
    }
    const double below = kHeight + kLegendLine * legend[k].line;
    out +=
        fmt::format("<circle cx=\"{:.1f}\" cy=\"{}\" r=\"4\" fill=\"{}\"/>\n", legend[k].x + 4, below - 16, s.colour);
    text(legend[k].x + 12, below - 12, "start", s.name);
  }
  return out + "</svg>\n";
}

}  // namespace agon
