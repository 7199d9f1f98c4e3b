#include "agon/base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "agon/base/error.h"

namespace agon {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTornBegin = ".agon-", kTornEnd = ".tmp";

struct Failure {
  std::string problem, hint;
};

Failure explained(int error, const std::string& folder) {
  const std::string shown = folder.empty() ? "this folder" : "the folder " + folder;
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return {.problem = "cannot be written: the disk is full", .hint = "make room on it, or choose another folder"};
    case EFBIG:
      return {.problem = "cannot be written: it would exceed the largest size of a file here",
              .hint = "raise the limit (ulimit -f)"};
    case EACCES:
    case EPERM:
      return {.problem = fmt::format("cannot be written: {} does not allow it", shown),
              .hint = "choose a folder that you may write to"};
    case EROFS:
      return {.problem = fmt::format("cannot be written: {} is read-only", shown),
              .hint = "choose a folder that you may write to"};
    case ENOENT:
    case ENOTDIR:
      return {.problem = fmt::format("cannot be written: {} does not exist", shown),
              .hint = "create it, or choose another one"};
    default:
      return {.problem = fmt::format("cannot be written: {}", std::strerror(error)), .hint = ""};
  }
}

[[noreturn]] void fail(int error, const std::string& path, const std::string& folder) {
  Failure failure = explained(error, folder);
  struct stat old = {};
  if (stat(path.c_str(), &old) == 0) failure.problem += "; what it held before is unchanged";
  throw InputError(path, failure.problem, failure.hint);
}

// A file that is open for writing; every call returns 0 or an errno.
class OpenFile {
 public:
  explicit OpenFile(int file) : file_(file) {}
  ~OpenFile() { close(); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::write(file_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return n < 0 ? errno : EIO;
      bytes.remove_prefix(static_cast<size_t>(n));
    }
    return 0;
  }
  int set_mode(mode_t mode) { return fchmod(file_, mode & 07777) == 0 ? 0 : errno; }
  int sync() { return fsync(file_) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno; }
  int close() {
    const int file = file_;
    file_ = -1;
    return file < 0 || ::close(file) == 0 || errno == EINTR ? 0 : errno;
  }

 private:
  int file_;
};

void write_directly(const std::string& path, std::string_view bytes) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  int error = file < 0 ? errno : 0;
  if (file >= 0) {
    OpenFile target(file);
    error = target.write(bytes);
    if (const int closing = target.close(); error == 0) error = closing;
  }
  if (error != 0) throw InputError(path, explained(error, "").problem, explained(error, "").hint);
}

}  // namespace

void write_file_atomically(const std::string& path, std::string_view bytes) {
  // 1. Where it goes: for a symbolic link, the file that the link names.
  std::error_code none;
  fs::path target = path;
  for (int links = 0; links < 40 && fs::is_symlink(target, none); ++links) {
    target = target.parent_path() / fs::read_symlink(target, none);  // an absolute one replaces the whole
  }
  struct stat old = {};
  const bool exists = stat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) throw InputError(path, "cannot be written: this is a folder, expected a file");
  if (exists && !S_ISREG(old.st_mode)) return write_directly(path, bytes);
  const std::string folder = target.parent_path().string();

  // 2. A temporary file in the same folder, hence on the same disk. Its name is short whatever the target's is.
  std::string temporary;
  int file = -1;
  for (int k = 0; file < 0 && k < 100; ++k) {
    temporary =
        fmt::format("{}{}{}{}-{}", folder, folder.empty() ? "" : "/", kTornBegin, getpid(), k) + std::string(kTornEnd);
    file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) break;
  }
  if (file < 0) fail(errno, path, folder);
  int error = 0;
  {
    OpenFile out(file);
    error = out.write(bytes);
    if (error == 0 && exists) error = out.set_mode(old.st_mode);
    if (error == 0) error = out.sync();
    if (const int closing = out.close(); error == 0) error = closing;
  }

  // 3. Rename it, in one step.
  if (error == 0 && rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    unlink(temporary.c_str());
    fail(error, path, folder);
  }

  // 4. Flush the name to the disk as well. Not every file system can do that; the file is whole in any case.
  const int parent = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (parent >= 0) OpenFile(parent).sync();
}

void make_writable_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) {
    const Failure failure = explained(error.value(), fs::path(path).parent_path().string());
    throw InputError(path,
                     error.value() == EEXIST || error.value() == ENOTDIR
                         ? "is not a folder"
                         : "the folder cannot be created: " + error.message(),
                     failure.hint);
  }
  if (!fs::is_directory(path, error)) throw InputError(path, "is not a folder");
  if (faccessat(AT_FDCWD, path.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
    throw InputError(path, errno == EROFS ? "the folder is read-only" : "nothing can be written to this folder",
                     "choose a folder that you may write to");
  }
}

void remove_torn_files(const std::string& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kTornBegin) && name.ends_with(kTornEnd)) fs::remove(entry.path(), ignored);
  }
}

}  // namespace agon
