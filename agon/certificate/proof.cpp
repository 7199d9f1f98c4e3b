#include "agon/certificate/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "agon/base/error.h"
#include "agon/base/hash.h"
#include "agon/base/text.h"

namespace agon {
namespace {

constexpr int kMostNodes = 100'000;

std::string listed_nodes(const std::vector<Node>& nodes, const char* separator) {
  return fmt::format("{}", fmt::join(nodes, separator));
}

void append_cut(std::string& out, const ProofCut& cut, size_t number) {
  if (cut.cluster > 0) {
    out += fmt::format("cut {} cluster {} : {}\n", number, cut.cluster, listed_nodes(cut.nodes, " "));
    return;
  }
  if (cut.cluster == ProofCut::kLikelihood) {
    out += fmt::format("cut {} likelihood : {}\n", number, listed_nodes(cut.nodes, " "));
    return;
  }
  out += fmt::format("cut {} local {} : {} :", number, cut.right, listed_nodes(cut.nodes, " "));
  for (const ProofCut::Generator& g : cut.generators) {
    out += fmt::format(" {}{{{}}}{}", g.child, listed_nodes(g.parents, ","), g.weight);
  }
  out += '\n';
}

void append_step(std::string& out, const ProofStep& step) {
  if (step.kind == ProofStep::Kind::kBranch) {
    out += fmt::format("branch {} {}\n", step.from, step.to);
    return;
  }
  out += to_string(step.kind);
  out += '\n';
  if (step.kind == ProofStep::Kind::kDp) return;
  for (const ProofMultiplier& m : step.multipliers) out += fmt::format("m {} {}\n", m.cut + 1, m.value);
  out += "end\n";
}

// One line, taken apart from left to right. Every function throws with the line when it does not find what it wants.
class Line {
 public:
  Line(std::string_view text, std::string_view place, long number) : text_(text), place_(place), number_(number) {}

  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(fmt::format("{}:{}", place_, number_), what, "the file is damaged, or is no proof of agon");
  }
  bool done() {
    skip();
    return at_ == text_.size();
  }
  void finish() {
    if (!done()) refuse(fmt::format("found {} after the end of the line", quoted(std::string(text_.substr(at_)))));
  }
  bool accept(char c) {
    if (at_ < text_.size() && text_[at_] == c) {
      ++at_;
      return true;
    }
    return false;
  }
  void want(char c) {
    skip();
    if (!accept(c)) refuse(fmt::format("expected '{}' at column {}", c, at_ + 1));
  }
  std::string word() {
    skip();
    const size_t first = at_;
    while (at_ < text_.size() && text_[at_] != ' ') ++at_;
    if (first == at_) refuse("the line ends too early");
    return std::string(text_.substr(first, at_ - first));
  }
  void want_word(const char* expected) {
    if (const std::string found = word(); found != expected) {
      refuse(fmt::format("expected {}, found {}", expected, quoted(found)));
    }
  }
  template <class T>
  T number(T least, T most) {
    skip();
    T value{};
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || !(value >= least && value <= most)) {
      refuse(fmt::format("expected a number from {} to {} at column {}", least, most, at_ + 1));
    }
    at_ = static_cast<size_t>(end - text_.data());
    return value;
  }
  std::string quoted_name() {
    want('"');
    std::string out;
    while (!accept('"')) {
      const bool escaped = accept('\\');
      if (at_ >= text_.size()) refuse("a name without a closing quote");
      const char c = text_[at_++];
      out += escaped && c == 'n' ? '\n' : c;
    }
    return out;
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  std::string_view text_, place_;
  long number_;
  size_t at_ = 0;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& place) : text_(text), place_(place) {}

  Proof read() {
    header();
    while (read_known() || read_cut()) continue;
    tree();
    const size_t end = begin_of_line_;
    Line line = current();
    line.want_word("sum");
    if (line.word() != hex64(hash_text(text_.substr(0, end)))) line.refuse("the sum does not fit the lines above");
    line.finish();
    return std::move(proof_);
  }

 private:
  // The line that was read last; next() goes on to the following one.
  Line current() const { return Line(line_, place_, number_); }
  Line next() {
    begin_of_line_ = at_;
    const size_t end = text_.find('\n', at_);
    ++number_;
    if (at_ >= text_.size() || end == std::string_view::npos) {
      throw InputError(fmt::format("{}:{}", place_, number_), "the proof ends too early", "the file was cut off");
    }
    line_ = text_.substr(at_, end - at_);
    at_ = end + 1;
    return current();
  }
  Node node(Line& line) { return line.number<Node>(0, static_cast<Node>(proof_.names.size()) - 1); }
  // Nodes in ascending order until something else comes.
  std::vector<Node> nodes(Line& line, char separator) {
    std::vector<Node> out;
    do {
      out.push_back(node(line));
      if (out.size() > 1 && out[out.size() - 2] >= out.back()) line.refuse("nodes must be listed in ascending order");
    } while (line.accept(separator));
    return out;
  }

  void header() {
    Line line = next();
    line.want_word("agon-proof");
    line.number<int>(1, 1);
    line.finish();
    line = next();
    line.want_word("data");
    proof_.checksum = line.word();
    line.want_word("rows");
    proof_.rows = line.number<size_t>(0, SIZE_MAX);
    line.want_word("columns");
    const int columns = line.number<int>(1, kMostNodes);
    line.finish();
    line = next();
    line.want_word("score");
    proof_.score = line.word();
    line.want_word("penalty");
    proof_.penalty = line.number<double>(0, 1e6);
    line.want_word("price");
    proof_.price = line.number<double>(0, 1e9);
    line.finish();
    line = next();
    line.want_word("limit");
    if (const std::string limit = line.word(); limit != "none") {
      Line digits(limit, place_, number_);
      proof_.limit = digits.number<int>(1, kMostNodes);
      digits.finish();
    }
    line.finish();
    line = next();
    line.want_word("names");
    while (!line.done()) proof_.names.push_back(line.quoted_name());
    if (static_cast<int>(proof_.names.size()) != columns) line.refuse("names and columns differ in number");
    read_graph();
    line = next();
    line.want_word("claim");
    proof_.claim = line.number<double>(-1e15, 1e15);
    line.want_word("epsilon");
    proof_.epsilon = line.number<double>(0, 1e15);
    line.finish();
    next();
  }

  void read_graph() {
    Line line = next();
    line.want_word("graph");
    const Node p = static_cast<Node>(proof_.names.size());
    std::vector<Edge> edges;
    for (Node child = 0; child < p; ++child) {
      if (node(line) != child) line.refuse(fmt::format("expected the parents of node {}", child));
      line.want(':');
      if (line.done() || line.accept(';')) continue;
      for (const Node parent : nodes(line, ',')) edges.push_back({parent, child});
      line.accept(';');
    }
    line.finish();
    const auto dag = dag_from_edges(p, edges);
    if (!dag) line.refuse("the graph has a cycle");
    proof_.graph = *dag;
  }

  // "forbid 3 : 5 8": 5 and 8 are no parents of 3. "require" likewise.
  bool read_known() {
    const bool forbid = line_.starts_with("forbid ");
    if (!forbid && !line_.starts_with("require ")) return false;
    Line line = current();
    line.word();
    auto& lists = forbid ? proof_.forbidden : proof_.required;
    lists.resize(proof_.names.size());
    const Node child = node(line);
    line.want(':');
    if (!lists[child].empty()) line.refuse("this node was told of before");
    lists[child] = nodes(line, ' ');
    line.finish();
    next();
    return true;
  }

  bool read_cut() {
    if (!line_.starts_with("cut ")) return false;
    Line line = current();
    line.want_word("cut");
    const int number = static_cast<int>(proof_.cuts.size()) + 1;
    line.number<int>(number, number);
    ProofCut cut;
    const std::string kind = line.word();
    if (kind == "cluster") {
      cut.cluster = line.number<int>(1, kMostNodes);
      line.want(':');
      cut.nodes = nodes(line, ' ');
      cut.right = static_cast<int64_t>(cut.nodes.size()) - cut.cluster;
    } else if (kind == "likelihood") {
      cut.cluster = ProofCut::kLikelihood;
      line.want(':');
      cut.nodes = nodes(line, ' ');
    } else if (kind == "local") {
      cut.right = line.number<int64_t>(0, 1'000'000'000);
      line.want(':');
      do cut.nodes.push_back(node(line));
      while (line.accept(' ') && !line.accept(':'));
      if (!strictly_ascending(cut.nodes)) line.refuse("nodes must be listed in ascending order");
      while (!line.done()) cut.generators.push_back(generator(line));
    } else {
      line.refuse(fmt::format("unknown kind of cut {}", quoted(kind)));
    }
    line.finish();
    proof_.cuts.push_back(std::move(cut));
    next();
    return true;
  }
  static bool strictly_ascending(const std::vector<Node>& nodes) {
    return std::ranges::adjacent_find(nodes, std::ranges::greater_equal{}) == nodes.end();
  }
  ProofCut::Generator generator(Line& line) {
    ProofCut::Generator out;
    out.child = node(line);
    line.want('{');
    out.parents = nodes(line, ',');
    line.want('}');
    out.weight = line.number<int>(1, 1'000'000);
    return out;
  }

  // The steps of one tree: it is complete when every branch has its two ends.
  void tree() {
    static const std::map<std::string, ProofStep::Kind, std::less<>> kinds = {{"stage", ProofStep::Kind::kStage},
                                                                              {"branch", ProofStep::Kind::kBranch},
                                                                              {"leaf", ProofStep::Kind::kLeaf},
                                                                              {"open", ProofStep::Kind::kOpen},
                                                                              {"dp", ProofStep::Kind::kDp}};
    for (long ends = 1; ends > 0;) {
      Line line = current();
      const auto kind = kinds.find(line.word());
      if (kind == kinds.end()) line.refuse("expected a step of the tree");
      ProofStep step{.kind = kind->second};
      if (step.kind == ProofStep::Kind::kBranch) {
        step.from = node(line);
        step.to = node(line);
        if (step.from == step.to) line.refuse("an arc from a node to itself");
        ++ends;
        line.finish();
      } else {
        line.finish();
        if (step.kind != ProofStep::Kind::kDp) step.multipliers = multipliers();
        if (step.kind != ProofStep::Kind::kStage) --ends;
      }
      proof_.steps.push_back(std::move(step));
      next();
    }
  }
  std::vector<ProofMultiplier> multipliers() {
    std::vector<ProofMultiplier> out;
    for (;;) {
      Line line = next();
      if (line_ == "end") return out;
      line.want_word("m");
      const int cut = line.number<int>(1, static_cast<int>(proof_.cuts.size())) - 1;
      out.push_back({cut, line.number<int64_t>(0, INT64_MAX)});
      line.finish();
    }
  }

  std::string_view text_;
  const std::string& place_;
  std::string_view line_;
  size_t at_ = 0, begin_of_line_ = 0;
  long number_ = 0;
  Proof proof_;
};

}  // namespace

const char* to_string(ProofStep::Kind kind) {
  switch (kind) {
    case ProofStep::Kind::kStage:
      return "stage";
    case ProofStep::Kind::kBranch:
      return "branch";
    case ProofStep::Kind::kLeaf:
      return "leaf";
    case ProofStep::Kind::kOpen:
      return "open";
    case ProofStep::Kind::kDp:
      return "dp";
  }
  return "";
}

std::string to_text(const Proof& proof) {
  std::string out =
      fmt::format("agon-proof 1\ndata {} rows {} columns {}\nscore {} penalty {} price {}\nlimit {}\nnames",
                  proof.checksum, proof.rows, proof.names.size(), proof.score, proof.penalty, proof.price,
                  proof.limit > 0 ? std::to_string(proof.limit) : "none");
  for (const std::string& name : proof.names) {
    for (const char c : " " + backslash_quoted(name)) {  // a line end in a name is written \n
      if (c == '\n') out += '\\';
      out += c == '\n' ? 'n' : c;
    }
  }
  out += "\ngraph";
  for (Node v = 0; v < proof.graph.size(); ++v) {
    out += fmt::format(" {}:{};", v, listed_nodes(proof.graph.parent_list(v), ","));
  }
  out += fmt::format("\nclaim {:.6f} epsilon {}\n", proof.claim, proof.epsilon);
  const auto append_known = [&](const char* word, const std::vector<std::vector<Node>>& lists) {
    for (size_t v = 0; v < lists.size(); ++v) {
      if (!lists[v].empty()) out += fmt::format("{} {} : {}\n", word, v, listed_nodes(lists[v], " "));
    }
  };
  append_known("require", proof.required);
  append_known("forbid", proof.forbidden);
  for (size_t k = 0; k < proof.cuts.size(); ++k) append_cut(out, proof.cuts[k], k + 1);
  for (const ProofStep& step : proof.steps) append_step(out, step);
  out += fmt::format("sum {}\n", hex64(hash_text(out)));
  return out;
}

Proof read_proof(std::string_view text, const std::string& place) { return Reader(text, place).read(); }

}  // namespace agon
