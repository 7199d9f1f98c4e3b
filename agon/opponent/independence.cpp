#include "agon/opponent/independence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/base/distributions.h"
#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/data/capability.h"
#include "agon/opponent/block_independence.h"
#include "agon/opponent/weighted_independence.h"
#include "agon/score/gaussian_score.h"

namespace agon {
namespace {

constexpr uint32_t kLogTable = 1 << 16;
constexpr double kNoVariance = 1e-9;       // of X2, as a share of its mean: rounding
constexpr double kLeastShareLeft = 1e-10;  // a column with a smaller share of its variance left counts as determined

}  // namespace

void Independence::p_values(Node a, Parents given, std::span<const Node> others, std::span<double> out) const {
  for (size_t k = 0; k < others.size(); ++k) out[k] = p_value(a, others[k], given);
}

// Haldane 1940: the moments of X2 for fixed margins, when every order of the rows is as likely.
void add_shuffled(TestStatistic& x2, double all, double levels_a, double levels_b, double inverse_a, double inverse_b) {
  x2.mean += all / (all - 1) * (levels_a - 1) * (levels_b - 1);
  if (all <= 2) return;  // two rows that differ in both: X2 is 2 in either order
  const double spread_a = (all * inverse_a - levels_a * levels_a) / (all - 2);
  const double spread_b = (all * inverse_b - levels_b * levels_b) / (all - 2);
  const double free_a = (levels_a - 1) * (all - levels_a) / (all - 1) - spread_a;
  const double free_b = (levels_b - 1) * (all - levels_b) / (all - 1) - spread_b;
  const double even = all <= 3 ? 0 : 2 * all / (all - 3) * free_a * free_b;  // of three rows one factor is always 0
  x2.variance += std::max(0.0, even + all * all / (all - 1) * spread_a * spread_b);
}

double shuffled_tail(const TestStatistic& x2, double share) {
  if (x2.variance <= kNoVariance * x2.mean) return 1;  // any order gives the same X2
  return chi_square_tail(x2.value * share * 2 * x2.mean / x2.variance, 2 * x2.mean * x2.mean / x2.variance);
}

DiscreteIndependence::DiscreteIndependence(const Dataset& data, Kind kind, double rows_per_dof)
    : table_(data), kind_(kind), rows_per_dof_(rows_per_dof) {
  for (const Column& column : data.columns()) {
    codes_.push_back(column.codes);
    isolated_.push_back(column.is_isolated());
  }
  n_log_n_.resize(std::min<size_t>(data.rows() + 1, kLogTable));
  for (size_t n = 2; n < n_log_n_.size(); ++n) n_log_n_[n] = static_cast<double>(n) * std::log(static_cast<double>(n));
}

double DiscreteIndependence::n_log_n(uint32_t n) const {
  return n < n_log_n_.size() ? n_log_n_[n] : n * std::log(static_cast<double>(n));
}

// cells: [configuration][level of b][level of a].
TestStatistic DiscreteIndependence::of_cells(Kind kind, std::span<const uint32_t> cells, int b_levels,
                                             int a_levels) const {
  TestStatistic out;
  thread_local std::vector<uint32_t> of_a;
  const size_t block = static_cast<size_t>(a_levels) * b_levels;
  for (size_t first = 0; first < cells.size(); first += block) {
    const uint32_t* cell = cells.data() + first;
    of_a.assign(a_levels, 0);
    uint32_t all = 0;
    int seen_a = 0, seen_b = 0;
    double inner = 0, margins = 0;  // G2: of n ln n; X2: of n^2 / (margins)
    for (int b = 0; b < b_levels; ++b) {
      uint32_t of_b = 0;
      for (int a = 0; a < a_levels; ++a) {
        const uint32_t n = cell[b * a_levels + a];
        of_b += n;
        of_a[a] += n;
        if (kind == Kind::kG2) inner += n_log_n(n);
      }
      all += of_b;
      seen_b += of_b > 0;
      if (kind == Kind::kG2) margins += n_log_n(of_b);
    }
    if (all == 0) continue;
    ++out.configurations;
    for (int a = 0; a < a_levels; ++a) {
      seen_a += of_a[a] > 0;
      if (kind == Kind::kG2) margins += n_log_n(of_a[a]);
    }
    if (seen_a < 2 || seen_b < 2) continue;
    out.dof += static_cast<double>(seen_a - 1) * (seen_b - 1);
    if (kind == Kind::kG2) {
      out.value += 2 * (inner - margins + n_log_n(all));
      continue;
    }
    double inverse_a = 0, inverse_b = 0;
    for (int a = 0; a < a_levels; ++a) inverse_a += of_a[a] > 0 ? 1.0 / of_a[a] : 0;
    for (int b = 0; b < b_levels; ++b) {
      double of_b = 0;
      for (int a = 0; a < a_levels; ++a) of_b += cell[b * a_levels + a];
      if (of_b == 0) continue;
      inverse_b += 1 / of_b;
      for (int a = 0; a < a_levels; ++a) {
        if (of_a[a] == 0) continue;
        const double expected = of_a[a] * of_b / all, off = cell[b * a_levels + a] - expected;
        out.value += off * off / expected;
      }
    }
    add_shuffled(out, all, seen_a, seen_b, inverse_a, inverse_b);
  }
  return out;
}

// For sets with so many configurations that a table of all cells would be mostly zeros. Every row becomes one number,
// [configuration][level of b][level of a], and equal numbers are counted after sorting.
TestStatistic DiscreteIndependence::counted_by_rows(Kind kind, Node a, Node b, Parents given) const {
  constexpr uint64_t kMost = uint64_t{1} << 40;
  std::vector<uint64_t> key(table_.rows(), 0);
  uint64_t bound = 1;
  for (Node v : given) {
    if (bound * table_.levels(v) > kMost) {  // number only the configurations that occur
      std::vector<uint64_t> seen = key;
      std::sort(seen.begin(), seen.end());
      seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
      for (uint64_t& k : key) k = static_cast<uint64_t>(std::lower_bound(seen.begin(), seen.end(), k) - seen.begin());
      bound = seen.size();
    }
    bound *= table_.levels(v);
    codes_[v].visit([&](const auto& codes) {
      for (size_t r = 0; r < key.size(); ++r) key[r] = key[r] * table_.levels(v) + codes[r];
    });
  }
  const int a_levels = table_.levels(a), b_levels = table_.levels(b);
  const uint64_t block = static_cast<uint64_t>(a_levels) * b_levels;
  for (size_t r = 0; r < key.size(); ++r) key[r] = key[r] * block + codes_[b][r] * a_levels + codes_[a][r];
  std::sort(key.begin(), key.end());
  std::vector<uint32_t> cells(block);
  TestStatistic out;
  for (size_t r = 0; r < key.size(); ++r) {
    ++cells[key[r] % block];
    if (r + 1 < key.size() && key[r] / block == key[r + 1] / block) continue;
    const TestStatistic one = of_cells(kind, cells, b_levels, a_levels);
    out.value += one.value;
    out.mean += one.mean;
    out.variance += one.variance;
    out.dof += one.dof;
    out.configurations += one.configurations;
    std::fill(cells.begin(), cells.end(), 0);
  }
  return out;
}

void DiscreteIndependence::statistics(Kind kind, Node a, Parents given, std::span<const Node> others,
                                      std::span<TestStatistic> out) const {
  // The table counts [configuration][b][a] as long as there are not many more cells than rows.
  uint64_t cells = table_.levels(a);
  const uint64_t most = 4 * table_.stored_rows() + 4096;
  for (Node v : given) cells = std::min<uint64_t>(cells * table_.levels(v), most + 1);
  thread_local std::vector<Node> dense;
  thread_local std::vector<size_t> place;
  dense.clear();
  place.clear();
  for (size_t k = 0; k < others.size(); ++k) {
    if (cells * table_.levels(others[k]) > most) {
      out[k] = counted_by_rows(kind, a, others[k], given);
    } else {
      dense.push_back(others[k]);
      place.push_back(k);
    }
  }
  if (dense.empty()) return;
  size_t next = 0;
  table_.count_neighbours(
      a, given, dense, [](const FamilyCounts&) {},
      [&](Node b, const FamilyCounts& counts) {
        out[place[next++]] = of_cells(kind, counts.cells, table_.levels(b), table_.levels(a));
      },
      nullptr);
}

TestStatistic DiscreteIndependence::statistic(Node a, Node b, Parents given) const {
  TestStatistic out;
  statistics(kind_, a, given, std::span(&b, 1), std::span(&out, 1));
  return out;
}

double DiscreteIndependence::p_value(Node a, Node b, Parents given) const {
  double out = 1;
  p_values(a, given, std::span(&b, 1), std::span(&out, 1));
  return out;
}

bool DiscreteIndependence::determines(Node from, Node to) const {
  thread_local std::vector<int> with;
  with.assign(table_.levels(from), -1);
  for (size_t r = 0; r < table_.rows(); ++r) {
    int& seen = with[codes_[from][r]];
    const int now = static_cast<int>(codes_[to][r]);
    if (seen >= 0 && seen != now) return false;
    seen = now;
  }
  return true;
}

void DiscreteIndependence::p_values(Node a, Parents given, std::span<const Node> others, std::span<double> out) const {
  thread_local std::vector<TestStatistic> found;
  found.assign(others.size(), {});
  statistics(kind_, a, given, others, found);
  for (size_t k = 0; k < others.size(); ++k) {
    const TestStatistic& f = found[k];
    const auto enough_for = [&](double n) { return static_cast<double>(table_.rows()) >= rows_per_dof_ * n; };
    const auto alone = [&](Node v) { return determines(v, a) || determines(v, others[k]); };
    if (isolated_[a] || isolated_[others[k]]) {
      out[k] = 1;
    } else if (f.dof > 0) {
      TestStatistic x2;
      const bool enough = enough_for(f.dof);
      if (!enough) statistics(Kind::kChi2, a, given, others.subspan(k, 1), std::span(&x2, 1));
      out[k] = enough ? chi_square_tail(f.value, f.dof) : shuffled_tail(x2);
    } else {
      out[k] = given.empty() || !enough_for(f.configurations) || std::ranges::any_of(given, alone) ? 1 : 0;
    }
  }
}

FisherZ::FisherZ(const Dataset& data, Scale scale)
    : p_(data.size()), rows_(static_cast<double>(data.rows())), scale_(scale) {
  const GaussianBic score(data, scale == Scale::kRank ? GaussianBic::Scale::kCopula : GaussianBic::Scale::kRaw);
  correlation_.resize(static_cast<size_t>(p_) * p_);
  for (Node a = 0; a < p_; ++a) {
    for (Node b = 0; b < p_; ++b) {
      const bool constant = score.traits().constant[a] || score.traits().constant[b];
      correlation_[static_cast<size_t>(a) * p_ + b] = a == b ? 1 : constant ? 0 : score.correlation(a, b);
    }
  }
}

FisherZ::FisherZ(std::vector<double> correlation, int nodes, double rows)
    : p_(nodes), rows_(rows), correlation_(std::move(correlation)) {}

// The set is eliminated by a Cholesky factorisation that skips members determined by those before them. Then a and each
// of the others need one forward substitution.
void FisherZ::partials(Node a, Parents given, std::span<const Node> others, std::span<double> out) const {
  const auto r = [&](Node i, Node j) { return correlation_[static_cast<size_t>(i) * p_ + j]; };
  const auto copies = [&](Node i, Node j) { return 1 - r(i, j) * r(i, j) < kLeastShareLeft; };
  thread_local std::vector<double> factor, of_a, of_b;
  thread_local std::vector<Node> kept;
  factor.resize(given.size() * given.size());
  of_a.resize(given.size());
  of_b.resize(given.size());
  kept.clear();
  const size_t k = given.size();
  const auto substitute = [&](Node v, double* to) {  // returns the share of variance that is left
    double left = 1;
    for (size_t i = 0; i < kept.size(); ++i) {
      double sum = r(kept[i], v);
      for (size_t j = 0; j < i; ++j) sum -= factor[i * k + j] * to[j];
      to[i] = sum / factor[i * k + i];
      left -= to[i] * to[i];
    }
    return left;
  };
  for (Node v : given) {
    double* row = factor.data() + kept.size() * k;
    const double left = substitute(v, row);
    if (left < kLeastShareLeft) continue;
    row[kept.size()] = std::sqrt(left);
    kept.push_back(v);
  }
  const double left_a = substitute(a, of_a.data());
  for (size_t o = 0; o < others.size(); ++o) {
    const double left_b = substitute(others[o], of_b.data());
    if (left_a < kLeastShareLeft || left_b < kLeastShareLeft) {
      const auto alone = [&](Node v) { return copies(v, a) || copies(v, others[o]); };
      out[o] = std::ranges::any_of(given, alone) ? 0 : 1;
      continue;
    }
    double sum = r(a, others[o]);
    for (size_t i = 0; i < kept.size(); ++i) sum -= of_a[i] * of_b[i];
    out[o] = std::clamp(sum / std::sqrt(left_a * left_b), -1.0, 1.0);
  }
}

double FisherZ::p_of(double partial, size_t given) const {
  const double freedom = rows_ - static_cast<double>(given) - 3;
  if (freedom <= 0) return 1;
  if (std::abs(partial) >= 1) return 0;
  return std::erfc(std::sqrt(freedom) * std::abs(std::atanh(partial)) / std::sqrt(2.0));
}

double FisherZ::partial_correlation(Node a, Node b, Parents given) const {
  double out = 0;
  partials(a, given, std::span(&b, 1), std::span(&out, 1));
  return out;
}

double FisherZ::p_value(Node a, Node b, Parents given) const {
  return p_of(partial_correlation(a, b, given), given.size());
}

void FisherZ::p_values(Node a, Parents given, std::span<const Node> others, std::span<double> out) const {
  partials(a, given, others, out);
  for (size_t k = 0; k < others.size(); ++k) out[k] = p_of(out[k], given.size());
}

namespace {

struct TestName {
  std::string name, causal_cmd;
  Capabilities takes;
};
// In the order in which "auto" looks for one that takes the table.
const std::vector<TestName>& test_names() {
  static const std::vector<TestName> table = {
      {"g2", "g-square-test", {.categorical = true, .weights = true}},
      {"chi2", "chi-square-test", {.categorical = true, .weights = true}},
      {"fisher-z", "fisher-z-test", {.continuous = true}},
      {"fisher-z-raw", "fisher-z-raw", {.continuous = true}},
      {"block",
       "dg-lr-test",
       {.categorical = true, .continuous = true, .mixed = true, .missing = true, .weights = true}},
  };
  return table;
}

// A test for columns of one kind reads the cells of all of them, isolated ones too.
bool fits_kinds(const TestName& test, const Dataset& data) {
  if (data.is_summary()) return test.takes.mixed;  // a matrix in place of rows
  return test.takes.mixed || data.all_of(test.takes.categorical ? ColumnKind::kCategorical : ColumnKind::kContinuous);
}

bool fits(const TestName& test, const Dataset& data) {
  return fits_kinds(test, data) && (test.takes.missing || !data.has_missing()) &&
         (test.takes.weights || !data.has_weights());
}

}  // namespace

std::string resolve_test(const Dataset& data, const std::string& name) {
  std::vector<std::string> all, fitting;
  const TestName* chosen = nullptr;
  for (const TestName& entry : test_names()) {
    all.push_back(entry.name);
    if (fits(entry, data)) fitting.push_back(entry.name);
    const bool meant = name == "auto" ? fits(entry, data) : name == entry.name || name == entry.causal_cmd;
    if (meant && chosen == nullptr) chosen = &entry;
  }
  if (chosen == nullptr) {
    const std::string near = did_you_mean(name, all);
    throw UsageError(fmt::format("there is no test of independence {}", quoted(name)),
                     near.empty() ? "the tests are " + listed(all) : near);
  }
  if (!fits_kinds(*chosen, data)) {
    const bool one_kind = data.all_of(ColumnKind::kCategorical) || data.all_of(ColumnKind::kContinuous);
    throw UsageError(fmt::format("the test {} is for {} columns, and {}", chosen->name,
                                 chosen->takes.categorical ? "categorical" : "continuous",
                                 one_kind ? fmt::format("these are {}", to_string(data.column(0).kind))
                                          : std::string("this table has both kinds")),
                     "for these there are " + listed(fitting));
  }
  refuse_beyond(chosen->takes, data, "the test " + chosen->name);
  return chosen->name;
}

std::unique_ptr<Independence> make_independence(const Dataset& data, const std::string& name, int threads) {
  const std::string chosen = resolve_test(data, name);
  if (data.has_weights() || data.has_drawn()) {
    using Kind = DiscreteIndependence::Kind;
    if (chosen == "g2") return std::make_unique<WeightedIndependence>(data, Kind::kG2);
    if (chosen == "chi2") return std::make_unique<WeightedIndependence>(data, Kind::kChi2);
  }
  if (chosen == "g2") return std::make_unique<DiscreteIndependence>(data, DiscreteIndependence::Kind::kG2);
  if (chosen == "chi2") return std::make_unique<DiscreteIndependence>(data, DiscreteIndependence::Kind::kChi2);
  if (chosen == "block") return std::make_unique<BlockIndependence>(data, ScoreOptions{.threads = threads});
  return std::make_unique<FisherZ>(data, chosen == "fisher-z" ? FisherZ::Scale::kRank : FisherZ::Scale::kRaw);
}

}  // namespace agon
