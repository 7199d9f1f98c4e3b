// agon/study/signature.h
//
// One number for what the searches do: a fixed workload (small tables; hc, tabu, ges and boss; a short match), of which
// moves, local scores asked for and graphs found are counted. A change that keeps the number changed no decision; a
// change that does not says so in its commit.
//
//   Signature s = run_signature();
//   s.name();                   // "41830-9c1f6e02": moves, and a hash of all graphs by the names of their nodes
//
// No floating-point figure is part of it. Compiler and library may move the last bits of a score, so the workload has
// no near-ties: run with its rows in another order, where every sum rounds differently, it must give the same number (a
// test does that). One thread; a few seconds.
#pragma once

#include <cstdint>
#include <string>

namespace agon {

struct Signature {
  long moves = 0;
  long local_scores = 0;  // asked for; a column of gains is as many as it has entries
  uint64_t graphs = 0;
  std::string name() const;
  bool operator==(const Signature&) const = default;
};

// row_seed > 0: the rows of every table shuffled by it.
Signature run_signature(uint64_t row_seed = 0);

}  // namespace agon
