// Results: any bytes as a result.json, into the reader of `agon verify` (which then holds its claims against a small
// table) and into the page of `agon report`.
#include "agon/data/csv.h"
#include "agon/graph/formats.h"
#include "agon/report/html.h"
#include "agon/report/verification.h"
#include "tests/fuzz/target.h"

using namespace agon;
using namespace agon::fuzz;

FUZZ_TARGET(text) {
  static const Dataset kTable =
      read_csv_text("a,b,c\n0,0,1\n1,1,0\n0,1,1\n1,1,1\n0,0,0\n1,0,0\n0,0,1\n1,1,1\n0,1,0\n1,1,0\n", "fuzz.csv").data;
  RecordedResult recorded;
  if (refusable([&] { recorded = read_result(std::string(text), "result.json"); })) {
    refusable([&] {
      for (const ClaimCheck& check : verify_result(recorded, kTable, {}))
        must(!check.text.empty(), "a verdict says why");
    });
  }
  refusable([&] { parse_graph(text, "result.json", "json"); });
  for (const PageKind kind : {PageKind::kPlain, PageKind::kInteractive}) {
    std::string page;
    if (!refusable([&] { page = html_report(text, "result.json", kind); })) continue;
    if (kind == PageKind::kInteractive) continue;  // holds our own script
    must(page.find("<script") == std::string::npos, "nothing in a result becomes a script");
    must(page.find("<img") == std::string::npos, "nothing in a result becomes an element");
  }
}
