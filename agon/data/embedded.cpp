#include "agon/data/embedded.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/data/embedded_files.h"
#include "agon/data/records.h"

namespace agon {
namespace {

constexpr size_t kBufferBytes = 1 << 16;

double to_number(std::string_view word, const std::string& place) {
  double value = 0;
  const auto [end, error] = fast_float::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) {
    throw InputError(place, fmt::format("found {}, expected a number", quoted(std::string(word))));
  }
  return value;
}

// Reads the format of datasets/NAME.net, which is described at the top of each of those files.
BayesNet parse_net(std::string_view text, const std::string& place) {
  BayesNet net;
  std::vector<std::vector<std::string>> parent_names;
  RecordReader reader(text_source(text), place, {.delimiter = ' ', .quote = '\0'}, kBufferBytes);
  std::vector<Cell> words;
  while (reader.next(words)) {
    if (words.size() > 1 && words[1].text() == ":") {
      net.names.emplace_back(words[0].text());
      net.levels.emplace_back();
      net.tables.emplace_back();
      parent_names.emplace_back();
      auto* list = &net.levels.back();
      for (size_t k = 2; k < words.size(); ++k) {
        if (words[k].text() == "|") {
          list = &parent_names.back();
        } else {
          list->emplace_back(words[k].text());
        }
      }
    } else {
      if (net.names.empty() || words.size() != net.levels.back().size()) {
        throw InputError(fmt::format("{}:{}", place, reader.line()), "the row does not fit the node above it");
      }
      auto& table = net.tables.back();
      for (const Cell& word : words) table.push_back(to_number(word.text(), place));
      normalise_row(std::span(table).last(words.size()));
    }
  }
  std::map<std::string, int> node_of;
  for (int node = 0; node < net.size(); ++node) node_of[net.names[node]] = node;
  for (const auto& list : parent_names) {
    auto& parents = net.parents.emplace_back();
    for (const std::string& name : list) {
      const auto it = node_of.find(name);
      parents.push_back(it == node_of.end() ? -1 : it->second);  // check() names the node with the unknown parent
    }
  }
  check(net, place);
  return net;
}

// Reads a table of plain numbers, such as datasets/sachs.csv.
Dataset parse_table(std::string_view text, const std::string& name, const std::vector<size_t>* rows, RowInfo info) {
  RecordReader reader(text_source(text), name, {}, kBufferBytes);
  std::vector<Cell> cells;
  reader.next(cells);
  std::vector<std::string> names;
  for (const Cell& cell : cells) names.emplace_back(cell.text());
  std::vector<std::vector<double>> values(names.size());
  size_t chosen = 0;
  for (size_t row = 0; reader.next(cells); ++row) {
    if (rows) {
      if (chosen == rows->size()) break;
      if ((*rows)[chosen] != row) continue;
      ++chosen;
    }
    if (cells.size() != names.size()) throw InputError(name, fmt::format("row {} is ragged", row + 1));
    for (size_t k = 0; k < cells.size(); ++k) values[k].push_back(to_number(cells[k].text(), name));
  }
  std::vector<Column> columns;
  for (size_t k = 0; k < names.size(); ++k) columns.push_back(continuous_column(names[k], std::move(values[k])));
  return make_dataset(std::move(columns), name, std::move(info));
}

// Reads which experiment the rows of a table come from, such as datasets/sachs-experiments.csv: they stand in the order
// of its lines.
RowInfo parse_experiments(std::string_view text, const std::string& place, const std::vector<size_t>* rows) {
  RecordReader reader(text_source(text), place, {}, kBufferBytes);
  std::vector<Cell> cells;
  reader.next(cells);  // experiment, targets, rows
  RowInfo info;
  std::vector<uint32_t> of_row;
  while (reader.next(cells)) {
    Regime regime{.name = std::string(cells[0].text()), .batch = std::string(cells[0].text())};
    if (cells[1].size > 0) regime.targets = {std::string(cells[1].text())};
    of_row.insert(of_row.end(), static_cast<size_t>(to_number(cells[2].text(), place)),
                  static_cast<uint32_t>(info.regimes.size()));
    info.regimes.push_back(std::move(regime));
  }
  if (rows == nullptr) {
    for (const uint32_t k : of_row) info.regime.push_back(k);
  } else {
    for (const size_t row : *rows) info.regime.push_back(of_row[row]);
  }
  return info;
}

// Data sets that are the rows of another one, with more said about them.
std::string cells_of(const std::string& name) { return name == "sachs-experiments" ? "sachs" : name; }

// Draws `count` of 0 .. total - 1 without replacement; ascending.
std::vector<size_t> choose(size_t total, size_t count, Rng rng) {
  std::vector<size_t> all(total);
  std::iota(all.begin(), all.end(), 0);
  rng.shuffle(all);
  all.resize(count);
  std::sort(all.begin(), all.end());
  return all;
}

const EmbeddedInfo& find_info(const std::string& name) {
  std::vector<std::string> names;
  for (const EmbeddedInfo& info : embedded_datasets()) {
    if (info.name == name) {
      if (info.kind != "external") return info;
      throw UsageError(fmt::format("the data set {} is not part of the program", quoted(name)), info.note);
    }
    names.push_back(info.name);
  }
  const std::string near = did_you_mean(name, names);
  throw UsageError(fmt::format("there is no data set named {}", quoted(name)),
                   near.empty() ? "there are " + listed(names) : near);
}

// What the columns of the measured table are called in the network.
const std::map<std::string, std::string>& sachs_columns() {
  static const std::map<std::string, std::string> column_of = {
      {"Raf", "praf"},     {"Mek", "pmek"}, {"Plcg", "plcg"}, {"PIP2", "PIP2"}, {"PIP3", "PIP3"}, {"Erk", "p44/42"},
      {"Akt", "pakts473"}, {"PKA", "PKA"},  {"PKC", "PKC"},   {"P38", "P38"},   {"Jnk", "pjnk"}};
  return column_of;
}

}  // namespace

const std::vector<EmbeddedInfo>& embedded_datasets() {
  static const std::string repository = "; Bayesian Network Repository of bnlearn, figures from PyPI pgmpy 0.1.26";
  static const std::string share_alike = "CC BY-SA 3.0";
  static const std::vector<EmbeddedInfo> table = {
      {"asia", "network", 8, 8, 18, 10000, "Lauritzen & Spiegelhalter 1988" + repository, share_alike, ""},
      {"sachs", "table", 11, 17, 0, 7466, "Sachs et al. 2005, Science 308:523; from PyPI cdt 0.6.0", "MIT (cdt)",
       "measured protein levels of single cells, all 9 conditions pooled; true graph: the 17-edge consensus"},
      {"sachs-experiments", "table", 11, 17, 0, 7466, "Sachs et al. 2005, Science 308:523; from PyPI cdt 0.6.0",
       "MIT (cdt)", "the same cells as sachs, each with its experiment: 9 of them, 7 with a known target"},
      {"sachs-net", "network", 11, 17, 178, 1000, "Sachs et al. 2005, Science 308:523" + repository, share_alike,
       "fitted to a discretised form of the measurements"},
      {"lucas", "network", 12, 12, 29, 2000, "Guyon et al. 2008, LUCAS0 of the Causality Workbench",
       "published probabilities, written by hand", "invented, 0 false and 1 true"},
      {"child", "network", 20, 25, 230, 1000, "Spiegelhalter & Cowell 1992" + repository, share_alike, ""},
      {"alarm", "network", 37, 46, 509, 10000, "Beinlich et al. 1989" + repository, share_alike, ""},
      {"hepar2", "network", 70, 123, 1453, 5000, "Onisko 2003" + repository, share_alike, ""},
      {"dream4", "external", 100, 176, 0, 100, "Marbach et al. 2010, DREAM4 in-silico challenge, size 100, network 1",
       "to be obtained by the user",
       "get it from Synapse (syn3049712, free registration) and pass its folder, which must hold "
       "insilico_size100_1_multifactorial.tsv and insilico_size100_1_goldstandard.tsv; the true graph has cycles"},
      {"andes", "network", 223, 338, 1157, 10000, "Conati et al. 1997" + repository, share_alike, ""},
  };
  return table;
}

bool is_embedded(const std::string& name) {
  const auto& all = embedded_datasets();
  return std::any_of(all.begin(), all.end(),
                     [&](const EmbeddedInfo& info) { return info.name == name && info.kind != "external"; });
}

BayesNet embedded_network(const std::string& name) {
  const EmbeddedInfo& info = find_info(name);
  const std::string file = (info.kind == "table" ? cells_of(name) + "-net" : name) + ".net";
  return parse_net(embedded_file(file), file);
}

Dataset embedded_table(const std::string& name, size_t rows, uint64_t seed) {
  const EmbeddedInfo& info = find_info(name);
  if (rows == 0) rows = info.rows;
  if (info.kind == "network") {
    return sample(embedded_network(name), rows, Rng(seed), fmt::format("{} ({} rows, seed {})", name, rows, seed));
  }
  const std::string_view text = embedded_file(cells_of(name) + ".csv");
  const auto about_rows = [&](const std::vector<size_t>* chosen) {
    if (cells_of(name) == name) return RowInfo();
    return parse_experiments(embedded_file(name + ".csv"), name + ".csv", chosen);
  };
  if (rows == info.rows) return parse_table(text, name, nullptr, about_rows(nullptr));
  if (rows > info.rows) {
    throw UsageError(fmt::format("{} rows of {} were requested, but it has {}", rows, name, info.rows));
  }
  const std::vector<size_t> chosen = choose(info.rows, rows, Rng(seed).split(name));
  return parse_table(text, fmt::format("{} ({} rows, seed {})", name, rows, seed), &chosen, about_rows(&chosen));
}

std::vector<std::pair<std::string, std::string>> embedded_truth(const std::string& name) {
  auto edges = embedded_network(name).edges();
  if (cells_of(name) == "sachs") {
    for (auto& [from, to] : edges) {
      from = sachs_columns().at(from);
      to = sachs_columns().at(to);
    }
  }
  return edges;
}

}  // namespace agon
