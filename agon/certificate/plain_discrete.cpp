#include "agon/certificate/plain_discrete.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "agon/base/parallel.h"
#include "agon/certificate/plain_edge_price.h"
#include "agon/certificate/plain_regret.h"
#include "agon/certificate/plain_set_scores.h"
#include "agon/data/capability.h"

namespace agon::plain {
namespace {

constexpr Capabilities kDiscreteTakes = {
    .categorical = true, .continuous = true, .mixed = true, .weights = true, .regimes = true};

constexpr size_t kLogTable = size_t{1} << 20;
constexpr size_t kRowMemoBytes = size_t{512} << 20;  // for the per-row likelihoods that row_constant() keeps

double log_gamma(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);  // std::lgamma writes to a global variable
}

std::vector<Node> with(Parents parents, Node v) {
  std::vector<Node> out(parents.begin(), parents.end());
  out.insert(std::lower_bound(out.begin(), out.end(), v), v);
  return out;
}

}  // namespace

std::unique_ptr<Scorer> priced_likelihood(const Dataset& data, double price) {
  return std::make_unique<DiscreteScorer>(data, Priced{price});
}

std::unique_ptr<Scorer> discrete_bic(const Dataset& data, double penalty) {
  const double price = penalty * 0.5 * std::log(data.total_weight());
  return std::make_unique<DiscreteScorer>(data, Priced{.price = price, .penalty = penalty});
}

std::unique_ptr<Scorer> bdeu(const Dataset& data, double ess) {
  return std::make_unique<DiscreteScorer>(data, Dirichlet{ess});
}

std::unique_ptr<Scorer> discrete_bic_seen(const Dataset& data, double penalty) {
  const double price = penalty * 0.5 * std::log(data.total_weight());
  return std::make_unique<DiscreteScorer>(data, Priced{price, Configurations::kSeen});
}

std::unique_ptr<Scorer> bds(const Dataset& data, double ess) {
  return std::make_unique<DiscreteScorer>(data, Dirichlet{ess, Configurations::kSeen});
}

std::unique_ptr<Scorer> qnml(const Dataset& data) {
  return std::make_unique<DiscreteScorer>(data, Normalised::kQuotient);
}

std::unique_ptr<Scorer> qnml_edges(const Dataset& data) {
  return with_edge_price(std::make_unique<DiscreteScorer>(data, Normalised::kStraight));
}

std::unique_ptr<Scorer> fnml(const Dataset& data) {
  return std::make_unique<DiscreteScorer>(data, Normalised::kFactors);
}

DiscreteScorer::DiscreteScorer(const Dataset& data, const Rule& rule)
    : data_(data), dense_limit_(std::min<uint64_t>(8 * data.rows() + 4096, UINT32_MAX)), experiments_(data) {
  refuse_beyond(kDiscreteTakes, data, "the certificate");
  if (const auto* priced = std::get_if<Priced>(&rule)) {
    price_ = priced->price, charged_ = priced->configurations, penalty_ = priced->penalty;
  }
  if (const auto* prior = std::get_if<Dirichlet>(&rule)) ess_ = prior->ess, charged_ = prior->configurations;
  if (const auto* normalised = std::get_if<Normalised>(&rule)) normalised_ = *normalised;
  take_rows(data, experiments_.row_set());
  for (const Column& column : data.columns()) {
    constant_.push_back(column.is_isolated());
    levels_.push_back(1);
    if (constant_.back()) continue;  // it may be a continuous column, which has no codes
    // A Dataset holds no level that does not occur (make_dataset drops them), so codes are 0 .. levels - 1.
    for (size_t row = 0; row < data.rows(); ++row) levels_.back() = std::max(levels_.back(), column.codes[row] + 1);
  }
  const bool by_sets = ess_ == 0 && !normalised_ && charged_ == Configurations::kPossible;
  if (by_sets && data.has_drawn()) seen_ = shares_seen();
  x_log_x_.resize(std::min(kLogTable, data.rows() + 1));
  for (size_t x = 1; x < x_log_x_.size(); ++x) x_log_x_[x] = static_cast<double>(x) * std::log(static_cast<double>(x));
  kept_ = kept_weights();
  set_cells_ = values_of_set_cells();
}

std::vector<std::vector<double>> DiscreteScorer::kept_weights() const {
  std::vector<std::vector<double>> out;
  if (!data_.has_regimes()) return out;
  for (const FamilyRows& rows : experiments_.sets()) {
    std::vector<double>& weights = out.emplace_back();
    for (size_t row = 0; row < data_.rows(); ++row) weights.push_back(rows.group[row] < 0 ? 0 : data_.weight(row));
  }
  return out;
}

std::vector<double> DiscreteScorer::values_of_set_cells() const {
  std::vector<double> out(levels_.size(), 0);
  for (const auto& [v, regime] : experiments_.set_cells()) {
    if (constant_[v]) continue;
    std::vector<double> counts(levels_[v]);
    for (size_t row = 0; row < data_.rows(); ++row) {
      if (data_.regime_of(row) == regime) counts[data_.column(v).codes[row]] += data_.weight(row);
    }
    const double cost = charged_ == Configurations::kSeen ? 0 : price_ * (levels_[v] - 1.0);
    out[v] += value(counts, std::vector<uint32_t>(levels_[v], 0), 1, v, 1, cost);
  }
  return out;
}

double DiscreteScorer::x_log_x(uint32_t x) const {
  return x < x_log_x_.size() ? x_log_x_[x] : x * std::log(static_cast<double>(x));
}

double DiscreteScorer::x_log_x(double x) const { return x > 0 ? x * std::log(x) : 0; }

// Rows with the same cells drawn go together: then each pattern is looked at once, pair by pair.
std::vector<double> DiscreteScorer::shares_seen() const {
  std::map<std::vector<bool>, double> weight_of;
  std::vector<bool> drawn(levels_.size());
  for (size_t row = 0; row < data_.rows(); ++row) {
    for (Node v = 0; v < size(); ++v) drawn[v] = data_.column(v).drawn[row];
    weight_of[drawn] += data_.weight(row);
  }
  std::vector<double> seen(levels_.size() * levels_.size(), 0);
  for (const auto& [pattern, weight] : weight_of) {
    for (size_t a = 0; a < pattern.size(); ++a) {
      for (size_t b = 0; b < pattern.size() && !pattern[a]; ++b) {
        if (!pattern[b]) seen[a * pattern.size() + b] += weight / rows_;
      }
    }
  }
  return seen;
}

double DiscreteScorer::charge_sets(std::vector<Node>& members, Parents parents, size_t next, double product,
                                   double largest) const {
  double sum = product == 0 ? 0 : product * largest;  // a variable of one level has no parameters, seen or not
  for (size_t k = next; k < parents.size(); ++k) {
    double with = largest;
    for (const Node member : members) {
      with = std::max(with, 1 / seen_[static_cast<size_t>(member) * levels_.size() + parents[k]]);
    }
    members.push_back(parents[k]);
    sum += charge_sets(members, parents, k + 1, product * (levels_[parents[k]] - 1.0), with);
    members.pop_back();
  }
  return sum;
}

double DiscreteScorer::charge(Node child, Parents parents, double q) const {
  if (normalised_ || charged_ == Configurations::kSeen) return 0;
  if (!charged_by_sets()) return price_ * (levels_[child] - 1.0) * q;
  if (parents.size() > kMostChargedParents) return -kUndefined;
  std::vector<Node> members = {child};
  const int groups = experiments_.rows_of(child).groups;
  const double parameters = charge_sets(members, parents, 0, groups * (levels_[child] - 1.0), 1);
  return parameters == -kUndefined ? -kUndefined : price_ * parameters;  // the price may be 0
}

void DiscreteScorer::add_rows(Node child, const std::vector<uint32_t>& number_of_row,
                              std::vector<double>& counts) const {
  const std::vector<double>& weights = weights_of(child);
  for (size_t row = 0; row < number_of_row.size(); ++row) {
    counts[number_of_row[row]] += weights.empty() ? 1 : weights[row];
  }
}

// number * levels + level. When the range grows past the limit, the numbers that occur are renumbered without gaps.
void DiscreteScorer::refine(Numbering& numbering, Node by) const {
  if (constant_[by]) return;
  const uint64_t levels = levels_[by];
  data_.column(by).codes.visit([&](const auto& codes) {
    if (fits(numbering.range * levels)) {
      for (size_t row = 0; row < codes.size(); ++row) {
        numbering.of_row[row] = static_cast<uint32_t>(numbering.of_row[row] * levels + codes[row]);
      }
      numbering.range = static_cast<uint32_t>(numbering.range * levels);
      return;
    }
    std::vector<uint64_t> wide(codes.size());
    for (size_t row = 0; row < codes.size(); ++row) wide[row] = numbering.of_row[row] * levels + codes[row];
    std::vector<uint64_t> used = wide;
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (size_t row = 0; row < codes.size(); ++row) {
      numbering.of_row[row] =
          static_cast<uint32_t>(std::lower_bound(used.begin(), used.end(), wide[row]) - used.begin());
    }
    numbering.range = static_cast<uint32_t>(used.size());
  });
}

DiscreteScorer::Cells DiscreteScorer::cells(Node child, Parents parents) const {
  Cells out;
  const FamilyRows& rows = experiments_.rows_of(child);
  out.cell.of_row.resize(data_.rows());
  for (size_t row = 0; row < rows.group.size(); ++row) {
    out.cell.of_row[row] = static_cast<uint32_t>(std::max(0, rows.group[row]));  // what is left out weighs nothing
  }
  out.cell.range = static_cast<uint32_t>(rows.groups);
  for (Node q : parents) refine(out.cell, q);
  const std::vector<uint32_t> configuration_of_row = out.cell.of_row;
  out.configurations = out.cell.range;
  refine(out.cell, child);
  out.configuration.resize(out.cell.range);
  for (size_t row = 0; row < data_.rows(); ++row) out.configuration[out.cell.of_row[row]] = configuration_of_row[row];
  return out;
}

double DiscreteScorer::possible(Node child, Parents parents) const {
  double q = experiments_.rows_of(child).groups;
  for (Node v : parents) q *= levels_[v];
  return q;
}

template <class Count>
double DiscreteScorer::value(const std::vector<Count>& counts, const std::vector<uint32_t>& configuration,
                             uint32_t configurations, Node child, double q, double charge) const {
  // `counts` may be several tables in a row (see additions()); all of them have the configurations of the first.
  const size_t copies = counts.size() / configuration.size();
  std::vector<Count> totals(copies * configurations);
  for (size_t copy = 0, cell = 0; copy < copies; ++copy) {
    for (uint32_t c : configuration) totals[copy * configurations + c] += counts[cell++];
  }
  double sum = 0;
  if (ess_ > 0) {
    const double shared_by = charged_ == Configurations::kSeen
                                 ? static_cast<double>(totals.size() - std::ranges::count(totals, Count{0}))
                                 : q;
    const double per_configuration = ess_ / shared_by;
    const double per_cell = per_configuration / levels_[child];
    const double log_gamma_configuration = log_gamma(per_configuration);
    const double log_gamma_cell = log_gamma(per_cell);
    for (Count n : counts) {
      if (n > 0) sum += log_gamma(per_cell + n) - log_gamma_cell;
    }
    for (Count n : totals) {
      if (n > 0) sum += log_gamma_configuration - log_gamma(per_configuration + n);
    }
    return sum;
  }
  for (Count n : counts) sum += x_log_x(n);
  for (Count n : totals) sum -= x_log_x(n);
  return sum - charge - charge_by_counts(totals, child, q);
}

template <class Count>
double DiscreteScorer::charge_by_counts(const std::vector<Count>& totals, Node child, double q) const {
  const double levels = levels_[child];
  double sum = 0;
  if (normalised_ == Normalised::kQuotient || normalised_ == Normalised::kStraight) {
    for (const Count n : totals) sum += n;
    return normalised_ == Normalised::kStraight ? straight_quotient(sum, q, levels) : regret_quotient(sum, q, levels);
  }
  if (normalised_ == Normalised::kFactors) {
    for (const Count n : totals) sum += regret(n, levels);
    return sum;
  }
  if (charged_ == Configurations::kSeen) {
    for (const Count n : totals) sum += n > 0 ? price_ * (levels - 1) : 0;
  }
  return sum;
}

Value DiscreteScorer::local(Node child, Parents parents) const {
  const double q = possible(child, parents), cost = charge(child, parents, q);
  if (cost == -kUndefined) return {kUndefined, 0};
  const Cells table = cells(child, parents);
  if (!weights_of(child).empty()) {
    std::vector<double> counts(table.cell.range);
    add_rows(child, table.cell.of_row, counts);
    return {value(counts, table.configuration, table.configurations, child, q, cost) + set_cells_[child], 0};
  }
  std::vector<uint32_t> counts(table.cell.range);
  for (uint32_t cell : table.cell.of_row) ++counts[cell];
  return {value(counts, table.configuration, table.configurations, child, q, cost), 0};
}

std::vector<Value> DiscreteScorer::additions(Node child, Parents parents, std::span<const Node> others) const {
  // The rows are numbered once; the candidate parent's level then says in which copy of the table a row is counted.
  const Cells base = cells(child, parents);
  const size_t range = base.cell.range;
  const double q = possible(child, parents);
  std::vector<Value> out;
  std::vector<uint32_t> counts;
  std::vector<double> weights;
  for (Node v : others) {
    if (constant_[v] || !fits(range * levels_[v])) {
      out.push_back(local(child, with(parents, v)));
      continue;
    }
    const double cost = charge(child, with(parents, v), q * levels_[v]);
    if (cost == -kUndefined) {
      out.push_back({kUndefined, 0});
      continue;
    }
    const auto counted = [&](auto& in, const auto& weight_of) {
      in.assign(range * levels_[v], 0);
      data_.column(v).codes.visit([&](const auto& codes) {
        for (size_t row = 0; row < codes.size(); ++row)
          in[base.cell.of_row[row] + range * codes[row]] += weight_of(row);
      });
      const double family = value(in, base.configuration, base.configurations, child, q * levels_[v], cost);
      return Value{family + set_cells_[child], 0};
    };
    const std::vector<double>& weight = weights_of(child);
    out.push_back(weight.empty() ? counted(counts, [](size_t) { return 1u; })
                                 : counted(weights, [&](size_t row) { return weight[row]; }));
  }
  return out;
}

std::vector<double> DiscreteScorer::row_log_likelihood(Node child, Parents parents) const {
  const Cells table = cells(child, parents);
  std::vector<double> counts(table.cell.range), totals(table.configurations);
  add_rows(child, table.cell.of_row, counts);
  for (size_t cell = 0; cell < counts.size(); ++cell) totals[table.configuration[cell]] += counts[cell];
  const double shared_by = charged_ == Configurations::kSeen
                               ? static_cast<double>(totals.size() - std::ranges::count(totals, 0.0))
                               : possible(child, parents);
  const double per_configuration = ess_ / shared_by;
  const double per_cell = per_configuration / levels_[child];
  for (size_t cell = 0; cell < counts.size(); ++cell) {
    if (counts[cell] == 0) continue;
    counts[cell] = std::log((counts[cell] + per_cell) / (totals[table.configuration[cell]] + per_configuration));
  }
  const FamilyRows& rows = experiments_.rows_of(child);
  std::vector<double> out(data_.rows());
  for (size_t row = 0; row < out.size(); ++row) {
    if (rows.group_of(row) >= 0) out[row] = counts[table.cell.of_row[row]];
  }
  return out;
}

double DiscreteScorer::row_constant(const std::vector<Dag>& graphs, int threads) const {
  // Families that differ from those of the first graph, and the first graph's own families at those nodes.
  std::map<Family, std::vector<double>> memo;
  for (size_t k = 1; k < graphs.size(); ++k) {
    for (Node v = 0; v < size(); ++v) {
      if (graphs[0].parents(v) == graphs[k].parents(v)) continue;
      memo[family_of(graphs[0], v)];
      memo[family_of(graphs[k], v)];
    }
  }
  std::vector<std::pair<const Family, std::vector<double>>*> kept;
  for (auto& entry : memo) {
    if ((kept.size() + 1) * data_.rows() * sizeof(double) > kRowMemoBytes) break;
    kept.push_back(&entry);
  }
  parallel_for(static_cast<int>(kept.size()), threads,
               [&](int i) { kept[i]->second = row_log_likelihood(kept[i]->first.child, kept[i]->first.parents); });
  std::vector<double> ranges(graphs.size());
  parallel_for(static_cast<int>(graphs.size()), threads, [&](int k) {
    std::vector<double> difference(data_.rows());
    const auto add = [&](const Family& family, double sign) {
      const std::vector<double>& stored = memo.at(family);
      const std::vector<double> fresh =
          stored.empty() ? row_log_likelihood(family.child, family.parents) : std::vector<double>();
      const std::vector<double>& terms = stored.empty() ? fresh : stored;
      for (size_t row = 0; row < difference.size(); ++row) difference[row] += sign * terms[row];
    };
    for (Node v = 0; v < size(); ++v) {
      if (graphs[0].parents(v) == graphs[k].parents(v)) continue;
      add(family_of(graphs[0], v), 1);
      add(family_of(graphs[k], v), -1);
    }
    if (difference.empty()) return;
    const auto [low, high] = std::minmax_element(difference.begin(), difference.end());
    ranges[k] = *high - *low;
  });
  return *std::max_element(ranges.begin(), ranges.end());
}

std::vector<std::string> DiscreteScorer::assumptions() const {
  std::vector<std::string> out = {
      "A discrete score has no Lipschitz constant, so Hoeffding's inequality stands in for the theorem, with the "
      "range R of the per-row differences seen in this table; rows not seen may lie outside it."};
  if (data_.has_regimes()) {
    out.push_back(
        "Rows of experiments are drawn within each; the cells that an experiment set count in every resample as they "
        "do in the whole table, because they are the same for all graphs.");
  }
  if (ess_ > 0) out.push_back("Per-row likelihoods under a Dirichlet prior use the posterior means of its parameters.");
  return out;
}

class DiscreteScorer::Resampled final : public Resampler {
 public:
  Resampled(const DiscreteScorer& scorer, const std::vector<Family>& families) : scorer_(scorer) {
    for (const Family& family : families) {
      Cells table = scorer.cells(family.child, family.parents);
      const double q = scorer.possible(family.child, family.parents);
      const double cost = scorer.charge(family.child, family.parents, q);
      Entry entry{family.child, q, cost, std::move(table.configuration), table.configurations, {}, {}};
      // Rows that are left out have one number more, which is not looked at.
      std::vector<uint32_t>& of_row = table.cell.of_row;
      const FamilyRows& rows = scorer.experiments_.rows_of(family.child);
      for (size_t row = 0; row < of_row.size(); ++row) {
        if (rows.group_of(row) < 0) of_row[row] = table.cell.range;
      }
      if (table.cell.range <= UINT16_MAX) {
        entry.narrow.assign(of_row.begin(), of_row.end());
      } else {
        entry.wide = of_row;
      }
      entries_.push_back(std::move(entry));
    }
  }

  std::vector<double> scores(std::span<const uint32_t> weights) const override {
    std::vector<double> out;
    std::vector<uint32_t> counts;
    for (const Entry& entry : entries_) {
      counts.assign(entry.configuration.size() + 1, 0);
      const auto count = [&](const auto& cells) {
        for (size_t row = 0; row < cells.size(); ++row) counts[cells[row]] += weights[row];
      };
      count(entry.narrow);
      count(entry.wide);
      counts.pop_back();
      const double family =
          scorer_.value(counts, entry.configuration, entry.configurations, entry.child, entry.q, entry.charge);
      out.push_back(family + scorer_.set_cells_[entry.child]);
    }
    return out;
  }

 private:
  struct Entry {
    Node child;
    double q, charge;
    std::vector<uint32_t> configuration;  // by cell
    uint32_t configurations;
    std::vector<uint16_t> narrow;  // the cell of each row, in `narrow` or in `wide`
    std::vector<uint32_t> wide;
  };
  const DiscreteScorer& scorer_;
  std::vector<Entry> entries_;
};

std::unique_ptr<SetScores> DiscreteScorer::set_scores(double price) const {
  if (penalty_) return discrete_set_scores(data_, *penalty_, price);
  if (normalised_ == Normalised::kQuotient) return regret_set_scores(data_, regret_quotient, price);
  if (normalised_ == Normalised::kStraight) return regret_set_scores(data_, straight_quotient, price);
  return nullptr;
}

std::unique_ptr<Resampler> DiscreteScorer::resampler(const std::vector<Family>& families) const {
  return std::make_unique<Resampled>(*this, families);
}

}  // namespace agon::plain
