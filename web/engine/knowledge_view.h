// web/engine/knowledge_view.h
//
// What is known about a table, as the page edits it: {"tiers": [[name, ..], ..], "required": [[from, to], ..],
// "forbidden": .., "summary": ..}.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "agon/graph/knowledge.h"

namespace agon::web {

// `names` by node. Pairs that are forbidden by the tiers or by a required edge alone are left out.
nlohmann::ordered_json knowledge_view(const Knowledge& known, const std::vector<std::string>& names);

}  // namespace agon::web
