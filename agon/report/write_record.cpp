#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "agon/report/json.h"
#include "agon/report/record_json.h"

namespace agon {
namespace {

constexpr size_t kLineWidth = 110;

std::string compact(const Json& json) { return json.dump(-1, ' ', false, nlohmann::detail::error_handler_t::replace); }

bool is_list_of_numbers(const Json& json) {
  return json.is_array() && std::all_of(json.begin(), json.end(), [](const Json& item) { return item.is_number(); });
}

// A value as one line, and as it is written where that line is too long. The lines of its parts are joined, so that
// every number is turned into text once. A line that is too long is of no use to a larger one, and is not finished.
struct Layout {
  std::string line;
  std::string lines = "";  // empty: the line is short enough
  const std::string& text() const { return lines.empty() ? line : lines; }
};

Layout lay_out(const Json& json, size_t indent) {
  if (!json.is_structured() || json.empty() || is_list_of_numbers(json)) return {compact(json)};
  const bool object = json.is_object();
  const char open = object ? '{' : '[', close = object ? '}' : ']';
  std::vector<std::pair<std::string, Layout>> parts;
  Layout out{std::string(1, open)};
  for (auto item = json.begin(); item != json.end(); ++item) {
    const auto& [key, part] =
        parts.emplace_back(object ? compact(item.key()) + ":" : std::string(), lay_out(item.value(), indent + 1));
    if (out.line.size() > kLineWidth) continue;
    if (parts.size() > 1) out.line += ',';
    out.line.append(key).append(part.line);
  }
  out.line += close;
  if (indent + out.line.size() <= kLineWidth) return out;
  for (const auto& [key, part] : parts) {
    out.lines += out.lines.empty() ? std::string(1, open) + '\n' : ",\n";
    out.lines.append(indent + 1, ' ');
    out.lines += key + (object ? " " : "") + part.text();
  }
  out.lines += '\n';
  out.lines.append(indent, ' ');
  out.lines += close;
  return out;
}

Json pairs(const std::vector<NamePair>& list) {
  Json out = Json::array();
  for (const auto& [a, b] : list) out.push_back({a, b});
  return out;
}

Json pdag_json(const PdagRecord& pdag) {
  return {{"directed", pairs(pdag.directed)}, {"undirected", pairs(pdag.undirected)}};
}

Json pag_json(const std::vector<NamedEdge>& edges) {
  Json list = Json::array();
  for (const NamedEdge& edge : edges) list.push_back({edge.a, glyph(edge), edge.b});
  return {{"edges", std::move(list)}};
}

// Appends without a look at the keys already there: an ordered object searches all of them at each insertion, and there
// may be many columns.
Json sorted_object(std::map<std::string, Json> entries) {
  Json out = Json::object();
  for (auto& [key, value] : entries) out.get_ref<Json::object_t&>().emplace_back(key, std::move(value));
  return out;
}

Json missing_json(const DataRecord& data) {
  std::map<std::string, Json> share;
  for (const ColumnRecord& column : data.columns) {
    if (column.missing == 0) continue;
    share[column.name] = static_cast<double>(column.missing) / static_cast<double>(data.rows);
  }
  return {{"cells", data.missing.cells},
          {"rows", data.missing.rows},
          {"policy", data.missing.policy},
          {"assumption", data.missing.assumption},
          {"share", sorted_object(std::move(share))}};
}

Json regimes_json(const std::vector<RegimeRecord>& regimes) {
  Json out = Json::array();
  for (const RegimeRecord& regime : regimes) {
    Json one = {{"name", regime.name}, {"rows", regime.rows}, {"targets", regime.targets}};
    if (!regime.targets.empty()) one["intervention"] = regime.intervention;
    if (!regime.batch.empty()) one["batch"] = regime.batch;
    one["moved"] = regime.moved;
    out.push_back(std::move(one));
  }
  return out;
}

Json data_json(const DataRecord& data) {
  std::map<std::string, Json> kinds, levels, reasons;
  Json constant = Json::array(), identifiers = Json::array();
  for (const ColumnRecord& column : data.columns) {
    kinds[column.name] = to_string(column.kind);
    if (column.kind == ColumnKind::kCategorical) levels[column.name] = column.levels;
    if (column.constant) constant.push_back(column.name);
    if (column.identifier) identifiers.push_back(column.name);
    if (!column.reason.empty()) reasons[column.name] = column.reason;
  }
  Json findings = Json::array();
  for (const FindingRecord& finding : data.findings) {
    findings.push_back(
        {{"severity", finding.severity}, {"kind", finding.kind}, {"columns", finding.columns}, {"text", finding.text}});
  }
  Json out = {{"source", data.source},
              {"rows", data.rows},
              {"columns", data.columns.size()},
              {"checksum", data.checksum},
              {"rows_dropped", data.rows_dropped},
              {"row_index_taken", data.row_index_taken},
              {"kinds_inferred", data.kinds_inferred},
              {"kinds", sorted_object(std::move(kinds))},
              {"levels", sorted_object(std::move(levels))},
              {"constant", std::move(constant)},
              {"notes", data.notes},
              {"findings", std::move(findings)}};
  if (!data.warnings.empty()) out["warnings"] = data.warnings;
  if (!identifiers.empty()) out["identifiers"] = std::move(identifiers);
  if (!reasons.empty()) out["reasons"] = sorted_object(std::move(reasons));
  if (data.missing.cells > 0) out["missing"] = missing_json(data);
  if (data.weight > 0) out["weights"] = {{"total", data.weight}};
  if (!data.regimes.empty()) out["regimes"] = regimes_json(data.regimes);
  if (data.summary) out["summary"] = true;
  return out;
}

Json matrix_json(const MatrixRecord& matrix) {
  Json out = {{"floor", matrix.floor}, {"basis", matrix.basis}};
  if (matrix.em) {
    out["em"] = {{"steps", matrix.em->steps},
                 {"movement", matrix.em->movement},
                 {"converged", matrix.em->converged},
                 {"restricted", matrix.em->restricted}};
  }
  return out;
}

Json score_json(const ScoreRecord& score) {
  Json out = {{"name", score.name}, {"reason", score.reason}, {"empty", score.empty}, {"value", score.value}};
  if (score.edge_price > 0) out["edge_price"] = score.edge_price;
  if (score.matrix) out["matrix"] = matrix_json(*score.matrix);
  for (const TreatmentRecord& treatment : score.treatments) {
    out["treatments"].push_back({{"name", treatment.name},
                                 {"total", treatment.total},
                                 {"used", treatment.used},
                                 {"edges", pairs(treatment.edges)}});
  }
  if (!score.remark.empty()) out["remark"] = score.remark;
  if (score.next) {
    out["next"] = {{"name", score.next->name},
                   {"missing", pairs(score.next->missing)},
                   {"extra", pairs(score.next->extra)},
                   {"otherwise", pairs(score.next->otherwise)}};
  }
  return out;
}

Json shares_json(const PairShares& shares) {
  return {{"edge", shares.edge}, {"forward", shares.forward}, {"backward", shares.backward}, {"open", shares.open}};
}

Json bootstrap_json(const BootstrapRecord& bootstrap) {
  Json pairs = Json::array();
  for (const PairRecord& pair : bootstrap.pairs) {
    Json one = {{"a", pair.a}, {"b", pair.b}};
    one.update(shares_json(pair.shares));
    pairs.push_back(std::move(one));
  }
  return {{"asked", bootstrap.asked},
          {"resamples", bootstrap.resamples},
          {"search", bootstrap.search},
          {"seconds", bootstrap.seconds},
          {"stopped_by", bootstrap.stopped_by.empty() ? Json(nullptr) : Json(bootstrap.stopped_by)},
          {"pairs", std::move(pairs)}};
}

// JSON has no infinity, so a figure that is not finite is written as null.
Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json loss_json(const LossRecord& loss) { return {{"value", loss.value}, {"proven", loss.proven}}; }

Json probabilities_json(const PairPosterior& pair) {
  return {{"edge", pair.edge}, {"forward", pair.forward}, {"backward", pair.backward}};
}

Json sample_json(const SampleFigures& sample) {
  Json traces = Json::array();
  for (const ChainTrace& trace : sample.traces) traces.push_back({{"start", trace.start}, {"scores", trace.scores}});
  return {{"chains", sample.traces.size()},
          {"steps", sample.steps},
          {"samples", sample.samples},
          {"converged", sample.converged()},
          {"r_hat", finite(sample.r_hat)},
          {"r_hat_score", finite(sample.r_hat_score)},
          {"ess", sample.ess},
          {"ess_score", sample.ess_score},
          {"apart", sample.apart},
          {"accepted", sample.accepted},
          {"candidates", sample.candidates},
          {"max_parents", sample.max_parents},
          {"left_out", sample.left_out},
          {"left_out_gain", sample.left_out_gain},
          {"traces", std::move(traces)}};
}

Json consensus_json(const ConsensusRecord& consensus, bool is_known) {
  return {{"score", consensus.score},
          {"edges", pairs(consensus.edges)},
          {is_known ? "mpdag" : "cpdag", pdag_json(consensus.mpdag)}};
}

Json posterior_json(const PosteriorRecord& posterior, bool is_known) {
  Json pairs = Json::array(), paths = Json::array();
  for (const PairProbability& pair : posterior.pairs) {
    Json one = {{"a", pair.a}, {"b", pair.b}};
    one.update(probabilities_json(pair.posterior));
    pairs.push_back(std::move(one));
  }
  for (const PathProbability& path : posterior.paths) {
    paths.push_back({{"from", path.from}, {"to", path.to}, {"probability", path.probability}});
  }
  Json out = {{"method", posterior.exact ? "exact" : "order MCMC"},
              {"exact", posterior.exact},
              {"prior", "uniform over DAGs"},
              {"marginal_likelihood", posterior.marginal ? "exact" : "approximate"},
              {"seconds", posterior.seconds},
              {"stopped_by", posterior.stopped_by.empty() ? Json(nullptr) : Json(posterior.stopped_by)}};
  if (posterior.sample) out["sample"] = sample_json(*posterior.sample);
  if (posterior.consensus) out["consensus"] = consensus_json(*posterior.consensus, is_known);
  out["least"] = PosteriorRecord::kLeast;
  out["pairs"] = std::move(pairs);
  out["ancestors"] = std::move(paths);
  return out;
}

Json options_json(const OptionList& options) {
  Json out = Json::object();
  for (const auto& [name, value] : options) {
    out[name] = std::visit([](const auto& v) { return Json(v); }, value);
  }
  return out;
}

Json opponent_json(const OpponentRecord& opponent, bool is_known) {
  return {{"name", opponent.name},
          {"score", opponent.score},
          {"edges", pairs(opponent.edges)},
          {is_known ? "mpdag" : "cpdag", pdag_json(opponent.mpdag)},
          {"seconds", opponent.seconds}};
}

Json optimum_json(const Optimum& o) {
  if (o.status == Optimum::Status::kNotAttempted) {
    return {{"status", "not attempted"}, {"upper_bound", nullptr}, {"reason", o.reason}};
  }
  Json out = {{"status", o.status == Optimum::Status::kProven ? "proven" : "gap"},
              {"upper_bound", o.upper_bound},
              {"gap", o.gap},
              {"max_parents", o.max_parents == 0 ? Json(nullptr) : Json(o.max_parents)},
              {"epsilon", o.epsilon},
              {"rounding", o.rounding},
              {"families", o.families},
              {"cuts", o.cuts},
              {"leaves", o.leaves},
              {"seconds", o.seconds},
              {"proof", "proof.txt"},
              {"checked", o.checked},
              {"check", {{"seconds", o.check_seconds}}}};
  if (o.larger_families) out["larger_families"] = true;
  if (!o.reason.empty()) out["reason"] = o.reason;
  return out;
}

Json certificate_json(const Certificate& c) {
  Json out = {{"never_worse", c.never_worse},
              {"acyclic", c.acyclic},
              {"within_budget", c.within_budget},
              {"knowledge_kept", c.knowledge_kept},
              {"one_optimal", c.one_optimal},
              {"neighbours_checked", c.neighbours_checked},
              {"champion_score", c.champion_score},
              {"opponent_scores", c.opponent_scores},
              {"tolerance", c.tolerance},
              {"optimum", optimum_json(c.optimum)},
              {"selection",
               {{"candidates", c.selection.candidates},
                {"gap", finite(c.selection.gap)},
                {"lipschitz", finite(c.selection.lipschitz)},
                {"n_required", finite(c.selection.n_required)},
                {"delta", c.selection.delta},
                {"bootstrap_share", c.selection.bootstrap_share},
                {"resamples", c.selection.resamples},
                {"assumptions", c.selection.assumptions}}},
              {"lines", plain_lines(c)}};
  if (c.ascent_cut) out["ascent_cut"] = true;
  if (c.neighbours_left > 0) out["neighbours_left"] = c.neighbours_left;
  const auto add = [&](const char* part, const std::optional<TableCheck>& check) {
    if (check) out[part] = {{"holds", check->holds}, {"text", check->text}};
  };
  add("missing", c.gaps);
  add("experiments", c.experiments);
  return out;
}

}  // namespace

std::string json_text(const Json& json) { return lay_out(json, 0).text() + "\n"; }

std::string write_record(const RunRecord& record) { return json_text(record_json(record)); }

std::string write_record_line(const RunRecord& record) { return compact(record_json(record)); }

std::string option_json(const OptionValue& value) {
  return std::visit([](const auto& v) { return compact(v); }, value);
}

Json record_json(const RunRecord& record) {
  const bool is_known = record.has_knowledge();
  Json edges = Json::array(), details = Json::array();
  for (const EdgeRecord& edge : record.edges) {
    edges.push_back({edge.from, edge.to});
    details.push_back({{"from", edge.from}, {"to", edge.to}, {"fixed", edge.fixed}, {"strength", edge.strength}});
    if (is_known) details.back()["by_knowledge"] = edge.by_knowledge;
    if (record.interventional) details.back()["by_experiment"] = edge.by_experiment;
    if (edge.shares) details.back()["shares"] = shares_json(*edge.shares);
    if (edge.posterior) details.back()["posterior"] = probabilities_json(*edge.posterior);
    if (edge.adjacency_loss) details.back()["adjacency_loss"] = loss_json(*edge.adjacency_loss);
    if (edge.direction_loss) details.back()["direction_loss"] = loss_json(*edge.direction_loss);
  }
  Json out;
  out["schema"] = 2;
  out["agon"] = record.version;
  out["data"] = data_json(record.data);
  out["score"] = score_json(record.score);
  if (record.match) {
    const OpponentRecord& best = record.match->opponents[record.match->best];
    out["score"]["opponent"] = best.score;
    out["score"]["champion"] = record.score.value;
    out["opponent"] = opponent_json(best, is_known);
    if (record.match->opponents.size() > 1) {
      for (const OpponentRecord& opponent : record.match->opponents)
        out["opponents"].push_back(opponent_json(opponent, is_known));
    }
  }
  if (is_known) {
    const KnowledgeRecord& known = record.knowledge;
    out["knowledge"] = {{"sources", known.sources},
                        {"required", known.required},
                        {"forbidden", known.forbidden},
                        {"tiers", known.tiers},
                        {"satisfied", known.satisfied}};
  }
  out["dag"] = {{"edges", std::move(edges)}};
  out["cpdag"] = pdag_json(record.cpdag);
  out["class"] = record.interventional ? "interventional" : "observational";
  if (is_known) out["mpdag"] = pdag_json(record.mpdag);
  if (record.pag) out["pag"] = pag_json(*record.pag);
  out["edges"] = std::move(details);
  if (record.bootstrap) out["bootstrap"] = bootstrap_json(*record.bootstrap);
  if (record.posterior) out["posterior"] = posterior_json(*record.posterior, is_known);
  if (record.certificate) out["certificate"] = certificate_json(*record.certificate);
  if (record.comparison) out["metrics"] = comparison_json(*record.comparison);
  if (record.match) {
    out["history"] = Json::array();
    for (const HistoryPoint& h : record.match->history) {
      out["history"].push_back(
          {{"moves", h.moves}, {"seconds", h.seconds}, {"score", h.score}, {"found_by", h.found_by}});
    }
  }
  if (record.match) {
    Json moves = Json::array(), scores = Json::array(), arms = Json::array();
    for (const TracePoint& point : record.match->trace) {
      moves.push_back(point.moves);
      scores.push_back(point.score);
      arms.push_back(point.arm);
    }
    out["trace"] = {{"moves", std::move(moves)}, {"score", std::move(scores)}, {"arm", std::move(arms)}};
  }
  out["run"] = {{"command", record.command},
                {"algorithm", record.algorithm},
                {"start", record.start.empty() ? Json(nullptr) : Json(record.start)},
                {"seed", record.seed},
                {"threads", record.threads},
                {"moves", record.moves},
                {"seconds", record.seconds},
                {"stopped_by", record.stopped_by},
                {"story", record.story},
                {"options", options_json(record.options)}};
  if (record.varsortability) out["run"]["varsortability"] = *record.varsortability;
  if (record.match) {
    out["run"]["challenger"] = record.match->challenger;
    out["run"]["reason"] = record.reason;
    out["run"]["episodes"] = record.match->episodes;
    out["run"]["edge_budget"] = record.match->edge_budget;
    out["run"]["found_by"] = record.match->found_by;
    out["run"]["arms"] = Json::array();
    for (const ArmRecord& arm : record.match->arms) {
      out["run"]["arms"].push_back({{"name", arm.name},
                                    {"cost", arm.cost},
                                    {"moves", arm.moves},
                                    {"episodes", arm.episodes},
                                    {"gained", arm.gained},
                                    {"champions", arm.champions}});
    }
  }
  if (!record.match) {
    out["run"]["reason"] = record.reason;
    out["run"]["own_start"] = record.own_start;
  }
  return out;
}

}  // namespace agon
