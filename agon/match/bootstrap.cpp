#include "agon/match/bootstrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>

#include "agon/agent/local_player.h"
#include "agon/base/archive.h"
#include "agon/base/draws.h"
#include "agon/base/error.h"
#include "agon/base/parallel.h"
#include "agon/data/summary.h"
#include "agon/graph/graph_archive.h"
#include "agon/opponent/boss.h"
#include "agon/opponent/hill_climbing.h"

namespace agon {
namespace {

constexpr double kMostDraws = 4e9;  // counts have 32 bits; fewer draws than n make the bootstrap more cautious

// The rows of each regime; one list of all rows in a table without regimes.
std::vector<std::vector<size_t>> rows_by_regime(const Dataset& data) {
  std::vector<std::vector<size_t>> out(std::max<size_t>(data.regimes().size(), 1));
  for (size_t row = 0; row < data.rows(); ++row) {
    out[data.has_regimes() ? static_cast<size_t>(data.regime_of(row)) : 0].push_back(row);
  }
  return out;
}

// The rows drawn, in the order of the table, each repeated as often as it was drawn.
std::vector<size_t> drawn_rows(const Dataset& data, Rng& rng) {
  std::vector<int> times(data.rows());
  for (const std::vector<size_t>& rows : rows_by_regime(data)) {
    for (size_t k = 0; k < rows.size(); ++k)
      ++times[rows[static_cast<size_t>(rng.below(static_cast<int>(rows.size())))]];
  }
  std::vector<size_t> drawn;
  drawn.reserve(data.rows());
  for (size_t row = 0; row < data.rows(); ++row) drawn.insert(drawn.end(), times[row], row);
  return drawn;
}

// The rows of a weight above 0, which is how often they were drawn.
Dataset with_drawn_weights(const Dataset& data, const std::vector<double>& weight) {
  std::vector<size_t> drawn;
  std::vector<double> weights;
  for (size_t row = 0; row < weight.size(); ++row) {
    if (weight[row] == 0) continue;
    drawn.push_back(row);
    weights.push_back(weight[row]);
  }
  const Dataset rows = with_rows(data, drawn);
  std::vector<Column> columns;
  for (const int node : rows.file_order()) columns.push_back(rows.column(node));
  RowInfo info = rows.row_info();
  info.weights = std::move(weights);
  return make_dataset(std::move(columns), rows.source(), std::move(info));
}

// As many draws as the rows weigh, each row in proportion to its weight. A row then weighs as often as it was drawn, so
// that a table of counts stays as short as it is. Where n is not whole, neither are the weights: they sum to n.
Dataset resampled_by_weight(const Dataset& data, Rng& rng) {
  std::vector<double> weight(data.rows());  // 0: not drawn
  for (const std::vector<size_t>& rows : rows_by_regime(data)) {
    std::vector<double> given;
    for (const size_t row : rows) given.push_back(data.weight(row));
    const double n = std::accumulate(given.begin(), given.end(), 0.0);
    const double draws = std::clamp(std::round(n), 1.0, kMostDraws);
    const std::vector<uint32_t> times = drawn_by_weight(given, static_cast<uint32_t>(draws), rng);
    for (size_t k = 0; k < rows.size(); ++k) weight[rows[k]] = times[k] * (n / draws);
  }
  return with_drawn_weights(data, weight);
}

// In every regime as many parts as it has rows in, each as often as it is drawn, and n kept. Within a part rows stay
// together, so they may depend on each other (the block bootstrap of Kuensch 1989, Annals of Statistics 17, with blocks
// that are given).
Dataset resampled_by_part(const Dataset& data, Rng& rng) {
  const std::vector<uint32_t>& part = data.row_info().part;
  std::vector<double> weight(data.rows());  // 0: not drawn
  for (const std::vector<size_t>& rows : rows_by_regime(data)) {
    std::vector<uint32_t> parts;  // in order
    for (const size_t row : rows) parts.push_back(part[row]);
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    std::map<uint32_t, double> times;
    for (size_t k = 0; k < parts.size(); ++k)
      times[parts[static_cast<size_t>(rng.below(static_cast<int>(parts.size())))]] += 1;
    double given = 0, drawn = 0;
    for (const size_t row : rows) {
      given += data.weight(row);
      const auto found = times.find(part[row]);
      if (found != times.end()) drawn += weight[row] = found->second * data.weight(row);
    }
    for (const size_t row : rows) weight[row] *= given / drawn;
  }
  return with_drawn_weights(data, weight);
}

}  // namespace

PairShares Bootstrap::shares(Node from, Node to) const {
  const auto found = pairs.find(std::minmax(from, to));
  if (found == pairs.end()) return {};
  PairShares shares = found->second;
  if (from > to) std::swap(shares.forward, shares.backward);
  return shares;
}

bool has_resamples(const Dataset& data) {
  return !data.is_summary() || (!data.row_info().part.empty() && data.row_info().part.back() + 1 >= kFewestParts);
}

Dataset resampled(const Dataset& data, Rng rng) {
  if (data.is_summary()) return resampled_by_part(data, rng);
  return data.has_weights() ? resampled_by_weight(data, rng) : with_rows(data, drawn_rows(data, rng));
}

long quick_moves(int nodes) { return 5L * nodes; }

Dag quick_match(const LocalScore& score, const Knowledge& knowledge, const Rng& rng, const Watch& watch,
                size_t cache_bytes) {
  const int starts = score.size() <= 50 ? 3 : 1;
  // By a score that tells the members of a class apart, a search over classes may go round in circles.
  const SearchResult proposed =
      score.traits().score_equivalent
          ? boss(score, {.random_starts = starts, .evaluations = 1000, .store_bytes = cache_bytes}, rng.split("boss"),
                 watch, knowledge)
          : tabu_search(score, Dag(score.size()), {.climb = {.cache_bytes = cache_bytes}}, watch, knowledge);
  ColumnCache cache(score, cache_bytes);
  Game game(cache, proposed.dag, {}, knowledge);
  Champion champion{proposed.dag, game.score(), {}};
  const LocalOptions options;
  LocalPlayer(game, options, rng.split("play")).play(game, champion, {.moves = quick_moves(score.size())}, watch);
  return champion.dag;
}

Bootstrap bootstrap_edges(const Dataset& data, const ResampleSearch& search, const BootstrapOptions& options,
                          const Knowledge& knowledge, const Rng& rng, const Watch& watch) {
  if (!has_resamples(data)) {
    const std::vector<uint32_t>& part = data.row_info().part;
    throw InputError(data.source(),
                     part.empty() ? "--bootstrap resamples rows, and a matrix has none"
                                  : fmt::format("--bootstrap resamples the parts of a summary, {} at least, and it "
                                                "has {}",
                                                kFewestParts, part.back() + 1),
                     "omit --bootstrap; agon summarize --parts keeps what it can resample");
  }
  constexpr const char* kPart = "bootstrap";  // its name in the checkpoint
  std::vector<std::optional<Pdag>> votes(static_cast<size_t>(options.resamples));
  Checkpoint* const checkpoint = options.checkpoint;
  if (const std::string* part = checkpoint ? checkpoint->part(kPart) : nullptr) {
    Archive archive{std::string_view(*part)};
    archive(votes);
    archive.finish();
    Archive::demand(votes.size() == static_cast<size_t>(options.resamples));
  }
  long finished = std::ranges::count_if(votes, [](const auto& vote) { return vote.has_value(); });
  std::mutex mutex;  // guards the votes and the progress reports
  const auto keep = [&] {
    Archive archive;
    archive(votes);
    checkpoint->save(kPart, archive.bytes());
  };
  Watch quiet = watch;
  quiet.report = nullptr;
  parallel_for(options.resamples, options.threads, [&](int k) {
    if (votes[static_cast<size_t>(k)] || watch.stop_requested()) return;
    const Dataset resample = resampled(data, rng.split("rows", static_cast<uint64_t>(k)));
    const Dag dag = search(resample, rng.split("search", static_cast<uint64_t>(k)), quiet);
    if (watch.stop_requested()) return;  // the search was cut short
    Pdag vote = mpdag_of(dag, knowledge, options.row_set);
    const std::lock_guard lock(mutex);
    votes[static_cast<size_t>(k)] = std::move(vote);
    watch.tell({"bootstrap", ++finished, -1, 0, {}, options.resamples, "resample"});
    if (checkpoint && checkpoint->due()) keep();
  });
  if (checkpoint && finished == options.resamples) keep();

  Bootstrap out;
  out.asked = options.resamples;
  for (const auto& vote : votes) {
    if (!vote) continue;
    ++out.resamples;
    for (const Edge& e : vote->directed_edges()) {
      PairShares& shares = out.pairs[std::minmax(e.from, e.to)];
      shares.edge += 1;
      (e.from < e.to ? shares.forward : shares.backward) += 1;
    }
    for (const Edge& e : vote->undirected_edges()) {
      PairShares& shares = out.pairs[std::minmax(e.from, e.to)];
      shares.edge += 1;
      shares.open += 1;
    }
  }
  for (auto& [pair, shares] : out.pairs) {
    for (double* share : {&shares.edge, &shares.forward, &shares.backward, &shares.open}) *share /= out.resamples;
  }
  return out;
}

}  // namespace agon
