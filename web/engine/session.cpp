#include "web/engine/session.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "agon/base/error.h"
#include "agon/graph/formats.h"
#include "agon/report/effect_texts.h"
#include "agon/report/html.h"
#include "agon/report/record_json.h"
#include "agon/run/describe.h"
#include "agon/run/effects.h"
#include "agon/run/forecast.h"
#include "agon/run/graph_sources.h"
#include "agon/run/run.h"
#include "agon/run/written_graph.h"
#include "agon/version.h"
#include "web/engine/asked_run.h"
#include "web/engine/board_view.h"
#include "web/engine/choices.h"
#include "web/engine/knowledge_view.h"
#include "web/engine/table_view.h"

namespace agon::web {
namespace {

using Json = nlohmann::ordered_json;

// Names may hold any bytes; what is not UTF-8 is replaced.
std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

NamedGraph graph_of(std::vector<std::string> names, const std::vector<NamePair>& edges) {
  NamedGraph graph;
  graph.names = std::move(names);
  for (const auto& [from, to] : edges) graph.edges.push_back({from, to});
  return graph;
}

Json arms_json(const std::vector<ArmRecord>& arms, const std::vector<double>& shares) {
  Json all = Json::array();
  for (size_t k = 0; k < arms.size(); ++k) {
    all.push_back({{"name", arms[k].name},
                   {"moves", arms[k].moves},
                   {"gained", arms[k].gained},
                   {"champions", arms[k].champions},
                   {"share", shares[k]}});
  }
  return {{"arms", all}};
}

}  // namespace

struct Session::State {
  Tell tell;
  std::atomic<bool> stopped = false;
  std::chrono::steady_clock::time_point told = {};
  std::string phase;
  std::optional<RunResult> result;
  std::unique_ptr<Board> board;
  std::string board_request;  // the table, the options and the knowledge of the board, for a challenge
  using Answer = Json (State::*)(const Json& request);
  static const std::map<std::string, Answer>& answers();

  // A few times per second, and whenever a phase begins.
  Watch watch() {
    stopped = false;
    phase.clear();
    Watch watch;
    watch.interrupted = &stopped;
    watch.report = [this](const Progress& p) {
      const auto now = std::chrono::steady_clock::now();
      if (p.phase == phase && now - told < std::chrono::milliseconds(100)) return;
      told = now;
      phase = p.phase;
      Json json = {{"phase", p.phase}, {"steps", p.steps}, {"budget", p.budget}, {"unit", p.unit}};
      if (p.edges >= 0 && p.score != 0) json.update({{"edges", p.edges}, {"score", p.score}});
      if (p.gain) json["gain"] = *p.gain;
      tell_of(json);
    };
    return watch;
  }

  void tell_of(const Json& news) {
    if (tell(text_of(news))) stopped = true;
  }

  const RunResult& last_result() const {
    if (!result) throw UsageError("there is no result yet");
    return *result;
  }
  // With its table, for questions about effects.
  EffectSource last_effects() const {
    const RunResult& last = last_result();
    if (!last.data) throw UsageError("effects are estimated from the rows of the table", "run discover here first");
    const Dataset& table = (last.untreated ? last.untreated : last.data)->table;
    return {last.record, table, EffectSource::JustSearched()};
  }
  Board& open_board() const {
    if (!board) throw UsageError("no graph is being edited");
    return *board;
  }

  Json datasets(const Json&) { return {{"version", AGON_VERSION}, {"datasets", dataset_choices()}}; }
  Json options(const Json&) { return option_choices(); }
  Json formats(const Json&) { return format_choices(); }

  // Options as they were typed, with the types that discover wants; UsageError for the first that is wrong.
  Json parse(const Json& request) {
    Settings settings;
    const RunRequest run_request(settings, RunRequest::Kind::kMatch);
    Json parsed = Json::object();
    for (const auto& [name, typed] : request.at("typed").items()) {
      const OptionValue value = typed_value(settings, name, typed.get<std::string>());
      settings.set(name, value);
      parsed[name] = Json::parse(option_json(value));
    }
    return parsed;
  }

  Json doctor(const Json& request) {
    Settings settings;
    DataSettings data(settings);
    set_given(settings, request);
    data.set_source(request.at("source").get<std::string>());
    KeptJournal log;
    return table_view(data.load(log, DataSettings::Findings::kSilent, watch()));
  }

  Json forecast(const Json& request) {
    AskedRun asked(request);
    Plan plan = make_plan(asked.request, asked.given);
    const Prepared ready = prepare(asked.request, asked.given, watch(), asked.log);
    fit_plan(plan, asked.request.kind, ready, asked.log);
    const Workload work = workload_of(ready.data->table, *ready.chosen.score, plan.match, plan.algorithms,
                                      std::max(0, asked.request.bootstrap));
    const Forecast expected = agon::forecast(work);
    return {{"text", forecast_text(work)},   {"seconds", expected.seconds},
            {"bytes", expected.bytes},       {"score", ready.chosen.score->traits().name},
            {"reason", ready.chosen.reason}, {"command", asked.command()}};
  }

  Json knowledge(const Json& request) {
    const auto names = request.at("names").get<std::vector<std::string>>();
    return knowledge_view(
        parse_knowledge(request.at("text").get<std::string>(), request.at("name").get<std::string>(), names), names);
  }

  Json discover(const Json& request) {
    AskedRun asked(request);
    result = run(asked.request, std::move(asked.given),
                 {.log = asked.log,
                  .watch = watch(),
                  .command = asked.command(),
                  .on_champion =
                      [this](const std::vector<NamePair>& edges, double score, const std::string& found_by) {
                        tell_of({{"champion", edges}, {"score", score}, {"found_by", found_by}});
                      },
                  .on_round = [this](const std::vector<ArmRecord>& arms,
                                     const std::vector<double>& shares) { tell_of(arms_json(arms, shares)); }});
    return result_json(asked.log);
  }

  Json result_json(const KeptJournal& log) const {
    return {{"result", Json::parse(write_record_line(result->record))},
            {"graphs", graphs_of(result->record)},
            {"proof", !result->proof.empty()},
            {"table", result->data != nullptr},
            {"notes", log.notes},
            {"warnings", log.warnings}};
  }

  Json open(const Json& request) {
    const std::string text = request.at("text").get<std::string>();
    result.emplace();
    result->record = read_record(text, request.at("name").get<std::string>());
    return result_json({});
  }

  Json result_file(const Json&) { return write_record(last_result().record); }

  Json proof(const Json&) { return last_result().proof; }

  Json report(const Json&) {
    const RunResult& last = last_result();
    std::string effects;
    if (last.data && fits_page(last.data->table)) effects = page_effects(last_effects(), 1, watch());
    return html_report(last.record, PageKind::kInteractive, effects);
  }

  // As `agon effect` and `agon next` print them.
  Json effect(const Json& request) {
    const EffectRequest asked{.of = {request.at("of").get<std::string>()}, .on = request.at("on").get<std::string>()};
    return effect_text(answer_effect(last_effects(), asked, {}, watch()), {});
  }
  Json next(const Json&) { return next_text(answer_next(last_result().record, nullptr, {}, "the result"), {}); }

  Json graph(const Json& request) {
    const std::string which = request.at("which").get<std::string>(), format = request.at("format").get<std::string>();
    if (!can_write(which, format)) {
      throw UsageError(fmt::format("the format {} cannot hold the {}", format, which), "choose another format");
    }
    KeptJournal log;
    if (last_result().data) return {{"text", written_graph(*result, which, format, log)}, {"warnings", log.warnings}};
    std::ostringstream text;  // of a result that was opened: without the table no format holds more than the graph
    const std::vector<std::string> warnings = write_graph(text, agon::graph_of(result->record, which), format);
    return {{"text", text.str()}, {"warnings", warnings}};
  }

  Json open_new_board(const Json& request) {
    AskedRun asked(request);
    make_plan(asked.request, asked.given);
    Prepared ready = prepare(asked.request, asked.given, watch(), asked.log);
    const std::vector<std::string> names = ready.data->table.names();
    const auto edges = request.value("edges", std::vector<NamePair>());
    const Dag start = dag_of(graph_of(names, edges), names, "the graph", asked.log);
    board = std::make_unique<Board>(std::move(ready), start);
    Json kept = request;
    kept.erase("edges");
    board_request = kept.dump();
    return board_view(*board);
  }

  Json play(const Json& request) {
    Board& at = open_board();
    const double gain = at.play(move_of(at.data(), request)).gain;
    Json state = board_view(at);
    state["gain"] = gain;
    return state;
  }

  Json back(const Json&) {
    open_board().take_back();
    return board_view(*board);
  }

  Json pair(const Json& request) { return pair_view(open_board(), request); }

  // The user's graph is the opponent of a match like any other. The edits shown are those between it and the champion.
  Json challenge(const Json&) {
    Board& at = open_board();
    AskedRun asked(Json::parse(board_request));
    asked.settings.set("start", std::string("your graph"));
    const std::vector<std::string> names = at.data().names();
    asked.given.start = graph_of(names, describe_edges(at.dag(), names));
    const RunResult match =
        run(asked.request, std::move(asked.given), {.log = asked.log, .watch = watch(), .command = "challenge"});
    const Dag champion = dag_of(agon::graph_of(match.record, "dag"), names, "the champion", asked.log);
    const double gain = match.record.score.value - at.score();
    const std::vector<ScoredMove> steps = gain > at.tolerance() ? at.steps_to(champion) : std::vector<ScoredMove>();
    return {{"score", match.record.score.value},        {"gain", gain},
            {"steps", moves_view(at.data(), steps)},    {"moves", match.record.moves},
            {"found_by", match.record.match->found_by}, {"stopped_by", match.record.stopped_by}};
  }
};

const std::map<std::string, Session::State::Answer>& Session::State::answers() {
  static const std::map<std::string, Answer> table = {
      {"datasets", &State::datasets},   {"options", &State::options},
      {"formats", &State::formats},     {"parse", &State::parse},
      {"doctor", &State::doctor},       {"forecast", &State::forecast},
      {"knowledge", &State::knowledge}, {"discover", &State::discover},
      {"open", &State::open},           {"result", &State::result_file},
      {"proof", &State::proof},         {"report", &State::report},
      {"effect", &State::effect},       {"next", &State::next},
      {"graph", &State::graph},         {"board", &State::open_new_board},
      {"play", &State::play},           {"back", &State::back},
      {"pair", &State::pair},           {"challenge", &State::challenge}};
  return table;
}

Session::Session(Tell tell) : state_(std::make_unique<State>()) { state_->tell = std::move(tell); }
Session::~Session() = default;

std::string Session::call(const std::string& text) {
  Json answer;
  const auto refuse = [&](const std::string& message) {
    const size_t end = message.find("\n  hint: ");
    answer = {
        {"error",
         {{"message", message.substr(0, end)}, {"hint", end == std::string::npos ? "" : message.substr(end + 9)}}}};
  };
  try {
    const Json request = Json::parse(text);
    const auto found = State::answers().find(request.at("do").get<std::string>());
    if (found == State::answers().end()) throw UsageError("there is no such request");
    answer = {{"ok", (state_.get()->*found->second)(request)}};
  } catch (const std::bad_alloc&) {
    refuse("the browser has no memory left for this\n  hint: use fewer rows or columns, or the command line");
  } catch (const std::exception& error) {
    refuse(error.what());
  }
  return text_of(answer);
}

}  // namespace agon::web
