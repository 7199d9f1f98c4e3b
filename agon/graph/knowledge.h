// agon/graph/knowledge.h
//
// Background knowledge: edges that must be in the graph, edges that must not, and tiers (time): a variable of a later
// tier never causes one of an earlier tier.
//
//   Knowledge known = read_knowledge("knowledge.txt", data.names());
//   if (known.allows(move)) ...                        // the mask of every search and of the game
//   Dag start = repair(dag, known);                    // a warm start that fits
//   assert(satisfies(dag, known));                     // the post-condition of every search
//   Pdag answer = mpdag_of(dag, known);                // what data and knowledge together leave open
//
// What may be relied on: everything is compiled into two bits per ordered pair (required, forbidden); no edge is both;
// the reverse of a required edge is forbidden; the required edges hold no cycle, so at least one Dag satisfies any
// Knowledge. Statements that break one of these are refused, with the lines that disagree.
//
// Files: Tetrad's format, as it is, and CSV.
//
//   /knowledge                        optional; headings in any order, upper or lower case
//   addtemporal                       tiers by any whole numbers; only their order matters
//   1 smoke asia                      variables that no tier names are free
//   2* lung bronc                     *: no edges within this tier
//   3- xray dysp                      -: causes only its own tier and the next
//   forbiddirect
//   asia smoke                        asia --> smoke is forbidden
//   requiredirect
//   smoke lung                        smoke --> lung is required
//   forbiddengroup                    two lines: each of the first to each of the second (requiredgroup likewise)
//
//   from,to,type                      CSV: type is required or forbidden; without that column the caller says which
//   smoke,lung,required
//
// Names may be in double quotes; # and // start comments. Tetrad writes blanks in names as dots, so `a.b` stands for
// the variable "a b" where the data has no "a.b".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agon/graph/dag.h"
#include "agon/graph/edge_move.h"
#include "agon/graph/node_set.h"
#include "agon/graph/pdag.h"

namespace agon {

struct Tier {
  int number = 0;             // as in the file
  std::vector<Node> members;  // sorted
  bool edges_within = true;   // false: `4*`
  bool only_to_next = false;  // true: `4-`
  bool operator==(const Tier&) const = default;
};

class Knowledge {
 public:
  Knowledge() = default;  // nothing is known, whatever the number of nodes
  explicit Knowledge(int nodes) : required_parents_(nodes), forbidden_parents_(nodes) {}

  int size() const { return required_parents_.size(); }
  bool empty() const { return required_count_ == 0 && forbidden_count_ == 0; }
  int required_count() const { return required_count_; }
  long forbidden_count() const { return forbidden_count_; }  // ordered pairs, those that tiers forbid among them
  bool is_required(Edge edge) const { return size() > 0 && required_parents_.test(edge.to, edge.from); }
  bool is_forbidden(Edge edge) const { return size() > 0 && forbidden_parents_.test(edge.to, edge.from); }
  bool allows(Edge edge) const { return !is_forbidden(edge); }
  bool allows(EdgeMove move) const;  // keeps every required edge and makes no forbidden one; does not check for cycles
  // Rows for searches over parent sets; not for a Knowledge() without nodes.
  NodeView required_parents(Node child) const { return required_parents_[child]; }
  NodeView forbidden_parents(Node child) const { return forbidden_parents_[child]; }
  std::vector<Edge> required_edges() const;                  // sorted by (from, to)
  const std::vector<Tier>& tiers() const { return tiers_; }  // earliest first; for printing
  bool operator==(const Knowledge&) const = default;

 private:
  friend class KnowledgeBuilder;
  BitRows required_parents_;   // [child][parent]
  BitRows forbidden_parents_;  // [child][parent]
  int required_count_ = 0;
  long forbidden_count_ = 0;
  std::vector<Tier> tiers_;
};

enum class PairKind { kRequired, kForbidden };
enum class OnConflict {
  kRefuse,        // an edge both required and forbidden is an error
  kRequiredWins,  // it is required, as bnlearn's whitelist does
};

// Collects statements from files and options, then checks them together. Names that are not variables are refused at
// once with a suggestion; `place` ("file:line", or an option) is shown in errors.
class KnowledgeBuilder {
 public:
  explicit KnowledgeBuilder(const std::vector<std::string>& names);  // of the data, by node

  void require(const std::string& from, const std::string& to, const std::string& place);
  void forbid(const std::string& from, const std::string& to, const std::string& place);
  // Each of `from` to each of `to`; a node in both is not paired with itself.
  void pairs(PairKind kind, const std::vector<std::string>& from, const std::vector<std::string>& to,
             const std::string& place);
  // Marks and members add up over several calls for one number.
  void tier(int number, const std::vector<std::string>& members, bool edges_within, bool only_to_next,
            const std::string& place);

  // A whole file. `plain` says what the pairs of a CSV without a type column are.
  void parse(std::string_view text, const std::string& place, std::optional<PairKind> plain = std::nullopt);
  void read(const std::string& path, std::optional<PairKind> plain = std::nullopt);

  // Throws InputError that shows the statements in conflict, or the required edges that form a cycle.
  Knowledge build(OnConflict on_conflict = OnConflict::kRefuse) const;

 private:
  struct Statement {
    PairKind kind;
    std::vector<Node> from, to;
    std::string place;
  };
  struct TierStatement {
    int number;
    std::vector<Node> members;
    bool edges_within, only_to_next;
    std::string place;
  };
  Node node(const std::string& name, const std::string& place) const;
  std::vector<Node> nodes(const std::vector<std::string>& names, const std::string& place) const;
  std::string place_of(PairKind kind, Edge edge) const;
  std::string why_forbidden(Edge edge, const std::vector<Tier>& tiers, const std::vector<int>& tier_of) const;

  std::vector<std::string> names_;
  std::unordered_map<std::string, Node> node_of_;
  std::unordered_map<std::string, Node> node_of_dotted_;  // blanks as dots; -1 where two names collide
  std::vector<Statement> statements_;
  std::vector<TierStatement> tier_statements_;
};

Knowledge parse_knowledge(std::string_view text, const std::string& place, const std::vector<std::string>& names,
                          OnConflict on_conflict = OnConflict::kRefuse);
Knowledge read_knowledge(const std::string& path, const std::vector<std::string>& names,
                         OnConflict on_conflict = OnConflict::kRefuse);

// "3 tiers, 2 required edges, 14 forbidden": one line for logs and reports; "none" when nothing is known.
std::string summary(const Knowledge& knowledge);

bool satisfies(const Dag& dag, const Knowledge& knowledge);
// What is wrong with the dag, one sentence per edge; empty exactly when it satisfies the knowledge.
std::vector<std::string> violations(const Dag& dag, const Knowledge& knowledge, const std::vector<std::string>& names);
// The post-condition of every search: throws std::logic_error with the violations, since any would be our fault.
void check_satisfied(const Dag& dag, const Knowledge& knowledge, const std::vector<std::string>& names);

// The nearest Dag that satisfies the knowledge, by a fixed rule: the required edges, then the edges of `dag` that are
// not forbidden in the order of (from, to), each unless it closes a cycle with those before it. A dag that satisfies
// the knowledge is returned unchanged.
Dag repair(const Dag& dag, const Knowledge& knowledge);

// The MPDAG: the CPDAG of `dag`'s class with every edge directed on which all members that satisfy the knowledge agree
// (Meek 1995, UAI, "Causal inference and causal explanation with background knowledge"). `dag` must satisfy it. With
// row sets, the class is the interventional one.
Pdag mpdag_of(const Dag& dag, const Knowledge& knowledge, const std::vector<int>& row_set = {});

}  // namespace agon
