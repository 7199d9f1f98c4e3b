// cli/search.h
//
// What `agon discover` and `agon run` share besides the run itself (agon/run/run.h): where the answer goes.
#pragma once

#include <string>
#include <vector>

#include "agon/run/run.h"
#include "cli/app.h"
#include "cli/command_line.h"

namespace agon::cli {

class OutputArgs {
 public:
  explicit OutputArgs(Binding& binding);

  // Runs, writes what was asked for, and prints. Returns the exit code.
  int carry_out(RunRequest& request, const std::string& typed) const;

 private:
  std::vector<std::string> checked_formats() const;

  const Binding& binding_;
  std::string out_, prefix_;
  std::vector<std::string> formats_ = {"csv"};
  bool json_graph_ = false, json_ = false, quiet_ = false, verbose_ = false;
};

}  // namespace agon::cli
