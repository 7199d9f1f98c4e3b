#include "agon/score/mixed_score.h"

#include <algorithm>
#include <cmath>

#include "agon/base/linear_algebra.h"
#include "agon/score/block_elimination.h"
#include "agon/score/edge_price.h"
#include "agon/score/gaussian_score.h"

namespace agon {

// A child and its parents, the wide ones apart.
struct MixedBic::Family {
  Node child;
  Parents parents;
  WideSets::Mask own = 0;   // of the child, if it is wide
  WideSets::Mask wide = 0;  // the wide parents
  std::vector<Node> others = {};
  Parents narrow() const { return wide == 0 ? parents : Parents(others); }
};

// What a batch of additions needs. A wide child has no columns to eliminate: what it explains of a variable is the
// difference between what the parents leave of that one and what they leave together with the child.
struct MixedBic::Additions {
  Family family;
  const BlockElimination* given_parents;
  const BlockElimination* given_all;  // the child too; null: a narrow child, in the elimination above
  double log_share;                   // ln det of the child given its parents
};

MixedBic::MixedBic(const Dataset& data, const ScoreOptions& options, const std::string& name)
    : MixedBic(block_moments(data, options), options, name) {}

MixedBic::MixedBic(BlockMoments moments, const ScoreOptions& options, const std::string& name, int wide)
    : moments_(std::move(moments)),
      n_(moments_.weight),
      penalty_(options.penalty * 0.5 * std::log(moments_.total)),
      most_columns_(std::max(4, static_cast<int>(std::min(n_ / 4, 1e9)))),
      narrow_(moments_.seen.empty()) {
  traits_.name = name;
  traits_.max_parents =
      options.max_parents > 0 ? options.max_parents : std::max(3, static_cast<int>(std::min(moments_.total / 10, 1e9)));
  for (Node v = 0; v < moments_.size(); ++v) {
    const int width = moments_.width(v);
    traits_.constant.push_back(width == 0);
    narrow_ = narrow_ && width <= 1;
    alone_.push_back(width == 0 ? 0 : moments_.base[v] - penalty_ * moments_.parameters[v]);
  }
  if (options.priced_edges) naming_ = naming_price(*this);
  auto sets = std::make_shared<const WideSets>(moments_, wide);
  if (!sets->empty()) wide_ = std::move(sets);
}

double MixedBic::edge_penalty(Node a, Node b) const {
  return std::max(penalty_, penalty_ * moments_.width(a) * moments_.width(b) - naming_) * moments_.omega(a, b);
}

double MixedBic::score(Node child, Parents parents, double information) const {
  double sum = alone_[child] + n_ * information;
  for (Node q : parents) {
    if (!traits_.constant[q] && !traits_.constant[child]) sum -= edge_penalty(child, q);
  }
  if (std::isinf(sum)) throw ScoreUndefined(traits_.name + ": two variables of a family were never seen in one row");
  return sum;
}

int MixedBic::room(Node child, Parents parents) const {
  int columns = moments_.width(child);
  for (Node q : parents) columns += moments_.width(q);
  return most_columns_ - columns;
}

MixedBic::Family MixedBic::family(Node child, Parents parents) const {
  Family out{.child = child, .parents = parents};
  if (!wide_) return out;
  out.own = wide_->mark(child);
  for (Node q : parents) {
    out.wide |= wide_->mark(q);
    if (wide_->mark(q) == 0) out.others.push_back(q);
  }
  return out;
}

BlockColumns MixedBic::columns(WideSets::Mask given) const {
  if (wide_) return wide_->given(given).narrow;
  return {moments_.start.data(), moments_.matrix.data(), moments_.columns(), moments_.columns()};
}

double MixedBic::log_share(const Family& f, WideSets::Mask wide) const {
  const BlockColumns without = columns(wide);
  std::vector<int> at = columns_of(without, f.narrow());
  if (f.own == 0) {
    const size_t of_parents = at.size();
    take_columns(without, f.child, at);
    return agon::log_share(without, at, of_parents);
  }
  const double alone = wide_->given(wide | f.own).log_determinant - wide_->given(wide).log_determinant;
  return alone + agon::log_share(columns(wide | f.own), at, 0) - agon::log_share(without, at, 0);
}

double MixedBic::local(Node child, Parents parents) const {
  if (traits_.constant[child]) return 0;
  const Family f = family(child, parents);
  return score(child, parents, -0.5 * log_share(f, f.wide));
}

MixedBic::Additions MixedBic::additions(Node child, Parents parents) const {
  static thread_local BlockElimination first, second;  // static only to keep their memory from one call to the next
  Additions out{family(child, parents), &first, nullptr, 0};
  const Family& f = out.family;
  if (f.own == 0) {
    first.run(columns(f.wide), child, f.narrow());
    out.log_share = first.log_share;
    return out;
  }
  first.run(columns(f.wide), std::nullopt, f.narrow());
  second.run(columns(f.wide | f.own), std::nullopt, f.narrow());
  out.given_all = &second;
  out.log_share = log_share(f, f.wide);
  return out;
}

double MixedBic::information(const Additions& all, Node v) const {
  const Family& f = all.family;
  if (wide_ && wide_->mark(v) != 0) return 0.5 * (all.log_share - log_share(f, f.wide | wide_->mark(v)));
  if (all.given_all) return 0.5 * (all.given_parents->log_left(v) - all.given_all->log_left(v));
  return all.given_parents->explained(v);
}

void MixedBic::fill_additions(const Additions& all, std::span<double> gains) const {
  const Node child = all.family.child;
  const Parents parents = all.family.parents;
  std::fill(gains.begin(), gains.end(), kNoGain);
  if (static_cast<int>(parents.size()) >= traits_.max_parents) return;
  const int widest = room(child, parents);
  for (Node v = 0; v < size(); ++v) {
    if (!may_add(traits_, child, parents, v) || moments_.width(v) > widest) continue;
    const double gain = n_ * information(all, v) - edge_penalty(child, v);
    gains[v] = gain > kNoGain ? gain : kNoGain;  // never seen together: the penalty is infinite
  }
}

double MixedBic::addition_gains(Node child, Parents parents, std::span<double> gains) const {
  std::fill(gains.begin(), gains.end(), kNoGain);
  if (traits_.constant[child]) return local(child, parents);
  const Additions all = additions(child, parents);
  fill_additions(all, gains);
  return score(child, parents, -0.5 * all.log_share);
}

// One elimination serves the additions and the removals.
double MixedBic::column_gains(Node child, Parents parents, std::span<double> additions,
                              std::span<double> removals) const {
  if (parents.empty() || traits_.constant[child] || (wide_ && wide_->mark(child) != 0)) {
    return LocalScore::column_gains(child, parents, additions, removals);
  }
  const Additions all = this->additions(child, parents);
  fill_additions(all, additions);
  static thread_local std::vector<double> each;
  all.given_parents->own_information(all.family.narrow(), each);
  fill_removals(all.family, each, all.log_share, removals);
  return score(child, parents, -0.5 * all.log_share);
}

double MixedBic::positive_additions(Node child, Parents parents, std::vector<ParentGain>& best) const {
  best.clear();
  if (traits_.constant[child]) return local(child, parents);
  const Additions all = additions(child, parents);
  // Where all blocks are single columns: -n/2 ln(1 - share explained) exceeds the penalty only above this. It is set
  // slightly lower, so that rounding decides nothing here.
  const double threshold = narrow_ ? -std::expm1(-2 * penalty_ / n_) * (1 - 1e-9) : 0;
  const double* along = all.given_parents->along.data();
  const double* residual = all.given_parents->residual.data();
  const int widest = room(child, parents);
  for (Node v = 0; v < size(); ++v) {
    if (narrow_) {
      const int c = moments_.start[v];
      if (traits_.constant[v] || along[c] * along[c] <= threshold * residual[c]) continue;
    }
    if (!may_add(traits_, child, parents, v) || moments_.width(v) > widest) continue;
    const double gain = n_ * information(all, v) - edge_penalty(child, v);
    if (gain > 0) best.push_back({gain, v});
  }
  sort_by_gain(best);
  return score(child, parents, -0.5 * all.log_share);
}

// `each`: what each narrow parent tells about the child beyond the others. `now`: ln det of the child given its
// parents.
void MixedBic::fill_removals(const Family& f, const std::vector<double>& each, double now,
                             std::span<double> gains) const {
  size_t place = 0;  // of a narrow parent
  for (size_t k = 0; k < f.parents.size(); ++k) {
    const WideSets::Mask mark = wide_ ? wide_->mark(f.parents[k]) : 0;
    const double own = mark == 0 ? each[place++] : 0.5 * (log_share(f, f.wide & ~mark) - now);
    gains[k] = traits_.constant[f.parents[k]] ? 0 : edge_penalty(f.child, f.parents[k]) - n_ * own;
  }
}

// What each narrow parent tells about a wide child beyond the others: 1/2 (ln det K_kk - ln det K'_kk), K and K' the
// inverses of R over the narrow parents given the child, and without it.
std::vector<double> MixedBic::told_of_wide_child(const Family& f) const {
  std::vector<double> each;
  const Parents narrow = f.narrow();
  const BlockColumns with_child = columns(f.wide | f.own), without = columns(f.wide);
  const std::vector<int> at = columns_of(without, narrow);
  if (at.empty()) return std::vector<double>(narrow.size(), 0);
  const Eigen::MatrixXd given = inverse_over(with_child, at), alone = inverse_over(without, at);
  const auto log_det_of = [](const Eigen::MatrixXd& whole, Eigen::Index first, Eigen::Index m) {
    const Eigen::MatrixXd block = whole.block(first, first, m, m);
    return m == 0 ? 0 : Cholesky(block).log_determinant();
  };
  Eigen::Index first = 0;
  for (Node q : narrow) {
    const Eigen::Index m = without.width(q);
    each.push_back(0.5 * (log_det_of(given, first, m) - log_det_of(alone, first, m)));
    first += m;
  }
  return each;
}

double MixedBic::removal_gains(Node child, Parents parents, std::span<double> gains) const {
  if (parents.empty() || traits_.constant[child]) return plain_removal_gains(*this, child, parents, gains);
  const Family f = family(child, parents);
  double now = 0;
  std::vector<double> each;
  if (f.own == 0) {
    const BlockColumns of = columns(f.wide);
    std::vector<int> at = columns_of(of, f.narrow());
    const size_t of_parents = at.size();
    take_columns(of, child, at);
    const std::vector<double> factor = lower_factor(of, at);
    for (size_t c = of_parents; c < at.size(); ++c) now += 2 * std::log(factor[c * at.size() + c]);
    own_information(of, child, f.narrow(), factor, each);
  } else {
    now = log_share(f, f.wide);
    each = told_of_wide_child(f);
  }
  fill_removals(f, each, now, gains);
  return score(child, parents, -0.5 * now);
}

}  // namespace agon
