// agon/base/item_list.h
//
// Lists as users type them: commas separate the items, and an item with a comma in it is put in double quotes, as in a
// CSV file.
//
//   split_items("age,\"height, cm\"");                     // age; height, cm
//   typed_items("drop", {"age"});                          // --drop age
//   typed_items("drop", {"age", "height, cm"});            // --drop 'age,"height, cm"', as a shell reads it
//   typed_items("drop", {"-x"});                           // --drop=-x
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agon {

// Items that are empty and not quoted are left out. Quotes that are not closed at the end of an item are letters.
std::vector<std::string> split_items(std::string_view text);

// The option with the items, for a hint: what is typed so is split into these items again.
std::string typed_items(const std::string& option, const std::vector<std::string>& items);

}  // namespace agon
