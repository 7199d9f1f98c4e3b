#include "agon/posterior/exact.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace agon {
namespace {

using Set = uint32_t;  // of tables: bit k stands for tables[k]

Set lowest(Set set) { return set & (~set + 1); }
size_t index_of(Set bit) { return static_cast<size_t>(std::countr_zero(bit)); }

// The next subset of `all` in increasing order; 0 after the last.
Set next_subset(Set subset, Set all) { return (subset - all) & all; }

class Solver {
 public:
  explicit Solver(const std::vector<ParentTable>& tables)
      : p_(tables.size()), all_((Set{1} << p_) - 1), products_(size_t{1} << p_), sums_(p_) {
    for (size_t v = 0; v < p_; ++v) sums_[v] = sums_by_set(tables, v);
  }

  ExactPosterior solve() {
    count_all();
    out_.arrow.assign(p_ * p_, 0);
    out_.path.assign(p_ * p_, 0);
    covered_.assign(p_, 0);
    scale_below_.resize(size_t{1} << p_);
    below_.resize(p_ << p_);
    gains_.resize(p_ << p_);
    for (Set descendants = 1; descendants <= all_; ++descendants) add_shares(descendants);
    for (const double sum : covered_) out_.error = std::max(out_.error, std::abs(sum - 1));
    for (auto* figures : {&out_.arrow, &out_.path}) {
      for (double& share : *figures) share = std::clamp(share, 0.0, 1.0);
    }
    return std::move(out_);
  }

 private:
  // ln A_v(U) by U.
  std::vector<double> sums_by_set(const std::vector<ParentTable>& tables, size_t v) const {
    const ParentTable& table = tables[v];
    std::vector<int> bit_of(p_, -1);  // by table: its place among the candidates
    Set always = 0;
    for (size_t u = 0; u < p_; ++u) {
      const auto at = std::ranges::find(table.candidates, tables[u].child);
      if (at != table.candidates.end()) bit_of[u] = static_cast<int>(at - table.candidates.begin());
      if (std::ranges::find(table.always, tables[u].child) != table.always.end()) always |= Set{1} << u;
    }
    std::vector<double> sums(size_t{1} << p_, kLogZero);
    std::vector<ParentMask> mask(size_t{1} << p_, 0);
    for (Set set = 0; set <= all_; ++set) {
      if (set > 0) {
        const int bit = bit_of[index_of(lowest(set))];
        mask[set] = mask[set & (set - 1)] | (bit < 0 ? 0 : ParentMask{1} << bit);
      }
      if ((set & always) == always) sums[set] = table.within[mask[set]];
    }
    return sums;
  }

  // R(S) for all S, as multiples of exp(scale_[S]): nearly the best score on S, so that no multiple is out of range.
  void count_all() {
    scale_.assign(size_t{1} << p_, kLogZero);
    count_.assign(size_t{1} << p_, 0);
    scale_[0] = 0;
    count_[0] = 1;
    for (Set set = 1; set <= all_; ++set) {
      for (Set rest = set; rest; rest &= rest - 1) {
        const Set sink = lowest(rest);
        scale_[set] = std::max(scale_[set], scale_[set ^ sink] + sums_[index_of(sink)][set ^ sink]);
      }
    }
    for (Set above = 0; above < all_; ++above) {
      if (scale_[above] == kLogZero) continue;
      const Set rest = all_ ^ above;
      products_[0] = 0;
      for (Set sinks = next_subset(0, rest); sinks; sinks = next_subset(sinks, rest)) {
        products_[sinks] = products_[sinks & (sinks - 1)] + sums_[index_of(lowest(sinks))][above];
        if (products_[sinks] == kLogZero) continue;
        const double term = count_[above] * std::exp(products_[sinks] + scale_[above] - scale_[above | sinks]);
        count_[above | sinks] += std::popcount(sinks) % 2 ? term : -term;
      }
    }
    if (!(count_[all_] > 0)) throw std::logic_error("no DAG fits the parent tables");
    out_.log_weight = scale_[all_] + std::log(count_[all_]);
  }

  // Adds weight(s, D) for D and every s in it.
  void add_shares(Set descendants) {
    const Set others = all_ ^ descendants;
    if (scale_[others] == kLogZero) return;
    prepare(descendants, others);
    for (Set above = next_subset(0, descendants); above != descendants; above = next_subset(above, descendants)) {
      if (scale_below_[above] != kLogZero) extend(above, descendants);
    }
    if (scale_below_[descendants] == kLogZero) return;
    const double share =
        count_[others] / count_[all_] * std::exp(scale_[others] + scale_below_[descendants] - scale_[all_]);
    if (share == 0) return;
    for (Set rest = descendants; rest; rest &= rest - 1) {
      const size_t s = index_of(lowest(rest));
      add(s, descendants, others, share * below_[descendants * p_ + s]);
    }
  }

  // For all S within D: the scale of g_D(S) A_s(N), and ln(A_v(N + S) - A_v(N)) for all v in D - S.
  void prepare(Set descendants, Set others) {
    for (Set set = 0;;) {
      double scale = set == 0 ? 0 : kLogZero;
      for (Set rest = set; rest; rest &= rest - 1) {
        const Set sink = lowest(rest);
        scale = std::max(scale, scale_below_[set ^ sink] + sums_[index_of(sink)][others | (set ^ sink)]);
      }
      scale_below_[set] = scale;
      for (Set rest = descendants ^ set; rest; rest &= rest - 1) {
        const size_t v = index_of(lowest(rest));
        gains_[set * p_ + v] = log_subtract(sums_[v][others | set], sums_[v][others]);
      }
      std::fill_n(below_.begin() + static_cast<long>(set * p_), p_, 0.0);
      if (std::has_single_bit(set) && scale != kLogZero) below_[set * p_ + index_of(set)] = 1;
      set = next_subset(set, descendants);
      if (set == 0) break;
    }
  }

  // The terms of g_D(S + T) from g_D(S), for all sets T of sinks and all s in S at once.
  void extend(Set above, Set descendants) {
    const Set rest = descendants ^ above;
    const double* from = &below_[above * p_];
    products_[0] = 0;
    for (Set sinks = next_subset(0, rest); sinks; sinks = next_subset(sinks, rest)) {
      products_[sinks] = products_[sinks & (sinks - 1)] + gains_[above * p_ + index_of(lowest(sinks))];
      if (products_[sinks] == kLogZero) continue;
      double factor = std::exp(products_[sinks] + scale_below_[above] - scale_below_[above | sinks]);
      if (factor == 0) continue;
      if (std::popcount(sinks) % 2 == 0) factor = -factor;
      double* to = &below_[(above | sinks) * p_];
      for (size_t s = 0; s < p_; ++s) to[s] += factor * from[s];
    }
  }

  // A share of all weight in which D is s and its descendants.
  void add(size_t s, Set descendants, Set others, double share) {
    if (share == 0) return;
    covered_[s] += share;
    for (Set rest = descendants & ~(Set{1} << s); rest; rest &= rest - 1) {
      out_.path[s * p_ + index_of(lowest(rest))] += share;
    }
    for (Set rest = others; rest; rest &= rest - 1) {
      const Set u = lowest(rest);
      const double without = sums_[s][others ^ u] - sums_[s][others];
      out_.arrow[index_of(u) * p_ + s] -= share * std::expm1(without);
    }
  }

  size_t p_;
  Set all_;
  std::vector<double> products_;           // by T: ln of the product over v in T
  std::vector<std::vector<double>> sums_;  // [v][U]: ln A_v(U)
  std::vector<double> scale_, count_;      // by S: R(S) = count exp(scale)
  std::vector<double> scale_below_;        // by S within D
  std::vector<double> below_;              // [S * p + s]: g_D(S) A_s(N) as multiples of exp(scale_below_)
  std::vector<double> gains_;              // [S * p + v]
  std::vector<double> covered_;            // by s: the shares added so far
  ExactPosterior out_;
};

}  // namespace

ExactPosterior exact_posterior(const std::vector<ParentTable>& tables) {
  if (tables.empty()) return {};
  return Solver(tables).solve();
}

}  // namespace agon
