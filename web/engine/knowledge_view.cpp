#include "web/engine/knowledge_view.h"

#include <nlohmann/json.hpp>

namespace agon::web {

using Json = nlohmann::ordered_json;

Json knowledge_view(const Knowledge& known, const std::vector<std::string>& names) {
  std::vector<int> tier_of(names.size(), -1);
  Json tiers = Json::array(), required = Json::array(), forbidden = Json::array();
  for (size_t k = 0; k < known.tiers().size(); ++k) {
    std::vector<std::string> members;
    for (const Node v : known.tiers()[k].members) {
      tier_of[v] = static_cast<int>(k);
      members.push_back(names[v]);
    }
    tiers.push_back(members);
  }
  for (const Edge& edge : known.required_edges()) required.push_back({names[edge.from], names[edge.to]});
  const int p = static_cast<int>(names.size());
  for (Node from = 0; from < p; ++from) {
    for (Node to = 0; to < p; ++to) {
      if (from == to || !known.is_forbidden({from, to}) || known.is_required({to, from})) continue;
      const bool by_tier = tier_of[to] >= 0 && tier_of[from] > tier_of[to];
      if (!by_tier) forbidden.push_back({names[from], names[to]});
    }
  }
  return {{"tiers", tiers}, {"required", required}, {"forbidden", forbidden}, {"summary", summary(known)}};
}

}  // namespace agon::web
