#include "agon/base/checkpoint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "agon/base/archive.h"
#include "agon/base/atomic_file.h"
#include "agon/base/error.h"
#include "agon/base/hash.h"
#include "agon/base/text.h"

namespace agon {
namespace {

namespace fs = std::filesystem;

// Increase it when the bytes of any part change their meaning.
constexpr std::string_view kMagic = "agon checkpoint 1\n";
constexpr double kShareOfTime = 0.05;

constexpr size_t kSumBytes = 16;

std::string sealed(std::string text) { return text + hex64(hash_text(text)); }

// The bytes that the checksum covers; nothing when it does not hold.
std::optional<std::string_view> unsealed(std::string_view text) {
  if (text.size() < kMagic.size() + kSumBytes || !text.starts_with(kMagic)) return std::nullopt;
  const std::string_view body = text.substr(0, text.size() - kSumBytes);
  if (text.substr(body.size()) != hex64(hash_text(body))) return std::nullopt;
  return body.substr(kMagic.size());
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

void exchange(Archive& archive, std::pair<std::string, std::string>& pair) {
  archive(pair.first);
  archive(pair.second);
}

void exchange_pairs(Archive& archive, Pairs& pairs) {
  pairs.resize(archive.length(pairs.size(), 16));
  for (auto& pair : pairs) exchange(archive, pair);
}

// "seed was 0 and is 1": how two identities differ.
std::string difference(const Pairs& then, const Pairs& now) {
  const auto value = [](const Pairs& pairs, const std::string& name) {
    for (const auto& [key, text] : pairs) {
      if (key == name) return text.empty() ? std::string("\"\"") : text;
    }
    return std::string("not there");
  };
  std::vector<std::string> said;
  for (const Pairs* side : {&now, &then}) {
    for (const auto& [name, text] : *side) {
      const std::string before = value(then, name), after = value(now, name);
      const std::string sentence = fmt::format("{} was {} and is {}", name, before, after);
      if (before != after && std::find(said.begin(), said.end(), sentence) == said.end()) said.push_back(sentence);
    }
  }
  if (said.size() > 3) said.resize(3);
  return joined(said, "; ");
}

}  // namespace

Checkpoint::Checkpoint(const std::string& folder, Identity identity, double every, Tell tell)
    : folder_(folder), every_(every), tell_(std::move(tell)) {
  make_writable_folder(folder_);
  lock_ = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0 || flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    if (lock_ >= 0) close(lock_);
    throw InputError(folder_, "another run is using this checkpoint", "wait for it, or choose another folder");
  }
  remove_torn_files(folder_);
  content_.identity = std::move(identity);
  try {
    load();
  } catch (...) {
    close(lock_);
    throw;
  }
  next_ = began_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(every_));
}

Checkpoint::~Checkpoint() { close(lock_); }

std::string Checkpoint::file(uint64_t number) const { return fmt::format("{}/checkpoint-{}", folder_, number % 2); }

void Checkpoint::load() {
  std::optional<Content> best;
  int damaged = 0;
  for (const uint64_t k : {0, 1}) {
    std::ifstream in(file(k), std::ios::binary);
    if (!in) continue;
    std::ostringstream text;
    text << in.rdbuf();
    const std::string bytes = text.str();
    const std::optional<std::string_view> body = unsealed(bytes);
    if (!body) {
      ++damaged;
      tell(fmt::format("{} is damaged and was skipped", file(k)));
      continue;
    }
    Content content;
    Archive archive(*body);
    archive(content.number);
    archive(content.seconds);
    exchange_pairs(archive, content.identity);
    Pairs parts;
    exchange_pairs(archive, parts);
    archive.finish();
    if (content.identity != content_.identity) {
      throw InputError(folder_,
                       "holds the checkpoint of another run: " + difference(content.identity, content_.identity),
                       "repeat that command, choose another folder, or remove this one to start over");
    }
    for (auto& [name, value] : parts) content.parts.emplace(std::move(name), std::move(value));
    if (!best || content.number > best->number) best = std::move(content);
  }
  if (!best) {
    if (damaged > 0) tell("there is no intact checkpoint to resume from: the run starts from the beginning");
    return;
  }
  content_ = std::move(*best);
  seconds_before_ = content_.seconds;
  resumed_ = true;
}

void Checkpoint::tell(const std::string& sentence) {
  if (tell_ && sentence != told_) tell_(sentence);
  told_ = sentence;
}

const std::string* Checkpoint::part(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = content_.parts.find(name);
  return found == content_.parts.end() ? nullptr : &found->second;
}

bool Checkpoint::due() const {
  const std::lock_guard lock(mutex_);
  return Clock::now() >= next_;
}

void Checkpoint::save(const std::string& part, std::string bytes) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point started = Clock::now();
  content_.parts[part] = std::move(bytes);
  ++content_.number;
  content_.seconds = seconds_before_ + std::chrono::duration<double>(started - began_).count();
  Pairs parts(content_.parts.begin(), content_.parts.end());
  Archive archive;
  archive(content_.number);
  archive(content_.seconds);
  exchange_pairs(archive, content_.identity);
  exchange_pairs(archive, parts);
  try {
    write_file_atomically(file(content_.number), sealed(std::string(kMagic) + archive.bytes()));
  } catch (const InputError& error) {
    --content_.number;  // the next try is at the same file, not at the one that is whole
    tell(fmt::format("cannot save a checkpoint; the run continues without one: {}", error.what()));
  }
  const double took = std::chrono::duration<double>(Clock::now() - started).count();
  const double pause = every_ > 0 ? std::max(every_, took / kShareOfTime) : 0;
  next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pause));
}

void Checkpoint::remove() {
  const std::lock_guard lock(mutex_);
  std::error_code ignored;
  for (const uint64_t k : {0, 1}) fs::remove(file(k), ignored);
}

}  // namespace agon
