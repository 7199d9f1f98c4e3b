// Two files of the Python package are generated from the catalog and checked in: python/agon/_options.py (types of
// keyword arguments) and python/agon/algorithms.py (a function for every algorithm). tools/regen rewrites both.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "agon/run/front_end.h"
#include "agon/run/request.h"

namespace agon {
namespace {

std::string underscored(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name == "lambda" ? "lambda_" : name;
}

// The text wrapped into lines of at most `width`, each after `indent`.
std::string filled(const std::string& text, const std::string& indent, size_t width = 120) {
  std::string out = indent, word;
  size_t used = indent.size();
  std::istringstream words(text);
  while (words >> word) {
    if (used > indent.size() && used + 1 + word.size() > width) {
      out += "\n" + indent;
      used = indent.size();
    }
    if (used > indent.size()) {
      out += ' ';
      ++used;
    }
    out += word;
    used += word.size();
  }
  return out + "\n";
}

std::string python_type(const Settings::Bound& bound) {
  static const std::map<std::string, std::string> special = {{"score", "str | Callable[[str, tuple[str, ...]], float]"},
                                                             {"knowledge", "Any"},
                                                             {"start", "Any"},
                                                             {"truth", "Any"},
                                                             {"counts", "str | Sequence[float]"},
                                                             {"penalty", "float | str"},
                                                             {"weights", "str | Sequence[float]"},
                                                             {"targets", "str | Sequence[Any] | Mapping[Any, Any]"},
                                                             {"experiment", "str | Sequence[Any]"},
                                                             {"within", "str | Sequence[Any] | Mapping[str, Any]"},
                                                             {"time-limit", "float | str | datetime.timedelta"},
                                                             {"hidden", "Sequence[int]"}};
  static const std::map<OptionType, std::string> types = {
      {OptionType::kText, "str"},    {OptionType::kNumber, "float"}, {OptionType::kWhole, "int"},
      {OptionType::kNatural, "int"}, {OptionType::kFlag, "bool"},    {OptionType::kTexts, "str | Sequence[str]"}};
  const auto found = special.find(bound.option.name);
  return found != special.end() ? found->second : types.at(bound.type);
}

std::string typed_dict(RunRequest::Kind kind, const std::string& name, const std::string& what,
                       const std::vector<std::string>& without) {
  Settings settings;
  const RunRequest request(settings, kind);
  std::string out = fmt::format("\n\nclass {}(TypedDict, total=False):\n    \"\"\"{}\"\"\"\n\n", name, what);
  out += "    # names of a matrix's columns\n    names: Sequence[str]\n";
  for (const auto& bound : settings.all()) {
    if (std::find(without.begin(), without.end(), bound->option.name) != without.end()) continue;
    out += filled(as_python(bound->help), "    # ");
    out += fmt::format("    {}: {}\n", underscored(bound->option.name), python_type(*bound));
  }
  return out;
}

std::string options_text() {
  return "\"\"\"Keyword arguments, made from the catalog by tools/regen.\"\"\"\n\n"
         "from __future__ import annotations\n\nimport datetime\nfrom collections.abc import Callable, Mapping, "
         "Sequence\n"
         "from typing import Any, TypedDict\n\nfrom ._progress import Progress\n" +
         typed_dict(RunRequest::Kind::kAlone, "RunOptions", "Options of one algorithm.", {}) +
         "    # a bar on a terminal or in a notebook (default: none), or a function that is told\n"
         "    progress: bool | Callable[[Progress], object]\n" +
         typed_dict(RunRequest::Kind::kMatch, "DiscoverOptions", "Options of agon.discover beside those it names.",
                    {"opponent", "score", "knowledge", "time-limit", "seed", "threads", "start", "bootstrap"});
}

// Two columns, so that the slowest algorithm is quick, and of numbers, which all of them take.
std::string example_of(const OpponentEntry& entry) {
  const std::string start = entry.needs_start()    ? ", start=[(\"praf\", \"pmek\")]"
                            : entry.learns.empty() ? ""
                                                   : ", iterations=20";
  return fmt::format(
      "\n    >>> import agon\n"
      "    >>> table = agon.datasets.load(\"sachs\", rows=100)[[\"praf\", \"pmek\"]]\n"
      "    >>> agon.{}(table{}).nodes_\n"
      "    ('praf', 'pmek')\n",
      underscored(entry.name), start);
}

std::string algorithms_text() {
  std::string out =
      "\"\"\"Every algorithm of the catalog as a function of a table, with the result type of "
      ":func:`agon.discover`.\n\n"
      "Made from the catalog by tools/regen. Each takes the options of ``agon run``, with underscores; "
      "docs/options.md\n"
      "describes them.\n\n"
      ">>> import agon\n>>> agon.ges(agon.datasets.load(\"asia\", rows=500)).record[\"run\"][\"algorithm\"]\n'ges'\n"
      "\"\"\"\n\nfrom __future__ import annotations\n\nfrom typing import TYPE_CHECKING, Any\n\n"
      "from ._result import Result\nfrom ._run import run\n\n"
      "if TYPE_CHECKING:\n    from typing_extensions import Unpack\n\n    from ._options import RunOptions\n\n";
  std::string names;
  for (const OpponentEntry& entry : opponent_entries()) names += fmt::format("\"{}\", ", underscored(entry.name));
  out += "__all__ = [\n" + filled(names, "    ") + "]  # fmt: skip\n";
  for (const OpponentEntry& entry : opponent_entries()) {
    std::string summary = as_python(entry.summary);
    summary[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(summary[0])));
    const std::string origin = (entry.source.empty() ? "" : entry.source + "; ") + "tested: ";
    out += fmt::format("\n\ndef {}(data: Any, **options: Unpack[RunOptions]) -> Result:\n", underscored(entry.name));
    out += filled("\"\"\"" + summary + ".", "    ") + "\n" + filled(origin + to_string(entry.maturity) + ".", "    ");
    out += example_of(entry);
    out += fmt::format("    \"\"\"\n    return run(\"{}\", data, \"{}\", {{**options}})\n", entry.name,
                       underscored(entry.name));
  }
  return out;
}

void expect_file(const std::string& name, const std::string& text) {
  const std::string path = AGON_SOURCE_DIR "/python/agon/" + name;
  if (std::getenv("AGON_REGEN") != nullptr) std::ofstream(path, std::ios::binary) << text;
  std::ostringstream written;
  written << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_TRUE(written.str() == text) << path << " is out of date; tools/regen rewrites it";
}

TEST(PythonSurface, OptionsAreTheTable) { expect_file("_options.py", options_text()); }
TEST(PythonSurface, AlgorithmsAreTheTable) { expect_file("algorithms.py", algorithms_text()); }

}  // namespace
}  // namespace agon
