#include "agon/data/derived_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "agon/base/error.h"
#include "agon/base/hash.h"
#include "agon/data/linear_dependence.h"

namespace agon {
namespace {

constexpr size_t kDirections = 6;
constexpr size_t kMostProjected = 256, kFewestProjected = 32;  // rows
constexpr double kWindow = 0.06;                               // six deviations of the noise that is still a relation
constexpr size_t kSampledRows = 1000;                          // of the first check
constexpr size_t kMostCandidates = 5000, kMostFullChecks = 500;
constexpr double kBeatsLinear = 0.1;
constexpr double kFewestRows = 20;

// Has no logarithm: a gap, or 0. Other cells are finite, and so are their logarithms.
bool is_bad(const Column& column, size_t row) { return column.is_missing(row) || column.values[row] == 0; }

// Rows without a gap or a zero in any of the columns that stay; those with the most are removed from `columns`.
std::vector<size_t> projected_rows(const std::vector<const Column*>& all, std::vector<size_t>& columns) {
  const size_t n = all[0]->rows();
  std::vector<std::pair<size_t, size_t>> by_bad;
  for (const size_t k : columns) {
    size_t bad = 0;
    for (size_t row = 0; row < n; ++row) bad += is_bad(*all[k], row);
    by_bad.emplace_back(bad, k);
  }
  std::sort(by_bad.begin(), by_bad.end());
  std::vector<bool> excluded(n);
  size_t left = n;
  columns.clear();
  for (const auto& [bad, k] : by_bad) {
    size_t fewer = 0;
    for (size_t row = 0; bad > 0 && row < n; ++row) fewer += !excluded[row] && is_bad(*all[k], row);
    if (left - fewer < kFewestProjected) continue;
    for (size_t row = 0; fewer > 0 && row < n; ++row) excluded[row] = excluded[row] || is_bad(*all[k], row);
    left -= fewer;
    columns.push_back(k);
  }
  std::sort(columns.begin(), columns.end());
  std::vector<size_t> complete;
  for (size_t row = 0; row < n; ++row) {
    if (!excluded[row]) complete.push_back(row);
  }
  const size_t m = std::min(complete.size(), kMostProjected);
  std::vector<size_t> rows(m);
  for (size_t i = 0; i < m; ++i) rows[i] = complete[i * complete.size() / m];
  return rows;
}

struct Shadow {
  size_t k = 0;
  std::array<double, kDirections> at{};
  double spread = 0;  // deviation of the logarithms
};

Shadow shadow(const Column& column, size_t k, const std::vector<size_t>& rows) {
  std::vector<double> logs;
  for (const size_t row : rows) logs.push_back(std::log(std::abs(column.values[row])));
  const Moments m = moments(logs);  // the mean goes, and with it every constant factor
  Shadow out{k, {}, m.deviation};
  for (size_t i = 0; i < logs.size(); ++i) {
    const uint64_t bits = mix64(i);
    for (size_t d = 0; d < kDirections; ++d) out.at[d] += ((bits >> d & 1) != 0 ? 1 : -1) * (logs[i] - m.mean);
  }
  for (double& s : out.at) s /= std::sqrt(static_cast<double>(logs.size()));
  return out;
}

// z = factor * x * y in some rows; what the product and what a linear function leave, as shares of z's variance.
struct Fit {
  double factor = 0, unexplained = 1, linear = 1;
};

// 1 - R2 of a on b and c.
double linear_residue(const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& c) {
  const Moments ma = moments(a), mb = moments(b), mc = moments(c);
  double ab = 0, ac = 0, bc = 0;
  const double n = static_cast<double>(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    const double u = (a[i] - ma.mean) / ma.deviation, v = (b[i] - mb.mean) / mb.deviation,
                 w = (c[i] - mc.mean) / mc.deviation;
    ab += u * v / n, ac += u * w / n, bc += v * w / n;
  }
  const double free = 1 - bc * bc;
  if (!(free > 1e-9)) return 1 - ab * ab;
  return 1 - (ab * ab + ac * ac - 2 * ab * ac * bc) / free;
}

Fit fit_product(const std::vector<double>& z, const std::vector<double>& x, const std::vector<double>& y, bool ratio) {
  std::vector<double> kept_z, kept_x, kept_y, product;
  for (size_t i = 0; i < z.size(); ++i) {
    if (ratio && y[i] == 0) continue;
    kept_z.push_back(z[i]), kept_x.push_back(x[i]), kept_y.push_back(y[i]);
    product.push_back(ratio ? x[i] / y[i] : x[i] * y[i]);
  }
  const double n = static_cast<double>(product.size());
  const Moments m = moments(kept_z), mp = moments(product);
  const double size = std::max(std::abs(mp.mean), mp.deviation);
  if (n < kFewestRows || !(m.deviation > 0) || !std::isfinite(m.deviation) || !(size > 0) || !std::isfinite(size)) {
    return {};
  }
  double top = 0, bottom = 0, rest = 0;
  for (size_t i = 0; i < product.size(); ++i) {
    top += product[i] / size * kept_z[i], bottom += product[i] / size * (product[i] / size);
  }
  Fit fit;
  fit.factor = top / bottom / size;
  for (size_t i = 0; i < product.size(); ++i) {
    const double gap = (kept_z[i] - fit.factor * product[i]) / m.deviation;
    rest += gap * gap;
  }
  fit.unexplained = rest / (n - 1);
  fit.linear = linear_residue(kept_z, kept_x, kept_y);
  return fit;
}

bool holds(const Fit& fit) {
  return fit.unexplained <= kNearlyUnexplained && fit.unexplained <= kBeatsLinear * fit.linear;
}

bool is_named_after(const Column& target, const Column& first, const Column& second) {
  return target.name.size() > std::max(first.name.size(), second.name.size()) &&
         target.name.find(first.name) != std::string::npos && target.name.find(second.name) != std::string::npos;
}

// The relation z ~ x * y solved for the column that was most likely computed; factor 0 if it does not hold.
ProductRelation best_reading(const std::vector<const Column*>& columns, size_t z, size_t x, size_t y,
                             size_t most_rows) {
  std::array<std::vector<double>, 3> cells;
  const std::array<size_t, 3> which = {z, x, y};
  const size_t n = columns[z]->rows(), m = std::min(n, most_rows);
  for (size_t i = 0; i < m; ++i) {
    const auto row = static_cast<size_t>(uint64_t{i} * n / m);
    if (std::any_of(which.begin(), which.end(), [&](size_t k) { return columns[k]->is_missing(row); })) continue;
    for (size_t k = 0; k < 3; ++k) cells[k].push_back(columns[which[k]]->values[row]);
  }
  const auto read = [&](size_t target, size_t first, size_t second, bool ratio) {
    const Fit fit = fit_product(cells[target], cells[first], cells[second], ratio);
    ProductRelation out{which[target], which[first], which[second], ratio, 0, 1};
    if (holds(fit)) out.factor = fit.factor, out.unexplained = fit.unexplained;
    return out;
  };
  std::vector<ProductRelation> readings = {read(0, 1, 2, false)};
  if (x != y) {
    readings.push_back(read(1, 0, 2, true));
    readings.push_back(read(2, 0, 1, true));
  }
  ProductRelation best = readings[0];
  for (const ProductRelation& reading : readings) {
    if (reading.factor == 0) continue;
    if (is_named_after(*columns[reading.target], *columns[reading.first], *columns[reading.second])) return reading;
    const bool clearly = reading.unexplained < 0.5 * best.unexplained && best.unexplained > 1e-12;
    if (best.factor == 0 || clearly) best = reading;
  }
  return best;
}

// z, x, y for all that fit in every direction, x <= y by place.
std::vector<std::array<size_t, 3>> possible_products(std::vector<Shadow> shadows, const Watch& watch) {
  std::vector<Shadow> by_first = shadows;
  std::sort(by_first.begin(), by_first.end(),
            [](const Shadow& a, const Shadow& b) { return a.at[0] != b.at[0] ? a.at[0] < b.at[0] : a.k < b.k; });
  std::vector<std::array<size_t, 3>> out;
  for (size_t i = 0; i < shadows.size() && !watch.stop_requested(); ++i) {
    for (size_t j = i; j < shadows.size(); ++j) {
      const Shadow &x = shadows[i], &y = shadows[j];
      const double wanted = x.at[0] + y.at[0], window = kWindow * (x.spread + y.spread);
      auto z = std::lower_bound(by_first.begin(), by_first.end(), wanted - window,
                                [](const Shadow& s, double value) { return s.at[0] < value; });
      for (; z != by_first.end() && z->at[0] <= wanted + window; ++z) {
        bool fits = z->k != x.k && z->k != y.k;
        for (size_t d = 0; d < kDirections && fits; ++d) {
          fits = std::abs(z->at[d] - x.at[d] - y.at[d]) <= kWindow * z->spread;
        }
        if (!fits) continue;
        out.push_back({z->k, x.k, y.k});
        if (out.size() == kMostCandidates) return out;
      }
    }
  }
  return out;
}

// Whether `target` can be omitted besides the others: none of its sources was computed from it.
bool stays_acyclic(const std::vector<ProductRelation>& accepted, const ProductRelation& next) {
  std::vector<size_t> open = {next.first, next.second};
  for (size_t at = 0; at < open.size(); ++at) {
    if (open[at] == next.target) return false;
    for (const ProductRelation& relation : accepted) {
      if (relation.target != open[at]) continue;
      for (const size_t source : {relation.first, relation.second}) {
        if (std::find(open.begin(), open.end(), source) == open.end()) open.push_back(source);
      }
    }
  }
  return true;
}

}  // namespace

std::vector<ProductRelation> product_relations(const std::vector<const Column*>& columns, size_t most,
                                               const Watch& watch) {
  if (columns.size() < 2) return {};
  std::vector<size_t> taking_part(columns.size());
  std::iota(taking_part.begin(), taking_part.end(), size_t{0});
  const std::vector<size_t> rows = projected_rows(columns, taking_part);
  if (rows.size() < kFewestProjected) return {};
  std::vector<Shadow> shadows;
  for (const size_t k : taking_part) {
    shadows.push_back(shadow(*columns[k], k, rows));
    if (!(shadows.back().spread > 1e-6)) shadows.pop_back();  // a product with it is a copy
  }
  std::vector<ProductRelation> holding;
  size_t checked = 0;
  for (const auto& [z, x, y] : possible_products(std::move(shadows), watch)) {
    if (watch.stop_requested()) break;
    if (best_reading(columns, z, x, y, kSampledRows).factor == 0) continue;
    if (++checked > kMostFullChecks) break;
    const ProductRelation relation = best_reading(columns, z, x, y, SIZE_MAX);
    if (relation.factor != 0) holding.push_back(relation);
  }
  const auto named = [&](const ProductRelation& r) {
    return is_named_after(*columns[r.target], *columns[r.first], *columns[r.second]);
  };
  std::stable_partition(holding.begin(), holding.end(), named);
  std::vector<ProductRelation> accepted;
  std::vector<bool> is_target(columns.size());
  for (const ProductRelation& relation : holding) {
    if (accepted.size() == most || is_target[relation.target] || !stays_acyclic(accepted, relation)) continue;
    is_target[relation.target] = true;
    accepted.push_back(relation);
  }
  std::sort(accepted.begin(), accepted.end(), [](const auto& a, const auto& b) { return a.target < b.target; });
  return accepted;
}

std::string product_text(const std::vector<const Column*>& columns, const ProductRelation& relation) {
  const auto name = [&](size_t k) { return quoted(columns[k]->name); };
  const double whole = std::round(relation.factor);
  const bool one = std::abs(relation.factor - 1) < 1e-3;
  const std::string factor = one ? ""
                             : std::abs(relation.factor - whole) < 1e-5 * std::abs(whole)
                                 ? fmt::format("{:.10g} ", whole)
                                 : fmt::format("{:.4g} ", relation.factor);
  return fmt::format("{} = {}{} {} {}", name(relation.target), factor, name(relation.first), relation.ratio ? "/" : "*",
                     name(relation.second));
}

// ---------------------------------------------------------------------------------------------- categories

namespace {

// Rows looked at until the first that contradicts it; `found` if none does and the evidence is enough.
struct Look {
  size_t rows = 0;
  bool found = false;
};

Look look(const Column& source, const Column& target, size_t columns) {
  constexpr uint32_t kNone = UINT32_MAX;
  const size_t n = source.rows();
  std::vector<uint32_t> image(source.levels.size(), kNone);
  std::vector<double> counts(target.levels.size());
  Look result;
  const bool contradicted = source.codes.visit([&](const auto& from) {
    return target.codes.visit([&](const auto& to) {
      for (; result.rows < n; ++result.rows) {
        const size_t row = result.rows;
        if (source.is_missing(row) || target.is_missing(row)) continue;
        uint32_t& seen = image[from[row]];
        if (seen == kNone) seen = to[row];
        if (seen != to[row]) return true;
        ++counts[to[row]];
      }
      return false;
    });
  });
  if (contradicted) return result;
  const double rows = std::accumulate(counts.begin(), counts.end(), 0.0);
  double information = 0;  // rows times entropy
  for (const double count : counts) {
    if (count > 0) information -= count * std::log(count / rows);
  }
  const auto sources = static_cast<double>(source.levels.size()), targets = static_cast<double>(target.levels.size());
  const double price = sources * std::log(targets) + 2 * std::log(static_cast<double>(columns)) + 10;
  result.found = rows >= 5 * sources && information > price;
  return result;
}

}  // namespace

CategoryFunctions category_functions(const std::vector<const Column*>& columns, size_t most, const Watch& watch) {
  CategoryFunctions out;
  const auto levels = [&](size_t k) { return columns[k]->levels.size(); };
  std::vector<size_t> sources;  // those with the fewest levels first
  for (size_t k = 0; k < columns.size(); ++k) {
    if (!columns[k]->is_isolated() && columns[k]->rows() >= 5 * levels(k)) sources.push_back(k);
  }
  std::stable_sort(sources.begin(), sources.end(), [&](size_t a, size_t b) { return levels(a) < levels(b); });
  size_t work = 0;
  for (size_t target = 0; target < columns.size() && out.found.size() < most; ++target) {
    if (columns[target]->is_isolated()) continue;
    const auto first = std::upper_bound(sources.begin(), sources.end(), levels(target),
                                        [&](size_t count, size_t k) { return count < levels(k); });
    for (auto at = first; at != sources.end(); ++at) {
      const size_t source = *at;
      if (work >= kMostFunctionRows || watch.stop_requested()) {
        out.stopped = true;
        return out;
      }
      const Look seen = look(*columns[source], *columns[target], columns.size());
      work += 20 + seen.rows + levels(source);
      if (!seen.found) continue;
      out.found.push_back({target, source});
      break;
    }
  }
  return out;
}

}  // namespace agon
