// agon/report/json_texts.h
//
// What commands print with --json when it is not a result: compare, score and verify. Text in the layout of json_text()
// (json.h), so that the commands need not know the JSON library.
//
//   std::string text = scores_json_text("bdeu", -12.5, {{"a", -4.5}, {"b", -8}});
#pragma once

#include <map>
#include <string>
#include <vector>

#include "agon/report/comparison.h"
#include "agon/report/verification.h"

namespace agon {

std::string comparison_json_text(const Comparison& comparison);
std::string scores_json_text(const std::string& score, double total, const std::map<std::string, double>& by_node);
std::string checks_json_text(const std::vector<ClaimCheck>& checks);

}  // namespace agon
