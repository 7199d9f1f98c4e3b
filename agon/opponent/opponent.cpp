#include "agon/opponent/opponent.h"

#include "agon/graph/graph_archive.h"

namespace agon {

void exchange(Archive& archive, SearchResult& result) {
  archive(result.dag);
  archive(result.score);
  archive(result.steps);
  archive(result.counts);
  archive(result.stopped_by);
  archive(result.cpdag);
  archive(result.pag);
  archive(result.varsortability);
  archive(result.story);
  archive(result.unfinished);
}

}  // namespace agon
