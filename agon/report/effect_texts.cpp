#include "agon/report/effect_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "agon/report/json.h"

namespace agon {

namespace {

// What every estimate rests on.
const char* assumptions(bool hidden_allowed) {
  return hidden_allowed
             ? "Assumed: the graph is right."
             : "Assumed: the graph is right, and nothing outside the table causes both a cause and its effect.";
}
bool hidden_allowed(const std::vector<RankedEffect>& list) { return !list.empty() && list[0].hidden_allowed; }

// NaN means unknown, which JSON writes as null.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }
Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::string short_number(double value) {
  if (std::abs(value) < 1e-12) return "0";  // what rounding leaves of it
  return std::isfinite(value) ? fmt::format("{:.4g}", value) : "?";
}
std::string share_text(double share) { return std::isnan(share) ? "?" : fmt::format("{:.3f}", share); }
std::string interval_text(const Estimate& e) {
  return std::isfinite(e.low) ? fmt::format("{} to {}", short_number(e.low), short_number(e.high)) : "?";
}

Json estimate_json(const Estimate& e) {
  return {{"value", number(e.value)}, {"error", number(e.error)}, {"low", number(e.low)}, {"high", number(e.high)}};
}

std::string reading_text(const EffectAnswer& answer, const EffectFigures& figures, size_t r) {
  if (figures.readings.empty()) return shown(answer.outcome);
  return fmt::format("P({} = {})", shown(answer.outcome), shown(figures.readings[r]));
}

std::string names_text(const std::vector<std::string>& names) {
  if (names.empty()) return "nothing";
  std::vector<std::string> safe;
  for (const std::string& name : names) safe.push_back(shown(name));
  return joined(safe, ", ");
}

// "per unit of x", "x from a to b"
std::string step_text(const EffectAnswer& answer, const EffectFigures& figures) {
  if (figures.from.empty()) return fmt::format("per unit of {}", shown(answer.causes[0]));
  return fmt::format("{} from {} to {}", names_text(answer.causes), shown(figures.from), shown(figures.to));
}

std::string headline(const EffectAnswer& answer) {
  const bool several = answer.causes.size() > 1;
  const std::string of = names_text(answer.causes) + (several ? " together" : ""), on = shown(answer.outcome);
  if (!answer.why_not.empty()) return fmt::format("The effect of {} on {} is not known: {}.", of, on, answer.why_not);
  if (answer.identified && answer.list[0].none) {
    return fmt::format("{} {} no effect on {}: no path of arrows leads there.", of, several ? "have" : "has", on);
  }
  if (answer.identified) return fmt::format("The effect of {} on {} is identified.", of, on);
  return fmt::format("The effect of {} on {} depends on arrows that the rows leave open: {} are possible.", of, on,
                     counted(static_cast<long long>(answer.list.size()), "effect"));
}

// The columns adjusted for, for any of the causes.
std::vector<std::string> all_adjusted(const EffectEntry& entry) {
  std::set<std::string> names;
  for (const auto& set : entry.adjustment) names.insert(set.begin(), set.end());
  return {names.begin(), names.end()};
}

std::string single_table(const EffectAnswer& answer, const TextStyle& style) {
  Table table({">share", "change of", ">effect", ">error", ">95 % interval", ">standardised", "~adjusted for"});
  for (const EffectEntry& entry : answer.list) {
    if (entry.none) {
      table.row({share_text(entry.share), shown(answer.outcome), "0", "", "", "0", "no path leads there"});
      continue;
    }
    const EffectFigures& figures = entry.figures;
    for (size_t r = 0; r < figures.change.size(); ++r) {
      const Estimate& e = figures.change[r];
      table.row({r == 0 ? share_text(entry.share) : "", reading_text(answer, figures, r), short_number(e.value),
                 short_number(e.error), interval_text(e), r == 0 ? short_number(figures.standardised) : "",
                 r == 0 ? names_text(all_adjusted(entry)) : ""});
    }
  }
  return table.text(style, "  ");
}

std::string joint_table(const EffectAnswer& answer, const TextStyle& style) {
  Table table({">share", "per unit of", ">effect", ">error", ">95 % interval"});
  for (const EffectEntry& entry : answer.list) {
    for (size_t i = 0; i < answer.causes.size(); ++i) {
      const Estimate& e = entry.joint[i];
      table.row({i == 0 ? share_text(entry.share) : "", shown(answer.causes[i]), short_number(e.value),
                 short_number(e.error), interval_text(e)});
    }
  }
  return table.text(style, "  ");
}

// Every level of the cause with what it brings about, for the most frequent effect.
std::string under_table(const EffectAnswer& answer, const TextStyle& style) {
  const auto first =
      std::find_if(answer.list.begin(), answer.list.end(), [](const auto& entry) { return !entry.none; });
  if (first == answer.list.end() || first->figures.under.empty()) return "";
  const EffectFigures& figures = first->figures;
  std::vector<std::string> headings = {fmt::format("do({} =)", names_text(answer.causes))};
  for (size_t r = 0; r < figures.under[0].size(); ++r) headings.push_back(">" + reading_text(answer, figures, r));
  Table table(headings);
  for (size_t s = 0; s < figures.settings.size(); ++s) {
    std::vector<TableCell> cells = {shown(figures.settings[s])};
    for (const Estimate& e : figures.under[s]) {
      cells.push_back(fmt::format("{} ({})", short_number(e.value), interval_text(e)));
    }
    table.row(std::move(cells));
  }
  return table.text(style, "  ");
}

std::string resampled_text(const EffectAnswer& answer, const TextStyle& style) {
  const ResampledEffect& r = *answer.resampled;
  const std::string drawn = fmt::format("{} of {}", r.resamples, counted(r.asked, "resample"));
  if (!r.graph) return wrapped(fmt::format("Intervals from {} of the rows, with this graph.", drawn), style);
  std::string out = wrapped(fmt::format("With the graph searched again on {} of the rows: no effect in {:.0f} % of the "
                                        "graphs, identified in {:.0f} % of the resamples.",
                                        drawn, 100 * r.none, 100 * r.identified),
                            style);
  if (r.change.empty()) return out;
  Table table({"change of", ">median", ">95 % interval"});
  EffectFigures readings;
  for (const EffectEntry& entry : answer.list) {
    if (!entry.none) readings = entry.figures;
  }
  for (size_t k = 0; k < r.change.size(); ++k) {
    const std::string name = k < readings.readings.size() ? reading_text(answer, readings, k) : shown(answer.outcome);
    table.row({name, short_number(r.change[k].value), interval_text(r.change[k])});
  }
  return out + table.text(style, "  ");
}

Json figures_json(const EffectFigures& figures) {
  Json out = Json::object();
  if (!figures.from.empty()) {
    out["from"] = figures.from;
    out["to"] = figures.to;
  }
  Json change = Json::array();
  for (size_t r = 0; r < figures.change.size(); ++r) {
    Json one = estimate_json(figures.change[r]);
    if (!figures.readings.empty()) one["level"] = figures.readings[r];
    change.push_back(std::move(one));
  }
  out["change"] = std::move(change);
  if (!figures.under.empty()) {
    Json under = Json::array();
    for (size_t s = 0; s < figures.settings.size(); ++s) {
      for (size_t r = 0; r < figures.under[s].size(); ++r) {
        Json one = estimate_json(figures.under[s][r]);
        one["set_to"] = figures.settings[s];
        if (!figures.readings.empty()) one["level"] = figures.readings[r];
        under.push_back(std::move(one));
      }
    }
    out["under"] = std::move(under);
  }
  out["standardised"] = number(figures.standardised);
  out["has_sign"] = figures.has_sign;
  out["rows"] = number(figures.rows);
  return out;
}

Json entry_json(const EffectAnswer& answer, const EffectEntry& entry) {
  Json out = {{"share", number(entry.share)}, {"none", entry.none}};
  Json adjustment = Json::object();
  for (size_t i = 0; i < answer.causes.size(); ++i) adjustment[answer.causes[i]] = entry.adjustment[i];
  out["adjustment"] = std::move(adjustment);
  out["paths"] = entry.paths;
  if (!entry.joint.empty()) {
    Json joint = Json::object();
    for (size_t i = 0; i < answer.causes.size(); ++i) joint[answer.causes[i]] = estimate_json(entry.joint[i]);
    out["joint"] = std::move(joint);
  } else if (!entry.none) {
    out.update(figures_json(entry.figures));
  }
  return out;
}

Json settled_json(const Settled& settled) {
  return {{"least", settled.least}, {"mean", number(settled.mean)}, {"sampled", settled.sampled}};
}

// As CSV quotes: only where it must.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}
std::string csv_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

std::string settled_text(const Settled& settled) {
  return fmt::format("{}{:.4g}", settled.sampled ? "~" : "", settled.mean);
}

}  // namespace

std::string effect_text(const EffectAnswer& answer, const TextStyle& style) {
  std::string out = wrapped(headline(answer), style);
  if (!answer.list.empty() && !(answer.identified && answer.list[0].none)) {
    out += "\n";
    if (!answer.list[0].joint.empty()) {
      out += joint_table(answer, style);
    } else {
      for (const EffectEntry& entry : answer.list) {
        if (entry.none) continue;
        out +=
            wrapped(fmt::format("Change of {}, {}:", shown(answer.outcome), step_text(answer, entry.figures)), style);
        break;
      }
      out += single_table(answer, style);
      if (const std::string under = under_table(answer, style); !under.empty()) {
        out += "\n";
        if (answer.list.size() > 1) out += wrapped("What the first of them means, setting by setting:", style);
        out += under;
      }
    }
  }
  if (!answer.deciding.empty()) {
    std::vector<std::string> edges;
    for (const auto& [a, b] : answer.deciding) edges.push_back(fmt::format("{} --- {}", shown(a), shown(b)));
    out += "\n" + wrapped("It would be identified if these arrows were known: " + joined(edges, ", ") + ".", style);
  }
  if (answer.resampled) out += "\n" + resampled_text(answer, style);
  if (!answer.list.empty()) out += "\n" + wrapped(assumptions(answer.hidden_allowed), style);
  for (const std::string& warning : answer.warnings) out += wrapped("Warning: " + warning + ".", style);
  return out;
}

std::string effect_json_text(const EffectAnswer& answer) {
  Json out = {{"schema", 1},
              {"of", answer.causes},
              {"on", answer.outcome},
              {"identified", answer.identified},
              {"why_not", text_or_null(answer.why_not)}};
  Json list = Json::array();
  for (const EffectEntry& entry : answer.list) list.push_back(entry_json(answer, entry));
  out["possible"] = std::move(list);
  Json deciding = Json::array();
  for (const auto& [a, b] : answer.deciding) deciding.push_back(Json::array({a, b}));
  out["deciding"] = std::move(deciding);
  out["assumptions"] = assumptions(answer.hidden_allowed);
  out["warnings"] = answer.warnings;
  if (answer.resampled) {
    const ResampledEffect& r = *answer.resampled;
    Json resampled = {{"asked", r.asked}, {"resamples", r.resamples}, {"graph", r.graph}};
    if (r.graph) {
      resampled["none"] = number(r.none);
      resampled["identified"] = number(r.identified);
      Json change = Json::array();
      for (const Estimate& e : r.change) change.push_back(estimate_json(e));
      resampled["change"] = std::move(change);
    }
    out["resampled"] = std::move(resampled);
  }
  return json_text(out);
}

std::string effects_text(const std::vector<RankedEffect>& list, const std::string& of, const std::string& on,
                         size_t most, const TextStyle& style) {
  const bool causes = of.empty();
  const std::string other = shown(causes ? on : of);
  if (list.empty()) {
    return wrapped(causes ? fmt::format("Nothing in the table causes {} in this graph.", other)
                          : fmt::format("{} causes nothing in this graph.", other),
                   style);
  }
  Table table({causes ? "cause" : "effect on", ">least", ">most", ">in graphs", ">smallest effect", ">95 % interval",
               "identified"});
  const size_t shown_rows = most == 0 ? list.size() : std::min(most, list.size());
  for (size_t k = 0; k < shown_rows; ++k) {
    const RankedEffect& one = list[k];
    const std::string name = shown(causes ? one.cause : one.outcome);
    if (!one.known) {
      table.row({name, "?", "?", "", "", "", "not known"});
      continue;
    }
    const bool single = one.smallest.has_value();
    table.row({name, fmt::format("{:.3f}", one.least), fmt::format("{:.3f}", one.most), share_text(one.nonzero),
               single ? short_number(one.smallest->value) : "",
               single ? fmt::format("{} to {}", short_number(one.low), short_number(one.high)) : "",
               one.identified ? "yes" : "no"});
  }
  std::string out =
      wrapped(causes
                  ? fmt::format("Causes of {}, by the smallest effect that any graph of the class gives them:", other)
                  : fmt::format("Effects of {}, by the smallest size that any graph of the class gives them:", other),
              style) +
      "\n" + table.text(style, "  ");
  if (shown_rows < list.size()) out += fmt::format("  ... {} in all; --most 0 shows them\n", list.size());
  out += "\n" +
         wrapped(
             "least and most: the size of the effect in standard deviations, over all graphs. in graphs: the share of "
             "them in which there is an effect. The interval spans those of all possible effects.",
             style) +
         wrapped(assumptions(hidden_allowed(list)), style);
  return out;
}

std::string effects_json_text(const std::vector<RankedEffect>& list, const std::string& of, const std::string& on) {
  Json effects = Json::array();
  for (const RankedEffect& one : list) {
    Json row = {{"of", one.cause},
                {"on", one.outcome},
                {"known", one.known},
                {"identified", one.identified},
                {"least", one.known ? number(one.least) : Json(nullptr)},
                {"most", one.known ? number(one.most) : Json(nullptr)},
                {"nonzero", one.known ? number(one.nonzero) : Json(nullptr)}};
    const bool single = one.known && one.smallest.has_value();
    row["smallest"] = single ? number(one.smallest->value) : Json(nullptr);
    row["low"] = single ? number(one.low) : Json(nullptr);
    row["high"] = single ? number(one.high) : Json(nullptr);
    effects.push_back(std::move(row));
  }
  return json_text({{"schema", 1},
                    {"of", text_or_null(of)},
                    {"on", text_or_null(on)},
                    {"effects", std::move(effects)},
                    {"assumptions", assumptions(hidden_allowed(list))}});
}

std::string effects_csv(const std::vector<RankedEffect>& list) {
  std::string out = "of,on,identified,least,most,nonzero,smallest,low,high\n";
  for (const RankedEffect& one : list) {
    const bool single = one.known && one.smallest.has_value();
    out += fmt::format("{},{},{},{},{},{},{},{},{}\n", csv_cell(one.cause), csv_cell(one.outcome),
                       one.known ? (one.identified ? "true" : "false") : "", one.known ? csv_number(one.least) : "",
                       one.known ? csv_number(one.most) : "", one.known ? csv_number(one.nonzero) : "",
                       single ? csv_number(one.smallest->value) : "", single ? csv_number(one.low) : "",
                       single ? csv_number(one.high) : "");
  }
  return out;
}

std::string page_effects_json(const std::vector<EffectAnswer>& answers, bool complete) {
  // Four digits are shown; six are kept.
  const auto rounded = [](double value) {
    return std::isfinite(value) ? Json(std::stod(fmt::format("{:.6g}", value))) : Json(nullptr);
  };
  Json pairs = Json::array();
  for (const EffectAnswer& answer : answers) {
    Json list = Json::array();
    for (const EffectEntry& entry : answer.list) {
      Json one = {{"share", rounded(entry.share)},
                  {"none", entry.none},
                  {"adjustment", entry.adjustment[0]},
                  {"paths", entry.paths}};
      if (!entry.none) {
        if (!entry.figures.from.empty()) {
          one["from"] = entry.figures.from;
          one["to"] = entry.figures.to;
        }
        one["standardised"] = rounded(entry.figures.standardised);
        one["change"] = Json::array();
        for (size_t r = 0; r < entry.figures.change.size(); ++r) {
          const Estimate& e = entry.figures.change[r];
          Json change = {{"value", rounded(e.value)}, {"low", rounded(e.low)}, {"high", rounded(e.high)}};
          if (!entry.figures.readings.empty()) change["level"] = entry.figures.readings[r];
          one["change"].push_back(std::move(change));
        }
      }
      list.push_back(std::move(one));
    }
    pairs.push_back({{"of", answer.causes[0]}, {"on", answer.outcome}, {"possible", std::move(list)}});
  }
  const Json all = {{"complete", complete}, {"pairs", std::move(pairs)}};
  return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

constexpr size_t kShownSteps = 10;

std::string next_in_pag_text(const NextAnswer& answer, const TextStyle& style) {
  if (answer.open == 0) return wrapped("Every mark of the graph is known: there is nothing left to settle.", style);
  std::string out = wrapped(fmt::format("{} open: ends of edges with a circle.", counted(answer.open, "mark")), style);
  Table experiments({"set in an experiment", ">circles at it", ">settles at least"});
  for (size_t k = 0; k < std::min(kShownSteps, answer.experiments.size()); ++k) {
    const NextAnswer::Experiment& one = answer.experiments[k];
    experiments.row({shown(one.variable), fmt::format("{}", one.open), fmt::format("{:g}", one.settled.least)});
  }
  out += "\n" + experiments.text(style, "  ");
  if (answer.experiments.size() > kShownSteps) out += fmt::format("  ... {} in all\n", answer.experiments.size());
  if (answer.batch.size() > 1) {
    out += "\n" + wrapped(fmt::format("Together, each in an experiment of its own: {}. That settles {:g} at least.",
                                      names_text(answer.batch), answer.batch_settled.least),
                          style);
  }
  return out + "\n" +
         wrapped(
             "An experiment on a variable shows which of its neighbours it causes. How many graphs fit is not known "
             "where variables may be hidden, so there is no average.",
             style);
}

}  // namespace

std::string next_text(const NextAnswer& answer, const TextStyle& style) {
  if (answer.pag) return next_in_pag_text(answer, style);
  if (answer.open == 0) return wrapped("Every arrow of the graph is fixed: there is nothing left to settle.", style);
  std::string members = "a number of DAGs that was not counted";
  if (answer.log_members) {
    members = *answer.log_members < 30 ? counted(std::llround(std::exp(*answer.log_members)), "DAG")
                                       : fmt::format("about 10^{:.1f} DAGs", *answer.log_members / std::log(10.0));
  }
  std::string out = wrapped(fmt::format("{} open: {} fit.", counted(answer.open, "arrow"), members), style);
  const bool effect = !answer.of.empty();
  const bool widths = answer.width.has_value();
  if (effect) {
    out += wrapped(fmt::format("The effect of {} on {} is {}{}.", shown(answer.of), shown(answer.on),
                               answer.identified.value_or(false) ? "identified" : "not identified",
                               widths ? fmt::format("; its possible values span {}", short_number(*answer.width)) : ""),
                   style);
  }
  std::vector<std::string> headings = {"set in an experiment", ">open edges", ">settles at least", ">on average"};
  std::vector<std::string> asked = {"ask an expert", ">points right", ">settles at least", ">on average"};
  for (auto* list : {&headings, &asked}) {
    if (effect) list->push_back(">identifies");
    if (widths) list->push_back(">span left");
  }
  Table experiments(headings), questions(asked);
  const auto add_effect = [&](std::vector<TableCell>& cells, const auto& one) {
    if (effect) cells.push_back(one.identified ? fmt::format("{:.3f}", *one.identified) : "?");
    if (widths) cells.push_back(one.width ? short_number(*one.width) : "?");
  };
  for (size_t k = 0; k < std::min(kShownSteps, answer.experiments.size()); ++k) {
    const NextAnswer::Experiment& one = answer.experiments[k];
    std::vector<TableCell> cells = {shown(one.variable), fmt::format("{}", one.open),
                                    fmt::format("{:g}", one.settled.least), settled_text(one.settled)};
    add_effect(cells, one);
    experiments.row(std::move(cells));
  }
  for (size_t k = 0; k < std::min(kShownSteps, answer.questions.size()); ++k) {
    const NextAnswer::Question& one = answer.questions[k];
    std::vector<TableCell> cells = {fmt::format("{} --- {}", shown(one.from), shown(one.to)),
                                    fmt::format("{:.3f}", one.forward), fmt::format("{:g}", one.settled.least),
                                    settled_text(one.settled)};
    add_effect(cells, one);
    questions.row(std::move(cells));
  }
  out += "\n" + experiments.text(style, "  ");
  if (answer.experiments.size() > kShownSteps) out += fmt::format("  ... {} in all\n", answer.experiments.size());
  if (answer.batch.size() > 1) {
    out += "\n" + wrapped(fmt::format(
                              "Together, each in an experiment of its own: {}. That settles {:g} at least, {} on "
                              "average.",
                              names_text(answer.batch), answer.batch_settled.least, settled_text(answer.batch_settled)),
                          style);
  }
  if (!answer.left_out.empty()) {
    out += wrapped(
        fmt::format("Not looked at, because too many arrows around them are open: {}.", names_text(answer.left_out)),
        style);
  }
  out += "\n" + questions.text(style, "  ");
  if (answer.questions.size() > kShownSteps) out += fmt::format("  ... {} in all\n", answer.questions.size());
  if (effect) {
    out += "\n" + wrapped("identifies: the share of the DAGs in which the effect is identified afterwards.", style);
  }
  return out;
}

std::string next_json_text(const NextAnswer& answer) {
  Json experiments = Json::array(), questions = Json::array();
  for (const NextAnswer::Experiment& one : answer.experiments) {
    experiments.push_back({{"variable", one.variable},
                           {"open", one.open},
                           {"settles", settled_json(one.settled)},
                           {"identified", number(one.identified)},
                           {"span", number(one.width)}});
  }
  for (const NextAnswer::Question& one : answer.questions) {
    questions.push_back({{"from", one.from},
                         {"to", one.to},
                         {"forward", one.forward},
                         {"settles", settled_json(one.settled)},
                         {"identified", number(one.identified)},
                         {"span", number(one.width)}});
  }
  Json out = {{"schema", 1}, {"pag", answer.pag}, {"open", answer.open}, {"log_members", number(answer.log_members)}};
  if (!answer.of.empty()) {
    out["effect"] = {{"of", answer.of},
                     {"on", answer.on},
                     {"identified", answer.identified.value_or(false)},
                     {"span", number(answer.width)}};
  }
  out["experiments"] = std::move(experiments);
  out["questions"] = std::move(questions);
  out["batch"] = {{"variables", answer.batch}, {"settles", settled_json(answer.batch_settled)}};
  out["left_out"] = answer.left_out;
  return json_text(out);
}

}  // namespace agon
