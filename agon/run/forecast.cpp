#include "agon/run/forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "agon/base/error.h"
#include "agon/data/missing.h"
#include "agon/report/table.h"
#include "agon/score/block_moments.h"

namespace agon {
namespace {

// Measured with one thread on the embedded data sets and on linear Gaussian tables of 50 to 600 columns.
constexpr double kMega = 1 << 20;
constexpr double kProgram = 8 * kMega;                 // the program itself
constexpr double kCellBytes = 5, kRealCellBytes = 12;  // table, score and certificate together, per cell
constexpr double kOpponentBytes = 12 * kMega;          // what GES and BOSS keep on a small continuous table
// Per pair of columns: a correlation in the score (of blocks, another in the certificate), and what the searches keep,
// which is a byte in the order of BOSS and some twenty bits in graphs.
constexpr double kCorrelationBytes = 8, kPairBytes = 4;
constexpr double kColumnOverhead = 320, kGainBytes = 8, kCandidateBytes = 16;  // of a column of gains (column_cache.h)
constexpr double kTransitionBytes = 2300, kTransitionsPerMove = 0.018, kMostTransitions = 8000;  // of flat, in auto
constexpr double kDistinct = 0.69;  // the number of distinct columns of gains grows as moves to this power
constexpr double kDistinctPerColumn = 0.07, kMostDistinct = 8;
constexpr double kCacheFill = 0.75;        // average share of the limit in use: one of two generations is growing
constexpr double kLeastCache = 1 * kMega;  // per player

constexpr double kMoveSeconds = 1.6e-6;                                 // of play, when every column of gains is cached
constexpr double kPairSeconds = 0.25e-6, kRowPairSeconds = 0.16e-9;     // of a column of gains, per entry
constexpr double kOpponentSeconds = 0.1, kOpponentPairSeconds = 15e-6;  // of GES and BOSS together
constexpr double kCheckSeconds = 3 * 3e-9;                              // of the certificate, per pair and row

// From so many columns on, other constants hold, which were fitted to the tables of docs/scale.md: play ends when
// patience does, and the certificate bounds what it does not score. On numbers rows no longer matter; what is left
// grows with the columns and with their pairs.
constexpr double kManyColumns = 300;
constexpr double kWideColumnSeconds = 1.5e-3, kWidePairSeconds = 2.1e-6, kWideStartSeconds = 0.3;
constexpr double kWideCheckSeconds = 1e-9;
constexpr double kWidePatience = 2.5;  // on categories, of which play now and then finds better graphs

constexpr double kBlanketSeconds = 1.2e-8, kBlanketPower = 3.5;  // of BOSS on a dense graph, per pair
constexpr double kFillSeconds = 2e-9;        // of a step of EM, per row with a gap and entry of the matrix
constexpr double kProductSeconds = 1.5e-10;  // of the matrix of blocks, per row and entry

constexpr double kResampleSeconds = 0.001;  // of BOSS on a small table
constexpr double kResampleEntries = 60;     // columns of gains it asks for, per column and each other that gains
constexpr double kResampleBlocks = 9;       // so many more others gain in a resample of blocks than in the table
constexpr double kResampleBlanket = 2e-5;   // per column and square of its blanket

// A bootstrap that nobody asked for may take as long as the search, at least and at most so many seconds.
constexpr double kLeastResampling = 0.3, kMostResampling = 2;
// A resample repeats rows, which scores of counts take for dependence. On wider tables of categories its graphs become
// so dense that the forecast of a resample is far too low.
constexpr double kMostResampledCategories = 150;

constexpr int kSampled = 32, kBlankets = 8, kMostBlanket = 100;

double column_bytes(const Workload& w) {
  return kColumnOverhead + (w.short_columns ? 0 : kGainBytes * w.columns) + kCandidateBytes * w.gaining;
}

// How many different columns of gains play will ask for.
double distinct_columns(const Workload& w) {
  const double families = w.columns * std::pow(2.0, std::min(60.0, w.columns - 1));
  return std::min(families, std::min(kMostDistinct, kDistinctPerColumn * w.columns) * std::pow(w.moves, kDistinct));
}

double replay_bytes(const Workload& w) {
  return kTransitionBytes * std::min(kMostTransitions, kTransitionsPerMove * w.moves);
}

// Everything except caches: the program, the table, what GES and BOSS keep per pair, the replay memory, and per player
// a column of gains for every node and a dozen bits per pair.
double fixed_bytes(const Workload& w) {
  const double p = w.columns, players = w.moves > 0 ? w.seats : 0;
  return kProgram + w.table_bytes + w.matrix_bytes + kPairBytes * p * p +
         players * (p * column_bytes(w) + 12 * p * p / 8) + replay_bytes(w) + w.learning_bytes;
}

double cache_need(const Workload& w) {
  const double opponents = w.planes > 0 ? kMega : kOpponentBytes * std::min(1.0, w.gaining / 8);
  return std::max(opponents, distinct_columns(w) * column_bytes(w));
}

// Wide blocks are multiplied as matrices; those of two columns hardly take longer than numbers.
double width_factor(const Workload& w) { return std::max(1.0, w.width * w.width / 4); }

// A column of gains, per entry.
double entry_seconds(const Workload& w) {
  if (w.matrix_seconds > 0) return kPairSeconds * width_factor(w);
  return kPairSeconds + (w.planes > 0 ? kRowPairSeconds * w.rows : 0);
}

double dense_seconds(const Workload& w) {
  return kBlanketSeconds * std::pow(w.blanket, kBlanketPower) * width_factor(w);
}

double opponent_seconds(const Workload& w) {
  const double dense = w.slow_on_dense ? dense_seconds(w) : 0;
  const double pair = std::max(kOpponentPairSeconds * std::min(1.0, w.gaining / 8), dense);
  return kOpponentSeconds + w.columns * w.columns * (pair + 20 * entry_seconds(w));
}

// Of a search, without resamples.
double usual_seconds(const Workload& w) {
  const double p = w.columns;
  const double play = kMoveSeconds * w.moves + distinct_columns(w) * p * entry_seconds(w) + w.learning_seconds;
  return play + opponent_seconds(w) + kCheckSeconds * p * p * w.rows;
}

// The same over many columns. BOSS takes longer on a dense graph there, too.
double wide_seconds(const Workload& w) {
  const double p = w.columns;
  if (w.planes == 0) {
    const bool dense = w.slow_on_dense && dense_seconds(w) > kOpponentPairSeconds;
    const double pair = dense ? dense_seconds(w) : kWidePairSeconds;
    return kWideStartSeconds + kWideColumnSeconds * p + pair * p * p + w.learning_seconds;
  }
  Workload likely = w;
  likely.moves = std::min(w.moves, kWidePatience * w.patience);
  return kMoveSeconds * likely.moves + distinct_columns(likely) * p * entry_seconds(w) + w.learning_seconds +
         opponent_seconds(w) + kWideCheckSeconds * p * p * w.rows;
}

int blanket_size(const LocalScore& score, Node child) {
  std::vector<Node> parents;
  std::vector<ParentGain> gaining;
  while (static_cast<int>(parents.size()) < kMostBlanket) {
    score.positive_additions(child, parents, gaining);
    if (gaining.empty()) break;
    parents.insert(std::ranges::lower_bound(parents, gaining.front().node), gaining.front().node);
  }
  return static_cast<int>(parents.size());
}

std::string time_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", std::max(1.0, seconds));
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", seconds / 3600);
}

}  // namespace

Workload workload_of(const Dataset& data, const LocalScore& score, const MatchOptions& options,
                     const std::vector<const OpponentEntry*>& opponents, int resamples) {
  Workload w;
  const int p = score.size();
  w.rows = static_cast<double>(data.rows());
  w.columns = p;
  for (const Column& column : data.columns()) {
    const bool categorical = column.kind == ColumnKind::kCategorical;
    w.table_bytes += (categorical ? kCellBytes : kRealCellBytes) * w.rows;
    if (categorical && !column.is_isolated()) w.planes += static_cast<double>(column.levels.size());
  }
  if (w.planes == 0) w.matrix_bytes = kCorrelationBytes * w.columns * w.columns;
  w.short_columns = score.keeps_columns_short();
  std::vector<ParentGain> gaining;
  const int sampled = std::min(p, kSampled);
  for (int k = 0; k < sampled; ++k) {
    score.positive_additions(static_cast<Node>(static_cast<long>(k) * p / sampled), {}, gaining);
    w.gaining += static_cast<double>(gaining.size()) / sampled;
  }
  const int grown = std::min(p, kBlankets);
  for (int k = 0; k < grown; ++k) {
    w.blanket += blanket_size(score, static_cast<Node>(static_cast<long>(k) * p / grown)) / static_cast<double>(grown);
  }
  const double budget = static_cast<double>(planned_moves(score, options, opponents.size()));
  const double patience = static_cast<double>(options.patience < 0 ? default_patience(score) : options.patience);
  const std::vector<Arm> arms = make_arms(options.challenger);
  w.moves = arms[0].wants ? budget : std::min(budget, patience * (1 + std::pow(p / 70.0, 2)));
  w.patience = patience;
  w.seats =
      static_cast<double>(std::max({arms.size(), static_cast<size_t>(std::max(1, options.players)), opponents.size()}));
  if (arms[0].needs && budget > 0) {
    const ArmNeeds needs = arms[0].needs(p, std::lround(w.moves / w.seats));
    w.learning_seconds = w.seats * needs.seconds;
    w.learning_bytes = w.seats * needs.bytes;
  }
  // Resamples are searched by BOSS (match/bootstrap.h), whatever the opponents are.
  w.slow_on_dense = resamples > 0 || std::ranges::any_of(opponents, &OpponentEntry::slow_on_dense);
  w.resamples = resamples;
  if (const BlockMoments* moments = score.moments()) {
    const double q = moments->columns(),
                 varying = static_cast<double>(std::ranges::count(score.traits().constant, false));
    w.width = varying > 0 ? q / varying : 1;
    w.matrix_bytes = 2 * kCorrelationBytes * q * q;
    w.matrix_seconds = kProductSeconds * w.rows * q * q;
    if (moments->em) {
      w.fill_seconds = kFillSeconds * moments->em->steps * q * q * static_cast<double>(missing_figures(data).rows);
    }
  }
  w.cache_bytes = options.cache_bytes;
  return w;
}

Forecast forecast(const Workload& w) {
  Forecast f;
  const double cache = static_cast<double>(w.cache_bytes);
  f.bytes = fixed_bytes(w) + std::min(kCacheFill * cache, cache_need(w));
  f.least = fixed_bytes(w) + kLeastCache * w.seats;
  f.seconds = w.columns >= kManyColumns && w.matrix_seconds == 0 && w.moves > 0 ? wide_seconds(w) : usual_seconds(w);
  f.seconds += w.resamples * resample_seconds(w);
  return f;
}

double resample_seconds(const Workload& w) {
  const double dense = dense_seconds(w) * w.columns * w.columns;
  const double gaining = w.gaining + (w.matrix_seconds > 0 ? kResampleBlocks : 0);
  const double sparse = kResampleSeconds + kResampleEntries * w.columns * gaining * entry_seconds(w) +
                        kResampleBlanket * w.columns * w.blanket * w.blanket * width_factor(w);
  return std::max(dense, sparse) + w.matrix_seconds + w.fill_seconds;
}

int affordable_resamples(const Workload& w) {
  if (w.planes > 0 && w.columns > kMostResampledCategories) return 0;
  const double most = std::clamp(usual_seconds(w), kLeastResampling, kMostResampling);
  for (const int resamples : kUsualResamples) {
    if (resamples * resample_seconds(w) <= most) return resamples;
  }
  return 0;
}

int fitting_columns(const Workload& w, double limit) {
  const auto fits = [&](double columns) {
    Workload part = w;
    const double share = columns / w.columns;
    part.columns = columns;
    part.table_bytes *= share;
    part.planes *= share;
    part.matrix_bytes *= share * share;
    return forecast(part).least <= limit;
  };
  int most = 0;
  for (int step = 1 << 30; step > 0; step /= 2) {
    if (most + step <= static_cast<int>(w.columns) && fits(most + step)) most += step;
  }
  return most;
}

size_t fitting_caches(const Workload& w, double limit, const std::string& place) {
  const Forecast f = forecast(w);
  if (f.bytes <= limit) return w.cache_bytes;
  if (f.least > limit) {
    const int columns = fitting_columns(w, limit);
    throw InputError(
        place,
        fmt::format("a match over {} and {} needs about {}; it may have {}{}",
                    counted(static_cast<long>(w.rows), "row"), counted(static_cast<long>(w.columns), "column"),
                    memory_text(f.least), memory_text(limit),
                    columns > 1 ? fmt::format(", where about {} would fit", counted(columns, "column")) : ""),
        w.moves > 0 ? "raise --memory-limit, leave columns out with --drop NAMES, or let one challenger play "
                      "alone with --challenger local --players 1"
                    : "raise --memory-limit, or leave columns out with --drop NAMES");
  }
  const double left = limit - fixed_bytes(w);
  return std::min(w.cache_bytes, static_cast<size_t>(left));
}

std::string memory_text(double bytes) {
  if (bytes < 1e9) return fmt::format("{:.0f} MB", std::max(1.0, bytes / 1e6));
  return fmt::format("{:.1f} GB", bytes / 1e9);
}

std::string forecast_text(const Workload& w) {
  const Forecast f = forecast(w);
  return fmt::format("predicted: about {} and {} of one core ({}, {}, each dependent on about {:.0f} others)",
                     memory_text(f.bytes), time_text(f.seconds), counted(static_cast<long>(w.rows), "row"),
                     counted(static_cast<long>(w.columns), "column"), w.gaining);
}

}  // namespace agon
