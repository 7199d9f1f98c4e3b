#include "agon/referee/relaxation.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "agon/certificate/plain_set_scores.h"
#include "agon/referee/clusters.h"
#include "agon/referee/likelihood_cuts.h"
#include "agon/referee/rounding.h"

namespace agon {
namespace {

constexpr int kFirstColumns = 60;   // of a node
constexpr int kPricedColumns = 30;  // of a node and round
constexpr int kClustersPerRound = 60;
constexpr double kElastic = 1e6;  // nats that a node without a family costs: far above any gap
constexpr int kSlackRounds = 12;  // after which a row that does nothing is dropped
constexpr int kLargestLocalSet = 9;
constexpr double kStall = 0.02;  // share of the gap: a round that gains less hardly helps
// Graphs this near score the same: in nats, and as a share of a node's mean score, above the tolerance of the searches.
constexpr double kTie = 1e-5, kRelativeTie = 1e-8;
// Likelihood cuts fill a column with entries, and are tried when local cuts no longer help: their excess as a share of
// the gap, and how many families they are not too dear for.
constexpr double kLeastExcess = 0.02;
constexpr long kMostForLikelihoods = 100'000;
constexpr double kWorkPerGain = 100;               // of looking one up
constexpr int kLeastTries = 30, kMostTries = 150;  // sets of nodes per round for local cuts

}  // namespace

void begin_with(Incumbent& incumbent, const Dag& dag, double epsilon, double rounding,
                std::function<Units(const Dag&)> score_of) {
  incumbent.dag = dag;
  incumbent.score = score_of(dag);
  incumbent.goal = incumbent.score + plain::units_above(epsilon);
  const double mean = std::abs(nats(incumbent.score)) / std::max(1, dag.size());
  const Units tie = plain::units_above(std::min(epsilon, std::max({2 * rounding, kTie, kRelativeTie * mean})));
  incumbent.offer = [&incumbent, epsilon, tie, score_of = std::move(score_of)](const Dag& found) {
    const Units score = score_of(found);
    if (score <= incumbent.score + tie) return false;
    incumbent.score = score;
    incumbent.dag = found;
    incumbent.goal = score + plain::units_above(epsilon);
    return true;
  };
}

Relaxation::Relaxation(SearchSpace space, CutPool& pool, LocalCutter& cutter, RelaxationStart start,
                       Incumbent& incumbent, const std::vector<std::vector<BoundedFamily>>& lists)
    : space_(std::move(space)),
      pool_(pool),
      cutter_(cutter),
      start_(std::move(start)),
      incumbent_(incumbent),
      lists_(lists) {
  dual_ = bound_of(space_, pool_.cuts(), start_.multipliers);
  bound_ = dual_.total;
  multipliers_ = start_.multipliers;
}

void Relaxation::solve(Budget& budget, const Watch& watch) {
  // Families that the parent's multipliers already exclude are not worth a column.
  if (!is_closed()) {
    current_ = multipliers_;
    fix(dual_);
  }
  if (is_closed()) return;
  lp_ = make_linear_program();
  if (!lp_) return;
  build();
  int idle = 0;  // rounds of separation that hardly lowered the bound
  double last = nats(bound_);
  double gained = 1;
  while (!is_closed() && !budget.is_spent(watch)) {
    if (!improve_bound(budget)) return;
    if (is_closed()) return;
    read_point();
    if (const RoundedDag rounded = round_point(point_, lists_); rounded.found) incumbent_.offer(rounded.dag);
    if (is_closed()) return;
    const double gap = nats(bound_ - incumbent_.goal);
    gained = (last - nats(bound_)) / std::max(last - nats(incumbent_.goal), 1e-9);
    last = nats(bound_);
    const bool final_size = largest_set_ == kLargestLocalSet;
    idle = gained < kStall && final_size ? idle + 1 : 0;
    if (idle >= 3 && gap > 1e-6) return;
    if (!separate(budget, watch, gained)) return;
    purge_rows();
  }
}

void Relaxation::build() {
  const Node p = static_cast<Node>(space_.of.size());
  std::vector<LinearProgram::Row> nodes(p, {.right = 1, .equal = true});
  lp_->add_rows(nodes);
  std::vector<LinearProgram::Column> elastic;
  for (Node v = 0; v < p; ++v) elastic.push_back({-kElastic, {{v, 1.0}}});
  lp_->add_columns(elastic);
  in_lp_.assign(p, {});
  shift_.assign(p, 0);
  std::vector<std::pair<Node, BoundedFamily>> first;
  for (Node v = 0; v < p; ++v) {
    const auto& list = space_.of[v];
    shift_[v] = list.front().score;
    std::vector<int> order(list.size());
    for (size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
    const size_t most = std::min<size_t>(kFirstColumns, order.size());
    std::ranges::partial_sort(order, order.begin() + static_cast<long>(most), [&](int a, int b) {
      return std::tuple(-dual_.of[v][a], a) < std::tuple(-dual_.of[v][b], b);
    });
    std::set<NodeBits> wanted;
    for (size_t k = 0; k < most; ++k) wanted.insert(list[order[k]].parents);
    if (!start_.columns.empty()) wanted.insert(start_.columns[v].begin(), start_.columns[v].end());
    for (const BoundedFamily& f : list) {
      if (wanted.contains(f.parents) || f.parents == bits_of(incumbent_.dag.parent_list(v))) first.push_back({v, f});
    }
  }
  add_columns(first);
  for (const int cut : start_.cuts) add_cut(pool_.text(cut));
}

void Relaxation::add_columns(const std::vector<std::pair<Node, BoundedFamily>>& families) {
  const int p = static_cast<int>(space_.of.size());
  std::vector<LinearProgram::Column> columns;
  for (const auto& [v, family] : families) {
    LinearProgram::Column column{nats(family.score - shift_[v]), {{v, 1.0}}};
    for (size_t r = 0; r < rows_.size(); ++r) {
      const int cut = rows_[r].cut;
      if (!pool_.cuts().nodes(cut).contains(v)) continue;
      const int64_t w = pool_.cuts().weight(cut, v, family.parents);
      if (w != 0) column.entries.push_back({p + static_cast<int>(r), static_cast<double>(w) * pool_.cuts().scale(cut)});
    }
    columns.push_back(std::move(column));
    columns_.push_back({v, family});
    in_lp_[v].insert(family.parents);
  }
  lp_->add_columns(columns);
}

bool Relaxation::add_cut(const ProofCut& cut) {
  const int index = pool_.add(cut);
  if (std::ranges::any_of(rows_, [&](const CutRow& row) { return row.cut == index; })) return false;
  const int p = static_cast<int>(space_.of.size());
  const double scale = pool_.cuts().scale(index);
  LinearProgram::Row row{static_cast<double>(pool_.cuts().right(index)) * scale, false, {}};
  const NodeBits nodes = pool_.cuts().nodes(index);
  for (size_t c = 0; c < columns_.size(); ++c) {
    const auto& [v, family] = columns_[c];
    if (!nodes.contains(v)) continue;
    const int64_t w = pool_.cuts().weight(index, v, family.parents);
    if (w != 0) row.entries.push_back({p + static_cast<int>(c), static_cast<double>(w) * scale});
  }
  fresh_.push_back(std::move(row));
  rows_.push_back({index});
  return true;
}

// Solves and prices until no family outside would enter. False if the solver failed.
bool Relaxation::improve_bound(Budget& budget) {
  program_work_ = 0;
  const int p = static_cast<int>(space_.of.size());
  for (int pass = 0; pass < 40; ++pass) {
    ++budget.rounds;
    lp_->add_rows(fresh_);  // all at once: the solver copies its matrix each time
    fresh_.clear();
    // A solution copies the program and factors its basis, and a pivot prices all columns and updates the factors.
    const double order = static_cast<double>(lp_->rows()), size = order * (order + lp_->columns());
    const long before = lp_->pivots();
    const bool solved = lp_->solve();
    program_work_ += 1e5 + 20 * size;
    budget.used += 1e5 + 20 * size + static_cast<double>(lp_->pivots() - before) * (0.08 * size + 80 * order);
    if (!solved) return false;
    current_.clear();
    for (size_t r = 0; r < rows_.size(); ++r) {
      const double dual = lp_->dual(p + static_cast<int>(r));
      const double units = dual / kProofUnit;
      rows_[r].slack = dual > 1e-9 ? 0 : rows_[r].slack;
      if (units >= 1 && units < 9e18) current_.push_back({rows_[r].cut, static_cast<int64_t>(units)});
    }
    dual_ = bound_of(space_, pool_.cuts(), current_);
    for (size_t v = 0; v < space_.of.size(); ++v) {
      budget.used +=
          static_cast<double>(space_.of[v].size() * (pool_.cuts().of(static_cast<Node>(v)).size() + 10)) * 1.5;
    }
    const auto of_likelihood = [&](const CutRow& row) { return pool_.text(row.cut).cluster == ProofCut::kLikelihood; };
    budget.used += kWorkPerGain * static_cast<double>(families() * std::ranges::count_if(rows_, of_likelihood));
    if (dual_.total < bound_) {
      bound_ = dual_.total;
      multipliers_ = current_;
    }
    if (is_closed()) {
      // The stage that drops nothing is not needed: the leaf has the multipliers.
      return true;
    }
    if (!price(dual_)) break;
  }
  fix(dual_);
  return true;
}

// Adds the families whose z exceeds what their node is worth; true if there was one.
bool Relaxation::price(const DualBound& bound) {
  std::vector<std::pair<Node, BoundedFamily>> entering;
  for (Node v = 0; v < static_cast<Node>(space_.of.size()); ++v) {
    const double worth = lp_->dual(v) + nats(shift_[v]);
    std::vector<std::pair<Units, int>> better;
    for (size_t k = 0; k < space_.of[v].size(); ++k) {
      if (nats(bound.of[v][k]) <= worth + 1e-6 || in_lp_[v].contains(space_.of[v][k].parents)) continue;
      better.push_back({-bound.of[v][k], static_cast<int>(k)});
    }
    const size_t most = std::min<size_t>(kPricedColumns, better.size());
    std::ranges::partial_sort(better, better.begin() + static_cast<long>(most));
    for (size_t k = 0; k < most; ++k) entering.push_back({v, space_.of[v][better[k].second]});
  }
  add_columns(entering);
  return !entering.empty();
}

long Relaxation::families() const {
  long out = 0;
  for (const auto& list : space_.of) out += static_cast<long>(list.size());
  return out;
}

// A stage, if it drops a tenth of the families.
void Relaxation::fix(const DualBound& bound) {
  const long out = droppable(space_, bound, incumbent_.goal);
  if (out * 10 < families() || out == 0) return;
  drop(space_, bound, incumbent_.goal);
  steps_.push_back({.kind = ProofStep::Kind::kStage, .multipliers = current_});
  if (space_.has_empty()) return;
  if (!lp_) {
    dual_ = bound_of(space_, pool_.cuts(), current_);
    return;
  }
  const int p = static_cast<int>(space_.of.size());
  std::vector<std::set<NodeBits>> left(p);
  for (Node v = 0; v < p; ++v) {
    for (const BoundedFamily& f : space_.of[v]) left[v].insert(f.parents);
  }
  for (size_t c = 0; c < columns_.size(); ++c) {
    const auto& [v, family] = columns_[c];
    if (!left[v].contains(family.parents)) lp_->forbid(p + static_cast<int>(c));
  }
}

void Relaxation::read_point() {
  const int p = static_cast<int>(space_.of.size());
  point_ = {p, {}};
  for (size_t c = 0; c < columns_.size(); ++c) {
    const double x = lp_->value(p + static_cast<int>(c));
    if (x > RelaxedPoint::kLeastWeight) point_.families.push_back({columns_[c].first, columns_[c].second.parents, x});
  }
  std::ranges::sort(point_.families, [](const WeightedFamily& a, const WeightedFamily& b) {
    return std::tuple(a.child, a.parents) < std::tuple(b.child, b.parents);
  });
}

// True if a row was added.
bool Relaxation::separate(Budget& budget, const Watch& watch, double gained) {
  int added = 0;
  const std::vector<ProofCut> clusters = violated_clusters(point_, kClustersPerRound);
  budget.used += 2e5 * static_cast<double>(space_.of.size());
  for (const ProofCut& cut : clusters) added += add_cut(cut) ? 1 : 0;
  if (added > 20 && gained > 0.1) return true;
  if (gained < kStall && largest_set_ == kLargestLocalSet) stalled_ = true;
  if (stalled_ && pool_.cuts().gains().known() && families() <= kMostForLikelihoods) {
    // What hardly counts beside the gap only makes the program larger.
    const double least = std::max(0.01, kLeastExcess * nats(bound_ - incumbent_.goal));
    const LikelihoodCuts found = violated_likelihood_cuts(point_, pool_.cuts().gains(), least);
    budget.used += found.work;
    for (const ProofCut& cut : found.cuts) added += add_cut(cut) ? 1 : 0;
  }
  std::vector<std::vector<FamilyInUse>> in_use(space_.of.size());
  for (size_t v = 0; v < in_use.size(); ++v) {
    const double worth = lp_->dual(static_cast<int>(v)) + nats(shift_[v]);
    for (size_t k = 0; k < space_.of[v].size(); ++k) {
      const double loss = worth - nats(dual_.of[v][k]);
      if (in_lp_[v].contains(space_.of[v][k].parents) && loss < 20)
        in_use[v].push_back({space_.of[v][k].parents, loss});
    }
  }
  int local = 0;
  for (;;) {
    const double before = cutter_.work();
    // Sets are tried for about as long as the linear programs of the round took.
    const int tries = static_cast<int>(std::clamp(program_work_ / work_per_try_, 1.0 * kLeastTries, 1.0 * kMostTries));
    for (const ProofCut& cut : cutter_.cuts(point_, in_use, largest_set_, tries, watch)) {
      local += add_cut(cut) ? 1 : 0;
    }
    budget.used += cutter_.work() - before;
    work_per_try_ = std::max(1e3, (cutter_.work() - before) / tries);
    if (local >= 3 || largest_set_ == kLargestLocalSet || budget.is_spent(watch)) break;
    ++largest_set_;
  }
  return added + local > 0;
}

void Relaxation::purge_rows() {
  const int p = static_cast<int>(space_.of.size());
  std::vector<int> gone;
  std::vector<CutRow> kept;
  for (size_t r = 0; r < rows_.size(); ++r) {
    if (++rows_[r].slack > kSlackRounds) {
      gone.push_back(p + static_cast<int>(r));
    } else {
      kept.push_back(rows_[r]);
    }
  }
  if (gone.empty()) return;
  lp_->delete_rows(gone);
  rows_ = std::move(kept);
}

std::optional<Edge> Relaxation::branch_arc() const {
  const std::vector<std::vector<double>> arcs = point_.arcs();
  std::optional<Edge> best;
  double worth = 1e-5;
  for (Node a = 0; a < point_.nodes; ++a) {
    for (Node b = 0; b < point_.nodes; ++b) {
      if (a == b) continue;
      const double x = arcs[a][b], torn = std::min(x, 1 - x);
      // An arc whose reverse has weight too says more about the order.
      const double w = torn * (1 + arcs[b][a]);
      if (w > worth + 1e-9) {
        worth = w;
        best = Edge{a, b};
      }
    }
  }
  return best;
}

RelaxationStart Relaxation::start_of_child() const {
  RelaxationStart out;
  for (const CutRow& row : rows_) {
    if (row.slack <= 3) out.cuts.push_back(row.cut);
  }
  out.columns.resize(space_.of.size());
  for (const WeightedFamily& f : point_.families) out.columns[f.child].push_back(f.parents);
  out.multipliers = multipliers_;
  return out;
}

}  // namespace agon
