// Background knowledge: any bytes as a file of it, for a table of eight variables. What is accepted obeys the laws of
// knowledge.h.
#include "agon/graph/equivalence.h"
#include "agon/graph/knowledge.h"
#include "tests/fuzz/target.h"

using namespace agon;
using namespace agon::fuzz;

FUZZ_TARGET(text) {
  Bytes bytes(text);
  const int choice = bytes.take();
  static const std::vector<std::string> kNames = {"a", "b", "c", "d", "with blank", "e.f", "g\"h", "\xC3\xA9"};
  const int p = static_cast<int>(kNames.size());
  Knowledge known;
  const bool read = refusable([&] {
    KnowledgeBuilder builder(kNames);
    std::optional<PairKind> plain;
    if ((choice & 1) != 0) plain = (choice & 2) != 0 ? PairKind::kRequired : PairKind::kForbidden;
    builder.parse(bytes.rest(), "fuzz.txt", plain);
    known = builder.build((choice & 4) != 0 ? OnConflict::kRequiredWins : OnConflict::kRefuse);
  });
  if (!read) return;
  must(!summary(known).empty(), "knowledge can be summed up");
  for (Node from = 0; from < p; ++from) {
    for (Node to = 0; to < p; ++to) {
      must(!(known.is_required({from, to}) && known.is_forbidden({from, to})), "no edge is required and forbidden");
      must(!known.is_required({from, to}) || known.is_forbidden({to, from}), "a required edge forbids its reverse");
    }
  }
  Dag chain(p);
  for (Node v = 0; v + 1 < p; ++v) chain.add_edge(v, v + 1);
  const Dag fitting = repair(chain, known);
  must(is_acyclic(fitting) && satisfies(fitting, known), "every graph can be repaired");
  must(violations(fitting, known, kNames).empty(), "what satisfies the knowledge violates nothing");
  must(mpdag_of(fitting, known).size() == p, "the class under knowledge exists");
}
