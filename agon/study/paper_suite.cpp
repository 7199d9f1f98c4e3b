#include "agon/study/paper_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "agon/base/build_id.h"
#include "agon/base/error.h"
#include "agon/base/hash.h"
#include "agon/base/suggest.h"
#include "agon/catalog/opponents.h"
#include "agon/catalog/scores.h"
#include "agon/certificate/plain_score.h"
#include "agon/data/csv.h"
#include "agon/data/dream4.h"
#include "agon/data/embedded.h"
#include "agon/data/text_file.h"
#include "agon/graph/class_members.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/formats.h"
#include "agon/graph/knowledge.h"
#include "agon/graph/measures.h"
#include "agon/graph/named_graph.h"
#include "agon/match/match.h"
#include "agon/run/preset.h"
#include "agon/run/run.h"
#include "agon/study/as_published.h"
#include "agon/version.h"

namespace agon {
namespace {

std::string score_of(const Dataset& data) {
  return suite_score(needs_of(data).continuous ? ColumnKind::kContinuous : ColumnKind::kCategorical);
}

namespace fs = std::filesystem;

// Of sample 1. Tuning used other samples; but Sachs is one table, and was tuned on.
constexpr uint64_t kFirstSeed = 101;
constexpr int kMembers = 200;  // drawn from the class of an answer
constexpr const char* kMatch = "match-";
constexpr const char* kAuto = "auto";
constexpr const char* kPaper = "paper";

const std::vector<SuiteTable>& benchmarks() {
  using enum ColumnKind;
  static const std::vector<SuiteTable> table = {
      {.name = "asia", .title = "Asia", .rows = 10000, .kind = kCategorical},
      {.name = "sachs", .title = "Sachs", .kind = kContinuous},
      {.name = "lucas", .title = "Lucas", .rows = 2000, .kind = kCategorical},
      {.name = "child", .title = "Child", .rows = 1000, .kind = kCategorical},
      {.name = "alarm", .title = "Alarm", .rows = 10000, .kind = kCategorical},
      {.name = "hepar2", .title = "Hepar2", .rows = 5000, .kind = kCategorical},
      {.name = "dream4", .title = "DREAM4-1", .kind = kContinuous, .has_true_dag = false},
      {.name = "andes", .title = "Andes", .rows = 10000, .kind = kCategorical},
  };
  return table;
}

std::string file_hash(const std::string& path) { return hex64(hash_text(read_text_file(path))); }

// Takes data.csv and truth.csv from the folder if both exist.
bool take_files(SuiteTable& table, const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder / "data.csv", ignored) || !fs::exists(folder / "truth.csv", ignored)) return false;
  table.rows = 0;
  table.data_file = (folder / "data.csv").string();
  table.truth_file = (folder / "truth.csv").string();
  table.origin = "file " + file_hash(table.data_file) + " " + file_hash(table.truth_file);
  return true;
}

bool take_from_folder(SuiteTable& table, const std::string& folder) {
  return take_files(table, fs::path(folder) / table.name) ||
         (table.name == "dream4" && take_files(table, fs::path(folder) / "dream41"));
}

bool take_dream4(SuiteTable& table, const std::string& folder) {
  if (folder.empty()) return false;
  if (take_files(table, folder)) return true;
  table.dream4_folder = folder;
  table.origin = "dream4 " + read_dream4(folder, 1).data.checksum();
  return true;
}

bool is_asked_for(const SuiteChoice& choice, const std::string& name) {
  return choice.only.empty() || std::find(choice.only.begin(), choice.only.end(), name) != choice.only.end();
}

Dataset with_columns_shuffled(const Dataset& data, Rng rng) {
  std::vector<int> order = data.file_order();
  rng.shuffle(order);
  std::vector<Column> columns;
  for (const int node : order) columns.push_back(data.column(node));
  return make_dataset(std::move(columns), data.source(), data.row_info());
}

std::vector<Edge> edges_by_name(const std::vector<std::pair<std::string, std::string>>& pairs, const Dataset& data,
                                const std::string& place) {
  std::vector<Edge> edges;
  for (const auto& [from, to] : pairs) {
    const Edge edge{data.index_of(from), data.index_of(to)};
    if (edge.from < 0 || edge.to < 0) {
      throw InputError(place, fmt::format("the table has no column {}", quoted(edge.from < 0 ? from : to)));
    }
    edges.push_back(edge);
  }
  return edges;
}

// The composite Score of the drawn member whose edges agree most with an order of the columns; the first, if several
// do. The truth plays no part in choosing it.
struct ByOrder {
  std::vector<int> place;  // by node
  int most = -1;
  double score = 0;

  void see(const Dag& member, double its_score) {
    int agree = 0;
    for (const Edge& edge : member.edges()) agree += place[edge.from] < place[edge.to];
    if (agree > most) most = agree, score = its_score;
  }
};

std::vector<int> places(const std::vector<std::string>& order, const Dataset& data) {
  std::vector<int> place(order.size());
  for (size_t k = 0; k < order.size(); ++k) place[data.index_of(order[k])] = static_cast<int>(k);
  return place;
}

void describe_class(SuiteCell& cell, const SuiteProblem& problem, const Dag& dag) {
  const ClassMembers members(cpdag_of(dag));
  std::vector<std::string> shuffled;
  for (const int node : problem.data.file_order()) shuffled.push_back(problem.data.column(node).name);
  ByOrder by_source{places(problem.source_order, problem.data)}, by_shuffled{places(shuffled, problem.data)};
  Rng rng = Rng(kFirstSeed + problem.sample).split("class members");
  double sum = 0;
  for (int k = 0; k < kMembers; ++k) {
    const Dag member = members.draw(rng);
    const double score = measure(problem.truth, member).score;
    sum += score;
    cell.class_best = std::max(cell.class_best, score);
    by_source.see(member, score);
    by_shuffled.see(member, score);
  }
  cell.class_mean = sum / kMembers;
  cell.source_order = by_source.score;
  cell.shuffled_order = by_shuffled.score;
}

}  // namespace

std::vector<std::string> suite_names() {
  std::vector<std::string> names;
  for (const SuiteTable& table : benchmarks()) names.push_back(table.name);
  return names;
}

std::vector<SuiteTable> suite_tables(const SuiteChoice& choice) {
  const std::vector<std::string> names = suite_names();
  for (const std::string& name : choice.only) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string near = did_you_mean(name, names);
    throw UsageError(fmt::format("the suite has no data set {}", quoted(name)),
                     near.empty() ? "its data sets are " + listed(names) : near);
  }
  std::vector<SuiteTable> tables;
  for (SuiteTable table : benchmarks()) {
    if (!is_asked_for(choice, table.name)) continue;
    bool there = true;
    if (!choice.data_dir.empty()) {
      there = take_from_folder(table, choice.data_dir);
      if (!there && table.name == "dream4") there = take_dream4(table, choice.dream4);
      if (!there && !choice.only.empty()) {
        throw InputError(choice.data_dir, fmt::format("has no {0}/data.csv with {0}/truth.csv", table.name));
      }
    } else if (table.name == "dream4") {
      there = take_dream4(table, choice.dream4);
      if (!there && !choice.only.empty()) {
        throw UsageError("dream4 is not part of the program: --folder DIR must name where it is",
                         "see agon list datasets");
      }
    } else {
      table.samples = table.rows > 0 ? choice.samples : 1;  // Sachs is a measured table: one sample
      table.origin = "embedded";
    }
    if (there) tables.push_back(std::move(table));
  }
  if (tables.empty()) throw InputError(choice.data_dir, "holds none of the data sets: NAME/data.csv, NAME/truth.csv");
  return tables;
}

std::vector<std::string> suite_algorithms(const std::vector<std::string>& only,
                                          const std::vector<std::string>& challengers) {
  for (const std::string& name : only) opponent_entry(name);
  for (const std::string& name : challengers) challenger_entry(name);
  std::vector<std::string> algorithms;
  bool some_are_told = false;
  for (const OpponentEntry& entry : opponent_entries()) {
    const bool named = std::find(only.begin(), only.end(), entry.name) != only.end();
    const bool chosen = named || (only.empty() && entry.learns.empty());  // learners take hours: only when named
    if (entry.needs_start() || (!chosen && entry.name != kEmptyGraph)) continue;
    algorithms.push_back(entry.name);
    if (!chosen) continue;
    for (const PublishedVariant& variant : published_variants()) {
      if (variant.of == entry.name) algorithms.push_back(variant.name);
    }
    for (const std::string& challenger : challengers) {
      algorithms.push_back((challenger == kAuto ? "" : challenger + "-") + kMatch + entry.name);
    }
    some_are_told |= entry.pays_for_knowledge;
  }
  if (some_are_told) algorithms.push_back(kStatedEdges);
  algorithms.push_back(kTrueGraph);
  return algorithms;
}

std::string opponent_of(const std::string& algorithm) {
  const size_t at = algorithm.find(kMatch);
  return at == std::string::npos ? "" : algorithm.substr(at + std::string(kMatch).size());
}

std::string player_of(const std::string& algorithm) {
  const size_t at = algorithm.find(kMatch);
  return at == std::string::npos ? "" : at == 0 ? kAuto : algorithm.substr(0, at - 1);
}

std::string suite_title(const std::string& algorithm) {
  const auto alone = [](const std::string& name) {
    if (name == kEmptyGraph) return std::string("empty graph");
    return opponent_entry(name).pays_for_knowledge ? name + ", told a quarter of the truth" : name;
  };
  if (algorithm == kTrueGraph) return "true graph";
  if (algorithm == kStatedEdges) return "a quarter of the true edges";
  if (const PublishedVariant* variant = published_variant(algorithm)) return variant->of + " as published";
  const std::string player = player_of(algorithm);
  if (player.empty()) return alone(algorithm);
  const std::string from = " from " + alone(opponent_of(algorithm));
  return (player == kPaper ? "DDQN-CD as published" : fmt::format("match ({})", player)) + from;
}

std::string suite_score(ColumnKind kind) { return kind == ColumnKind::kCategorical ? "discrete-bic" : "copula-bic"; }

SuiteProblem load_problem(const SuiteTable& table, int sample) {
  SuiteProblem problem;
  problem.name = table.name;
  problem.sample = sample;
  Dataset data;
  std::vector<std::pair<std::string, std::string>> truth;
  if (!table.dream4_folder.empty()) {
    Dream4 dream4 = read_dream4(table.dream4_folder, 1);
    data = std::move(dream4.data);
    truth = std::move(dream4.truth);
  } else if (!table.data_file.empty()) {
    CsvOptions options;
    options.kind = table.kind;  // some discrete tables are written with numbers such as 3.5
    data = read_csv(table.data_file, options).data;
  } else {
    data = embedded_table(table.name, table.rows, table.rows > 0 ? kFirstSeed + sample - 1 : 0);
    truth = embedded_truth(table.name);
  }
  for (const int node : data.file_order()) problem.source_order.push_back(data.column(node).name);
  problem.data = with_columns_shuffled(data, Rng(kFirstSeed + sample).split("columns"));
  problem.truth = table.truth_file.empty()
                      ? edges_by_name(truth, problem.data, table.name)
                      : directed_edges(read_graph(table.truth_file), problem.data.names(), table.truth_file);
  return problem;
}

std::vector<Edge> stated_edges(const SuiteProblem& problem) {
  std::vector<Edge> edges = problem.truth;
  std::ranges::sort(edges, {}, [](const Edge& e) { return std::pair(e.from, e.to); });
  Rng rng = Rng(kFirstSeed + problem.sample).split("stated edges");
  rng.shuffle(edges);
  edges.resize((edges.size() + 2) / 4);
  return edges;
}

std::string cell_key(const SuiteTable& table, int sample, const std::string& algorithm) {
  return fmt::format("agon {}, build {}; {} {}, {} rows, sample {} with seed {}; {}", AGON_VERSION, build_id(),
                     table.name, table.origin, table.rows, sample, kFirstSeed + sample - 1, algorithm);
}

namespace {

double cpu_seconds_since(std::clock_t began) { return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC; }

// What a match is played with: the table as its player sees it, the score, and the options.
struct Played {
  Dataset data;
  std::string score;
  MatchOptions options;
};

// The published agent as --preset has it. The limit of a cell replaces its own limits.
MatchOptions published_match(const Dataset& data) {
  Settings settings;
  RunRequest request(settings, RunRequest::Kind::kMatch);
  settings.set("preset", std::string("paper"));
  settings.set("most-hours", 1e6);
  settings.set("most-gigabytes", 8.0);
  MatchOptions options = make_plan(request, {}).match;
  options.game.edge_budget = 2 * data.size();
  return options;
}

Played played_by(const std::string& challenger, const Dataset& data) {
  if (challenger == kPaper) {
    const std::string score = published_score(data);
    return {score == "copula-bic" ? as_codes(data) : data, score, published_match(data)};
  }
  MatchOptions options;
  options.challenger = challenger_entry(challenger).defaults;
  return {data, score_of(data), options};
}

void play(const SuiteProblem& problem, const SuiteCell& opponent, Rng rng, const Watch& watch, SuiteAnswer& answer) {
  Dag start(problem.data.size());
  for (const Edge& edge : edges_by_name(opponent.edges, problem.data, opponent.algorithm)) {
    start.add_edge(edge.from, edge.to);
  }
  const Played with = played_by(player_of(answer.algorithm), problem.data);
  const ScoreEntry& entry = score_entry(with.score);
  const auto score = entry.make(with.data, {});
  const Entrant entrant{opponent.algorithm, [&](const Watch&, const OpponentResults&) {
                          SearchResult given;
                          given.dag = start;
                          given.score = total(*score, start);
                          return given;
                        }};
  const std::clock_t began = std::clock();
  const MatchResult match =
      play_match(*score, {entrant}, with.options, Knowledge(problem.data.size()), rng.split("match"), watch);
  answer.seconds = cpu_seconds_since(began);
  answer.dag = match.champion;
  answer.moves = match.counts.moves;
  answer.stopped_by = match.stopped_by;
  answer.found_by = match.found_by;
  answer.opponent_seconds = opponent.seconds;
  const auto judge = entry.make_plain(with.data, {});
  answer.margin = plain::total(*judge, answer.dag).score - plain::total(*judge, start).score;
}

Knowledge knowledge_of(const SuiteProblem& problem) {
  const std::vector<std::string> names = problem.data.names();
  KnowledgeBuilder told(names);
  for (const Edge& edge : stated_edges(problem)) told.require(names[edge.from], names[edge.to], "the true graph");
  return told.build();
}

SearchResult search_alone(const SuiteProblem& problem, const LocalScore& score, const std::string& algorithm, Rng rng,
                          const Watch& watch) {
  if (const PublishedVariant* variant = published_variant(algorithm)) {
    return variant->search(problem.data, score, rng.split(variant->of), watch);
  }
  const OpponentEntry& entry = opponent_entry(algorithm);
  const Knowledge told = entry.pays_for_knowledge ? knowledge_of(problem) : Knowledge(problem.data.size());
  const Dag start(problem.data.size());
  return entry.propose({.data = problem.data,
                        .score = score,
                        .start = start,
                        .knowledge = told,
                        .rng = rng.split(algorithm),
                        .watch = watch});
}

}  // namespace

SuiteAnswer solve(const SuiteProblem& problem, const std::string& algorithm, const SuiteCell* opponent,
                  const Watch& watch) {
  const Rng rng(kFirstSeed + problem.sample);
  SuiteAnswer answer;
  answer.algorithm = algorithm;
  if (algorithm == kTrueGraph) {
    const std::optional<Dag> truth = dag_from_edges(problem.data.size(), problem.truth);
    if (!truth) throw InputError(problem.name, "the truth has a cycle");
    answer.dag = *truth;
  } else if (algorithm == kStatedEdges) {
    answer.dag = repair(Dag(problem.data.size()), knowledge_of(problem));
  } else if (opponent_of(algorithm).empty()) {
    const auto score = make_score(score_of(problem.data), problem.data);
    const std::clock_t began = std::clock();
    const SearchResult found = search_alone(problem, *score, algorithm, rng, watch);
    answer.seconds = cpu_seconds_since(began);
    answer.dag = found.dag;
    answer.moves = found.steps;
    answer.stopped_by = found.stopped_by;
  } else {
    play(problem, *opponent, rng, watch, answer);
  }
  answer.limited = answer.stopped_by == "time limit" || answer.stopped_by == "interrupted";
  if (answer.limited) answer.stopped_by = "limit of the cell";
  return answer;
}

SuiteCell describe_cell(const SuiteProblem& problem, const SuiteAnswer& answer) {
  const auto score = make_score(score_of(problem.data), problem.data);
  const std::vector<std::string> names = problem.data.names();
  SuiteCell cell;
  cell.data = problem.name;
  cell.sample = problem.sample;
  cell.algorithm = answer.algorithm;
  cell.limited = answer.limited;
  cell.stopped_by = answer.stopped_by;
  cell.rows = problem.data.rows();
  cell.columns = problem.data.size();
  cell.true_edges = static_cast<int>(problem.truth.size());
  for (const Edge& edge : answer.dag.edges()) cell.edges.emplace_back(names[edge.from], names[edge.to]);
  std::sort(cell.edges.begin(), cell.edges.end());
  cell.bic = total(*score, answer.dag);
  cell.margin = answer.margin;
  cell.found_by = answer.found_by;
  cell.seconds = answer.seconds;
  cell.opponent_seconds = answer.opponent_seconds;
  cell.moves = answer.moves;

  const Measures m = measure(problem.truth, answer.dag);
  cell.tpr = m.tpr;
  cell.fdr = m.fdr;
  cell.shd = m.shd;
  cell.score = m.score;
  cell.skeleton_f1 = m.skeleton_f1;
  if (m.shd_cpdag) cell.shd_cpdag = *m.shd_cpdag;
  const CreditedMeasures credited = measure_credited(problem.truth, cpdag_of(answer.dag));
  cell.gcastle = {credited.tpr, credited.fdr, static_cast<double>(credited.shd), credited.score};
  describe_class(cell, problem, answer.dag);
  return cell;
}

}  // namespace agon
