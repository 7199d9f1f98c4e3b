// web/engine/session.h
//
// The engine behind the browser page: agon's library, asked in JSON. The page's worker holds one session and gives it
// one request at a time; an answer is {"ok": ..} or {"error": {"message": .., "hint": ..}}.
//
//   Session session([](const std::string& progress) { return false; });    // true: stop, with the best so far
//   session.call(R"({"do": "doctor", "source": "my.csv", "options": {"discrete": ["age"]}})");
//
// Options are those of `agon discover`, by name, and a run is the run of the command line (agon/run/run.h): the same
// table, options and seed give the same result.json. A source is the name of an embedded data set, or of a file in the
// current folder, where the worker puts what was dropped on the page.
//
//   datasets, options, formats           what there is to choose from
//   doctor                               the table: kinds with their reasons, counts, small histograms, findings
//   forecast                             what a run would take
//   knowledge                            a knowledge file ("text"), as tiers and pairs
//   discover                             a run; "knowledge" and the progress that it tells, see below
//   open                                 a result.json ("text") of another run
//   result, proof, report, graph         of the last result: its files; one of its graphs in a format
//   effect, next                         of the last result, as text: `agon effect --of X --on Y`, `agon next`
//   board, play, back, challenge         edit a graph by hand: board.h
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace agon::web {

class Session {
 public:
  // Told of progress as JSON, a few times per second: {"phase", "steps", "budget", "unit", "score", "edges", "gain"},
  // of each new champion: {"champion": [[from, to], ..], "score", "found_by"}; and of what plays, after each round:
  // {"arms": [{"name", "moves", "gained", "champions", "share"}, ..]}, where share is its part of the next round.
  using Tell = std::function<bool(const std::string& json)>;
  explicit Session(Tell tell);
  ~Session();

  std::string call(const std::string& request);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace agon::web
