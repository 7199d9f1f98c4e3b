#include "agon/run/written_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace agon {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

class WrittenFilesTest : public ::testing::Test {
 protected:
  WrittenFilesTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~WrittenFilesTest() override { fs::remove_all(folder_); }

  // A run that writes files of these names.
  void run(const Names& names, const std::string& prefix = "", const std::string& text = "text") {
    WrittenFiles files(folder_, prefix, log_);
    for (const std::string& name : names) files.write(name, text);
    files.finish();
  }
  void put(const std::string& name, const std::string& text) { std::ofstream(folder_ + "/" + name) << text; }
  Names there() const {  // hidden files aside
    Names out;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      const std::string name = entry.path().lexically_relative(folder_).string();
      if (name[0] != '.') out.insert(name);
    }
    return out;
  }

  const std::string folder_ = ::testing::TempDir() + "agon_written_files_" + std::to_string(getpid());
  KeptJournal log_;
};

TEST_F(WrittenFilesTest, WhatTheRunBeforeWroteIsRemoved) {
  run({"dag.csv", "mpdag.csv"});
  run({"dag.csv", "cpdag.csv"});
  EXPECT_EQ(there(), (Names{"dag.csv", "cpdag.csv"}));
  ASSERT_FALSE(log_.notes.empty());
  EXPECT_EQ(log_.notes.back(), "removed " + folder_ + "/mpdag.csv, which an earlier run wrote");
}

TEST_F(WrittenFilesTest, WhatIsNotListedStays) {
  put("mpdag.csv", "text");  // the same bytes, but nobody knows that agon wrote them
  put("notes.txt", "mine");
  run({"dag.csv"});
  run({"cpdag.csv"});
  EXPECT_EQ(there(), (Names{"cpdag.csv", "mpdag.csv", "notes.txt"}));
}

TEST_F(WrittenFilesTest, WhatWasChangedStays) {
  run({"dag.csv", "mpdag.csv"});
  put("mpdag.csv", "changed by hand");
  run({"dag.csv"});
  EXPECT_EQ(there(), (Names{"dag.csv", "mpdag.csv"}));
  put("mpdag.csv", "text");  // it is no longer listed
  run({"dag.csv"});
  EXPECT_EQ(there(), (Names{"dag.csv", "mpdag.csv"}));
}

TEST_F(WrittenFilesTest, LinksAndFoldersStay) {
  run({"dag.csv", "pag.csv", "mpdag.csv"});
  fs::remove(folder_ + "/pag.csv");
  put("elsewhere.csv", "text");
  fs::create_symlink("elsewhere.csv", folder_ + "/pag.csv");
  fs::remove(folder_ + "/mpdag.csv");
  fs::create_directory(folder_ + "/mpdag.csv");
  run({"dag.csv"});
  EXPECT_EQ(there(), (Names{"dag.csv", "pag.csv", "mpdag.csv", "elsewhere.csv"}));
}

TEST_F(WrittenFilesTest, EachPrefixHasItsOwn) {
  run({"dag.csv", "mpdag.csv"});
  run({"dag.csv", "mpdag.csv"}, "P");
  run({"dag.csv"}, "P");
  EXPECT_EQ(there(), (Names{"dag.csv", "mpdag.csv", "P_dag.csv"}));
  run({"dag.csv"});
  EXPECT_EQ(there(), (Names{"dag.csv", "P_dag.csv"}));
}

TEST_F(WrittenFilesTest, AForgedListLeadsNowhereElse) {
  run({"dag.csv"});
  std::ifstream file(folder_ + "/.agon-files");
  std::string first, second;
  std::getline(file, first), std::getline(file, second);
  const std::string hash = second.substr(0, 16);
  fs::create_directory(folder_ + "/inner");
  put("inner/victim", "text");
  put("victim", "text");
  for (const std::string& name :
       Names{"inner/victim", "./victim", "../" + fs::path(folder_).filename().string() + "/victim", "", ".", ".."}) {
    put(".agon-files", first + "\n" + hash + " " + name + "\nnonsense\n");
    run({"dag.csv"});
  }
  put(".agon-files", "another first line\n" + hash + " victim\n");
  run({"dag.csv"});
  EXPECT_EQ(there(), (Names{"dag.csv", "inner", "inner/victim", "victim"}));
}

}  // namespace
}  // namespace agon
