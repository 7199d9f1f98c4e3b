// Results: any bytes as a result.json, into its one reader. A record that was read is written and
// read again, its claims are held against a small table, and its page is drawn.
#include "agon/data/csv.h"
#include "agon/graph/formats.h"
#include "agon/report/html.h"
#include "agon/report/record_json.h"
#include "agon/run/verify.h"
#include "tests/fuzz/target.h"

using namespace agon;
using namespace agon::fuzz;

FUZZ_TARGET(text) {
  static const Dataset kTable =
      read_csv_text("a,b,c\n0,0,1\n1,1,0\n0,1,1\n1,1,1\n0,0,0\n1,0,0\n0,0,1\n1,1,1\n0,1,0\n1,1,0\n", "fuzz.csv").data;
  std::optional<RunRecord> record;
  refusable([&] { record = read_record(std::string(text), "result.json"); });
  if (record) {
    const std::string written = write_record(*record);
    must(write_record(read_record(written, "result.json")) == written, "what was written is read as it was");
    refusable([&] {
      for (const ClaimCheck& check : verify_file(std::string(text), *record, kTable, {}, "result.json")) {
        must(!check.text.empty(), "a verdict says why");
      }
    });
    const std::string page = html_report(*record, PageKind::kPlain);  // the other kind holds our own script
    must(page.find("<script") == std::string::npos, "nothing in a result becomes a script");
    must(page.find("<img") == std::string::npos, "nothing in a result becomes an element");
    html_report(*record, PageKind::kInteractive);
  }
  refusable([&] { parse_graph(text, "result.json", "json"); });
}
