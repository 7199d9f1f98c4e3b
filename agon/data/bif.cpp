#include "agon/data/bif.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <cmath>
#include <ostream>
#include <unordered_map>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/data/bif_scanner.h"
#include "agon/data/text_file.h"

namespace agon {
namespace {

constexpr size_t kLargestTable = 100'000'000;  // probabilities of one node; a file that asks for more is broken

class Reader {
 public:
  Reader(std::string_view text, const std::string& name, std::vector<std::string>* warnings)
      : scan_(text, name), place_(name), warnings_(warnings) {}

  // Variables first, wherever they are in the file; then the probability blocks, whose places were noted.
  BayesNet read() {
    if (scan_.peek().kind == BifToken::kEnd) throw InputError(place_, "the file is empty, expected a network in BIF");
    if (scan_.peek().kind == BifToken::kWord && scan_.peek().text.front() == '<') {
      scan_.fail(scan_.peek().line, "this looks like XML, expected BIF text", "convert XMLBIF to BIF first");
    }
    std::vector<BifScanner::Mark> blocks;
    while (scan_.peek().kind != BifToken::kEnd) {
      const BifToken token = scan_.take();
      if (token.is_keyword("network")) {
        while (scan_.peek().kind == BifToken::kWord) scan_.take();
        scan_.skip_block("after the network's name");
        scan_.take_if(';');
      } else if (token.is_keyword("variable")) {
        read_variable();
      } else if (token.is_keyword("probability")) {
        blocks.push_back(scan_.mark());
        scan_.expect('(', "after \"probability\"");
        while (!scan_.peek().is(')')) {
          if (scan_.peek().kind == BifToken::kEnd || scan_.peek().is('{')) {
            scan_.fail(scan_.peek().line, fmt::format("found {}, expected \")\"", scan_.peek().shown()));
          }
          scan_.take();
        }
        scan_.take();
        scan_.skip_block("after \"probability ( .. )\"");
        scan_.take_if(';');
      } else if (token.is_keyword("property")) {
        scan_.skip_statement();
      } else {
        scan_.fail(token.line,
                   fmt::format("found {}, expected \"network\", \"variable\" or \"probability\"", token.shown()));
      }
    }
    if (net_.names.empty()) throw InputError(place_, "no variable is defined here, expected a network in BIF");
    net_.parents.resize(net_.names.size());
    net_.tables.resize(net_.names.size());
    table_line_.assign(net_.names.size(), 0);
    for (const BifScanner::Mark& mark : blocks) {
      scan_.go_to(mark);
      read_probability();
    }
    for (int node = 0; node < net_.size(); ++node) {
      if (table_line_[node] == 0) {
        scan_.fail(line_[node], fmt::format("variable {} has no probability block", quoted(net_.names[node])));
      }
    }
    check(net_, place_);
    if (mended_rows_ > 0) {
      warn(worst_line_,
           fmt::format("{} rows of {} variables do not sum to 1; divided by their sums (largest difference "
                       "{:.1e}, here, variable {})",
                       mended_rows_, mended_nodes_, worst_difference_, quoted(net_.names[worst_node_])));
    }
    return std::move(net_);
  }

 private:
  void read_variable() {
    const BifToken word = scan_.expect_word("the name of a variable");
    const std::string name = word.name();
    if (name.find_first_not_of(" \t\r\n") == std::string::npos)
      scan_.fail(word.line, "the name of a variable is blank");
    const int node = net_.size();
    const auto [it, is_new] = node_of_.emplace(name, node);
    if (!is_new) {
      scan_.fail(word.line,
                 fmt::format("variable {} is defined twice, first in line {}", quoted(name), line_[it->second]));
    }
    net_.names.push_back(name);
    net_.levels.emplace_back();
    line_.push_back(word.line);
    scan_.expect('{', "after the variable's name");
    while (!scan_.peek().is('}')) {
      const BifToken token = scan_.take();
      if (token.is_keyword("type")) {
        read_levels(node);
      } else if (token.is_keyword("property")) {
        scan_.skip_statement();
      } else if (!token.is(';')) {
        scan_.fail(token.line, fmt::format("found {}, expected \"type\", \"property\" or \"}}\" in variable {}",
                                           token.shown(), quoted(name)));
      }
    }
    scan_.take();
    scan_.take_if(';');
    if (net_.levels[node].empty()) scan_.fail(word.line, fmt::format("variable {} has no levels", quoted(name)));
  }

  // discrete [ 3 ] { low, middle, high };
  void read_levels(int node) {
    const std::string& name = net_.names[node];
    const BifToken type = scan_.expect_word("\"discrete\"");
    if (type.text != "discrete") {
      scan_.fail(type.line, fmt::format("variable {} is of type {}, expected discrete", quoted(name), type.shown()),
                 "only networks of discrete variables can be read");
    }
    if (!net_.levels[node].empty()) scan_.fail(type.line, fmt::format("variable {} has two types", quoted(name)));
    size_t declared = 0;
    if (scan_.take_if('[')) {
      const BifToken word = scan_.expect_word("a number of levels");
      const double count = number(word);
      if (!(count >= 1 && count <= 1e6) || count != std::floor(count)) {
        scan_.fail(word.line, fmt::format("variable {} has {} levels", quoted(name), word.shown()));
      }
      declared = static_cast<size_t>(count);
      scan_.expect(']', "after the number of levels");
    }
    scan_.expect('{', "before the levels");
    // Words are levels whether or not there are commas between them. Where that gives the wrong number, the commas
    // decide, and a level may be several words.
    std::vector<std::string> words, between_commas;
    bool is_continued = false;
    while (!scan_.peek().is('}')) {
      if (scan_.take_if(',')) {
        is_continued = false;
        continue;
      }
      const BifToken word = scan_.expect_word("the name of a level, \",\" or \"}\"");
      words.push_back(word.name());
      if (is_continued) {
        between_commas.back().append(" ").append(word.name());
      } else {
        between_commas.push_back(word.name());
      }
      is_continued = true;
    }
    scan_.take();
    if (!scan_.peek().is('}')) scan_.expect(';', "after the levels");
    std::vector<std::string>& levels = net_.levels[node];
    levels = declared != 0 && words.size() != declared && between_commas.size() == declared ? between_commas : words;
    if (levels.empty() || (declared != 0 && levels.size() != declared)) {
      scan_.fail(type.line,
                 fmt::format("variable {}: found {} levels, expected {}", quoted(name), levels.size(),
                             declared == 0 ? "at least one" : std::to_string(declared)),
                 "put names that contain , ; { } ( ) [ ] | or spaces in double quotes");
    }
    for (size_t k = 0; k < levels.size(); ++k) {
      if (!level_of_.emplace(LevelKey{node, levels[k]}, static_cast<int>(k)).second) {
        scan_.fail(type.line, fmt::format("variable {}: level {} appears twice", quoted(name), quoted(levels[k])));
      }
    }
  }

  int find_node(const BifToken& word) const {
    const auto it = node_of_.find(word.name());
    if (it == node_of_.end()) {
      scan_.fail(word.line, fmt::format("variable {} is not defined", quoted(word.name())),
                 did_you_mean(word.name(), net_.names));
    }
    return it->second;
  }

  // ( child | parent, parent ) { rows }
  void read_probability() {
    const int line = scan_.expect('(', "after \"probability\"").line;
    const int node = find_node(scan_.expect_word("the name of a variable"));
    const std::string& name = net_.names[node];
    if (table_line_[node] != 0) {
      scan_.fail(line, fmt::format("variable {} has a second probability block, the first is in line {}", quoted(name),
                                   table_line_[node]));
    }
    table_line_[node] = line;
    std::vector<int>& parents = net_.parents[node];
    while (!scan_.peek().is(')')) {
      if (scan_.take_if('|') || scan_.take_if(',')) continue;
      const BifToken word = scan_.expect_word("the name of a parent or \")\"");
      const int parent = find_node(word);
      if (parent == node) scan_.fail(word.line, fmt::format("variable {} is its own parent", quoted(name)));
      for (int other : parents) {
        if (other == parent) {
          scan_.fail(word.line, fmt::format("variable {}: parent {} appears twice", quoted(name), word.shown()));
        }
      }
      parents.push_back(parent);
    }
    scan_.take();

    const size_t width = net_.levels[node].size();
    size_t rows = 1;
    for (int parent : parents) {
      rows *= net_.levels[parent].size();
      if (rows * width > kLargestTable) {
        scan_.fail(line,
                   fmt::format("variable {}: its table would hold over {} probabilities", quoted(name), kLargestTable));
      }
    }
    std::vector<double>& table = net_.tables[node];
    std::vector<int> row_line(rows, 0);  // where each row was given; 0: not yet
    std::vector<double> fallback;
    int fallback_line = 0;
    table.assign(rows * width, 0);
    scan_.expect('{', "after \"probability ( .. )\"");
    while (!scan_.peek().is('}')) {
      const BifToken token = scan_.take();
      if (token.is('(')) {
        const size_t row = read_configuration(node, token.line);
        if (row_line[row] != 0) {
          scan_.fail(token.line, fmt::format("variable {}: the row ({}) was given before, in line {}", quoted(name),
                                             shown_configuration(node, row), row_line[row]));
        }
        row_line[row] = token.line;
        numbers_.clear();
        read_numbers(node, token.line, width, "of a row");
        std::copy(numbers_.begin(), numbers_.end(), table.begin() + row * width);
      } else if (token.is_keyword("default")) {
        if (fallback_line != 0) scan_.fail(token.line, fmt::format("variable {}: second default row", quoted(name)));
        fallback_line = token.line;
        numbers_.clear();
        read_numbers(node, token.line, width, "of the default row");
        fallback = numbers_;
      } else if (token.is_keyword("table")) {
        for (int seen : row_line) {
          if (seen != 0) scan_.fail(token.line, fmt::format("variable {}: a table after other rows", quoted(name)));
        }
        numbers_.clear();
        read_numbers(node, token.line, rows * width, "of the table");
        fill_from_table(node, token.line, rows);
        row_line.assign(rows, token.line);
      } else if (token.is_keyword("property")) {
        scan_.skip_statement();
      } else if (!token.is(';')) {
        scan_.fail(token.line,
                   fmt::format("found {}, expected \"(\", \"table\" or \"default\" in the probabilities of {}",
                               token.shown(), quoted(name)));
      }
    }
    const int end = scan_.take().line;
    settle_rows(node, end, row_line, fallback, fallback_line);
  }

  // Reads "level, level )" and returns the number of the configuration.
  size_t read_configuration(int node, int line) {
    const std::vector<int>& parents = net_.parents[node];
    size_t row = 0, k = 0;
    while (!scan_.peek().is(')')) {
      if (scan_.take_if(',')) continue;
      BifToken word = scan_.expect_word("the level of a parent or \")\"");
      if (k == parents.size()) {
        scan_.fail(line, fmt::format("variable {}: more levels in ( ) than its {} parents", quoted(net_.names[node]),
                                     parents.size()));
      }
      const int parent = parents[k];
      std::string level = word.name();
      auto it = level_of_.find(LevelKey{parent, level});
      while (it == level_of_.end() && scan_.peek().kind == BifToken::kWord) {  // a level of several words
        level.append(" ").append(scan_.take().name());
        it = level_of_.find(LevelKey{parent, level});
      }
      if (it == level_of_.end()) {
        scan_.fail(word.line, fmt::format("variable {}: {} is not a level of its parent {}, which has {}",
                                          quoted(net_.names[node]), quoted(level), quoted(net_.names[parent]),
                                          listed(net_.levels[parent])));
      }
      row = row * net_.levels[parent].size() + static_cast<size_t>(it->second);
      ++k;
    }
    scan_.take();
    if (k != parents.size()) {
      scan_.fail(line, fmt::format("variable {}: found {} levels in ( ), expected one for each of its {} parents",
                                   quoted(net_.names[node]), k, parents.size()));
    }
    return row;
  }

  double number(const BifToken& word) const {
    double value = 0;
    const char* end = word.text.data() + word.text.size();
    const auto [stop, error] = fast_float::from_chars(word.text.data(), end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value) || value < 0) {
      scan_.fail(word.line, fmt::format("found {}, expected a number that is not negative", word.shown()));
    }
    return value;
  }

  // Reads numbers up to ';' into numbers_.
  void read_numbers(int node, int line, size_t expected, const char* what) {
    while (!scan_.peek().is(';') && !scan_.peek().is('}')) {
      if (scan_.take_if(',')) continue;
      const BifToken word = scan_.expect_word("a probability or \";\"");
      const double value = number(word);
      if (value > 1 + kRowTolerance) {
        scan_.fail(word.line, fmt::format("variable {}: {} is not a probability", quoted(net_.names[node]), value));
      }
      numbers_.push_back(value);
    }
    scan_.take_if(';');
    if (numbers_.size() != expected) {
      scan_.fail(line, fmt::format("variable {}: found {} probabilities {}, expected {}", quoted(net_.names[node]),
                                   numbers_.size(), what, expected));
    }
  }

  // Puts numbers_ into the node's table: level by level (Cozman), unless they add up only row by row.
  void fill_from_table(int node, int line, size_t rows) {
    std::vector<double>& table = net_.tables[node];
    const size_t width = net_.levels[node].size();
    if (rows == 1) {
      table = numbers_;
      return;
    }
    bool by_level = true, by_row = true;
    for (size_t row = 0; row < rows; ++row) {
      double level_sum = 0, row_sum = 0;
      for (size_t k = 0; k < width; ++k) {
        table[row * width + k] = numbers_[k * rows + row];
        level_sum += numbers_[k * rows + row];
        row_sum += numbers_[row * width + k];
      }
      by_level &= std::abs(level_sum - 1) <= kRowTolerance + kRowRounding;
      by_row &= std::abs(row_sum - 1) <= kRowTolerance + kRowRounding;
    }
    if (!by_level && by_row) {
      table = numbers_;
      warn(line, fmt::format("variable {}: its table adds up only when read row by row, so it was read that way",
                             quoted(net_.names[node])));
    }
  }

  // Fills rows that were not given, and checks the sum of every row.
  void settle_rows(int node, int end, const std::vector<int>& row_line, const std::vector<double>& fallback,
                   int fallback_line) {
    std::vector<double>& table = net_.tables[node];
    const size_t width = net_.levels[node].size();
    size_t missing = 0, first_missing = 0, mended = 0;
    double worst = 0;
    int worst_line = 0;
    for (size_t row = 0; row < row_line.size(); ++row) {
      int line = row_line[row];
      if (line == 0 && fallback_line == 0) {
        if (missing++ == 0) first_missing = row;
        continue;
      }
      if (line == 0) {
        std::copy(fallback.begin(), fallback.end(), table.begin() + row * width);
        line = fallback_line;
      }
      const std::span<double> cells(table.data() + row * width, width);
      double sum = 0;
      for (double x : cells) sum += x;
      const double difference = normalise_row(cells);
      if (difference > kRowTolerance + kRowRounding) {
        scan_.fail(
            line,
            fmt::format("variable {}: the probabilities{} sum to {}, expected 1", quoted(net_.names[node]),
                        net_.parents[node].empty() ? "" : fmt::format(" given ({})", shown_configuration(node, row)),
                        sum));
      }
      if (difference > kRowRounding) {
        ++mended;
        if (difference > worst) {
          worst = difference;
          worst_line = line;
        }
      }
    }
    if (missing > 0) {
      scan_.fail(end, fmt::format("variable {}: {} of {} rows are missing, the first is ({})", quoted(net_.names[node]),
                                  missing, row_line.size(), shown_configuration(node, first_missing)));
    }
    mended_rows_ += mended;
    mended_nodes_ += mended > 0;
    if (worst > worst_difference_) {
      worst_difference_ = worst;
      worst_node_ = node;
      worst_line_ = worst_line;
    }
  }

  std::string shown_configuration(int node, size_t row) const {
    const std::vector<int>& parents = net_.parents[node];
    std::string text;
    for (size_t k = parents.size(); k-- > 0;) {
      const auto& levels = net_.levels[parents[k]];
      text = text.empty() ? levels[row % levels.size()] : fmt::format("{}, {}", levels[row % levels.size()], text);
      row /= levels.size();
    }
    return text;
  }

  void warn(int line, const std::string& problem) {
    if (warnings_) warnings_->push_back(scan_.place(line) + ": " + problem);
  }

  struct LevelKey {
    int node;
    std::string level;
    bool operator==(const LevelKey&) const = default;
  };
  struct LevelHash {
    size_t operator()(const LevelKey& key) const {
      return std::hash<std::string>{}(key.level) * 31 + static_cast<size_t>(key.node);
    }
  };

  BifScanner scan_;
  const std::string& place_;
  std::vector<std::string>* warnings_;
  BayesNet net_;
  std::unordered_map<std::string, int> node_of_;           // only looked up, never iterated
  std::unordered_map<LevelKey, int, LevelHash> level_of_;  // likewise
  std::vector<int> line_, table_line_;                     // by node: the lines of its variable and probability block
  std::vector<double> numbers_;
  size_t mended_rows_ = 0, mended_nodes_ = 0;  // rows divided by their sum
  double worst_difference_ = 0;
  int worst_node_ = 0, worst_line_ = 0;
};

bool needs_quotes(const std::string& name) {
  if (name.empty() || name.starts_with("//") || name.starts_with("/*")) return true;
  for (char c : name) {
    if (is_bif_space(c) || is_bif_mark(c) || c == '"' || c == '\\') return true;
  }
  return false;
}

std::string written(const std::string& name) { return needs_quotes(name) ? backslash_quoted(name) : name; }

template <class Items, class Text>
std::string joined_texts(const Items& items, Text&& text) {
  std::string out;
  for (const auto& item : items) {
    if (!out.empty()) out += ", ";
    out += text(item);
  }
  return out;
}

}  // namespace

BayesNet parse_bif(std::string_view text, const std::string& name, std::vector<std::string>* warnings) {
  return Reader(text, name, warnings).read();
}

BayesNet read_bif(const std::string& path, std::vector<std::string>* warnings) {
  const std::string text = read_text_file(path);
  return parse_bif(text, path, warnings);
}

void write_bif(std::ostream& out, const BayesNet& net) {
  const auto number = [](double x) { return fmt::format("{}", x); };
  out << "network unknown {\n}\n";
  for (int node = 0; node < net.size(); ++node) {
    out << fmt::format("variable {} {{\n  type discrete [ {} ] {{ {} }};\n}}\n", written(net.names[node]),
                       net.levels[node].size(), joined_texts(net.levels[node], written));
  }
  for (int node = 0; node < net.size(); ++node) {
    const auto& parents = net.parents[node];
    const size_t width = net.levels[node].size(), rows = net.configurations(node);
    out << fmt::format("probability ( {}{} ) {{\n", written(net.names[node]),
                       parents.empty()
                           ? ""
                           : fmt::format(" | {}", joined_texts(parents, [&](int q) { return written(net.names[q]); })));
    for (size_t row = 0; row < rows; ++row) {
      const std::span<const double> cells(net.tables[node].data() + row * width, width);
      std::string head = "table";
      if (!parents.empty()) {
        std::vector<std::string> levels(parents.size());
        size_t rest = row;
        for (size_t k = parents.size(); k-- > 0;) {
          const auto& choices = net.levels[parents[k]];
          levels[k] = choices[rest % choices.size()];
          rest /= choices.size();
        }
        head = fmt::format("({})", joined_texts(levels, written));
      }
      out << fmt::format("  {} {};\n", head, joined_texts(cells, number));
    }
    out << "}\n";
  }
}

}  // namespace agon
