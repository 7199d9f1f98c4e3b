#include <algorithm>
#include <cmath>

#include "agon/base/parallel.h"
#include "agon/opponent/lingam.h"

namespace agon {
namespace {

constexpr double kDetermined = 1e-6;  // share of its variance that a column has left

}  // namespace

CausalOrder direct_order(const StandardTable& table, const LingamOptions& options, const Watch& watch,
                         const Knowledge& knowledge) {
  const int p = table.variables(), n = table.rows;
  std::vector<std::vector<float>> x(p, std::vector<float>(n));  // residuals, of variance 1
  for (int r = 0; r < n; ++r) {
    for (int v = 0; v < p; ++v) x[v][r] = table.at(r, v);
  }
  Correlations c = correlations(table);  // of the residuals
  std::vector<double> left(p, 1);        // share of its variance that a residual is
  std::vector<int> rest(p);
  for (int v = 0; v < p; ++v) rest[v] = v;

  CausalOrder out;
  std::vector<double> difference(static_cast<size_t>(p) * p);
  std::vector<double> entropy(p);
  while (rest.size() > 1 && !watch.stop_requested()) {
    // R(i, j) of all pairs; R(j, i) = -R(i, j). A column that is determined says nothing.
    const int m = static_cast<int>(rest.size());
    parallel_for(m, options.threads, [&](int k) {
      const int i = rest[k];
      entropy[i] = entropy_of(entropy_means(x[i].data(), x[i].data(), n, 0, 1).first);
    });
    parallel_for(m, options.threads, [&](int k) {
      const int i = rest[k];
      for (int l = k + 1; l < m && !watch.stop_requested(); ++l) {
        const int j = rest[l];
        double& d = difference[static_cast<size_t>(i) * p + j];
        const double r = c.at(i, j), s = 1 - r * r;
        d = 0;
        if (left[i] < kDetermined || left[j] < kDetermined || s < kDetermined) continue;
        const EntropyPair e =
            entropy_means(x[i].data(), x[j].data(), n, static_cast<float>(r), static_cast<float>(1 / std::sqrt(s)));
        d = entropy[j] + entropy_of(e.first) - entropy[i] - entropy_of(e.second);
      }
    });
    if (watch.stop_requested()) break;

    // The least an effect, among those that knowledge lets come first.
    int first = -1;
    double least = 0;
    for (const bool tiers : {true, false}) {
      for (int i : rest) {
        if (!may_come_first(i, rest, table.node, knowledge, tiers)) continue;
        double sum = 0;
        for (int j : rest) {
          if (j == i) continue;
          const double d =
              i < j ? difference[static_cast<size_t>(i) * p + j] : -difference[static_cast<size_t>(j) * p + i];
          if (d < 0) sum += d * d;
        }
        if (first < 0 || sum < least) {
          first = i;
          least = sum;
        }
      }
      if (first >= 0) break;
    }
    out.order.push_back(first);
    std::erase(rest, first);

    // Its influence is taken out of the others.
    if (left[first] >= kDetermined) {
      std::vector<double> r(p), scale(p);
      for (int j : rest) {
        r[j] = c.at(first, j);
        scale[j] = 1 - r[j] * r[j];
        left[j] *= scale[j];
        scale[j] = left[j] < kDetermined ? 0 : 1 / std::sqrt(scale[j]);
      }
      parallel_for(static_cast<int>(rest.size()), options.threads, [&](int k) {
        const int j = rest[k];
        const float factor = static_cast<float>(r[j]), by = static_cast<float>(scale[j]);
        for (int row = 0; row < n; ++row) x[j][row] = (x[j][row] - factor * x[first][row]) * by;
        for (int i : rest) {
          double& value = c.value[static_cast<size_t>(j) * p + i];
          value = i == j ? 1 : std::clamp((value - r[i] * r[j]) * scale[i] * scale[j], -1.0, 1.0);
        }
      });
    }
    ++out.steps;
    watch.tell({"ordering variables", out.steps, -1, 0, {}, p, "variable"});
  }
  out.stopped_by = watch.stop_requested() ? watch.stop_reason() : "all ordered";
  out.reasoned = rest.size() > 1 ? static_cast<int>(out.order.size()) : p;
  while (!rest.empty()) {
    const auto next = std::find_if(rest.begin(), rest.end(),
                                   [&](int v) { return may_come_first(v, rest, table.node, knowledge, false); });
    out.order.push_back(*next);
    rest.erase(next);
  }
  return out;
}

}  // namespace agon
