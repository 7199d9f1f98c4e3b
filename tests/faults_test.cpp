// What happens to files when the world fails: full disks, folders that cannot be written, killed runs.
#include <gtest/gtest.h>

#include "tests/program.h"

namespace agon::testing {
namespace {

// Runs `script` with a disk of `size` mounted on the folder `disk`, in a mount namespace of its own, with what stood
// there copied to it and the result copied back; false when that is not allowed here.
bool on_disk(const Sandbox& box, const std::string& options, const std::string& script) {
  const std::string inner = "cp -a disk before && mount -t tmpfs -o " + options +
                            " none disk && cp -a before/. disk/ && { " + script + "; } ; cp -a disk/. after/";
  box.write("inner.sh", inner);
  const std::string command = "cd '" + box.path("") + "' && mkdir -p after && unshare -rm sh -e inner.sh >.log 2>&1";
  return std::system("unshare -rm sh -c 'mount -t tmpfs none /mnt' >/dev/null 2>&1") == 0 &&
         std::system(command.c_str()) == 0;
}

const std::string kAgon = "'" AGON_BINARY "' ";

TEST(Faults, AFullDiskLeavesTheOldFileAndTheAnswerIsPrinted) {
  const Sandbox box;
  std::filesystem::create_directory(box.path("disk"));
  box.write("disk/result.json", "old");
  if (!on_disk(box, "size=16k", kAgon + "run hc asia --rows 200 --out disk >out 2>err || echo $? >code")) {
    GTEST_SKIP() << "no disk can be mounted here";
  }
  EXPECT_EQ(box.read("code"), "3\n");
  EXPECT_NE(box.read("err").find("cannot be written: the disk is full"), std::string::npos) << box.read("err");
  EXPECT_NE(box.read("err").find("hint: make room on it, or choose another folder"), std::string::npos);
  EXPECT_NE(box.read("out").find("edges"), std::string::npos) << "the answer itself is not lost";
  // result.json fits and is the new one; the report does not, and nothing of it is left.
  EXPECT_EQ(box.read("after/result.json").substr(0, 1), "{");
  EXPECT_FALSE(box.has("after/report.html"));
  for (const auto& entry : std::filesystem::directory_iterator(box.path("after"))) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".agon-")) << entry.path();
  }
}

TEST(Faults, AFullDiskLeavesTheOldResult) {
  const Sandbox box;
  std::filesystem::create_directory(box.path("disk"));
  box.write("disk/result.json", "old");
  if (!on_disk(box, "size=4k", kAgon + "run hc asia --rows 200 --out disk >out 2>err || echo $? >code")) {
    GTEST_SKIP() << "no disk can be mounted here";
  }
  EXPECT_EQ(box.read("code"), "3\n");
  EXPECT_NE(box.read("err").find("disk/result.json: cannot be written: the disk is full; what it held before is "
                                 "unchanged"),
            std::string::npos)
      << box.read("err");
  EXPECT_EQ(box.read("after/result.json"), "old");
}

TEST(Faults, AReadOnlyDiskIsRefusedBeforeTheSearch) {
  const Sandbox box;
  std::filesystem::create_directory(box.path("disk"));
  box.write("disk/result.json", "old");
  if (!on_disk(box, "size=1m",
               "mount -o remount,ro none disk && { " + kAgon +
                   "run hc asia --rows 200 --out disk >out 2>err || echo $? >code; }")) {
    GTEST_SKIP() << "no disk can be mounted here";
  }
  EXPECT_EQ(box.read("code"), "3\n");
  EXPECT_NE(box.read("err").find("disk: the folder is read-only\n  hint: choose a folder that you may write to"),
            std::string::npos)
      << box.read("err");
  EXPECT_EQ(box.read("out"), "");
  EXPECT_EQ(box.read("after/result.json"), "old");
}

}  // namespace
}  // namespace agon::testing
