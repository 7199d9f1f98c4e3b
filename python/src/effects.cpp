#include "effects.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "agon/base/error.h"
#include "agon/base/parallel.h"
#include "agon/report/effect_texts.h"
#include "agon/report/record_json.h"
#include "agon/run/effects.h"
#include "agon/run/front_end.h"
#include "agon/run/recorded.h"
#include "table.h"

namespace agon::python {
namespace {

using Answer = std::pair<std::string, std::string>;  // JSON, text

const TextStyle kStyle{.spelling = as_python};
constexpr const char* kPlace = "result";

EffectSource source_of(const RunRecord& record, const Table& table) {
  return {record, converted_as_recorded(table.data->table, record, kPlace), kPlace, hardware_threads()};
}

Answer effect(const std::string& text, const Table& table, const std::vector<std::string>& of, const std::string& on,
              const std::vector<std::string>& levels, int resample, int bootstrap, uint64_t seed,
              const std::optional<KnowledgeStatements>& statements) {
  nb::gil_scoped_release release;
  const RunRecord record = read_record(text, kPlace);
  const EffectSource source = source_of(record, table);
  Knowledge knowledge;
  if (bootstrap > 0 && (statements || record.has_knowledge())) {
    if (!statements) {
      throw UsageError("the search was given knowledge, and repeating it needs the same",
                       "pass it again: knowledge=...");
    }
    Settings settings;
    knowledge = KnowledgeSettings(settings).load(source.rows().names(), &*statements);
  }
  EffectRequest request{.of = of, .on = on};
  if (levels.size() == 2) request.levels = {levels[0], levels[1]};
  request.resample = resample;
  request.bootstrap = bootstrap;
  request.seed = seed;
  request.threads = hardware_threads();
  const EffectAnswer answer = answer_effect(source, request, knowledge);
  return {effect_json_text(answer), effect_text(answer, kStyle)};
}

Answer effects(const std::string& text, const Table& table, const std::string& of, const std::string& on) {
  nb::gil_scoped_release release;
  const EffectSource source = source_of(read_record(text, kPlace), table);
  const std::vector<RankedEffect> list = answer_effects(source, of, on, hardware_threads());
  return {effects_json_text(list, of, on), effects_text(list, of, on, 0, kStyle)};
}

Answer next(const std::string& text, const Table* table, int budget, const std::string& of, const std::string& on) {
  nb::gil_scoped_release release;
  const RunRecord record = read_record(text, kPlace);
  std::optional<EffectSource> source;
  if (table != nullptr && !of.empty()) source.emplace(source_of(record, *table));
  const NextAnswer answer =
      answer_next(record, source ? &*source : nullptr, {.budget = budget, .of = of, .on = on}, kPlace);
  return {next_json_text(answer), next_text(answer, kStyle)};
}

}  // namespace

void bind_effects(nb::module_& module) {
  module.def("effect", effect, nb::arg("result"), nb::arg("table"), nb::arg("of"), nb::arg("on"), nb::arg("levels"),
             nb::arg("resample"), nb::arg("bootstrap"), nb::arg("seed"), nb::arg("knowledge").none(),
             "The effect of columns on another: JSON and text.");
  module.def("effects", effects, nb::arg("result"), nb::arg("table"), nb::arg("of"), nb::arg("on"),
             "All effects of a column, or on one: JSON and text.");
  module.def("next", next, nb::arg("result"), nb::arg("table").none(), nb::arg("budget"), nb::arg("of"), nb::arg("on"),
             "What to find out next: JSON and text.");
}

}  // namespace agon::python
