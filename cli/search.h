// cli/search.h
//
// What `agon discover` and `agon run` share beside the run itself (agon/run/search.h): where the result goes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agon/run/discover.h"
#include "cli/app.h"
#include "cli/binding.h"
#include "cli/console.h"

namespace agon::cli {

class OutputArgs {
 public:
  explicit OutputArgs(Binding& binding);

  // Runs, and writes what was asked for.
  using Run = std::function<Found(const Watch& watch, Log& log, const BeforeSearch& before)>;
  int carry_out(const Run& run, const SearchSettings& search) const;

 private:
  std::vector<std::string> checked_formats() const;

  const Binding& binding_;
  std::string out_, prefix_;
  std::vector<std::string> formats_ = {"csv"};
  bool json_graph_ = false, json_ = false, quiet_ = false;
};

}  // namespace agon::cli
