// `agon report --watch`: a page of results that others are still writing.

#include <gtest/gtest.h>

#include <thread>

#include "tests/program.h"
#include "tests/results.h"

namespace agon::testing {
namespace {

TEST(WatchCli, ThePageIsThatOfTheBestResultSoFar) {
  Sandbox box;
  box.write("t.csv", small_table());
  ASSERT_EQ(box.agon("run none t.csv --out empty").code, 0);
  ASSERT_EQ(box.agon("run hc t.csv --out climbed").code, 0);
  std::filesystem::create_directory(box.path("league"));
  box.write("league/half.json", box.read("empty/result.json").substr(0, 300));
  box.write("league/a.json", box.read("empty/result.json"));
  // The watcher ends by itself, once the second result has come.
  Outcome watched;
  std::thread watcher([&] { watched = box.agon("report --watch league --results 2 --plain"); });
  while (!box.has("league/report.html")) std::this_thread::yield();
  EXPECT_NE(box.read("league/report.html").find("The best of 1 result so far: a.json"), std::string::npos);
  EXPECT_NE(box.read("league/report.html").find("http-equiv=\"refresh\""), std::string::npos);
  box.write("league/b.json.part", box.read("climbed/result.json"));
  std::filesystem::rename(box.path("league/b.json.part"), box.path("league/b.json"));
  watcher.join();
  EXPECT_EQ(watched.code, 0) << watched.err;
  EXPECT_NE(box.read("league/report.html").find("The best of 2 results: b.json"), std::string::npos);
  EXPECT_EQ(box.read("league/report.html").find("http-equiv=\"refresh\""), std::string::npos);
}

TEST(WatchCli, RefusesWhatItCannotWatch) {
  Sandbox box;
  box.write("t.csv", small_table());
  const Outcome no_folder = box.agon("report --watch t.csv");
  EXPECT_EQ(no_folder.code, 3);
  EXPECT_NE(no_folder.err.find("--watch takes the folder that agon.league writes to"), std::string::npos);
  EXPECT_EQ(box.agon("report --watch . t.csv").code, 2);
  EXPECT_EQ(box.agon("report . --results 3").code, 2);
}

}  // namespace
}  // namespace agon::testing
