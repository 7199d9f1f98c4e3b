#include <algorithm>
#include <cmath>

#include "agon/base/crew.h"
#include "agon/graph/node_set.h"
#include "agon/opponent/lingam.h"

namespace agon {
namespace {

constexpr double kDetermined = 1e-6;  // a column with a smaller share of its variance left counts as determined
constexpr int kBlock = 16;            // pairs that are compared before the sums are checked again

// Finds the variable i whose sum over j of min(0, R(i, j))^2 is smallest without comparing all pairs. A sum can only
// grow, so the comparisons go to the variable with the smallest sum so far. When that sum is complete, no other can be
// below it. The others with the smallest sums of the last round are compared first: they are likely causes, and
// compared with a likely cause an effect shows early.
class PairDifferences {
 public:
  explicit PairDifferences(int p) : known_(p), next_(p) {}

  // `sum` holds the sums of the last round, complete or not, and receives those of this round. Returns -1 if cut short.
  template <class Difference>
  int least(const std::vector<int>& rest, const std::vector<int>& eligible, std::vector<double>& sum,
            const Difference& difference, Crew& crew, const Watch& watch) {
    std::vector<int> others = rest;
    std::stable_sort(others.begin(), others.end(), [&](int a, int b) { return sum[a] < sum[b]; });
    for (int i : rest) {
      sum[i] = 0;
      next_[i] = 0;
      for (int j : rest) known_.reset(i, j);
    }
    const size_t m = others.size();
    std::vector<int> block;
    std::vector<double> found(kBlock);
    while (true) {
      int best = -1;  // of equal sums, the smallest node
      for (int i : eligible) {
        if (best < 0 || sum[i] < sum[best]) best = i;
      }
      block.clear();
      while (next_[best] < m && block.size() < kBlock) {
        const int j = others[next_[best]++];
        if (j != best && !known_.test(best, j)) block.push_back(j);
      }
      if (block.empty()) return best;  // complete
      if (watch.stop_requested()) return -1;
      // Always computed from the smaller node, so that the last bit does not depend on which of the two was being
      // compared.
      crew.run(static_cast<int>(block.size()), [&](int k, int) {
        const int a = std::min(best, block[k]), b = std::max(best, block[k]);
        found[k] = a == best ? difference(a, b) : -difference(a, b);
      });
      for (size_t k = 0; k < block.size(); ++k) {
        const int j = block[k];
        known_.set(best, j);
        known_.set(j, best);
        sum[found[k] < 0 ? best : j] += found[k] * found[k];
      }
    }
  }

 private:
  BitRows known_;
  std::vector<size_t> next_;  // by node: how many of the others it has been compared with
};

}  // namespace

CausalOrder direct_order(const StandardTable& table, const LingamOptions& options, const Watch& watch,
                         const Knowledge& knowledge) {
  const int p = table.variables(), n = table.rows;
  std::vector<std::vector<float>> x(p, std::vector<float>(n));  // residuals, of variance 1
  for (int r = 0; r < n; ++r) {
    for (int v = 0; v < p; ++v) x[v][r] = table.at(r, v);
  }
  Correlations c = correlations(table);  // of the residuals
  std::vector<double> left(p, 1);        // the share of a column's variance that its residual still has
  std::vector<int> rest(p);
  for (int v = 0; v < p; ++v) rest[v] = v;

  CausalOrder out;
  Crew crew(options.threads);
  PairDifferences pairs(p);
  std::vector<double> entropy(p), sum(p, 0.0);
  while (rest.size() > 1 && !watch.stop_requested()) {
    const int m = static_cast<int>(rest.size());
    crew.run(m, [&](int k, int) {
      const int i = rest[k];
      entropy[i] = entropy_of(entropy_means(x[i].data(), x[i].data(), n, 0, 1).first);
    });
    // R(i, j); R(j, i) = -R(i, j). A column that is determined gives no information.
    const auto difference = [&](int i, int j) {
      const double r = c.at(i, j), s = 1 - r * r;
      if (left[i] < kDetermined || left[j] < kDetermined || s < kDetermined) return 0.0;
      const EntropyPair e =
          entropy_means(x[i].data(), x[j].data(), n, static_cast<float>(r), static_cast<float>(1 / std::sqrt(s)));
      return entropy[j] + entropy_of(e.first) - entropy[i] - entropy_of(e.second);
    };

    // The variable that looks least like an effect, among those that the knowledge lets come first.
    std::vector<int> eligible;
    for (const bool tiers : {true, false}) {
      for (int i : rest) {
        if (may_come_first(i, rest, table.node, knowledge, tiers)) eligible.push_back(i);
      }
      if (!eligible.empty()) break;
    }
    const int first = pairs.least(rest, eligible, sum, difference, crew, watch);
    if (first < 0) break;
    out.order.push_back(first);
    std::erase(rest, first);

    // Remove its influence from the others.
    if (left[first] >= kDetermined) {
      std::vector<double> r(p), scale(p);
      for (int j : rest) {
        r[j] = c.at(first, j);
        scale[j] = 1 - r[j] * r[j];
        left[j] *= scale[j];
        scale[j] = left[j] < kDetermined ? 0 : 1 / std::sqrt(scale[j]);
      }
      crew.run(static_cast<int>(rest.size()), [&](int k, int) {
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
