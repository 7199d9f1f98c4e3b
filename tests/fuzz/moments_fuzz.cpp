// Covariance matrices in place of rows: any bytes as a file of `--covariance` or `--spearman`.
#include "agon/data/moment_table.h"
#include "tests/fuzz/target.h"

using namespace agon;
using namespace agon::fuzz;

FUZZ_TARGET(text) {
  if (text.size() > 4096) return;  // the eigenvectors of a large matrix take longer than a fuzzer should wait
  const bool spearman = !text.empty() && text.back() == 's';
  MomentTable table;
  if (!refusable([&] { table = read_covariance_text(text, "fuzz.csv", {.rows = 100, .spearman = spearman}); })) return;
  must(table.data.is_summary() && table.data.check_invariants(), "what was read is a table");
  must(table.data.size() == 0 || std::abs(table.data.total_weight() - 100) < 1e-9, "its rows weigh what was said");
}
