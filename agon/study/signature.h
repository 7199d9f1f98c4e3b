// agon/study/signature.h
//
// One number for what agon decides: a fixed workload over small tables, of which moves, local scores asked for and
// graphs found are counted. A change that keeps the number changed no decision; a change that does not says so in its
// commit.
//
//   Signature s = run_signature();
//   s.name();                   // "41830-9c1f6e02": moves, and a hash of all graphs by the names of their nodes
//   for (const SignaturePart& part : s.parts) ...   // which algorithm changed: "pc", "match", "bootstrap", ...
//
// The workload is every opponent of the catalog, every challenger, the match, pruning, the bootstrap and the
// certificate. It goes through the catalog's tables, so a new entry is part of it without a line here.
//
// No floating-point figure enters. Compiler and library may move the last bits of a score, so the workload has no
// near-ties: run with its rows in another order, where every sum rounds differently, it must give the same number (a
// test does that). A few seconds on one thread; the number of threads changes nothing but the time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace agon {

struct SignaturePart {
  std::string name;     // an opponent, "challenger local", "match", "pruning", "bootstrap", "certificate"
  long moves = 0;       // or steps, or edits checked: whatever this part counts
  uint64_t graphs = 0;  // a hash of the graphs it gave
  bool operator==(const SignaturePart&) const = default;
};

struct Signature {
  std::vector<SignaturePart> parts;  // in the order of their first appearance
  long local_scores = 0;             // asked for; a column of gains is as many as it has entries

  long moves() const;        // of all parts
  uint64_t graphs() const;   // of all parts
  std::string name() const;  // "MOVES-GRAPHS", the number that commits cite
  bool operator==(const Signature&) const = default;
};

struct SignatureOptions {
  uint64_t row_seed = 0;  // > 0: the rows of every table shuffled by it
  int threads = 1;        // the signature does not depend on it, but for local_scores: two may ask the same at once
};

Signature run_signature(const SignatureOptions& options = {});

}  // namespace agon
