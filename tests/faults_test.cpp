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
  EXPECT_NE(box.read("out").find("strength"), std::string::npos) << "the answer itself is not lost";
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

// How runs that are killed go on is tested by tools/kill-loop; here is what a folder with a checkpoint allows.
TEST(Faults, ACheckpointIsBoundToItsRunAndGoneWhenThatEnds) {
  const Sandbox box;
  const std::string run = "discover asia --rows 300 --moves 3000 --quiet --checkpoint saved";
  Outcome o = box.agon(run + " --checkpoint-every 1ms --json");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(std::filesystem::is_empty(box.path("saved")));
  EXPECT_EQ(o.out.find("\"checkpoint\""), std::string::npos) << "options that change nothing are not in force";

  // Stopped during play, it is kept, and another command may not use it. (A million moves of the paper's challenger
  // take minutes on any machine; rounds are short because progress is told after each.)
  const std::string longer =
      "discover asia --challenger paper --moves 1000000 --round-moves 20 --time-limit 10m --checkpoint saved ";
  box.write("stop.sh", kAgon + longer + "--rows 300 >out 2>err & while kill -0 $! && ! grep -q 'play: ' err; do " +
                           "sleep 0.05; done; kill -INT $!; wait $!");
  const int status = std::system(("cd '" + box.path("") + "' && sh stop.sh").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 130) << box.read("err");
  EXPECT_FALSE(std::filesystem::is_empty(box.path("saved")));
  o = box.agon(longer + "--rows 300 --seed 5");
  EXPECT_EQ(o.code, 3);
  EXPECT_NE(
      o.err.find("saved: holds the checkpoint of another run: --seed was 0 and is 5\n  hint: repeat that command"),
      std::string::npos)
      << o.err;
  o = box.agon(longer + "--rows 301 --quiet");
  EXPECT_EQ(o.code, 3);
  EXPECT_NE(o.err.find("the table was "), std::string::npos) << o.err;
}

TEST(Faults, RefusesCheckpointsThatMakeNoSense) {
  const Sandbox box;
  box.write("file", "x");
  EXPECT_EQ(box.agon("discover asia --checkpoint saved --checkpoint-every never").code, 2);
  EXPECT_EQ(box.agon("discover asia --checkpoint-every 5s").code, 2);
  EXPECT_EQ(box.agon("discover asia --checkpoint ''").code, 2);
  const Outcome o = box.agon("discover asia --checkpoint file");
  EXPECT_EQ(o.code, 3);
  EXPECT_NE(o.err.find("file: is not a folder"), std::string::npos) << o.err;
}

TEST(Limits, AMemoryLimitChangesTheCachesAndNotTheAnswer) {
  const Sandbox box;
  const std::string run = "discover hepar2 --rows 300 --moves 30000 --bootstrap 0 --no-prove --verbose --json ";
  const Outcome free = box.agon(run), tight = box.agon(run + "--memory-limit 15M");
  ASSERT_EQ(free.code, 0) << free.err;
  ASSERT_EQ(tight.code, 0) << tight.err;
  EXPECT_NE(free.err.find("predicted: about "), std::string::npos) << free.err;
  EXPECT_EQ(free.err.find("caches are kept to"), std::string::npos) << free.err;
  EXPECT_NE(tight.err.find("so that the search fits 15 MB: it may take longer, the answer is the same"),
            std::string::npos)
      << tight.err;
  const auto part = [](const std::string& json, const char* from, const char* to) {
    return json.substr(json.find(from), json.find(to) - json.find(from));
  };
  EXPECT_EQ(part(free.out, "\"score\": {", "\"opponent\""), part(tight.out, "\"score\": {", "\"opponent\""));
  EXPECT_EQ(part(free.out, "\"dag\"", "\"history\""), part(tight.out, "\"dag\"", "\"history\""));
}

TEST(Limits, WhatCannotFitIsRefusedWithAWayOut) {
  const Sandbox box;
  for (const std::string run : {"discover", "run ges"}) {
    const Outcome o = box.agon(run + " alarm --rows 300 --memory-limit 2M");
    EXPECT_EQ(o.code, 3);
    EXPECT_NE(o.err.find("37 columns needs about "), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("hint: raise --memory-limit"), std::string::npos) << o.err;
  }
  EXPECT_EQ(box.agon("discover asia --memory-limit 12").code, 2);
}

}  // namespace
}  // namespace agon::testing
