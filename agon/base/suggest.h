// agon/base/suggest.h
//
// "Did you mean": the known word nearest to one that is not known.
#pragma once

#include <string>
#include <vector>

namespace agon {

// The known word with the smallest edit distance to `word` (insertions, deletions, substitutions, swaps of neighbours;
// upper and lower case alike), or "" when none is near: more than a third of the letters differ.
std::string nearest(const std::string& word, const std::vector<std::string>& known);

// "did you mean NAME?" or "" when nothing is near; ready to be the hint of an error.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

// "a, b, c": for messages that list what there is. Lists past `limit` end with "... (N in all)".
std::string listed(const std::vector<std::string>& items, size_t limit = 12);

}  // namespace agon
