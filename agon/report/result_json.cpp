#include "agon/report/result_json.h"

#include <nlohmann/json.hpp>

namespace agon {
namespace {

constexpr size_t kLineWidth = 110;

std::string compact(const Json& json) { return json.dump(-1, ' ', false, nlohmann::detail::error_handler_t::replace); }

void write(std::string& out, const Json& json, size_t indent) {
  const std::string line = compact(json);
  if (!json.is_structured() || json.empty() || indent + line.size() <= kLineWidth) {
    out += line;
    return;
  }
  out += json.is_object() ? "{\n" : "[\n";
  bool first = true;
  for (auto item = json.begin(); item != json.end(); ++item) {
    if (!first) out += ",\n";
    first = false;
    out.append(indent + 1, ' ');
    if (json.is_object()) out += compact(item.key()) + ": ";
    write(out, item.value(), indent + 1);
  }
  out += '\n';
  out.append(indent, ' ');
  out += json.is_object() ? '}' : ']';
}

Json pairs(const std::vector<NamePair>& list) {
  Json out = Json::array();
  for (const auto& [a, b] : list) out.push_back({a, b});
  return out;
}

Json pdag_json(const PdagRecord& pdag) {
  return {{"directed", pairs(pdag.directed)}, {"undirected", pairs(pdag.undirected)}};
}

Json data_json(const DataRecord& data) {
  nlohmann::json kinds =
      nlohmann::json::object();  // a sorted map: many columns, and an ordered one would search them all
  for (const ColumnRecord& column : data.columns) kinds[column.name] = to_string(column.kind);
  Json findings = Json::array();
  for (const FindingRecord& finding : data.findings) {
    findings.push_back({{"severity", finding.severity}, {"kind", finding.kind}, {"columns", finding.columns}});
  }
  return {{"source", data.source},
          {"rows", data.rows},
          {"columns", data.columns.size()},
          {"checksum", data.checksum},
          {"rows_dropped", data.rows_dropped},
          {"row_index_taken", data.row_index_taken},
          {"kinds", Json(kinds)},
          {"findings", std::move(findings)}};
}

Json options_json(const OptionList& options) {
  Json out = Json::object();
  for (const auto& [name, value] : options) {
    out[name] = std::visit([](const auto& v) { return Json(v); }, value);
  }
  return out;
}

}  // namespace

std::string json_text(const Json& json) {
  std::string out;
  write(out, json, 0);
  return out + "\n";
}

std::string result_json(const RunRecord& record, const Comparison* comparison) {
  const bool is_known = !record.knowledge.sources.empty();
  Json edges = Json::array(), details = Json::array();
  for (const EdgeRecord& edge : record.edges) {
    edges.push_back({edge.from, edge.to});
    details.push_back({{"from", edge.from}, {"to", edge.to}, {"compelled", edge.compelled}, {"loss", edge.loss}});
    if (is_known) details.back()["by_knowledge"] = edge.by_knowledge;
  }
  Json out;
  out["schema"] = 1;
  out["agon"] = record.version;
  out["data"] = data_json(record.data);
  out["score"] = {{"name", record.score.name}, {"empty", record.score.empty}, {"value", record.score.value}};
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
  if (is_known) out["mpdag"] = pdag_json(record.mpdag);
  out["edges"] = std::move(details);
  if (comparison) out["metrics"] = comparison_json(*comparison);
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
  return json_text(out);
}

}  // namespace agon
