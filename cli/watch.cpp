#include "cli/watch.h"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <thread>
#include <tuple>

#include "agon/base/atomic_file.h"
#include "agon/base/error.h"
#include "agon/data/text_file.h"
#include "agon/report/record_json.h"
#include "cli/interrupt.h"

namespace agon::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto kPause = std::chrono::milliseconds(500);
constexpr int kReloadSeconds = 5;

struct Standing {
  double score = 0;
  size_t edges = 0;
};

// The results in the folder, by file; those that were read before are not read again, since nobody changes a result.
void look(const fs::path& folder, std::map<fs::path, Standing>& known) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json" || known.contains(entry.path())) continue;
    try {
      const RunRecord record = read_record(read_text_file(entry.path().string()), entry.path().string());
      known[entry.path()] = {record.score.value, record.edges.size()};
    } catch (const InputError&) {  // no result, or not yet
    }
  }
}

fs::path best_of(const std::map<fs::path, Standing>& known) {
  const auto rank = [](const auto& item) { return std::make_tuple(-item.second.score, item.second.edges, item.first); };
  return std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); })
      ->first;
}

std::string page_of(const fs::path& best, size_t results, PageKind kind, bool more) {
  std::string page = html_report(read_record(read_text_file(best.string()), best.string()), kind);
  const std::string head = "<head>\n", body = "<body>\n";
  if (const size_t at = page.find(head); more && at != std::string::npos) {
    page.insert(at + head.size(), fmt::format("<meta http-equiv=\"refresh\" content=\"{}\">\n", kReloadSeconds));
  }
  if (const size_t at = page.find("</body>"); at != std::string::npos) {
    page.insert(at, fmt::format("<p>The best of {}{}: {}</p>\n", counted(static_cast<long long>(results), "result"),
                                more ? " so far" : "", html_escaped(best.filename().string())));
  }
  return page;
}

}  // namespace

void watch_results(const fs::path& folder, long results, PageKind kind, Journal& log) {
  if (!fs::is_directory(folder)) {
    throw InputError(folder.string(), "is no folder of results", "--watch takes the folder that agon.league writes to");
  }
  const std::atomic<bool>* interrupted = catch_interrupts();
  std::map<fs::path, Standing> known;
  for (size_t shown = 0;;) {
    look(folder, known);
    const bool last = results > 0 && known.size() >= static_cast<size_t>(results);
    if (known.size() > shown) {
      shown = known.size();
      const fs::path best = best_of(known);
      write_file_atomically((folder / "report.html").string(), page_of(best, shown, kind, !last));
      log.note(fmt::format("{}; the best scores {:.3f}: {}", counted(static_cast<long long>(shown), "result"),
                           known[best].score, best.filename().string()));
    }
    if (last || interrupted->load()) return;
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace agon::cli
