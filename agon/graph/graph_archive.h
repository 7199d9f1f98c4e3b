// agon/graph/graph_archive.h
//
// Graphs to and from an archive (base/archive.h), as their edges.
#pragma once

#include "agon/base/archive.h"
#include "agon/graph/dag.h"
#include "agon/graph/pag.h"
#include "agon/graph/pdag.h"

namespace agon {

void exchange(Archive& archive, Dag& dag);
void exchange(Archive& archive, Pdag& pdag);
void exchange(Archive& archive, Cpdag& cpdag);
void exchange(Archive& archive, Pag& pag);

}  // namespace agon
