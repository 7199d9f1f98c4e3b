#include "agon/data/table_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/data/summary.h"

namespace agon {
namespace {

// Of standard input, what was looked at and not yet read.
std::string& looked_at() {
  static std::string bytes;
  return bytes;
}

size_t read_bytes(int descriptor, char* to, size_t size, const std::string& path, const Watch& watch) {
  for (;;) {
    if (watch.was_interrupted()) throw Interrupted("interrupted while " + path + " was read: there is no answer yet");
    struct pollfd ready = {descriptor, POLLIN, 0};
    const int polled = ::poll(&ready, 1, 100);
    if (polled == 0 || (polled < 0 && errno == EINTR)) continue;
    const ssize_t count = ::read(descriptor, to, size);
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) throw InputError(path, fmt::format("cannot read: {}", std::strerror(errno)));
  }
}

}  // namespace

TableFile::TableFile(const std::string& path) {
  if (path == "-") {
    descriptor_ = STDIN_FILENO;
    return;
  }
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) {
    const int error = errno;
    throw InputError(path, fmt::format("cannot open: {}", std::strerror(error)),
                     error == ENOENT ? similar_file_hint(path) : "");
  }
  owned_ = true;
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) return;
  if (S_ISDIR(status.st_mode)) {
    ::close(descriptor_);
    throw InputError(path, "is a directory, expected a file", "name a CSV or TSV file in it");
  }
  if (S_ISREG(status.st_mode)) size_ = static_cast<size_t>(status.st_size);
}

TableFile::~TableFile() {
  if (owned_) ::close(descriptor_);
}

size_t TableFile::read(char* to, size_t size, const std::string& path, const Watch& watch) const {
  if (std::string& begun = looked_at(); !owned_ && !begun.empty()) {
    const size_t count = begun.copy(to, size);
    begun.erase(0, count);
    return count;
  }
  return read_bytes(descriptor_, to, size, path, watch);
}

std::string_view look_at_standard_input(size_t size, const Watch& watch) {
  std::string& begun = looked_at();
  for (char piece[256]; begun.size() < size;) {
    const size_t wanted = std::min(sizeof piece, size - begun.size());
    const size_t count = read_bytes(STDIN_FILENO, piece, wanted, "<stdin>", watch);
    if (count == 0) break;
    begun.append(piece, count);
  }
  return std::string_view(begun).substr(0, size);
}

std::string similar_file_hint(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path wanted(path);
  std::error_code ignored;
  std::vector<std::string> names;
  for (fs::directory_iterator it(wanted.has_parent_path() ? wanted.parent_path() : ".", ignored), end;
       !ignored && it != end && names.size() < 10000; it.increment(ignored)) {
    names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  const std::string near = nearest(wanted.filename().string(), names);
  return near.empty() ? "" : fmt::format("did you mean {}?", (wanted.parent_path() / near).string());
}

void refuse_known_formats(std::string_view head, const std::string& name) {
  const auto starts = [&](std::string_view magic) { return head.substr(0, magic.size()) == magic; };
  if (starts("\xFF\xFE") || starts("\xFE\xFF")) {
    throw InputError(name, "the file is UTF-16, expected UTF-8",
                     "convert it first: iconv -f UTF-16 -t UTF-8 OLD > NEW, or save it as \"CSV UTF-8\"");
  }
  if (starts("\x1F\x8B")) {
    throw InputError(name, "the file is compressed by gzip", "unpack it: gunzip -c FILE | agon COMMAND -");
  }
  if (starts("PK\x03\x04")) {
    throw InputError(name, "the file is a zip archive or a spreadsheet (xlsx, ods)",
                     "save the sheet as CSV, or read it in Python: agon.discover(pandas.read_excel(FILE))");
  }
  // A column name may begin with PAR1. In Parquet what follows is a thrift struct, whose first field is an integer.
  if (starts("PAR1\x15")) {
    throw InputError(name, "the file is Parquet",
                     "add it up first: agon summarize FILE --out SUMMARY; or read it in Python: agon.discover(FILE)");
  }
  if (is_summary_text(head)) {
    throw InputError(name, "is a summary, not a table");
  }
  if (starts("\x93NUMPY")) {
    throw InputError(name, "the file is a numpy array (npy)",
                     "write it as CSV first, or read it in Python: agon.discover(numpy.load(FILE))");
  }
}

}  // namespace agon
