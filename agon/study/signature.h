// agon/study/signature.h
//
// One number for everything agon decides. A fixed workload runs over small tables; its moves, the local scores it asks
// for and the graphs it finds are counted. A change that keeps the number changed no decision; one that alters the
// number says so in its commit.
//
//   Signature s = run_signature();
//   s.name();                   // "41830-9c1f6e02": moves, and a hash of all graphs by the names of their nodes
//   for (const SignaturePart& part : s.parts) ...   // which algorithm changed: "pc", "match", "bootstrap", ...
//
// The workload is every opponent of the catalog, every challenger, the match, pruning, the bootstrap and the
// certificate. It loops over the tables of the catalog, so a new entry becomes part of it without a change here.
// Matches are played by every score that `auto` may choose, and by some that it does not.
//
// No floating-point number enters. Compilers and libraries may change the last bits of a score, so the workload avoids
// near-ties: run with its rows in another order, where every sum rounds differently, it must give the same number (a
// test checks that). Algorithms that learn on the table keep the order, because they draw from the rows; they rely on
// agon/nn, which computes the same bits everywhere. It takes a few seconds on one thread; the number of threads
// changes nothing but the time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace agon {

struct SignaturePart {
  std::string name;     // an opponent, "challenger local", "match", "pruning", "bootstrap", "certificate"
  long moves = 0;       // or steps, or edits checked: whatever this part counts
  uint64_t graphs = 0;  // a hash of the graphs it found
  bool operator==(const SignaturePart&) const = default;
};

struct Signature {
  std::vector<SignaturePart> parts;  // in the order of their first appearance
  long local_scores = 0;             // asked for; a column of gains counts as many as it has entries

  long moves() const;        // of all parts
  uint64_t graphs() const;   // of all parts
  std::string name() const;  // "MOVES-GRAPHS", the number that commits cite
  bool operator==(const Signature&) const = default;
};

struct SignatureOptions {
  uint64_t row_seed = 0;  // > 0: the rows of every table are shuffled with this seed
  int threads = 1;        // only local_scores may depend on it: two threads may ask for the same one at once
};

Signature run_signature(const SignatureOptions& options = {});

}  // namespace agon
