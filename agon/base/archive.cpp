#include "agon/base/archive.h"

#include "agon/base/error.h"

namespace agon {

void Archive::demand(bool holds) {
  if (!holds) throw InputError("", "the saved state does not fit this program", "start over");
}

void Archive::finish() const { demand(in_.empty()); }

void Archive::demand_room(int64_t rows, int64_t columns, size_t item_bytes) const {
  const auto most = static_cast<int64_t>(in_.size() / item_bytes);
  demand(rows >= 0 && columns >= 0 && (columns == 0 || rows <= most / columns));
}

size_t Archive::length(size_t now, size_t item_bytes) {
  uint64_t count = now;
  (*this)(count);
  if (reads_) demand(count <= in_.size() / item_bytes);
  return static_cast<size_t>(count);
}

}  // namespace agon
