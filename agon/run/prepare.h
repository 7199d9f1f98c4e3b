// agon/run/prepare.h
//
// Reads everything a run is made of and checks it against each other, so that whatever can be refused is refused before
// the work begins: the table and the kinds of its columns, the score, the start, the knowledge, the truth.
//
//   Prepared ready = prepare(request, {}, watch, log);
//   ready.data->table, *ready.chosen.score, ready.knowledge;
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/graph/dag.h"
#include "agon/graph/knowledge.h"
#include "agon/run/journal.h"
#include "agon/run/request.h"

namespace agon {

struct Prepared {
  std::shared_ptr<const LoadedData> data;  // the score looks at it
  ChosenScore chosen;
  ScoreOptions score_options;
  Dag start;
  std::string start_place;  // "": none was given
  Knowledge knowledge;
  std::vector<std::string> knowledge_sources;
  std::vector<Edge> truth;  // looked at when the search has ended
  std::string truth_place;  // "": none was given
};

// What is not given is read from the place its option names. Interrupted when a stop is requested while a file is read:
// there is no answer to give yet.
Prepared prepare(const RunRequest& request, GivenInput given, const Watch& watch, Journal& log);

// Do the algorithms of the plan take this table and this score? UsageError or InputError before any of them has worked.
void check_plan(const Plan& plan, const Prepared& ready);

}  // namespace agon
