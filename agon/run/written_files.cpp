#include "agon/run/written_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "agon/base/atomic_file.h"
#include "agon/base/hash.h"

namespace agon {
namespace {

constexpr const char* kFirstLine = "# Files that agon wrote here. The next run removes those it does not write itself.";

std::string content_hash(std::string_view text) { return hex64(hash_text(text)); }

// A name in this folder: a list that somebody made must not lead anywhere else.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

bool holds_what_agon_wrote(const std::string& path, const std::string& hash) {
  std::error_code ignored;
  if (std::filesystem::symlink_status(path, ignored).type() != std::filesystem::file_type::regular) return false;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return file && content_hash(text.str()) == hash;
}

}  // namespace

WrittenFiles::WrittenFiles(std::string folder, const std::string& prefix, Journal& log)
    : folder_(std::move(folder)), prefix_(prefix.empty() ? "" : prefix + "_"), log_(log) {}

std::string WrittenFiles::write(const std::string& name, std::string_view text, const std::string& remark) {
  const std::string to = path(name);
  write_file_atomically(to, text);
  told_ += (written_.empty() ? "wrote " + to : ", " + prefix_ + name) + remark;
  written_.emplace_back(prefix_ + name, content_hash(text));
  return to;
}

std::vector<WrittenFiles::Entry> WrittenFiles::listed_before() const {
  std::vector<Entry> out;
  std::ifstream file(list_path(), std::ios::binary);
  std::string line;
  if (!std::getline(file, line) || line != kFirstLine) return out;
  while (std::getline(file, line)) {
    const size_t blank = line.find(' ');
    if (blank != 16 || !is_plain_name(line.substr(17))) continue;
    out.emplace_back(line.substr(17), line.substr(0, 16));
  }
  return out;
}

void WrittenFiles::finish() {
  if (!told_.empty()) log_.note(told_);
  for (const Entry& before : listed_before()) {
    const bool again =
        std::any_of(written_.begin(), written_.end(), [&](const Entry& now) { return now.first == before.first; });
    const std::string old = folder_ + "/" + before.first;
    std::error_code failed;
    if (again || !holds_what_agon_wrote(old, before.second) || !std::filesystem::remove(old, failed) || failed)
      continue;
    log_.note("removed " + old + ", which an earlier run wrote");
  }
  std::string list = std::string(kFirstLine) + "\n";
  for (const auto& [name, hash] : written_) list += hash + " " + name + "\n";
  write_file_atomically(list_path(), list);
}

}  // namespace agon
