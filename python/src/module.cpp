// The module agon._agon: only what Python needs from the library. What users see is written in Python (python/agon).

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "agon/agent/challengers.h"
#include "agon/base/build_id.h"
#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/catalog/opponents.h"
#include "agon/catalog/scores.h"
#include "agon/certificate/certificate.h"
#include "agon/data/embedded.h"
#include "agon/graph/formats.h"
#include "agon/run/front_end.h"
#include "agon/version.h"
#include "effects.h"
#include "graphs.h"
#include "run.h"
#include "summary.h"
#include "table.h"
#include "table_builder.h"

namespace nb = nanobind;

namespace agon::python {
namespace {

// (name, summary, source, maturity)
std::vector<std::tuple<std::string, std::string, std::string, std::string>> opponents() {
  std::vector<std::tuple<std::string, std::string, std::string, std::string>> all;
  for (const OpponentEntry& e : opponent_entries()) {
    all.emplace_back(e.name, as_python(e.summary), e.source, to_string(e.maturity));
  }
  return all;
}

// (name, summary, source, maturity)
std::vector<std::tuple<std::string, std::string, std::string, std::string>> challengers() {
  std::vector<std::tuple<std::string, std::string, std::string, std::string>> all;
  for (const ChallengerEntry& e : challenger_entries()) {
    all.emplace_back(e.name, as_python(e.summary), e.source, to_string(e.maturity));
  }
  return all;
}

// An exception of the library, with its hints translated for Python (agon/run/front_end.h).
template <class Error>
void bind_error(nb::module_& module, const char* name, PyObject* base, const char* what_it_is) {
  nb::object type = nb::exception<Error>(module, name, base);
  type.attr("__doc__") = what_it_is;
  // Translators are tried from the last registered to the first. The module keeps the type alive.
  nb::register_exception_translator(
      [](const std::exception_ptr& thrown, void* python_type) {
        try {
          std::rethrow_exception(thrown);
        } catch (const Error& error) {
          PyErr_SetString(static_cast<PyObject*>(python_type), as_python(error.what()).c_str());
        }
      },
      type.ptr());
}

// (name, summary, columns, formula, source)
std::vector<std::tuple<std::string, std::string, std::string, std::string, std::string>> scores() {
  std::vector<std::tuple<std::string, std::string, std::string, std::string, std::string>> all;
  for (const ScoreEntry& e : score_entries()) {
    all.emplace_back(e.name, as_python(e.summary), column_kinds(e.takes), e.formula, e.source);
  }
  return all;
}

// (name, kind, nodes, edges, rows, source, licence)
std::vector<std::tuple<std::string, std::string, int, int, size_t, std::string, std::string>> datasets() {
  std::vector<std::tuple<std::string, std::string, int, int, size_t, std::string, std::string>> all;
  for (const EmbeddedInfo& e : embedded_datasets()) {
    all.emplace_back(e.name, e.kind, e.nodes, e.edges, e.rows, e.source, e.licence);
  }
  return all;
}

std::vector<std::string> formats() {
  std::vector<std::string> all;
  for (const GraphFormat& format : graph_formats()) all.push_back(format.name);
  return all;
}

}  // namespace
}  // namespace agon::python

NB_MODULE(_agon, module) {
  using namespace agon;
  using namespace agon::python;
  module.attr("version") = AGON_VERSION;
  module.attr("build") = build_id();
  bind_error<InputError>(module, "InputError", PyExc_ValueError,
                         "A file or a table that cannot be used as it is.\n\n"
                         ">>> import agon\n"
                         ">>> agon.table({\"a\": []})\n"
                         "Traceback (most recent call last):\n"
                         "agon._agon.InputError: table: the table has 1 column and no rows\n"
                         "  hint: a table needs a column and a row");
  bind_error<UsageError>(module, "UsageError", PyExc_ValueError,
                         "An option or a name that does not exist or makes no sense.\n\n"
                         ">>> import agon\n"
                         ">>> agon.discover(\"asia\", bootsrap=5, progress=False)\n"
                         "Traceback (most recent call last):\n"
                         "agon._agon.UsageError: there is no option \"bootsrap\"\n"
                         "  hint: did you mean bootstrap?");
  bind_error<ScoreUndefined>(module, "ScoreUndefined", PyExc_ArithmeticError,
                             "A model that cannot be fitted: the parents determine the child.\n\n"
                             ">>> import agon\n"
                             ">>> agon.score([(\"a\", \"b\")], {\"a\": [0.5, 1, 2, 4], \"b\": [1, 2, 4, 8.]}, "
                             "score=\"gaussian-bic\")\n"
                             "Traceback (most recent call last):\n"
                             "agon._agon.ScoreUndefined: gaussian-bic: variable b is determined exactly by a, so it "
                             "has no density given them");
  nb::exception<GuaranteeViolated>(module, "GuaranteeViolated", PyExc_RuntimeError).attr("__doc__") =
      "A promise of the search that was broken: a mistake of agon, never of the data.\n\n"
      ">>> import agon\n"
      ">>> issubclass(agon.GuaranteeViolated, RuntimeError)\n"
      "True";
  bind_graphs(module);
  bind_table(module);
  bind_summary(module);
  bind_table_builder(module);
  bind_run(module);
  bind_effects(module);
  module.def("opponents", opponents, "(name, summary, source, maturity) of every algorithm.");
  module.def("challengers", challengers, "(name, summary, source, maturity) of every challenger.");
  module.def("scores", scores, "(name, formula, source) of every score.");
  module.def("datasets", datasets, "(name, kind, nodes, edges, rows, source, licence) of every data set.");
  module.def("did_you_mean", did_you_mean, nb::arg("word"), nb::arg("known"),
             "\"did you mean NAME?\", or nothing when no candidate is near.");
  module.def("formats", formats, "Names of the graph formats.");
}
