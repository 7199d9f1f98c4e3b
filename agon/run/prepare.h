// agon/run/prepare.h
//
// Reads everything a run needs and checks that it fits together: the table and the kinds of its columns, the score, the
// start, the knowledge, the truth. So whatever can be refused is refused before the work begins.
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
  std::shared_ptr<const LoadedData> data;  // the score refers to it
  ChosenScore chosen;
  Dag start;
  std::string start_place;  // "": none was given
  Knowledge knowledge;
  std::vector<std::string> knowledge_sources;
  std::vector<Edge> truth;  // used only after the search has ended
  std::string truth_place;  // "": none was given
};

// What is not in `given` is read from the place that its option names. Throws Interrupted when it is interrupted
// while a table is read or examined, since there is no answer to give yet. A time limit cuts the examination short.
Prepared prepare(const RunRequest& request, GivenInput given, const Watch& watch, Journal& log);

// Leaves out of a match whatever does not take this table or this score: opponents, and pruning. Each costs a sentence,
// in the log and in `left_out`. UsageError or InputError if no opponent is left, or if an algorithm that runs alone
// does not take them. All before anything runs.
void fit_plan(Plan& plan, RunRequest::Kind kind, const Prepared& ready, Journal& log);

}  // namespace agon
