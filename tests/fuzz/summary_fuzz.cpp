// Summaries: any bytes as a file of `agon summarize`, and as what follows its first line, which vouches for it.
#include "agon/data/summary.h"
#include "tests/fuzz/target.h"

using namespace agon;
using namespace agon::fuzz;

FUZZ_TARGET(text) {
  if (text.size() > 8192) return;  // the eigenvectors of a large matrix take longer than a fuzzer should wait
  refusable([&] { parse_summary(text, "fuzz.summary"); });
  const size_t line = is_summary_text(text) ? text.find('\n') + 1 : 0;
  Summary sum;
  if (!refusable([&] { sum = detail::parse_summary_body(text.substr(line), "fuzz.summary"); })) return;
  const std::string written = summary_text(sum);
  must(summary_text(parse_summary(written, "copy")) == written, "what was written reads back");
  SummaryTable table;
  if (!refusable([&] { table = to_table(sum, "fuzz.summary"); })) return;
  must(table.data.check_invariants(), "what was read is a table");
  Summary twice;
  if (!refusable([&] { twice = merge(sum, sum); })) return;
  must(twice.rows() == 2 * sum.rows(), "a sum has the rows of both");
}
