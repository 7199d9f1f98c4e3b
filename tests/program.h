// tests/program.h
//
// Runs the built agon as a user would, in a folder of its own.
//
//   Sandbox box;
//   box.write("x.csv", "a,b\n0,1\n");
//   Outcome o = box.agon("run hc x.csv --json");
//   o.code; o.out; o.err;
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace agon::testing {

struct Outcome {
  int code = 0;  // exit code; 1000 + signal when a signal ended it
  std::string out, err;
};

class Sandbox {
 public:
  Sandbox() {
    std::string pattern = (std::filesystem::temp_directory_path() / "agon-test-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~Sandbox() { std::filesystem::remove_all(folder_); }
  Sandbox(const Sandbox&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return text.str();
  }
  bool has(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

  // `arguments` are read by a shell, whose working folder is the sandbox.
  Outcome agon(const std::string& arguments) const {
    const std::string command =
        "cd '" + folder_.string() + "' && '" AGON_BINARY "' " + arguments + " >.out 2>.err </dev/null";
    const int status = std::system(command.c_str());
    Outcome outcome;
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    outcome.out = read(".out");
    outcome.err = read(".err");
    return outcome;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace agon::testing
