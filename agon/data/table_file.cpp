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
  for (;;) {
    if (watch.was_interrupted()) throw Interrupted("interrupted while " + path + " was read: there is no answer yet");
    struct pollfd ready = {descriptor_, POLLIN, 0};
    const int polled = ::poll(&ready, 1, 100);
    if (polled == 0 || (polled < 0 && errno == EINTR)) continue;
    const ssize_t count = ::read(descriptor_, to, size);
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) throw InputError(path, fmt::format("cannot read: {}", std::strerror(errno)));
  }
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
    throw InputError(name, "the file is Parquet", "write it as CSV first, or read it in Python: agon.discover(FILE)");
  }
  if (is_summary_text(head)) {
    throw InputError(name, "is a summary, and can only be read from a file", "pass the name of the file in place of -");
  }
  if (starts("\x93NUMPY")) {
    throw InputError(name, "the file is a numpy array (npy)",
                     "write it as CSV first, or read it in Python: agon.discover(numpy.load(FILE))");
  }
}

}  // namespace agon
