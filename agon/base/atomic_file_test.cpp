// Files are written whole or not at all: what is there after a failure, and what the message says.
#include "agon/base/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "agon/base/error.h"

namespace agon {
namespace {

namespace fs = std::filesystem;

class AtomicFile : public ::testing::Test {
 protected:
  AtomicFile() {
    std::string pattern = (fs::temp_directory_path() / "agon-atomic-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~AtomicFile() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return text.str();
  }
  size_t files() const { return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), {})); }

  fs::path folder_;
};

std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(AtomicFile, WritesAndReplacesWholeFiles) {
  const std::string bytes("two\0lines\n", 10);
  write_file_atomically(path("a"), bytes);
  EXPECT_EQ(read("a"), bytes);
  write_file_atomically(path("a"), "");
  EXPECT_EQ(read("a"), "");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFile, TakesTheLongestNameThereIs) {
  const std::string name(255, 'n');
  write_file_atomically(path(name), "x");
  EXPECT_EQ(read(name), "x");
}

TEST_F(AtomicFile, KeepsPermissionsAndLinks) {
  write_file_atomically(path("a"), "old");
  chmod(path("a").c_str(), 0640);
  fs::create_symlink("a", path("link"));
  write_file_atomically(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read("a"), "new");
  struct stat now = {};
  stat(path("a").c_str(), &now);
  EXPECT_EQ(now.st_mode & 07777, 0640u);
}

TEST_F(AtomicFile, MakesWhatADanglingLinkNames) {
  fs::create_symlink("later", path("link"));
  write_file_atomically(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read("later"), "new");
}

TEST_F(AtomicFile, WritesDevicesDirectly) {
  write_file_atomically("/dev/null", "gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_NE(message_of([] { write_file_atomically("/dev/full", "x"); }).find("/dev/full: cannot be written: the disk"),
            std::string::npos);
}

TEST_F(AtomicFile, SaysWhatIsInTheWay) {
  EXPECT_EQ(message_of([&] { write_file_atomically(path("no/a"), "x"); }),
            path("no/a") + ": cannot be written: the folder " + path("no") +
                " does not exist\n  hint: create it, or choose another one");
  fs::create_directory(path("folder"));
  EXPECT_EQ(message_of([&] { write_file_atomically(path("folder"), "x"); }),
            path("folder") + ": cannot be written: this is a folder, expected a file");
}

// Root may write anywhere, so it becomes nobody for a while.
class AsNobody {
 public:
  AsNobody() : root_(geteuid() == 0) {
    if (root_ && seteuid(65534) != 0) root_ = false;
  }
  ~AsNobody() {
    if (root_ && seteuid(0) != 0) std::abort();
  }

 private:
  bool root_;
};

TEST_F(AtomicFile, LeavesTheOldFileInAFolderThatCannotBeWritten) {
  write_file_atomically(path("a"), "old");
  chmod(path("a").c_str(), 0666);  // the file may be written; its folder may not
  fs::permissions(folder_, fs::perms(0555));
  std::string message, refusal;
  {
    const AsNobody nobody;
    if (geteuid() == 0) GTEST_SKIP() << "root that cannot become another user";
    message = message_of([&] { write_file_atomically(path("a"), "new"); });
    refusal = message_of([&] { make_writable_folder(folder_.string()); });
  }
  EXPECT_EQ(message, path("a") + ": cannot be written: the folder " + folder_.string() +
                         " does not allow it; what it held before is unchanged\n"
                         "  hint: choose a folder that you may write to");
  EXPECT_EQ(refusal, folder_.string() +
                         ": nothing can be written to this folder\n"
                         "  hint: choose a folder that you may write to");
  EXPECT_EQ(read("a"), "old");
  EXPECT_EQ(files(), 1u);
}

// A limit on the size of files stands in for a full disk: the write fails half-way. tests/faults_test.cpp fills a disk.
TEST_F(AtomicFile, LeavesTheOldFileWhenTheWriteFailsHalfWay) {
  write_file_atomically(path("a"), "old");
  rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 5000;
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = message_of([&] { write_file_atomically(path("a"), std::string(100'000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(message.find("largest size of a file here; what it held before is unchanged"), std::string::npos)
      << message;
  EXPECT_EQ(read("a"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFile, MakesFoldersAndRefusesFiles) {
  make_writable_folder(path("one/two"));
  EXPECT_TRUE(fs::is_directory(path("one/two")));
  make_writable_folder(path("one/two"));
  write_file_atomically(path("file"), "x");
  EXPECT_EQ(message_of([&] { make_writable_folder(path("file")); }).substr(0, path("file").size() + 17),
            path("file") + ": is not a folder");
}

TEST_F(AtomicFile, RemovesWhatKilledWritersLeft) {
  write_file_atomically(path("a"), "x");
  write_file_atomically(path(".agon-17-0.tmp"), "half");
  remove_torn_files(folder_.string());
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(read("a"), "x");
}

}  // namespace
}  // namespace agon
