// cli/app.h
//
// The command line as a whole: which commands there are, how errors are reported, which exit code is returned.
//
// Exit codes: 0 success (reaching a time limit is a success, and is mentioned), 1 a bug in agon or a claim that does
// not hold, 2 usage, 3 data, 130 interrupted.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace agon::cli {

constexpr int kOk = 0, kFault = 1, kUsage = 2, kData = 3, kInterrupted = 130;

// What a command does once its options are filled in; returns the exit code. `typed` is the command as the user typed
// it, quoted so that a shell reads it the same way.
using Action = std::function<int(const std::string& typed)>;

struct CommandEntry {
  std::string name;
  std::string arguments;
  std::string summary;
  Action (*set_up)(CLI::App&);
};
const std::vector<CommandEntry>& commands();

// One per file: adds the command's options to `app` and returns what the command does.
Action set_up_discover(CLI::App& app);
Action set_up_run(CLI::App& app);
Action set_up_summarize(CLI::App& app);
Action set_up_score(CLI::App& app);
Action set_up_compare(CLI::App& app);
Action set_up_sample(CLI::App& app);
Action set_up_list(CLI::App& app);
Action set_up_doctor(CLI::App& app);
Action set_up_report(CLI::App& app);
Action set_up_effect(CLI::App& app);
Action set_up_effects(CLI::App& app);
Action set_up_next(CLI::App& app);
Action set_up_train(CLI::App& app);
Action set_up_verify(CLI::App& app);
Action set_up_bench(CLI::App& app);

// Parses, runs, and turns every exception into one message on stderr and an exit code.
int run_command_line(int argc, char** argv);

}  // namespace agon::cli
