#include "agon/opponent/owl_qn.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace agon {
namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

double absolute_sum(const std::vector<double>& x) {
  double sum = 0;
  for (double v : x) sum += std::abs(v);
  return sum;
}

// The direction of steepest ascent of f + l1 |x|; 0 where no direction descends (Andrew & Gao 2007, equation 4).
void pseudo_gradient(const std::vector<double>& x, const std::vector<double>& slope, double l1,
                     std::vector<double>& out) {
  for (size_t k = 0; k < x.size(); ++k) {
    if (x[k] != 0) {
      out[k] = slope[k] + (x[k] > 0 ? l1 : -l1);
    } else if (slope[k] < -l1) {
      out[k] = slope[k] + l1;
    } else if (slope[k] > l1) {
      out[k] = slope[k] - l1;
    } else {
      out[k] = 0;
    }
  }
}

struct Pair {
  std::vector<double> step, change;  // of x, of the slope
  double curvature;                  // step . change
};

// -H v by the two loops of L-BFGS (Nocedal 1980).
void quasi_newton(const std::deque<Pair>& memory, const std::vector<double>& v, std::vector<double>& out) {
  out = v;
  std::vector<double> factor(memory.size());
  for (size_t k = memory.size(); k-- > 0;) {
    factor[k] = dot(memory[k].step, out) / memory[k].curvature;
    for (size_t i = 0; i < out.size(); ++i) out[i] -= factor[k] * memory[k].change[i];
  }
  if (!memory.empty()) {
    const Pair& last = memory.back();
    const double scale = last.curvature / dot(last.change, last.change);
    for (double& x : out) x *= scale;
  }
  for (size_t k = 0; k < memory.size(); ++k) {
    const double back = dot(memory[k].change, out) / memory[k].curvature;
    for (size_t i = 0; i < out.size(); ++i) out[i] += (factor[k] - back) * memory[k].step[i];
  }
  for (double& x : out) x = -x;
}

}  // namespace

OwlQnResult minimise(const SmoothFunction& f, double l1, std::vector<double>& x, const OwlQnOptions& options,
                     const Watch& watch) {
  const size_t n = x.size();
  std::vector<double> slope(n), pseudo(n), direction(n), next(n), next_slope(n);
  std::deque<Pair> memory;
  OwlQnResult out;
  out.value = f(x, slope) + l1 * absolute_sum(x);
  out.evaluations = 1;
  std::deque<double> last = {out.value};
  while (out.steps < options.max_steps && !watch.stop_requested()) {
    pseudo_gradient(x, slope, l1, pseudo);
    double largest = 0;
    for (double v : pseudo) largest = std::max(largest, std::abs(v));
    if (largest <= options.tolerance) {
      out.settled = true;
      break;
    }
    quasi_newton(memory, pseudo, direction);
    for (size_t k = 0; k < n; ++k) {
      if (direction[k] * pseudo[k] >= 0) direction[k] = 0;  // no descent along this coordinate
    }
    double descent = dot(direction, pseudo);
    if (!(descent < 0)) {
      memory.clear();
      for (size_t k = 0; k < n; ++k) direction[k] = -pseudo[k];
      descent = -dot(pseudo, pseudo);
    }
    // Backtracking. The very first step has length 1.
    double length = memory.empty() ? 1 / std::sqrt(dot(direction, direction)) : 1;
    bool found = false;
    for (int tries = 0; tries < 40; ++tries, length *= 0.5) {
      double expected = 0;
      for (size_t k = 0; k < n; ++k) {
        const double orthant = x[k] != 0 ? x[k] : -pseudo[k];
        next[k] = x[k] + length * direction[k];
        if (l1 > 0 && next[k] * orthant < 0) next[k] = 0;
        expected += pseudo[k] * (next[k] - x[k]);
      }
      const double value = f(next, next_slope) + l1 * absolute_sum(next);
      ++out.evaluations;
      if (std::isfinite(value) && value <= out.value + 1e-4 * expected) {
        out.value = value;
        found = true;
        break;
      }
    }
    if (!found) {
      if (memory.empty()) {  // steepest descent does not help either: the objective is as low as rounding allows
        out.settled = true;
        break;
      }
      memory.clear();
      continue;
    }
    Pair pair{std::vector<double>(n), std::vector<double>(n), 0};
    for (size_t k = 0; k < n; ++k) {
      pair.step[k] = next[k] - x[k];
      pair.change[k] = next_slope[k] - slope[k];
    }
    pair.curvature = dot(pair.step, pair.change);
    if (pair.curvature > 1e-12 * dot(pair.change, pair.change)) {
      memory.push_back(std::move(pair));
      if (static_cast<int>(memory.size()) > options.memory) memory.pop_front();
    }
    x.swap(next);
    slope.swap(next_slope);
    ++out.steps;
    last.push_back(out.value);
    if (last.size() > 10) {
      if (last.front() - out.value <= options.fall * (1 + std::abs(out.value))) {
        out.settled = true;
        break;
      }
      last.pop_front();
    }
  }
  return out;
}

}  // namespace agon
