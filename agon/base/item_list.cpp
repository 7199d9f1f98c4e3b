#include "agon/base/item_list.h"

#include "agon/base/text.h"

namespace agon {
namespace {

// The item in quotes that begins at `at`, and where it ends; npos if it is not closed before a comma or the end.
size_t quoted_end(std::string_view text, size_t at, std::string& item) {
  item.clear();
  for (size_t k = at + 1; k < text.size(); ++k) {
    if (text[k] != '"') {
      item += text[k];
    } else if (k + 1 < text.size() && text[k + 1] == '"') {
      item += text[k++];
    } else {
      return k + 1 == text.size() || text[k + 1] == ',' ? k + 1 : std::string_view::npos;
    }
  }
  return std::string_view::npos;
}

std::string item_text(const std::string& item) {
  if (!item.empty() && item.find(',') == std::string::npos && item[0] != '"') return item;
  std::string out = "\"";
  for (const char c : item) out.append(c == '"' ? 2 : 1, c);
  return out + '"';
}

}  // namespace

std::vector<std::string> split_items(std::string_view text) {
  std::vector<std::string> items;
  std::string item;
  for (size_t at = 0; at < text.size();) {
    size_t end = text[at] == '"' ? quoted_end(text, at, item) : std::string_view::npos;
    const bool quoted = end != std::string_view::npos;
    if (!quoted) {
      end = std::min(text.find(',', at), text.size());
      item = text.substr(at, end - at);
    }
    if (quoted || !item.empty()) items.push_back(item);
    at = end + 1;
  }
  return items;
}

std::string typed_items(const std::string& option, const std::vector<std::string>& items) {
  std::string joined;
  for (const std::string& item : items) joined += (joined.empty() ? "" : ",") + item_text(item);
  return "--" + option + (joined.starts_with('-') ? "=" : " ") + shell_word(joined);
}

}  // namespace agon
