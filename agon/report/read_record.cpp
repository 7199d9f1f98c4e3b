// The reader of result.json. Every key is looked up by name, and an error names the key that is missing or wrong.

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "agon/base/error.h"
#include "agon/data/json_text.h"
#include "agon/report/json.h"
#include "agon/report/record_json.h"

namespace agon {
namespace {

// A value, and the path of keys that led to it.
class Field {
 public:
  Field(const Json& json, std::string place, std::string path)
      : json_(json), place_(std::move(place)), path_(std::move(path)) {}

  bool has(const char* key) const { return json_.is_object() && json_.contains(key) && !json_.at(key).is_null(); }
  Field at(const char* key) const {
    const std::string path = path_.empty() ? key : path_ + "." + key;
    if (!json_.is_object() || !json_.contains(key)) {
      throw InputError(place_, fmt::format("is not a result of agon: there is no key {}", quoted(path)),
                       "agon discover DATA --out DIR writes DIR/result.json");
    }
    return {json_.at(key), place_, path};
  }
  std::vector<Field> items() const {
    if (!json_.is_array()) wrong("a list");
    std::vector<Field> out;
    for (size_t k = 0; k < json_.size(); ++k) out.push_back({json_[k], place_, fmt::format("{}[{}]", path_, k)});
    return out;
  }
  std::vector<std::pair<std::string, Field>> members() const {
    if (!json_.is_object()) wrong("an object");
    std::vector<std::pair<std::string, Field>> out;
    for (const auto& [name, value] : json_.items()) out.push_back({name, {value, place_, path_ + "." + name}});
    return out;
  }

  std::string text() const {
    if (!json_.is_string()) wrong("a text");
    return json_.get<std::string>();
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> out;
    for (const Field& item : items()) out.push_back(item.text());
    return out;
  }
  bool flag() const {
    if (!json_.is_boolean()) wrong("true or false");
    return json_.get<bool>();
  }
  double number() const {
    if (!json_.is_number()) wrong("a number");
    return json_.get<double>();
  }
  // JSON has no infinity, so it is written as null.
  double number_or_infinity() const { return json_.is_null() ? std::numeric_limits<double>::infinity() : number(); }
  long count() const {
    if (!json_.is_number_integer() || json_.get<double>() < 0 || json_.get<double>() > 1e15) {
      wrong("a whole number of 0 or more");
    }
    return json_.get<long>();
  }
  int small_count() const {
    const long value = count();
    if (value > 2'000'000'000) wrong("a smaller number");
    return static_cast<int>(value);
  }
  uint64_t seed() const {
    if (!json_.is_number_unsigned()) wrong("a whole number of 0 or more");
    return json_.get<uint64_t>();
  }
  NamePair pair() const {
    const std::vector<std::string> ends = texts();
    if (ends.size() != 2) wrong("a pair of names");
    return {ends[0], ends[1]};
  }
  std::vector<NamePair> pairs() const {
    std::vector<NamePair> out;
    for (const Field& item : items()) out.push_back(item.pair());
    return out;
  }
  PdagRecord pdag() const { return {at("directed").pairs(), at("undirected").pairs()}; }
  OptionValue option() const {
    if (json_.is_boolean()) return json_.get<bool>();
    if (json_.is_number_integer()) return json_.get<int64_t>();
    if (json_.is_number()) return json_.get<double>();
    if (json_.is_string()) return json_.get<std::string>();
    return texts();
  }
  const Json& json() const { return json_; }

  [[noreturn]] void wrong(const std::string& expected) const {
    throw InputError(place_, fmt::format("{} is not {}", quoted(path_), expected));
  }

 private:
  const Json& json_;
  std::string place_, path_;
};

ColumnKind read_kind(const Field& field) {
  const std::string name = field.text();
  for (const ColumnKind kind : {ColumnKind::kCategorical, ColumnKind::kContinuous}) {
    if (name == to_string(kind)) return kind;
  }
  field.wrong("a kind of column");
}

// What a table may have beyond complete rows of known kinds that count once each.
void read_gaps(const Field& field, DataRecord& data) {
  std::map<std::string, ColumnRecord*> column;
  for (ColumnRecord& one : data.columns) column[one.name] = &one;
  const auto at = [&](const std::string& name, const Field& where) -> ColumnRecord& {
    const auto found = column.find(name);
    if (found == column.end()) where.wrong("the name of a column");
    return *found->second;
  };
  if (field.has("identifiers")) {
    const Field names = field.at("identifiers");
    for (const std::string& name : names.texts()) at(name, names).identifier = true;
  }
  if (field.has("reasons")) {
    for (const auto& [name, reason] : field.at("reasons").members()) at(name, reason).reason = reason.text();
  }
  if (field.has("missing")) {
    const Field missing = field.at("missing");
    data.missing = {static_cast<size_t>(missing.at("cells").count()), static_cast<size_t>(missing.at("rows").count()),
                    missing.at("policy").text(), missing.at("assumption").text()};
    for (const auto& [name, share] : missing.at("share").members()) {
      const double cells = share.number() * static_cast<double>(data.rows);
      if (!(cells >= 0 && cells <= static_cast<double>(data.rows) * (1 + 1e-12))) share.wrong("a share of the rows");
      at(name, share).missing = static_cast<size_t>(std::llround(cells));
    }
  }
  if (field.has("weights")) data.weight = field.at("weights").at("total").number();
  if (field.has("summary")) data.summary = field.at("summary").flag();
}

std::vector<RegimeRecord> read_regimes(const Field& field) {
  std::vector<RegimeRecord> out;
  for (const Field& item : field.items()) {
    RegimeRecord regime;
    regime.name = item.at("name").text();
    regime.rows = static_cast<size_t>(item.at("rows").count());
    regime.targets = item.at("targets").texts();
    if (!regime.targets.empty()) regime.intervention = item.at("intervention").text();
    if (item.has("batch")) regime.batch = item.at("batch").text();
    regime.moved = item.at("moved").texts();
    out.push_back(std::move(regime));
  }
  return out;
}

DataRecord read_data(const Field& field) {
  DataRecord data;
  data.rows = static_cast<size_t>(field.at("rows").count());
  field.at("columns").count();  // must be there, but is not kept: it repeats how many columns follow
  data.checksum = field.at("checksum").text();
  data.source = field.at("source").text();
  std::map<std::string, size_t> levels;
  for (const auto& [name, count] : field.at("levels").members()) levels[name] = static_cast<size_t>(count.count());
  const std::vector<std::string> names = field.at("constant").texts();
  const std::set<std::string> constant(names.begin(), names.end());
  for (const auto& [name, kind] : field.at("kinds").members()) {
    const auto found = levels.find(name);
    data.columns.push_back({name, read_kind(kind), found == levels.end() ? 0 : found->second, constant.contains(name)});
  }
  read_gaps(field, data);
  if (field.has("regimes")) data.regimes = read_regimes(field.at("regimes"));
  data.kinds_inferred = field.at("kinds_inferred").flag();
  data.rows_dropped = static_cast<size_t>(field.at("rows_dropped").count());
  data.row_index_taken = field.at("row_index_taken").flag();
  data.notes = field.at("notes").texts();
  if (field.has("warnings")) data.warnings = field.at("warnings").texts();
  for (const Field& item : field.at("findings").items()) {
    data.findings.push_back(
        {item.at("severity").text(), item.at("kind").text(), item.at("columns").texts(), item.at("text").text()});
  }
  return data;
}

KnowledgeRecord read_knowledge(const Field& field) {
  KnowledgeRecord known;
  known.sources = field.at("sources").texts();
  known.required = field.at("required").small_count();
  known.forbidden = field.at("forbidden").count();
  known.tiers = static_cast<size_t>(field.at("tiers").count());
  known.satisfied = field.at("satisfied").flag();
  return known;
}

PairShares read_shares(const Field& field) {
  return {field.at("edge").number(), field.at("forward").number(), field.at("backward").number(),
          field.at("open").number()};
}

PairPosterior read_probabilities(const Field& field) {
  return {field.at("edge").number(), field.at("forward").number(), field.at("backward").number()};
}

LossRecord read_loss(const Field& field) { return {field.at("value").number(), field.at("proven").flag()}; }

// "dag" says which edges the DAG has; "edges" holds the details of each.
std::vector<EdgeRecord> read_edges(const Field& root) {
  std::map<NamePair, EdgeRecord> details;
  for (const Field& item : root.at("edges").items()) {
    EdgeRecord edge{item.at("from").text(), item.at("to").text(), item.at("fixed").flag(),
                    item.at("strength").number()};
    if (item.has("by_knowledge")) edge.by_knowledge = item.at("by_knowledge").flag();
    if (item.has("by_experiment")) edge.by_experiment = item.at("by_experiment").flag();
    if (item.has("shares")) edge.shares = read_shares(item.at("shares"));
    if (item.has("posterior")) edge.posterior = read_probabilities(item.at("posterior"));
    if (item.has("adjacency_loss")) edge.adjacency_loss = read_loss(item.at("adjacency_loss"));
    if (item.has("direction_loss")) edge.direction_loss = read_loss(item.at("direction_loss"));
    details[{edge.from, edge.to}] = edge;
  }
  std::vector<EdgeRecord> edges;
  for (const NamePair& pair : root.at("dag").at("edges").pairs()) {
    const auto known = details.find(pair);
    edges.push_back(known == details.end() ? EdgeRecord{pair.first, pair.second} : known->second);
  }
  return edges;
}

std::vector<NamedEdge> read_pag(const Field& field) {
  std::vector<NamedEdge> edges;
  for (const Field& item : field.at("edges").items()) {
    const std::vector<std::string> parts = item.texts();
    const auto marks = parts.size() == 3 ? marks_of(parts[1]) : std::nullopt;
    if (!marks) item.wrong("an edge of a PAG: [name, \"o->\" or the like, name]");
    edges.push_back({parts[0], parts[2], marks->first, marks->second});
  }
  return edges;
}

BootstrapRecord read_bootstrap(const Field& field, const std::vector<EdgeRecord>& edges) {
  BootstrapRecord out;
  out.asked = field.at("asked").small_count();
  out.resamples = field.at("resamples").small_count();
  out.search = field.at("search").text();
  out.seconds = field.at("seconds").number();
  if (field.has("stopped_by")) out.stopped_by = field.at("stopped_by").text();
  std::set<NamePair> shown;
  for (const EdgeRecord& edge : edges) shown.insert(std::minmax(edge.from, edge.to));
  for (const Field& item : field.at("pairs").items()) {
    PairRecord pair{item.at("a").text(), item.at("b").text(), read_shares(item)};
    pair.shown = shown.contains(std::minmax(pair.a, pair.b));
    out.pairs.push_back(std::move(pair));
  }
  return out;
}

SampleFigures read_sample(const Field& field) {
  SampleFigures out;
  out.steps = field.at("steps").count();
  out.samples = field.at("samples").small_count();
  out.r_hat = field.at("r_hat").number_or_infinity();
  out.r_hat_score = field.at("r_hat_score").number_or_infinity();
  out.ess = field.at("ess").number();
  out.ess_score = field.at("ess_score").number();
  out.apart = field.at("apart").number();
  out.accepted = field.at("accepted").number();
  out.candidates = field.at("candidates").small_count();
  out.max_parents = field.at("max_parents").small_count();
  out.left_out = field.at("left_out").count();
  out.left_out_gain = field.at("left_out_gain").number();
  for (const Field& item : field.at("traces").items()) {
    ChainTrace& trace = out.traces.emplace_back();
    trace.start = item.at("start").text();
    for (const Field& score : item.at("scores").items()) trace.scores.push_back(score.number());
  }
  return out;
}

ConsensusRecord read_consensus(const Field& field, bool is_known) {
  return {field.at("score").number(), field.at("edges").pairs(), field.at(is_known ? "mpdag" : "cpdag").pdag()};
}

PosteriorRecord read_posterior(const Field& field, const std::vector<EdgeRecord>& edges, bool is_known) {
  PosteriorRecord out;
  out.exact = field.at("exact").flag();
  out.marginal = field.at("marginal_likelihood").text() == "exact";
  out.seconds = field.at("seconds").number();
  if (field.has("stopped_by")) out.stopped_by = field.at("stopped_by").text();
  if (field.has("sample")) out.sample = read_sample(field.at("sample"));
  if (out.exact == out.sample.has_value()) field.wrong("either exact or a sample");
  std::set<NamePair> shown;
  for (const EdgeRecord& edge : edges) shown.insert(std::minmax(edge.from, edge.to));
  for (const Field& item : field.at("pairs").items()) {
    PairProbability pair{item.at("a").text(), item.at("b").text(), read_probabilities(item)};
    pair.shown = shown.contains(std::minmax(pair.a, pair.b));
    out.pairs.push_back(std::move(pair));
  }
  for (const Field& item : field.at("ancestors").items()) {
    out.paths.push_back({item.at("from").text(), item.at("to").text(), item.at("probability").number()});
  }
  if (field.has("consensus")) out.consensus = read_consensus(field.at("consensus"), is_known);
  return out;
}

OpponentRecord read_opponent(const Field& field, bool is_known) {
  OpponentRecord out;
  out.name = field.at("name").text();
  out.score = field.at("score").number();
  out.edges = field.at("edges").pairs();
  out.mpdag = field.at(is_known ? "mpdag" : "cpdag").pdag();
  out.seconds = field.at("seconds").number();
  return out;
}

std::vector<TracePoint> read_trace(const Field& field) {
  const std::vector<Field> moves = field.at("moves").items(), scores = field.at("score").items(),
                           arms = field.at("arm").items();
  if (moves.size() != scores.size() || moves.size() != arms.size()) field.wrong("three lists of one length");
  std::vector<TracePoint> trace;
  for (size_t k = 0; k < moves.size(); ++k) {
    trace.push_back({moves[k].count(), scores[k].number(), static_cast<size_t>(arms[k].count())});
  }
  return trace;
}

MatchRecord read_match(const Field& root, bool is_known) {
  MatchRecord match;
  const OpponentRecord best = read_opponent(root.at("opponent"), is_known);
  if (root.has("opponents")) {
    for (const Field& item : root.at("opponents").items()) match.opponents.push_back(read_opponent(item, is_known));
  }
  if (match.opponents.empty()) match.opponents.push_back(best);
  for (size_t k = match.opponents.size(); k-- > 0;) {
    if (match.opponents[k].name == best.name) match.best = k;
  }
  for (const Field& item : root.at("history").items()) {
    match.history.push_back(
        {item.at("moves").count(), item.at("seconds").number(), item.at("score").number(), item.at("found_by").text()});
  }
  if (match.history.empty()) root.at("history").wrong("a list that begins with the best opponent");
  match.trace = read_trace(root.at("trace"));
  const Field run = root.at("run");
  match.challenger = run.at("challenger").text();
  match.episodes = run.at("episodes").count();
  match.edge_budget = run.at("edge_budget").small_count();
  match.found_by = run.at("found_by").text();
  for (const Field& item : run.at("arms").items()) {
    match.arms.push_back({item.at("name").text(), item.at("cost").number(), item.at("moves").count(),
                          item.at("episodes").count(), item.at("gained").number(), item.at("champions").small_count()});
  }
  return match;
}

Optimum read_optimum(const Field& field) {
  Optimum out;
  if (field.has("reason")) out.reason = field.at("reason").text();
  const std::string status = field.at("status").text();
  if (status == "not attempted") return out;
  out.status = status == "proven" ? Optimum::Status::kProven : Optimum::Status::kGap;
  out.upper_bound = field.at("upper_bound").number();
  out.gap = field.at("gap").number();
  if (const Field limit = field.at("max_parents"); !limit.json().is_null()) out.max_parents = limit.small_count();
  out.epsilon = field.at("epsilon").number();
  out.rounding = field.at("rounding").number();
  out.families = field.at("families").count();
  out.cuts = field.at("cuts").count();
  out.leaves = field.at("leaves").count();
  out.seconds = field.at("seconds").number();
  out.checked = field.at("checked").flag();
  out.check_seconds = field.at("check").at("seconds").number();
  out.larger_families = field.has("larger_families");
  return out;
}

// A certificate is only ever written when none of its guarantees is broken. So if it says neither one_optimal nor
// ascent_cut, the check of the neighbours was not complete.
Certificate read_certificate(const Field& field, const RunRecord& record) {
  Certificate out;
  out.never_worse = field.at("never_worse").flag();
  out.acyclic = field.at("acyclic").flag();
  out.within_budget = field.at("within_budget").flag();
  out.knowledge_kept = field.at("knowledge_kept").flag();
  out.one_optimal = out.neighbours_complete = field.at("one_optimal").flag();
  out.ascent_cut = field.has("ascent_cut") && field.at("ascent_cut").flag();
  out.neighbours_checked = field.at("neighbours_checked").count();
  if (field.has("neighbours_left")) out.neighbours_left = field.at("neighbours_left").count();
  out.champion_score = field.at("champion_score").number();
  for (const Field& item : field.at("opponent_scores").items()) out.opponent_scores.push_back(item.number());
  out.tolerance = field.at("tolerance").number();
  const Field selection = field.at("selection");
  out.selection.candidates = selection.at("candidates").small_count();
  out.selection.gap = selection.at("gap").number_or_infinity();
  out.selection.lipschitz = selection.at("lipschitz").number_or_infinity();
  out.selection.n_required = selection.at("n_required").number_or_infinity();
  out.selection.delta = selection.at("delta").number();
  out.selection.bootstrap_share = selection.at("bootstrap_share").number();
  out.selection.resamples = selection.at("resamples").small_count();
  out.selection.assumptions = selection.at("assumptions").texts();
  out.rows = record.data.weight > 0 ? record.data.weight : static_cast<double>(record.data.rows);
  out.from_matrix = record.data.summary;
  const auto check = [&](const char* part) -> std::optional<TableCheck> {
    if (!field.has(part)) return std::nullopt;
    return TableCheck{field.at(part).at("holds").flag(), field.at(part).at("text").text()};
  };
  out.optimum = read_optimum(field.at("optimum"));
  out.gaps = check("missing");
  out.experiments = check("experiments");
  out.edges = static_cast<int>(record.edges.size());
  out.edge_budget = record.match->edge_budget;
  out.has_knowledge = record.has_knowledge();
  return out;
}

// A figure, read as the type that the record uses for it.
template <class Figure>
Figure read_figure(const Field& field) {
  if constexpr (std::is_same_v<Figure, double>) {
    return field.number();
  } else {
    return static_cast<Figure>(field.small_count());
  }
}
template <class Figure>
void read_optional(const Field& field, const char* key, std::optional<Figure>& target) {
  const Field there = field.at(key);
  if (!there.json().is_null()) target = read_figure<Figure>(there);
}

template <class Any>
void read_measures(const Field& field, Any& m) {
  m.tpr = field.at("tpr").number();
  m.fdr = field.at("fdr").number();
  m.shd = read_figure<decltype(m.shd)>(field.at("shd"));
  m.score = field.at("score").number();
  read_optional(field, "shd_cpdag", m.shd_cpdag);
  m.skeleton_precision = field.at("skeleton_precision").number();
  m.skeleton_recall = field.at("skeleton_recall").number();
  m.skeleton_f1 = field.at("skeleton_f1").number();
  read_optional(field, "sid", m.sid);
}

Comparison read_comparison(const Field& field) {
  Comparison out;
  read_measures(field, out.answer);
  const Field truth = field.at("truth"), counts = field.at("counts");
  out.truth = truth.at("source").text();
  out.answer.true_edges = truth.at("edges").small_count();
  out.cyclic = truth.at("cyclic").flag();
  if (truth.has("varsortability")) out.varsortability = truth.at("varsortability").number();
  out.answer.predicted_edges = counts.at("predicted").small_count();
  out.answer.correct = counts.at("correct").small_count();
  out.answer.reversed = counts.at("reversed").small_count();
  out.answer.extra = counts.at("extra").small_count();
  out.answer.missing = counts.at("missing").small_count();
  read_measures(field.at("class_mean"), out.class_mean);
  const Field credited = field.at("credited");
  out.credited = {.tpr = credited.at("tpr").number(),
                  .fdr = credited.at("fdr").number(),
                  .shd = credited.at("shd").small_count(),
                  .score = credited.at("score").number()};
  read_measures(field.at("controls").at("empty"), out.empty);
  read_measures(field.at("controls").at("random"), out.random);
  out.class_mean.graphs = kClassMembers;
  out.random.graphs = kRandomGraphs;
  if (field.has("cut")) {
    const Field cut = field.at("cut");
    out.stopped_by = cut.at("stopped_by").text();
    out.class_mean.graphs = cut.at("class_members").small_count();
    out.random.graphs = cut.at("random_graphs").small_count();
  }
  return out;
}

void read_run(const Field& run, RunRecord& record) {
  record.command = run.at("command").text();
  record.algorithm = run.at("algorithm").text();
  if (run.has("reason")) record.reason = run.at("reason").text();
  if (run.has("start")) record.start = run.at("start").text();
  record.own_start = !run.has("own_start") || run.at("own_start").flag();
  record.seed = run.at("seed").seed();
  record.threads = run.at("threads").small_count();
  record.moves = run.at("moves").count();
  record.seconds = run.at("seconds").number();
  record.stopped_by = run.at("stopped_by").text();
  record.story = run.at("story").texts();
  if (run.has("varsortability")) record.varsortability = run.at("varsortability").number();
  for (const auto& [name, value] : run.at("options").members()) record.options.emplace_back(name, value.option());
}

MatrixRecord read_matrix(const Field& field) {
  MatrixRecord matrix{.floor = field.at("floor").number(), .basis = field.at("basis").small_count(), .em = {}};
  if (field.has("em")) {
    const Field em = field.at("em");
    matrix.em = {em.at("steps").small_count(), em.at("movement").number(), em.at("converged").flag(),
                 em.at("restricted").flag()};
  }
  return matrix;
}

ScoreRecord read_score(const Field& field) {
  ScoreRecord score{field.at("name").text(), field.at("reason").text(), field.at("empty").number(),
                    field.at("value").number()};
  if (field.has("edge_price")) score.edge_price = field.at("edge_price").number();
  if (field.has("matrix")) score.matrix = read_matrix(field.at("matrix"));
  if (field.has("treatments")) {
    for (const Field& item : field.at("treatments").items()) {
      score.treatments.push_back(
          {item.at("name").text(), item.at("total").number(), item.at("used").flag(), item.at("edges").pairs()});
    }
  }
  if (field.has("remark")) score.remark = field.at("remark").text();
  if (field.has("next")) {
    const Field next = field.at("next");
    score.next = {next.at("name").text(), next.at("missing").pairs(), next.at("extra").pairs(),
                  next.at("otherwise").pairs()};
  }
  return score;
}

bool read_is_interventional(const Field& field) {
  const std::string name = field.text();
  if (name != "interventional" && name != "observational") field.wrong("\"interventional\" or \"observational\"");
  return name == "interventional";
}

Json parsed(const std::string& text, const std::string& place) {
  try {
    return parse_json<Json>(text, place);
  } catch (const Json::exception&) {
    throw InputError(place, "is not JSON", "agon discover DATA --out DIR writes DIR/result.json");
  }
}

// Compares what both have; keys that only one of two objects has are passed over.
void compare(const Json& says, const Json& implied, const std::string& path, std::vector<Contradiction>& out) {
  if (says.is_object() && implied.is_object()) {
    std::map<std::string_view, const Json*> by_key;  // a large object is searched once per key
    for (const auto& [key, value] : implied.get_ref<const Json::object_t&>()) by_key[key] = &value;
    for (const auto& [key, value] : says.get_ref<const Json::object_t&>()) {
      const auto at = by_key.find(key);
      if (at != by_key.end()) compare(value, *at->second, path.empty() ? key : path + "." + key, out);
    }
    return;
  }
  const auto holds_objects = [](const Json& list) { return list.is_array() && !list.empty() && list[0].is_object(); };
  if (holds_objects(says) && holds_objects(implied) && says.size() == implied.size()) {
    for (size_t k = 0; k < says.size(); ++k) compare(says[k], implied[k], fmt::format("{}[{}]", path, k), out);
    return;
  }
  if (says == implied) return;
  const auto shortly = [](const Json& value) {
    const std::string text = value.dump(-1, ' ', false, nlohmann::detail::error_handler_t::replace);
    return text.size() <= 100 ? text : text.substr(0, 100) + " ...";
  };
  out.push_back({path, shortly(says), shortly(implied)});
}

}  // namespace

RunRecord read_record(const std::string& text, const std::string& place) {
  const Json json = parsed(text, place);
  const Field root(json, place, "");
  if (root.at("schema").count() != 2) root.at("schema").wrong("2, the one schema this program knows");

  RunRecord record;
  record.data = read_data(root.at("data"));
  record.version = root.at("agon").text();
  record.score = read_score(root.at("score"));
  if (root.has("knowledge")) record.knowledge = read_knowledge(root.at("knowledge"));
  record.edges = read_edges(root);
  record.cpdag = root.at("cpdag").pdag();
  record.interventional = root.has("class") && read_is_interventional(root.at("class"));
  record.mpdag = root.has("mpdag") ? root.at("mpdag").pdag() : record.cpdag;
  if (root.has("pag")) record.pag = read_pag(root.at("pag"));
  read_run(root.at("run"), record);
  if (root.has("opponent")) record.match = read_match(root, root.has("knowledge"));
  if (root.has("bootstrap")) record.bootstrap = read_bootstrap(root.at("bootstrap"), record.edges);
  if (root.has("posterior"))
    record.posterior = read_posterior(root.at("posterior"), record.edges, root.has("knowledge"));
  if (root.has("certificate")) {
    if (!record.match) root.at("opponent").wrong("an opponent");
    record.certificate = read_certificate(root.at("certificate"), record);
  }
  if (root.has("metrics")) record.comparison = read_comparison(root.at("metrics"));
  return record;
}

std::vector<Contradiction> contradictions(const std::string& text, const RunRecord& record) {
  std::vector<Contradiction> out;
  compare(parsed(text, "result.json"), record_json(record), "", out);
  return out;
}

}  // namespace agon
