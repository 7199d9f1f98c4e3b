// Graphviz DOT without subgraphs, and dagitty's model code, which looks alike.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "agon/base/error.h"
#include "agon/graph/formats_detail.h"

namespace agon::detail {
namespace {

enum class Dialect { kDot, kDagitty };

struct DotToken {
  enum Kind { kId, kEdge, kPunct, kEnd } kind = kEnd;
  std::string text;   // the id without its quotes; the edge as a glyph; the sign
  bool bare = false;  // an id without quotes, which may be a keyword
  size_t offset = 0;
  bool is(char sign) const { return kind == kPunct && text[0] == sign; }
};

class DotLexer {
 public:
  DotLexer(const Source& source, Dialect dialect) : source_(source), text_(source.text), dialect_(dialect) {}

  DotToken next() {
    skip_blanks_and_comments();
    DotToken token;
    token.offset = at_;
    if (at_ >= text_.size()) return token;
    const char c = text_[at_];
    if (c == '"') {
      token.kind = DotToken::kId;
      read_quoted(token.text);
      return token;
    }
    if (c == '<' && dialect_ == Dialect::kDot) {
      source_.fail(at_, "found an HTML name <...>, expected plain or quoted names",
                   "write the graph with names in double quotes");
    }
    if (std::string_view("{}[];,=:").find(c) != std::string_view::npos) {
      token.kind = DotToken::kPunct;
      token.text = c;
      ++at_;
      return token;
    }
    if (read_edge(token)) return token;
    const size_t start = at_;
    while (at_ < text_.size() && is_id_byte(text_[at_])) ++at_;
    if (at_ == start) {
      source_.fail(at_, fmt::format("found {}, expected a name or an edge", quoted(std::string(text_.substr(at_, 10)))),
                   "put names with punctuation or blanks in double quotes");
    }
    token.kind = DotToken::kId;
    token.bare = true;
    token.text = std::string(text_.substr(start, at_ - start));
    return token;
  }

 private:
  bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }

  bool is_id_byte(char c) const {
    const auto byte = static_cast<unsigned char>(c);
    const bool sign_of_number = c == '-' && at_ + 1 < text_.size() && text_[at_ + 1] >= '0' && text_[at_ + 1] <= '9' &&
                                (at_ == 0 || is_space(text_[at_ - 1]) || text_[at_ - 1] == '=');
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           byte >= 0x80 || sign_of_number;
  }

  void skip_blanks_and_comments() {
    for (;;) {
      while (at_ < text_.size() && is_space(text_[at_])) ++at_;
      if (starts("//") || (at_ < text_.size() && text_[at_] == '#')) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (starts("/*")) {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) source_.fail(at_, "a comment is opened and never closed");
        at_ = end + 2;
      } else {
        return;
      }
    }
  }

  // DOT knows the escape \" and a backslash at the end of a line; \\ is ours for one backslash, which is also how
  // Graphviz shows it. Pieces may be joined by +. Dagitty's quotes hold everything but a quote.
  void read_quoted(std::string& out) {
    const size_t start = at_;
    for (;;) {
      ++at_;
      for (;;) {
        if (at_ >= text_.size()) source_.fail(start, "a quote is opened and never closed");
        const char c = text_[at_++];
        if (c == '"') break;
        if (c == '\\' && dialect_ == Dialect::kDot && at_ < text_.size()) {
          const char following = text_[at_];
          if (following == '"' || following == '\\') {
            out += following;
            ++at_;
            continue;
          }
          if (following == '\n') {
            ++at_;
            continue;
          }
        }
        out += c;
      }
      if (dialect_ == Dialect::kDagitty) return;
      const size_t end = at_;
      skip_blanks_and_comments();
      if (at_ < text_.size() && text_[at_] == '+') {
        ++at_;
        skip_blanks_and_comments();
        if (at_ < text_.size() && text_[at_] == '"') continue;
        source_.fail(at_, "found a + that is not followed by a quoted name");
      }
      at_ = end;
      return;
    }
  }

  bool read_edge(DotToken& token) {
    static const std::pair<std::string_view, const char*> kDot[] = {{"->", "-->"}, {"--", "---"}};
    static const std::pair<std::string_view, const char*> kDagitty[] = {{"<->", "<->"}, {"@->", "o->"}, {"<-@", "<-o"},
                                                                        {"@-@", "o-o"}, {"@--", "o--"}, {"--@", "--o"},
                                                                        {"->", "-->"},  {"<-", "<--"},  {"--", "---"}};
    const auto try_all = [&](const auto& table) {
      for (const auto& [written, meant] : table) {
        if (!starts(written)) continue;
        token.kind = DotToken::kEdge;
        token.text = meant;
        at_ += written.size();
        return true;
      }
      return false;
    };
    return dialect_ == Dialect::kDot ? try_all(kDot) : try_all(kDagitty);
  }

  const Source& source_;
  std::string_view text_;
  Dialect dialect_;
  size_t at_ = 0;
};

// The attributes of an edge that say what its ends look like.
struct EdgeStyle {
  std::string dir, arrowhead, arrowtail;
};

Mark mark_of_arrow(const std::string& shape) {
  if (shape == "none") return Mark::kTail;
  return shape == "odot" || shape == "dot" ? Mark::kCircle : Mark::kArrow;
}

class Parser {
 public:
  Parser(const Source& source, Dialect dialect)
      : source_(source), dialect_(dialect), lexer_(source, dialect), builder_(source) {
    advance();
  }

  NamedGraph read() {
    read_opening();
    while (!now_.is('}')) {
      if (now_.kind == DotToken::kEnd) source_.fail(now_.offset, "the graph ends without its }");
      read_statement();
    }
    advance();
    if (now_.kind != DotToken::kEnd) {
      source_.fail(now_.offset, "found text after the closing }, expected one graph in the file");
    }
    NamedGraph graph = builder_.take();
    graph.lists_every_node = declared_.size() == graph.names.size();
    return label_of_.size() == graph.names.size() ? with_labels(std::move(graph), label_of_) : graph;
  }

 private:
  void advance() { now_ = lexer_.next(); }
  bool keyword(std::string_view word) const {
    return now_.bare && now_.kind == DotToken::kId && lower(now_.text) == word;
  }

  void read_opening() {
    if (dialect_ == Dialect::kDot && keyword("strict")) advance();
    bool known = false;
    if (dialect_ == Dialect::kDot) known = keyword("digraph") || keyword("graph");
    if (dialect_ == Dialect::kDagitty) known = keyword("dag") || keyword("pdag") || keyword("mag") || keyword("pag");
    if (!known) {
      source_.fail(now_.offset, fmt::format("found {}, expected {}", quoted(now_.text),
                                            dialect_ == Dialect::kDot ? "digraph or graph" : "dag, pdag, mag or pag"));
    }
    advance();
    if (now_.kind == DotToken::kId) advance();
    if (!now_.is('{')) source_.fail(now_.offset, fmt::format("found {}, expected {{", quoted(now_.text)));
    advance();
  }

  void read_statement() {
    if (now_.is(';') || now_.is(',')) return advance();
    if (now_.is('{') || (dialect_ == Dialect::kDot && keyword("subgraph"))) {
      source_.fail(now_.offset, "found a subgraph, expected nodes and edges alone", "list the edges one by one");
    }
    if (now_.kind != DotToken::kId) {
      source_.fail(now_.offset, fmt::format("found {}, expected a node or an edge", quoted(now_.text)));
    }
    const DotToken first = now_;
    const std::string word = dialect_ == Dialect::kDot && first.bare ? lower(first.text) : "";
    advance();
    if (now_.is('=')) {
      advance();
      attribute(first.text, value());
      return;
    }
    if (now_.is('[') && (word == "graph" || word == "node" || word == "edge")) {
      read_attributes([&](const std::string& key, const std::string& given) {
        if (word == "graph") attribute(key, given);
        if (word == "edge") style(default_style_, key, given);
      });
      return;
    }

    skip_port();
    struct Step {
      std::string a, b;
      std::string glyph;
      size_t offset;
    };
    std::vector<Step> steps;
    std::string last = first.text;
    while (now_.kind == DotToken::kEdge) {
      Step step{last, "", now_.text, now_.offset};
      advance();
      if (now_.kind != DotToken::kId) {
        source_.fail(now_.offset, fmt::format("found {}, expected the node at the end of an edge", quoted(now_.text)),
                     now_.is('{') ? "list the edges one by one" : "");
      }
      last = step.b = now_.text;
      steps.push_back(std::move(step));
      advance();
      skip_port();
    }
    EdgeStyle given_style = default_style_;
    while (now_.is('[')) {
      read_attributes([&](const std::string& key, const std::string& given) {
        style(given_style, key, given);
        if (steps.empty() && lower(key) == "label") label_of_[first.text] = given;
      });
    }
    if (steps.empty()) {
      builder_.mention(first.text, first.offset);
      declared_.insert(first.text);
    }
    for (const Step& step : steps) {
      const auto [at_a, at_b] = ends(step.glyph, given_style);
      builder_.edge(step.a, step.b, at_a, at_b, step.offset, false);
    }
  }

  std::pair<Mark, Mark> ends(const std::string& drawn, const EdgeStyle& given) const {
    if (dialect_ == Dialect::kDagitty) return *marks_of(drawn);
    const std::string dir = !given.dir.empty() ? given.dir : drawn == "---" ? "none" : "forward";
    const bool head = dir == "forward" || dir == "both", tail = dir == "back" || dir == "both";
    return {tail ? mark_of_arrow(given.arrowtail) : Mark::kTail, head ? mark_of_arrow(given.arrowhead) : Mark::kTail};
  }

  static void style(EdgeStyle& edge, const std::string& key, const std::string& given) {
    if (lower(key) == "dir") edge.dir = lower(given);
    if (lower(key) == "arrowhead") edge.arrowhead = lower(given);
    if (lower(key) == "arrowtail") edge.arrowtail = lower(given);
  }

  void attribute(const std::string& key, const std::string& given) {
    if (dialect_ == Dialect::kDot) builder_.graph().attributes[key] = given;  // dagitty has the drawing's frame there
  }

  void skip_port() {  // a:port:n
    while (now_.is(':')) {
      advance();
      if (now_.kind != DotToken::kId) source_.fail(now_.offset, "found a : that is not followed by the name of a port");
      advance();
    }
  }

  std::string value() {
    if (now_.kind != DotToken::kId) {
      source_.fail(now_.offset, fmt::format("found {}, expected the value of an attribute", quoted(now_.text)));
    }
    std::string out = now_.text;
    advance();
    return out;
  }

  // [key=value, flag; ...]
  template <class Fn>
  void read_attributes(Fn&& each) {
    advance();
    while (!now_.is(']')) {
      if (now_.is(',') || now_.is(';')) {
        advance();
        continue;
      }
      if (now_.kind != DotToken::kId) {
        source_.fail(now_.offset, fmt::format("found {}, expected an attribute or ]", quoted(now_.text)));
      }
      const std::string key = now_.text;
      std::string given;
      advance();
      if (now_.is('=')) {
        advance();
        given = value();
      }
      each(key, given);
    }
    advance();
  }

  const Source& source_;
  Dialect dialect_;
  DotLexer lexer_;
  GraphBuilder builder_;
  DotToken now_;
  EdgeStyle default_style_;
  std::unordered_set<std::string> declared_;
  std::unordered_map<std::string, std::string> label_of_;
};

std::string shape_of(Mark mark) { return mark == Mark::kTail ? "none" : mark == Mark::kArrow ? "normal" : "odot"; }

}  // namespace

NamedGraph parse_dot(const Source& source) { return Parser(source, Dialect::kDot).read(); }
NamedGraph parse_dagitty(const Source& source) { return Parser(source, Dialect::kDagitty).read(); }

void write_dot(std::ostream& out, const NamedGraph& graph, Warnings&) {
  out << "digraph {\n";
  for (const auto& [key, value] : graph.attributes)
    out << fmt::format("  {}={};\n", backslash_quoted(key), backslash_quoted(value));
  for (const std::string& name : graph.names) out << fmt::format("  {};\n", backslash_quoted(name));
  for (const NamedEdge& edge : graph.edges) {
    out << fmt::format("  {} -> {}", backslash_quoted(edge.a), backslash_quoted(edge.b));
    if (edge.is_undirected()) {
      out << " [dir=none]";
    } else if (!edge.is_directed()) {
      out << fmt::format(" [dir=both, arrowtail={}, arrowhead={}]", shape_of(edge.at_a), shape_of(edge.at_b));
    }
    out << ";\n";
  }
  out << "}\n";
}

void write_dagitty(std::ostream& out, const NamedGraph& given, Warnings& warnings) {
  const NamedGraph graph = with_clean_names(
      given, [](const std::string& name) { return replace_bytes(name, [](unsigned char c) { return c == '"'; }); },
      "dagitty", warnings);
  bool undirected = false, arrows = false, circles = false;
  for (const NamedEdge& edge : graph.edges) {
    undirected = undirected || edge.is_undirected();
    arrows = arrows || (edge.at_a == Mark::kArrow && edge.at_b == Mark::kArrow);
    circles = circles || edge.at_a == Mark::kCircle || edge.at_b == Mark::kCircle;
  }
  out << (circles ? "pag" : undirected ? (arrows ? "mag" : "pdag") : "dag") << " {\n";
  for (const std::string& name : graph.names) out << '"' << name << "\"\n";
  for (const NamedEdge& edge : graph.edges) {
    std::string drawn = edge.is_directed() ? "->" : edge.is_undirected() ? "--" : glyph(edge);
    std::replace(drawn.begin(), drawn.end(), 'o', '@');
    out << fmt::format("\"{}\" {} \"{}\"\n", edge.a, drawn, edge.b);
  }
  out << "}\n";
}

}  // namespace agon::detail
