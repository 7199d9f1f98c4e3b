#include "agon/match/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "agon/agent/local_player.h"
#include "agon/base/archive.h"
#include "agon/base/draws.h"
#include "agon/base/error.h"
#include "agon/base/parallel.h"
#include "agon/data/capability.h"
#include "agon/graph/graph_archive.h"
#include "agon/opponent/boss.h"

namespace agon {
namespace {

// A row's chance to be drawn depends on its weight, and not on its experiment. That is wrong for experiments whose
// numbers of rows were fixed by design; such tables are refused.
constexpr Capabilities kTakes = {
    .categorical = true, .continuous = true, .mixed = true, .missing = true, .weights = true};
constexpr double kMostDraws = 4e9;  // counts have 32 bits; fewer draws than n make the bootstrap more cautious

// The rows drawn, in the order of the table, each repeated as often as it was drawn.
std::vector<size_t> drawn_rows(size_t rows, Rng& rng) {
  std::vector<int> times(rows);
  for (size_t k = 0; k < rows; ++k) ++times[static_cast<size_t>(rng.below(static_cast<int>(rows)))];
  std::vector<size_t> drawn;
  drawn.reserve(rows);
  for (size_t row = 0; row < rows; ++row) drawn.insert(drawn.end(), times[row], row);
  return drawn;
}

// As many draws as the rows weigh, each row in proportion to its weight. A row then weighs as often as it was drawn, so
// that a table of counts stays as short as it is. Where n is not whole, neither are the weights: they sum to n.
Dataset resampled_by_weight(const Dataset& data, Rng& rng) {
  const double n = data.total_weight(), draws = std::clamp(std::round(n), 1.0, kMostDraws);
  const std::vector<uint32_t> times = drawn_by_weight(data.row_info().weights, static_cast<uint32_t>(draws), rng);
  std::vector<size_t> drawn;
  std::vector<double> weights;
  for (size_t row = 0; row < times.size(); ++row) {
    if (times[row] == 0) continue;
    drawn.push_back(row);
    weights.push_back(times[row] * (n / draws));
  }
  const Dataset rows = with_rows(data, drawn);
  std::vector<Column> columns;
  for (const int node : rows.file_order()) columns.push_back(rows.column(node));
  RowInfo info = rows.row_info();
  info.weights = std::move(weights);
  return make_dataset(std::move(columns), rows.source(), std::move(info));
}

}  // namespace

PairShares Bootstrap::shares(Node from, Node to) const {
  const auto found = pairs.find(std::minmax(from, to));
  if (found == pairs.end()) return {};
  PairShares shares = found->second;
  if (from > to) std::swap(shares.forward, shares.backward);
  return shares;
}

Dataset resampled(const Dataset& data, Rng rng) {
  return data.has_weights() ? resampled_by_weight(data, rng) : with_rows(data, drawn_rows(data.rows(), rng));
}

long quick_moves(int nodes) { return 20L * nodes; }

Dag quick_match(const LocalScore& score, const Knowledge& knowledge, const Rng& rng, const Watch& watch,
                size_t cache_bytes) {
  const SearchResult proposed = boss(score, {.store_bytes = cache_bytes}, rng.split("boss"), watch, knowledge);
  ColumnCache cache(score, cache_bytes);
  Game game(cache, proposed.dag, {}, knowledge);
  Champion champion{proposed.dag, game.score(), {}};
  const LocalOptions options;
  LocalPlayer(game, options, rng.split("play")).play(game, champion, {.moves = quick_moves(score.size())}, watch);
  return champion.dag;
}

Bootstrap bootstrap_edges(const Dataset& data, const ResampleSearch& search, const BootstrapOptions& options,
                          const Knowledge& knowledge, const Rng& rng, const Watch& watch) {
  refuse_beyond(kTakes, data, "the bootstrap");
  if (data.is_summary()) {
    throw InputError(data.source(), "--bootstrap resamples rows, and a matrix has none", "omit --bootstrap");
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
    Pdag vote = mpdag_of(dag, knowledge);
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
