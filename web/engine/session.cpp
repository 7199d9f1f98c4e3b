#include "web/engine/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "agon/base/error.h"
#include "agon/base/item_list.h"
#include "agon/base/text.h"
#include "agon/data/embedded.h"
#include "agon/graph/formats.h"
#include "agon/report/html.h"
#include "agon/report/record_json.h"
#include "agon/run/effects.h"
#include "agon/run/forecast.h"
#include "agon/run/graph_sources.h"
#include "agon/run/run.h"
#include "agon/run/written_graph.h"
#include "agon/version.h"
#include "web/engine/board.h"
#include "web/engine/table_view.h"

namespace agon::web {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kShownMoves = 12;

OptionValue option_value(const std::string& name, const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) return value.get<std::vector<std::string>>();
  throw UsageError(fmt::format("--{}: a value must be a number, a text, true or false, or a list of texts", name));
}

void set_given(Settings& settings, const Json& request) {
  const Json options = request.value("options", Json::object());
  for (const auto& [name, value] : options.items()) settings.set(name, option_value(name, value));
}

// One thread: a page that opens from disk has no more. Records differ in nothing else from those of `agon discover
// --threads 1`.
void set_all(Settings& settings, const Json& request) {
  set_given(settings, request);
  settings.set("threads", int64_t{1});
}

// An option is typed as text in the page, whatever its type.
OptionValue typed_value(const Settings& settings, const std::string& name, const std::string& typed) {
  for (const auto& bound : settings.all()) {
    if (bound->option.name != name) continue;
    const bool is_list = bound->type == OptionType::kTexts && bound->option.splits;
    return is_list ? OptionValue(split_items(typed)) : parse_value(bound->option, bound->type, typed);
  }
  throw UsageError(fmt::format("there is no option --{}", name));
}

// What a user of the command line would type.
std::string command_line(const std::string& source, const Settings& settings) {
  std::string text = "agon discover " + shell_word(source);
  for (const auto& bound : settings.all()) {
    if (!bound->given || bound->option.name == "start" || bound->option.name == "threads") continue;
    const OptionValue value = bound->field ? bound->field->read() : *bound->value;
    if (bound->type == OptionType::kTexts) {
      text += " " + typed_items(bound->option.name, std::get<std::vector<std::string>>(value));
    } else {
      text +=
          " --" + bound->option.name + (bound->type == OptionType::kFlag ? "" : " " + shell_word(value_text(value)));
    }
  }
  return text;
}

std::optional<KnowledgeStatements> statements_of(const Json& request) {
  const Json given = request.value("knowledge", Json());
  if (!given.is_object()) return std::nullopt;
  KnowledgeStatements known{.place = "what you know"};
  known.required = given.value("required", std::vector<NamePair>());
  known.forbidden = given.value("forbidden", std::vector<NamePair>());
  known.tiers = given.value("tiers", std::vector<std::vector<std::string>>());
  if (known.required.empty() && known.forbidden.empty() && known.tiers.empty()) return std::nullopt;
  return known;
}

// A run as a visitor asks for it.
struct AskedRun {
  explicit AskedRun(const Json& wanted) : request(settings, RunRequest::Kind::kMatch) {
    set_all(settings, wanted);
    request.data.set_source(wanted.at("source").get<std::string>());
    given.knowledge = statements_of(wanted);
  }
  std::string command() const { return command_line(request.data.source(), settings); }

  Settings settings;
  RunRequest request;
  GivenInput given;
  KeptJournal log;
};

NamedGraph graph_given(const Json& edges, const std::vector<std::string>& names) {
  NamedGraph graph;
  graph.names = names;
  for (const auto& [from, to] : edges.get<std::vector<NamePair>>()) graph.edges.push_back({from, to});
  return graph;
}

const char* word(MoveKind kind) {
  return kind == MoveKind::kAdd ? "add" : kind == MoveKind::kRemove ? "remove" : "reverse";
}

MoveKind kind_of(const std::string& name) {
  for (const MoveKind kind : {MoveKind::kAdd, MoveKind::kRemove, MoveKind::kReverse}) {
    if (name == word(kind)) return kind;
  }
  throw UsageError(fmt::format("there is no move {}", quoted(name)), "moves are add, remove and reverse");
}

Json move_json(const Dataset& data, EdgeMove move, double gain) {
  return {{"kind", word(move.kind)},
          {"from", data.column(move.from).name},
          {"to", data.column(move.to).name},
          {"gain", gain}};
}

Json board_json(const Board& board) {
  const Dataset& data = board.data();
  Json edges = Json::array(), best = Json::array(), played = Json::array();
  for (const Edge& edge : board.dag().edges()) {
    edges.push_back({{"from", data.column(edge.from).name},
                     {"to", data.column(edge.to).name},
                     {"strength", -board.gain({MoveKind::kRemove, edge.from, edge.to})}});
  }
  for (const ScoredMove& move : board.best_moves(kShownMoves)) best.push_back(move_json(data, move.move, move.gain));
  for (const Undo& undo : board.played()) played.push_back(move_json(data, undo.move, undo.gain));
  std::vector<std::string> names;
  for (const int node : data.file_order()) names.push_back(data.column(node).name);
  return {{"names", names},  {"score_name", board.score_name()},   {"score", board.score()},
          {"edges", edges},  {"start_score", board.start_score()}, {"best", best},
          {"played", played}};
}

Node node_of(const Dataset& data, const Json& request, const char* end) {
  const std::string name = request.at(end).get<std::string>();
  const int node = data.index_of(name);
  if (node < 0) throw UsageError(fmt::format("there is no column {}", quoted(name)));
  return node;
}

// A pair is forbidden by tiers if its tail is in a later tier than its head.
Json knowledge_json(const Knowledge& known, const std::vector<std::string>& names) {
  std::map<Node, size_t> tier_of;
  Json tiers = Json::array(), required = Json::array(), forbidden = Json::array();
  for (size_t k = 0; k < known.tiers().size(); ++k) {
    std::vector<std::string> members;
    for (const Node v : known.tiers()[k].members) {
      tier_of[v] = k;
      members.push_back(names[v]);
    }
    tiers.push_back(members);
  }
  for (const Edge& edge : known.required_edges()) required.push_back({names[edge.from], names[edge.to]});
  const int p = static_cast<int>(names.size());
  for (Node from = 0; from < p; ++from) {
    for (Node to = 0; to < p; ++to) {
      if (from == to || !known.is_forbidden({from, to}) || known.is_required({to, from})) continue;
      const auto a = tier_of.find(from), b = tier_of.find(to);
      const bool by_tier = a != tier_of.end() && b != tier_of.end() && a->second > b->second;
      if (!by_tier) forbidden.push_back({names[from], names[to]});
    }
  }
  return {{"tiers", tiers}, {"required", required}, {"forbidden", forbidden}, {"summary", summary(known)}};
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
      if (tell(json.dump(-1, ' ', false, Json::error_handler_t::replace))) stopped = true;
    };
    return watch;
  }

  const RunResult& last_result() const {
    if (!result) throw UsageError("there is no result yet");
    return *result;
  }
  Board& open_board() const {
    if (!board) throw UsageError("no graph is being edited");
    return *board;
  }

  Json datasets(const Json&) {
    Json all = Json::array();
    for (const EmbeddedInfo& info : embedded_datasets()) {
      if (info.kind == "external") continue;
      all.push_back({{"name", info.name},
                     {"kind", info.kind},
                     {"columns", info.nodes},
                     {"rows", info.rows},
                     {"edges", info.edges},
                     {"source", info.source},
                     {"licence", info.licence},
                     {"note", info.note}});
    }
    return {{"version", AGON_VERSION}, {"datasets", all}};
  }

  Json options(const Json&) {
    Settings settings;
    const RunRequest request(settings, RunRequest::Kind::kMatch);
    Json all = Json::array();
    for (const auto& bound : settings.all()) {
      all.push_back({{"name", bound->option.name},
                     {"type", to_string(bound->type)},
                     {"flag", bound->type == OptionType::kFlag},
                     {"group", to_string(bound->option.group)},
                     {"help", bound->help},
                     {"choices", bound->option.choices},
                     {"common", bound->option.common}});
    }
    return all;
  }

  Json formats(const Json&) {
    Json all = Json::array();
    for (const GraphFormat& format : graph_formats()) {
      all.push_back({{"name", format.name}, {"extension", format.extension}, {"description", format.description}});
    }
    return all;
  }

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
    return knowledge_json(
        parse_knowledge(request.at("text").get<std::string>(), request.at("name").get<std::string>(), names), names);
  }

  Json discover(const Json& request) {
    AskedRun asked(request);
    result = run(asked.request, std::move(asked.given),
                 {.log = asked.log,
                  .watch = watch(),
                  .command = asked.command(),
                  .on_champion = [this](const std::vector<NamePair>& edges, double score) {
                    if (tell(Json({{"champion", edges}, {"score", score}}).dump())) stopped = true;
                  }});
    return result_json(asked.log);
  }

  Json result_json(const KeptJournal& log) const {
    return {{"result", Json::parse(write_record_line(result->record))},
            {"graphs", graphs_of(result->record)},
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

  Json report(const Json&) {
    const RunResult& last = last_result();
    std::string effects;
    if (last.data) {
      const Dataset& table = (last.untreated ? last.untreated : last.data)->table;
      if (fits_page(table)) {
        effects = page_effects(EffectSource(last.record, table, EffectSource::JustSearched()), 1, watch());
      }
    }
    return html_report(last.record, PageKind::kInteractive, effects);
  }

  Json graph(const Json& request) {
    const std::string which = request.at("which").get<std::string>(), format = request.at("format").get<std::string>();
    if (!can_write(which, format)) {
      throw UsageError(fmt::format("the format {} cannot hold the {}", format, which), "choose another format");
    }
    KeptJournal log;
    if (last_result().data) return {{"text", written_graph(*result, which, format, log)}, {"warnings", log.warnings}};
    std::ostringstream text;  // of a result that was opened: without the table no format holds more than the graph
    const std::vector<std::string> warnings = write_graph(text, graph_of(result->record, which), format);
    return {{"text", text.str()}, {"warnings", warnings}};
  }

  Json open_new_board(const Json& request) {
    AskedRun asked(request);
    make_plan(asked.request, asked.given);
    Prepared ready = prepare(asked.request, asked.given, watch(), asked.log);
    const std::vector<std::string> names = ready.data->table.names();
    const Dag start = dag_of(graph_given(request.value("edges", Json::array()), names), names, "the graph", asked.log);
    board = std::make_unique<Board>(std::move(ready), start);
    Json kept = request;
    kept.erase("edges");
    board_request = kept.dump();
    return board_json(*board);
  }

  Json play(const Json& request) {
    Board& at = open_board();
    const Undo& played = at.play({kind_of(request.at("kind").get<std::string>()), node_of(at.data(), request, "from"),
                                  node_of(at.data(), request, "to")});
    const double gain = played.gain;
    Json state = board_json(at);
    state["gain"] = gain;
    return state;
  }

  Json back(const Json&) {
    open_board().take_back();
    return board_json(*board);
  }

  // What the three moves of a pair would earn, or why they are refused.
  Json pair(const Json& request) {
    const Board& at = open_board();
    const Node from = node_of(at.data(), request, "from"), to = node_of(at.data(), request, "to");
    Json moves = Json::array();
    for (const MoveKind kind : {MoveKind::kAdd, MoveKind::kRemove, MoveKind::kReverse}) {
      const EdgeMove move{kind, from, to};
      const std::string why = at.why_not(move);
      Json json = move_json(at.data(), move, 0);
      if (why.empty()) {
        json["gain"] = at.gain(move);
      } else {
        json.erase("gain");
        json["why_not"] = why;
      }
      moves.push_back(json);
    }
    return moves;
  }

  // The user's graph is the opponent of a match like any other. The edits shown are those between it and the champion.
  Json challenge(const Json&) {
    Board& at = open_board();
    AskedRun asked(Json::parse(board_request));
    asked.settings.set("start", std::string("your graph"));
    NamedGraph mine;
    mine.names = at.data().names();
    for (const Edge& edge : at.dag().edges()) mine.edges.push_back({mine.names[edge.from], mine.names[edge.to]});
    asked.given.start = mine;
    const RunResult match =
        run(asked.request, std::move(asked.given), {.log = asked.log, .watch = watch(), .command = "challenge"});
    const Dag champion = dag_of(graph_of(match.record, "dag"), at.data().names(), "the champion", asked.log);
    Json steps = Json::array();
    for (const ScoredMove& step : at.steps_to(champion)) steps.push_back(move_json(at.data(), step.move, step.gain));
    const double gain = match.record.score.value - at.score();
    if (gain <= at.tolerance()) steps = Json::array();
    return {{"score", match.record.score.value},
            {"gain", gain},
            {"steps", steps},
            {"moves", match.record.moves},
            {"found_by", match.record.match->found_by},
            {"stopped_by", match.record.stopped_by}};
  }
};

const std::map<std::string, Session::State::Answer>& Session::State::answers() {
  static const std::map<std::string, Answer> table = {{"datasets", &State::datasets},
                                                      {"options", &State::options},
                                                      {"formats", &State::formats},
                                                      {"parse", &State::parse},
                                                      {"doctor", &State::doctor},
                                                      {"forecast", &State::forecast},
                                                      {"knowledge", &State::knowledge},
                                                      {"discover", &State::discover},
                                                      {"open", &State::open},
                                                      {"result", &State::result_file},
                                                      {"report", &State::report},
                                                      {"graph", &State::graph},
                                                      {"board", &State::open_new_board},
                                                      {"play", &State::play},
                                                      {"back", &State::back},
                                                      {"pair", &State::pair},
                                                      {"challenge", &State::challenge}};
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
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace agon::web
