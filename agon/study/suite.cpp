#include "agon/study/suite.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "agon/base/error.h"
#include "agon/report/json.h"

namespace agon {
namespace {

// The fields of a cell file, listed once for both writing and reading: first those that every cell has, then those of
// an answer.
template <class Cell, class Visit>
void each_question(Cell& c, Visit visit) {
  visit("data", c.data);
  visit("sample", c.sample);
  visit("algorithm", c.algorithm);
  visit("key", c.key);
  visit("limit", c.limit);
  visit("failed", c.failed);
}
template <class Cell, class Visit>
void each_answer(Cell& c, Visit visit) {
  visit("limited", c.limited);
  visit("stopped_by", c.stopped_by);
  visit("rows", c.rows);
  visit("columns", c.columns);
  visit("true_edges", c.true_edges);
  visit("bic", c.bic);
  visit("margin", c.margin);
  visit("tpr", c.tpr);
  visit("fdr", c.fdr);
  visit("shd", c.shd);
  visit("score", c.score);
  visit("skeleton_f1", c.skeleton_f1);
  visit("shd_cpdag", c.shd_cpdag);
  visit("gcastle_tpr", c.gcastle.tpr);
  visit("gcastle_fdr", c.gcastle.fdr);
  visit("gcastle_shd", c.gcastle.shd);
  visit("gcastle_score", c.gcastle.score);
  visit("found_by", c.found_by);
  visit("class_mean", c.class_mean);
  visit("class_best", c.class_best);
  visit("source_order", c.source_order);
  visit("shuffled_order", c.shuffled_order);
  visit("seconds", c.seconds);
  visit("opponent_seconds", c.opponent_seconds);
  visit("megabytes", c.megabytes);
  visit("moves", c.moves);
  visit("edges", c.edges);
}

template <class T>
void read_value(const Json& json, T& value) {
  json.get_to(value);
}
void read_value(const Json& json, std::optional<double>& value) {
  if (!json.is_null()) value = json.get<double>();
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
          {"gcastle_tpr", row.gcastle_tpr},
          {"gcastle_fdr", row.gcastle_fdr},
          {"gcastle_shd", row.gcastle_shd},
          {"gcastle_score", row.gcastle_score},
          {"score_class_mean", row.class_mean},
          {"score_class_best", row.class_best},
          {"score_source_order", row.source_order},
          {"score_shuffled_order", row.shuffled_order},
          {"shd_cpdag", row.shd_cpdag},
          {"skeleton_f1", row.skeleton_f1},
          {"bic", row.bic},
          {"bic_behind_best", row.behind},
          {"bic_above_opponent", row.margin},
          {"cpu_seconds", row.seconds},
          {"moves", row.moves}};
}

std::string csv_number(double value) { return fmt::format("{:.10g}", value); }

}  // namespace

std::string cell_json(const SuiteCell& cell) {
  Json json;
  const auto write = [&](const char* name, const auto& value) { json[name] = number_json(value); };
  each_question(cell, write);
  if (cell.failed.empty()) each_answer(cell, write);
  return json_text(json);
}

SuiteCell read_cell(const std::string& text, const std::string& place) {
  SuiteCell cell;
  try {
    const Json json = Json::parse(text);
    const auto read = [&](const char* name, auto& value) { read_value(json.at(name), value); };
    each_question(cell, read);
    if (cell.failed.empty()) each_answer(cell, read);
  } catch (const Json::exception& error) {
    throw InputError(place, fmt::format("is not a finished cell: {}", error.what()));
  }
  return cell;
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
  out += ",megabytes,found_by,published_tpr,published_fdr,published_shd,published_score\n";
  for (const SuiteBlock& block : suite.blocks) {
    for (const SuiteRow& row : block.lines) {
      out += fmt::format("{},{},{},{},{},{},{}", block.data, row.algorithm, row.opponent, block.rows, row.cells,
                         row.limited, row.failed);
      for (const auto& [name, spread] : figures(row)) {
        const bool there = spread && row.cells > 0;
        out += "," + (there ? csv_number(spread->mean) : "") + "," + (there ? csv_number(spread->error) : "");
      }
      out += row.cells > 0 ? fmt::format(",{:.1f}", row.megabytes) : ",";
      out += "," + row.found_by;
      if (const auto& p = row.published) {
        out += fmt::format(",{},{},{},{}\n", p->tpr, p->fdr, p->shd, p->score);
      } else {
        out += ",,,,\n";
      }
    }
  }
  return out;
}

std::string suite_json(const Suite& suite) {
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
        if (!row.found_by.empty()) line["found_by"] = row.found_by;
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
    claims.push_back({{"claim", claim.claim}, {"holds", number_json(claim.holds)}, {"text", claim.text}});
  }
  return json_text({{"agon", suite.version},
                    {"tables", suite.source},
                    {"cells", suite.cells},
                    {"missing", suite.missing},
                    {"cell_limit", suite.limit},
                    {"data_sets", std::move(blocks)},
                    {"claims", std::move(claims)},
                    {"notes", suite.notes}});
}

}  // namespace agon
