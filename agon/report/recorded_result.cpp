// The reader of result.json, for verification.h: every key is looked for by name, and a missing one is named.

#include <fmt/format.h>

#include <cmath>

#include "agon/base/error.h"
#include "agon/data/json_text.h"
#include "agon/report/verification.h"
#include "agon/score/own_score.h"

namespace agon {
namespace {

using Json = nlohmann::ordered_json;

// A value and the path of keys that led to it.
class Field {
 public:
  Field(const Json& json, std::string place, std::string path)
      : json_(json), place_(std::move(place)), path_(std::move(path)) {}

  bool has(const char* key) const { return json_.is_object() && json_.contains(key) && !json_.at(key).is_null(); }
  Field at(const char* key) const {
    const std::string path = path_.empty() ? key : path_ + "." + key;
    if (!json_.is_object() || !json_.contains(key)) {
      throw InputError(place_, fmt::format("is no result of agon: there is no key {}", quoted(path)),
                       "a result is written by agon discover and agon run, with --out DIR or --json");
    }
    return {json_.at(key), place_, path};
  }
  std::vector<Field> items() const {
    if (!json_.is_array()) wrong("a list");
    std::vector<Field> out;
    for (size_t k = 0; k < json_.size(); ++k) out.push_back({json_[k], place_, fmt::format("{}[{}]", path_, k)});
    return out;
  }
  std::string text() const {
    if (!json_.is_string()) wrong("a text");
    return json_.get<std::string>();
  }
  bool flag() const {
    if (!json_.is_boolean()) wrong("true or false");
    return json_.get<bool>();
  }
  double number() const {
    if (!json_.is_number()) wrong("a number");
    return json_.get<double>();
  }
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
  NamePair pair() const {
    const std::vector<Field> ends = items();
    if (ends.size() != 2) wrong("a pair of names");
    return {ends[0].text(), ends[1].text()};
  }
  std::vector<NamePair> pairs() const {
    std::vector<NamePair> out;
    for (const Field& item : items()) out.push_back(item.pair());
    return out;
  }
  PdagRecord pdag() const { return {at("directed").pairs(), at("undirected").pairs()}; }
  const Json& json() const { return json_; }
  [[noreturn]] void wrong(const std::string& expected) const {
    throw InputError(place_, fmt::format("{} is not {}", quoted(path_), expected));
  }

 private:
  const Json& json_;
  std::string place_, path_;
};

OpponentRecord read_opponent(const Field& field, bool is_known) {
  OpponentRecord out;
  out.name = field.at("name").text();
  out.score = field.at("score").number();
  out.edges = field.at("edges").pairs();
  out.mpdag = field.at(is_known ? "mpdag" : "cpdag").pdag();
  return out;
}

RecordedCertificate read_certificate(const Field& field) {
  RecordedCertificate out;
  out.never_worse = field.at("never_worse").flag();
  out.one_optimal = field.at("one_optimal").flag();
  out.neighbours_checked = field.at("neighbours_checked").count();
  if (field.has("acyclic")) out.acyclic = field.at("acyclic").flag();
  if (field.has("within_budget")) out.within_budget = field.at("within_budget").flag();
  if (field.has("knowledge_kept")) out.knowledge_kept = field.at("knowledge_kept").flag();
  if (field.has("champion_score")) out.champion_score = field.at("champion_score").number();
  if (field.has("opponent_scores")) {
    for (const Field& item : field.at("opponent_scores").items()) out.opponent_scores.push_back(item.number());
  }
  return out;
}

}  // namespace

RecordedResult read_result(const std::string& text, const std::string& place) {
  Json json;
  try {
    json = parse_json<Json>(text, place);
  } catch (const Json::exception&) {
    throw InputError(place, "is not JSON", "a result is written by agon discover and agon run");
  }
  const Field root(json, place, "");
  if (root.at("schema").count() != 1) root.at("schema").wrong("1, the one schema this program knows");

  RecordedResult out;
  out.place = place;
  const Field data = root.at("data");
  out.rows = static_cast<size_t>(data.at("rows").count());
  out.columns = static_cast<size_t>(data.at("columns").count());
  out.checksum = data.at("checksum").text();
  const Field kinds = data.at("kinds");
  if (!kinds.json().is_object()) kinds.wrong("an object");
  for (const auto& [name, kind] : kinds.json().items()) {
    out.kinds[name] = Field(kind, place, "data.kinds." + name).text();
  }

  const Field score = root.at("score");
  out.score = score.at("name").text();
  if (out.score == kOwnScore) {
    throw InputError(place, "its score is a function that the caller wrote: nothing of it can be derived again");
  }
  out.empty = score.at("empty").number();
  const bool is_match = root.has("opponent");
  if (is_match) {
    out.opponent_score = score.at("opponent").number();
    out.champion_score = score.at("champion").number();
  }
  out.value = score.at(is_match && !score.has("value") ? "champion" : "value").number();

  const bool is_known = root.has("knowledge");
  if (is_match) {
    if (root.has("opponents")) {
      for (const Field& item : root.at("opponents").items()) out.opponents.push_back(read_opponent(item, is_known));
    }
    out.opponent = read_opponent(root.at("opponent"), is_known);
    if (out.opponents.empty()) out.opponents.push_back(*out.opponent);
  }
  out.dag = root.at("dag").at("edges").pairs();
  out.cpdag = root.at("cpdag").pdag();
  if (root.has("mpdag")) out.mpdag = root.at("mpdag").pdag();
  if (root.has("edges")) {
    for (const Field& item : root.at("edges").items()) {
      out.edges.push_back(
          {item.at("from").text(), item.at("to").text(), item.at("compelled").flag(), item.at("loss").number()});
    }
  }
  if (is_known) {
    const Field known = root.at("knowledge");
    KnowledgeRecord record;
    for (const Field& item : known.at("sources").items()) record.sources.push_back(item.text());
    record.required = known.at("required").small_count();
    record.forbidden = known.at("forbidden").count();
    record.tiers = static_cast<size_t>(known.at("tiers").count());
    record.satisfied = known.at("satisfied").flag();
    out.knowledge = record;
  }
  if (is_match) out.certificate = read_certificate(root.at("certificate"));
  if (root.has("history")) {
    for (const Field& item : root.at("history").items()) out.history.push_back(item.at("score").number());
  }
  const Field run = root.at("run");
  if (run.has("edge_budget")) out.edge_budget = run.at("edge_budget").small_count();
  const Field options = run.at("options");
  if (!options.json().is_object()) options.wrong("an object");
  out.options = options.json();
  if (options.has("penalty")) out.penalty = options.at("penalty").number();
  if (options.has("ess")) out.sample_size = options.at("ess").number();
  if (options.has("max-parents")) out.max_parents = options.at("max-parents").small_count();
  if (!(out.penalty >= 0)) options.at("penalty").wrong("a number of 0 or more");
  if (!(out.sample_size > 0)) options.at("ess").wrong("a number above 0");

  if (is_match) {
    const Field certificate = root.at("certificate");
    if (certificate.has("selection")) {
      out.not_checked.push_back("certificate.selection: the file does not hold the candidates");
    }
    if (certificate.has("optimum") && certificate.at("optimum").has("status") &&
        certificate.at("optimum").at("status").text() != "not attempted") {
      out.not_checked.push_back("certificate.optimum: that would be a search of its own");
    }
  }
  if (root.has("bootstrap")) out.not_checked.push_back("bootstrap: the resamples would have to be searched again");
  if (root.has("metrics")) out.not_checked.push_back("metrics: agon compare TRUTH GRAPH computes them");
  return out;
}

}  // namespace agon
