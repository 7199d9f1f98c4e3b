#include "agon/base/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "agon/base/text.h"

namespace agon {
namespace {

// Restricted Damerau-Levenshtein distance, ignoring case.
int edit_distance(const std::string& a, const std::string& b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  const int rows = static_cast<int>(a.size()), cols = static_cast<int>(b.size());
  std::vector<std::vector<int>> d(rows + 1, std::vector<int>(cols + 1));
  for (int i = 0; i <= rows; ++i) d[i][0] = i;
  for (int j = 0; j <= cols; ++j) d[0][j] = j;
  for (int i = 1; i <= rows; ++i) {
    for (int j = 1; j <= cols; ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + !same});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[rows][cols];
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
  std::string best;
  int best_distance = std::max<int>(1, static_cast<int>(word.size()) / 3) + 1;
  for (const std::string& one : known) {
    const int length_gap = std::abs(static_cast<int>(one.size()) - static_cast<int>(word.size()));
    if (length_gap >= best_distance) continue;
    const int distance = edit_distance(word, one);
    if (distance < best_distance) {
      best_distance = distance;
      best = one;
    }
  }
  return best;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = nearest(word, known);
  return near.empty() ? "" : fmt::format("did you mean {}?", near);
}

std::string listed(const std::vector<std::string>& items, size_t limit) {
  const size_t shown = std::min(limit, items.size());
  std::string out = joined(std::span(items).first(shown), ", ");
  if (shown < items.size()) out += fmt::format(", ... ({} in all)", items.size());
  return out;
}

}  // namespace agon
