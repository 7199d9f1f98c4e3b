#include "agon/run/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "agon/data/doctor.h"
#include "agon/data/missing.h"
#include "agon/graph/equivalence.h"
#include "agon/run/regimes.h"
#include "agon/score/block_moments.h"
#include "agon/score/curvature.h"

namespace agon {

namespace {

PdagRecord describe_pdag(const Pdag& pdag, const std::vector<std::string>& names) {
  PdagRecord record;
  for (const Edge& edge : pdag.directed_edges()) record.directed.emplace_back(names[edge.from], names[edge.to]);
  for (const Edge& edge : pdag.undirected_edges()) {
    record.undirected.push_back(std::minmax(names[edge.from], names[edge.to]));
  }
  std::sort(record.directed.begin(), record.directed.end());
  std::sort(record.undirected.begin(), record.undirected.end());
  return record;
}

}  // namespace

void describe_columns(DataRecord& record, const Dataset& data) {
  record.checksum = data.checksum();
  record.columns.clear();
  for (const Column& column : data.columns()) {
    const ColumnKind kind = column.has_levels() ? ColumnKind::kCategorical : column.kind;
    record.columns.push_back(
        {column.name, kind, column.levels.size(), column.is_constant(), column.identifier, column.missing.count()});
  }
  std::sort(record.columns.begin(), record.columns.end(),
            [](const ColumnRecord& a, const ColumnRecord& b) { return a.name < b.name; });
}

DataRecord describe_data(const Dataset& data, const Watch& watch) {
  DataRecord record;
  record.source = data.source();
  record.rows = data.rows();
  describe_columns(record, data);
  const MissingFigures figures = missing_figures(data);
  record.missing.cells = figures.cells;
  record.missing.rows = figures.rows;
  if (data.has_weights()) record.weight = data.total_weight();
  record.regimes = describe_regimes(data);
  if (data.is_summary()) {  // its cells mean nothing by themselves
    record.rows = static_cast<size_t>(data.total_weight() + 0.5);
    record.summary = true;
    return record;
  }
  for (Finding& finding : examine(data, watch)) {
    std::sort(finding.columns.begin(), finding.columns.end());
    record.findings.push_back(
        {to_string(finding.severity), finding.kind, finding.columns, finding.message + " " + finding.action});
  }
  if (const Curvature found = curvature(data); 10 * found.curved >= found.pairs && found.curved > 0) {
    record.findings.push_back({to_string(Severity::kInfo),
                               "curved",
                               {},
                               fmt::format("{} of {} pairs of numbers are curved. --basis 3 fits curves too.",
                                           with_commas(found.curved), with_commas(found.pairs))});
  }
  std::stable_sort(record.findings.begin(), record.findings.end(), [](const FindingRecord& a, const FindingRecord& b) {
    return std::tie(a.kind, a.columns) < std::tie(b.kind, b.columns);
  });
  return record;
}

std::optional<MatrixRecord> describe_matrix(const LocalScore& score, const ScoreOptions& options) {
  const BlockMoments* moments = score.moments();
  if (moments == nullptr) return std::nullopt;
  MatrixRecord record{.floor = moments->floor, .basis = options.basis, .em = {}};
  if (const auto& em = moments->em) record.em = {em->steps, em->movement, em->converged, em->restricted};
  return record;
}

void describe_kinds(DataRecord& record, const Dataset& data, const std::vector<std::string>& reasons) {
  for (ColumnRecord& column : record.columns) {
    column.reason = reasons[data.column(data.index_of(column.name)).file_index];
  }
}

void describe_answer(RunRecord& record, const Dataset& data, const LocalScore& score, const Dag& dag,
                     const Knowledge& knowledge) {
  const std::vector<int>& row_set = score.traits().row_set;
  const Cpdag observed = cpdag_of(dag), cpdag = cpdag_of(dag, row_set);
  const Pdag mpdag = mpdag_of(dag, knowledge, row_set);
  const auto name = [&](Node v) { return data.column(v).name; };

  record.knowledge.required = knowledge.required_count();
  record.knowledge.forbidden = knowledge.forbidden_count() - knowledge.required_count();
  record.knowledge.tiers = knowledge.tiers().size();
  record.knowledge.satisfied = satisfies(dag, knowledge);

  record.score.name = score.traits().name;
  record.score.empty = total(score, Dag(dag.size()));
  record.score.value = total(score, dag);

  record.edges.clear();
  std::vector<double> gains;
  for (Node to = 0; to < dag.size(); ++to) {
    const std::vector<Node> parents = dag.parent_list(to);
    if (parents.empty()) continue;
    gains.assign(parents.size(), 0);
    score.removal_gains(to, parents, gains);
    for (size_t k = 0; k < parents.size(); ++k) {
      const bool by_data = cpdag.has_directed(parents[k], to), fixed = mpdag.has_directed(parents[k], to);
      EdgeRecord edge{name(parents[k]), name(to), fixed, 0.0 - gains[k], fixed && !by_data};
      edge.by_experiment = by_data && !observed.has_directed(parents[k], to);
      record.edges.push_back(std::move(edge));
    }
  }
  std::sort(record.edges.begin(), record.edges.end(),
            [](const EdgeRecord& a, const EdgeRecord& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); });

  record.cpdag = describe_pdag(cpdag.pdag(), data.names());
  record.interventional = std::ranges::any_of(row_set, [&](int set) { return set != row_set[0]; });
  record.mpdag = describe_pdag(mpdag, data.names());
}

NextScoreRecord describe_next_score(const std::string& name, const Dag& dag, const Dag& other,
                                    const std::vector<std::string>& names) {
  NextScoreRecord out{.name = name};
  const Cpdag mine = cpdag_of(dag), theirs = cpdag_of(other);
  for (Node a = 0; a < dag.size(); ++a) {
    for (Node b = a + 1; b < dag.size(); ++b) {
      const NamePair pair = std::minmax(names[a], names[b]);
      if (mine.adjacent(a, b) != theirs.adjacent(a, b)) {
        (mine.adjacent(a, b) ? out.missing : out.extra).push_back(pair);
      } else if (mine.has_directed(a, b) != theirs.has_directed(a, b) ||
                 mine.has_directed(b, a) != theirs.has_directed(b, a)) {
        out.otherwise.push_back(pair);
      }
    }
  }
  for (std::vector<NamePair>* list : {&out.missing, &out.extra, &out.otherwise}) std::ranges::sort(*list);
  return out;
}

std::vector<NamedEdge> describe_pag(const Pag& pag, const std::vector<std::string>& names) {
  return normalized(named(pag, names)).edges;
}

void describe_bootstrap(RunRecord& record, const Bootstrap& bootstrap, const std::vector<std::string>& names) {
  record.bootstrap.emplace();
  record.bootstrap->asked = bootstrap.asked;
  record.bootstrap->resamples = bootstrap.resamples;
  std::map<NamePair, EdgeRecord*> shown;  // by (smaller, larger) name
  for (EdgeRecord& edge : record.edges) {
    edge.shares.emplace();
    shown[std::minmax(edge.from, edge.to)] = &edge;
  }
  for (const auto& [pair, ignored] : bootstrap.pairs) {
    const bool in_order = names[pair.first] < names[pair.second];
    const Node a = in_order ? pair.first : pair.second, b = in_order ? pair.second : pair.first;
    const auto edge = shown.find({names[a], names[b]});
    if (edge != shown.end()) {
      const bool along = edge->second->from == names[a];
      edge->second->shares = along ? bootstrap.shares(a, b) : bootstrap.shares(b, a);
    }
    record.bootstrap->pairs.push_back({names[a], names[b], bootstrap.shares(a, b), edge != shown.end()});
  }
  std::sort(record.bootstrap->pairs.begin(), record.bootstrap->pairs.end(),
            [](const PairRecord& x, const PairRecord& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
}

std::vector<NamePair> describe_edges(const Dag& dag, const std::vector<std::string>& names) {
  std::vector<NamePair> out;
  for (const Edge& edge : dag.edges()) out.emplace_back(names[edge.from], names[edge.to]);
  std::sort(out.begin(), out.end());
  return out;
}

namespace {

// At most `most` points of a trace, evenly spaced, the last among them.
std::vector<double> thinned(const std::vector<double>& trace, size_t most) {
  if (trace.size() <= most) return trace;
  std::vector<double> out;
  for (size_t k = 1; k <= most; ++k) out.push_back(trace[k * trace.size() / most - 1]);
  return out;
}

}  // namespace

void describe_posterior(RunRecord& record, const Posterior& posterior, const std::vector<std::string>& names,
                        bool marginal) {
  constexpr size_t kMostTracePoints = 200;
  PosteriorRecord& out = record.posterior.emplace();
  out.exact = posterior.exact;
  out.marginal = marginal;
  out.stopped_by = posterior.stopped_by;
  if (!posterior.exact) {
    out.sample = posterior.sample;
    for (ChainTrace& trace : out.sample->traces) trace.scores = thinned(trace.scores, kMostTracePoints);
  }
  if (posterior.empty()) return;
  std::map<std::string, Node> node;
  for (Node v = 0; v < posterior.nodes; ++v) node[names[static_cast<size_t>(v)]] = v;
  std::set<NamePair> drawn;
  for (EdgeRecord& edge : record.edges) {
    edge.posterior = posterior.pair(node.at(edge.from), node.at(edge.to));
    drawn.insert(std::minmax(edge.from, edge.to));
  }
  for (const auto& [a, v] : node) {  // by name
    for (const auto& [b, u] : node) {
      if (a == b) continue;
      const double path = posterior.path_probability(v, u);
      if (path >= PosteriorRecord::kLeast) out.paths.push_back({a, b, path});
      const PairPosterior pair = posterior.pair(v, u);
      if (a < b && pair.edge >= PosteriorRecord::kLeast) out.pairs.push_back({a, b, pair, drawn.contains({a, b})});
    }
  }
}

ConsensusRecord describe_consensus(const Dag& dag, const LocalScore& score, const std::vector<std::string>& names,
                                   const Knowledge& knowledge) {
  return {total(score, dag), describe_edges(dag, names),
          describe_pdag(mpdag_of(dag, knowledge, score.traits().row_set), names)};
}

MatchRecord describe_match(const MatchResult& match, const std::vector<std::string>& names, const Knowledge& knowledge,
                           const std::vector<int>& row_set) {
  MatchRecord record;
  for (const OpponentResult& found : match.opponents) {
    OpponentRecord opponent{found.name, found.result.score, describe_edges(found.result.dag, names), found.seconds, {}};
    opponent.mpdag = describe_pdag(mpdag_of(found.result.dag, knowledge, row_set), names);
    record.opponents.push_back(std::move(opponent));
  }
  record.best = match.best_opponent;
  record.found_by = match.found_by;
  record.challenger = match.challenger;
  record.episodes = match.counts.episodes;
  record.edge_budget = match.edge_budget;
  record.history = match.history;
  record.trace = match.trace;
  record.arms = describe_arms(match.arms);
  return record;
}

std::vector<ArmRecord> describe_arms(const std::vector<ArmResult>& arms) {
  std::vector<ArmRecord> records;
  for (const ArmResult& arm : arms) {
    records.push_back({arm.name, arm.cost, arm.counts.moves, arm.counts.episodes, arm.gained, arm.champions});
  }
  return records;
}

}  // namespace agon
