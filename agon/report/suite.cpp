#include "agon/report/suite.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "agon/base/error.h"

namespace agon {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json number(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::optional<double> optional_number(const Json& json, const char* name) {
  return json.at(name).is_null() ? std::optional<double>() : json.at(name).get<double>();
}

Json spread_json(const Spread& spread) { return {{"mean", spread.mean}, {"standard_error", spread.error}}; }
Json spread_json(const std::optional<Spread>& spread) { return spread ? spread_json(*spread) : Json(nullptr); }

Json published_json(const PublishedFigures& p) {
  return {{"tpr", p.tpr}, {"fdr", p.fdr}, {"shd", p.shd}, {"score", p.score}};
}

// Every figure of a row, in the order of the columns of the CSV file.
std::vector<std::pair<std::string, std::optional<Spread>>> figures(const SuiteRow& row) {
  return {{"tpr", row.tpr},
          {"fdr", row.fdr},
          {"shd", row.shd},
          {"score", row.score},
          {"score_class_mean", row.class_mean},
          {"score_class_best", row.class_best},
          {"score_source_order", row.source_order},
          {"score_shuffled_order", row.shuffled_order},
          {"shd_cpdag", row.shd_cpdag},
          {"skeleton_f1", row.skeleton_f1},
          {"bic", row.bic},
          {"bic_behind_best", row.behind},
          {"bic_above_opponent", row.margin},
          {"cpu_seconds", row.seconds}};
}

std::string csv_number(double value) { return fmt::format("{:.10g}", value); }

}  // namespace

Json cell_json(const SuiteCell& c) {
  Json json = {{"data", c.data}, {"sample", c.sample}, {"algorithm", c.algorithm},
               {"key", c.key},   {"limit", c.limit},   {"failed", c.failed}};
  if (!c.failed.empty()) return json;
  json["limited"] = c.limited;
  json["stopped_by"] = c.stopped_by;
  json["rows"] = c.rows;
  json["columns"] = c.columns;
  json["true_edges"] = c.true_edges;
  json["bic"] = c.bic;
  json["margin"] = number(c.margin);
  json["tpr"] = c.tpr;
  json["fdr"] = c.fdr;
  json["shd"] = c.shd;
  json["score"] = c.score;
  json["skeleton_f1"] = c.skeleton_f1;
  json["shd_cpdag"] = number(c.shd_cpdag);
  json["class_mean"] = c.class_mean;
  json["class_best"] = c.class_best;
  json["source_order"] = c.source_order;
  json["shuffled_order"] = c.shuffled_order;
  json["seconds"] = c.seconds;
  json["opponent_seconds"] = c.opponent_seconds;
  json["megabytes"] = c.megabytes;
  json["moves"] = c.moves;
  json["edges"] = c.edges;
  return json;
}

SuiteCell read_cell(const std::string& text, const std::string& place) {
  SuiteCell c;
  try {
    const Json json = Json::parse(text);
    c.data = json.at("data");
    c.sample = json.at("sample");
    c.algorithm = json.at("algorithm");
    c.key = json.at("key");
    c.limit = json.at("limit");
    c.failed = json.at("failed");
    if (!c.failed.empty()) return c;
    c.limited = json.at("limited");
    c.stopped_by = json.at("stopped_by");
    c.rows = json.at("rows");
    c.columns = json.at("columns");
    c.true_edges = json.at("true_edges");
    c.bic = json.at("bic");
    c.margin = optional_number(json, "margin");
    c.tpr = json.at("tpr");
    c.fdr = json.at("fdr");
    c.shd = json.at("shd");
    c.score = json.at("score");
    c.skeleton_f1 = json.at("skeleton_f1");
    c.shd_cpdag = optional_number(json, "shd_cpdag");
    c.class_mean = json.at("class_mean");
    c.class_best = json.at("class_best");
    c.source_order = json.at("source_order");
    c.shuffled_order = json.at("shuffled_order");
    c.seconds = json.at("seconds");
    c.opponent_seconds = json.at("opponent_seconds");
    c.megabytes = json.at("megabytes");
    c.moves = json.at("moves");
    c.edges = json.at("edges").get<std::vector<std::pair<std::string, std::string>>>();
  } catch (const Json::exception& error) {
    throw InputError(place, fmt::format("is not a finished cell: {}", error.what()));
  }
  return c;
}

const SuiteRow* SuiteBlock::row(const std::string& algorithm) const {
  for (const SuiteRow& line : lines) {
    if (line.algorithm == algorithm) return &line;
  }
  return nullptr;
}

std::string suite_csv(const Suite& suite) {
  std::string out = "data,algorithm,opponent,rows,samples,cut_by_limit,failed";
  for (const auto& [name, spread] : figures({})) out += fmt::format(",{0},{0}_se", name);
  out += ",megabytes,published_tpr,published_fdr,published_shd,published_score\n";
  for (const SuiteBlock& block : suite.blocks) {
    for (const SuiteRow& row : block.lines) {
      out += fmt::format("{},{},{},{},{},{},{}", block.data, row.algorithm, row.opponent, block.rows, row.cells,
                         row.limited, row.failed);
      for (const auto& [name, spread] : figures(row)) {
        const bool there = spread && row.cells > 0;
        out += "," + (there ? csv_number(spread->mean) : "") + "," + (there ? csv_number(spread->error) : "");
      }
      out += row.cells > 0 ? fmt::format(",{:.1f}", row.megabytes) : ",";
      if (const auto& p = row.published) {
        out += fmt::format(",{},{},{},{}\n", p->tpr, p->fdr, p->shd, p->score);
      } else {
        out += ",,,,\n";
      }
    }
  }
  return out;
}

Json suite_json(const Suite& suite) {
  Json blocks = Json::array(), claims = Json::array();
  for (const SuiteBlock& block : suite.blocks) {
    Json rows = Json::array(), others = Json::array();
    for (const SuiteRow& row : block.lines) {
      Json line = {
          {"algorithm", row.algorithm}, {"samples", row.cells}, {"cut_by_limit", row.limited}, {"failed", row.failed}};
      if (!row.opponent.empty()) line["opponent"] = row.opponent;
      if (row.cells > 0) {
        for (const auto& [name, spread] : figures(row)) line[name] = spread_json(spread);
        line["megabytes"] = row.megabytes;
      }
      if (row.published) line["published"] = published_json(*row.published);
      rows.push_back(std::move(line));
    }
    for (const auto& [name, figures] : block.published_only) {
      others.push_back({{"system", name}, {"published", published_json(figures)}});
    }
    blocks.push_back({{"data", block.data},
                      {"nodes", block.nodes},
                      {"edges", block.edges},
                      {"rows", block.rows},
                      {"samples", block.samples},
                      {"score", block.score},
                      {"note", block.note},
                      {"algorithms", std::move(rows)},
                      {"published_only", std::move(others)}});
  }
  for (const SuiteClaim& claim : suite.claims) {
    claims.push_back({{"claim", claim.claim}, {"holds", number(claim.holds)}, {"text", claim.text}});
  }
  return {{"agon", suite.version},       {"tables", suite.source},    {"cells", suite.cells},
          {"missing", suite.missing},    {"cell_limit", suite.limit}, {"data_sets", std::move(blocks)},
          {"claims", std::move(claims)}, {"notes", suite.notes}};
}

}  // namespace agon
