#include "agon/report/progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/report/table.h"

namespace agon {

std::string progress_line(const Progress& progress, double elapsed, std::optional<double> left) {
  std::string line = progress.phase + ": ";
  if (progress.budget > 0) line += with_commas(progress.steps) + " of ";
  line += counted(progress.budget > 0 ? progress.budget : progress.steps, progress.unit);
  if (progress.edges >= 0) {
    line += fmt::format(", {}, best {:.3f}", counted(progress.edges, "edge"), progress.score);
  }
  if (progress.gain) line += fmt::format(", gain {:+.3f}", *progress.gain);
  line += ", " + duration_text(elapsed);
  if (left) line += fmt::format(", {} left", duration_text(std::max(*left, 0.0)));
  return line;
}

}  // namespace agon
