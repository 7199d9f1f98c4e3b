#include "cli/app.h"

#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <new>
#include <stdexcept>

#include "agon/base/error.h"
#include "agon/base/stop.h"
#include "agon/base/suggest.h"
#include "agon/data/embedded.h"
#include "agon/score/local_score.h"
#include "agon/version.h"
#include "cli/command_line.h"
#include "cli/console.h"

namespace agon::cli {
const std::vector<CommandEntry>& commands() {
  static const std::vector<CommandEntry> table = {
      {"discover", "DATA", "find the causal graph of a table; every choice is made for you and explained",
       set_up_discover},
      {"run", "ALGO DATA", "run one algorithm alone", set_up_run},
      {"score", "GRAPH DATA", "score a graph on a table, in total and per node", set_up_score},
      {"summarize", "FILES", "reduce tables of any length to sums, which every command reads in place of a table",
       set_up_summarize},
      {"compare", "TRUTH GRAPH", "measure how far a graph is from a known one", set_up_compare},
      {"sample", "NET", "draw rows from a Bayesian network, embedded or BIF", set_up_sample},
      {"report", "RESULT [DATA]", "draw a result as an HTML page: the graph, the edges, the certificate",
       set_up_report},
      {"verify", "RESULT DATA", "re-derive every claim of a result from its table; or test a theorem", set_up_verify},
      {"effect", "RESULT DATA", "how much setting one column changes another, over every graph of the class",
       set_up_effect},
      {"effects", "RESULT DATA", "all causes of a column, or all it causes, the surest first", set_up_effects},
      {"next", "RESULT [DATA]", "which experiment, or which question to an expert, settles most", set_up_next},
      {"list", "[WHAT]", "list the datasets, opponents, challengers, scores, formats or options", set_up_list},
      {"doctor", "[DATA]", "check a table before it is used, or the installation", set_up_doctor},
      {"bench", "", "run a fixed workload and print its signature; or a suite of benchmarks", set_up_bench},
      {"train", "", "make a proposal network for the local challenger, from random problems", set_up_train},
  };
  return table;
}

namespace {

std::string general_help() {
  std::string text = "agon " AGON_VERSION ": causal graphs from tables\n\nUsage: agon COMMAND ...\n\n";
  for (const CommandEntry& entry : commands()) {
    text += fmt::format("  {:<22}{}\n", entry.name + " " + entry.arguments, entry.summary);
  }
  return text +
         "\nDATA is a file (CSV, TSV) or the name of an embedded data set.\n\n"
         "Examples:\n"
         "  agon discover asia\n"
         "  agon discover my.csv --out result\n"
         "  agon run tabu alarm --rows 5000 --truth alarm\n\n"
         "agon COMMAND --help explains a command.\n";
}

const CommandEntry& find_command(const std::string& word) {
  std::vector<std::string> names;
  for (const CommandEntry& entry : commands()) {
    if (entry.name == word) return entry;
    names.push_back(entry.name);
  }
  std::error_code ignored;
  std::string hint = did_you_mean(word, names);
  if (hint.empty() && (is_embedded(word) || std::filesystem::exists(word, ignored))) {
    hint = "to find the graph of this table: agon discover " + word;
  }
  throw UsageError(fmt::format("there is no command {}", quoted(word)),
                   hint.empty() ? "the commands are " + listed(names) : hint);
}

int run_words(const std::vector<std::string>& words) {
  if (words.empty()) {
    fmt::print(stderr, "{}", general_help());
    return kUsage;
  }
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    print(general_help());
    return kOk;
  }
  if (words[0] == "--version") {
    print("agon " AGON_VERSION "\n");
    return kOk;
  }
  const CommandEntry& entry = find_command(words[0]);
  CommandLine line(entry.summary, "agon " + entry.name, {words.begin() + 1, words.end()});
  const Action action = entry.set_up(line.app());
  std::string typed = "agon";
  for (const std::string& word : words) typed += " " + shell_word(word);
  if (const auto help = line.parse({words.begin() + 1, words.end()})) {
    print(*help);
    return kOk;
  }
  return action(typed);
}

int complain(const std::string& message, int code) {
  fmt::print(stderr, "agon: {}\n", printable(message));
  return code;
}

}  // namespace

int run_command_line(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file larger than ulimit -f allows is an error like others, with a hint
  try {
    return run_words({argv + (argc > 0), argv + argc});
  } catch (const UsageError& error) {
    return complain(error.what(), kUsage);
  } catch (const InputError& error) {
    return complain(error.what(), kData);
  } catch (const Interrupted& error) {
    return complain(error.what(), kInterrupted);
  } catch (const ScoreUndefined& error) {
    return complain(error.what(), kData);
  } catch (const std::logic_error& error) {
    return complain(
        fmt::format("internal error: {}\n  hint: please report this with the command", error.what()).c_str(), kFault);
  } catch (const std::bad_alloc&) {
    return complain("out of memory", kData);
  } catch (const std::exception& error) {
    return complain(std::string("internal error, please report it: ") + error.what(), 1);
  }
}

}  // namespace agon::cli
