#include "agon/report/json_texts.h"

#include <nlohmann/json.hpp>

#include "agon/report/json.h"

namespace agon {
namespace {

// The measures that a graph and a mean over graphs both have, by their keys in result.json.
template <class Any>
Json measures_json(const Any& m) {
  return {{"tpr", m.tpr},
          {"fdr", m.fdr},
          {"shd", m.shd},
          {"score", m.score},
          {"shd_cpdag", number_json(m.shd_cpdag)},
          {"skeleton_precision", m.skeleton_precision},
          {"skeleton_recall", m.skeleton_recall},
          {"skeleton_f1", m.skeleton_f1},
          {"sid", number_json(m.sid)}};
}

}  // namespace

Json comparison_json(const Comparison& c) {
  const Measures& m = c.answer;
  Json out = measures_json(m);
  out["truth"] = {{"source", c.truth}, {"edges", m.true_edges}, {"cyclic", c.cyclic}};
  if (c.varsortability) out["truth"]["varsortability"] = *c.varsortability;
  out["counts"] = {{"predicted", m.predicted_edges},
                   {"correct", m.correct},
                   {"reversed", m.reversed},
                   {"extra", m.extra},
                   {"missing", m.missing}};
  out["class_mean"] = measures_json(c.class_mean);
  out["credited"] = {
      {"tpr", c.credited.tpr}, {"fdr", c.credited.fdr}, {"shd", c.credited.shd}, {"score", c.credited.score}};
  out["controls"] = {{"empty", measures_json(c.empty)}, {"random", measures_json(c.random)}};
  if (!c.stopped_by.empty()) {
    out["cut"] = {
        {"stopped_by", c.stopped_by}, {"class_members", c.class_mean.graphs}, {"random_graphs", c.random.graphs}};
  }
  return out;
}

std::string comparison_json_text(const Comparison& comparison) { return json_text(comparison_json(comparison)); }

std::string scores_json_text(const std::string& score, double total, const std::map<std::string, double>& by_node) {
  Json nodes = Json::object();
  for (const auto& [node, local] : by_node) nodes[node] = local;
  return json_text({{"score", score}, {"total", total}, {"nodes", std::move(nodes)}});
}

std::string checks_json_text(const std::vector<ClaimCheck>& checks) {
  Json list = Json::array();
  for (const ClaimCheck& check : checks) {
    const bool open = check.verdict == Verdict::kNotChecked;
    list.push_back({{"claim", check.claim},
                    {"holds", open ? Json(nullptr) : Json(check.verdict == Verdict::kHolds)},
                    {"text", check.text}});
  }
  return json_text({{"holds", all_hold(checks)}, {"claims", std::move(list)}});
}

}  // namespace agon
