#include "agon/parquet/parquet_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "agon/base/error.h"
#include "agon/parquet/arrow_schema.h"

namespace agon::parquet {
namespace {

constexpr const char* kCutShort = "it may have been cut short, or is still being written";
constexpr size_t kTail = 8;  // the length of the footer, and PAR1

// "": it is a column of a table.
std::string type_problem(const SchemaElement& e) {
  const auto physical = static_cast<Physical>(e.physical);
  const std::string named = e.logical_name.empty() ? "" : fmt::format(" ({})", e.logical_name);
  const bool bytes = physical == Physical::kByteArray || physical == Physical::kFixedBytes;
  if (e.logical == Logical::kOther || (bytes && e.logical == Logical::kNone)) {
    return fmt::format("holds bytes{} that are neither text nor numbers", named);
  }
  if (physical == Physical::kFixedBytes && e.type_length <= 0) return "holds bytes of no possible length";
  const bool whole = physical == Physical::kInt32 || physical == Physical::kInt64;
  const bool fits = e.logical == Logical::kNone      ? true
                    : e.logical == Logical::kText    ? physical == Physical::kByteArray
                    : e.logical == Logical::kInteger ? whole
                    : e.logical == Logical::kDecimal ? whole || bytes
                    : e.logical == Logical::kHalf    ? physical == Physical::kFixedBytes && e.type_length == 2
                    : e.logical == Logical::kDate    ? physical == Physical::kInt32
                                                     : whole;
  if (!fits) return "is of a type that contradicts itself";
  if (e.logical == Logical::kDecimal && (e.scale < 0 || e.scale > 38)) return "holds decimals of more than 38 digits";
  if (e.logical == Logical::kDecimal && physical == Physical::kFixedBytes && e.type_length > 16) {
    return "holds decimals of more than 38 digits";
  }
  return "";
}

CellKind kind_of(const SchemaElement& e, bool duration) {
  if (duration) return CellKind::kText;
  switch (e.logical) {
    case Logical::kText:
    case Logical::kDate:
    case Logical::kTime:
    case Logical::kTimestamp:
    case Logical::kOther:
      return CellKind::kText;
    case Logical::kDecimal:
    case Logical::kHalf:
      return CellKind::kNumber;
    case Logical::kInteger:
      return CellKind::kInteger;
    case Logical::kNone:
      break;
  }
  switch (static_cast<Physical>(e.physical)) {
    case Physical::kBoolean:
      return CellKind::kTruth;
    case Physical::kInt32:
    case Physical::kInt64:
      return CellKind::kInteger;
    case Physical::kFloat:
    case Physical::kDouble:
      return CellKind::kNumber;
    default:
      return CellKind::kText;
  }
}

}  // namespace

bool is_parquet(std::string_view head) { return head.starts_with("PAR1\x15"); }

ParquetFile::ParquetFile(const std::string& path) : path_(path) {
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw InputError(path, fmt::format("cannot open: {}", std::strerror(errno)));
  try {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
      throw InputError(path, "is Parquet, whose end must be read first, and no plain file");
    }
    size_ = static_cast<uint64_t>(status.st_size);
    read_footer();
    find_columns();
  } catch (const Corrupt& problem) {
    ::close(descriptor_);
    throw InputError(path, fmt::format("the Parquet file cannot be read: {}", problem.what()), kCutShort);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

ParquetFile::~ParquetFile() { ::close(descriptor_); }

void ParquetFile::read_at(uint64_t offset, size_t count, char* to) const {
  while (count > 0) {
    const ssize_t got = ::pread(descriptor_, to, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InputError(path_, fmt::format("cannot read: {}", std::strerror(errno)));
    if (got == 0) throw Corrupt("the file ends before its values do", true);
    offset += static_cast<uint64_t>(got);
    count -= static_cast<size_t>(got);
    to += got;
  }
}

void ParquetFile::read_footer() {
  char tail[kTail];
  if (size_ < 4 + kTail) throw Corrupt(fmt::format("it has {} bytes", size_), true);
  read_at(size_ - kTail, kTail, tail);
  if (std::memcmp(tail + 4, "PARE", 4) == 0) throw InputError(path_, "the Parquet file is encrypted");
  if (std::memcmp(tail + 4, "PAR1", 4) != 0) throw Corrupt("it does not end as Parquet does, with PAR1", true);
  uint32_t length = 0;
  std::memcpy(&length, tail, sizeof length);
  if (length > size_ - 4 - kTail) throw Corrupt("its description is longer than the file", true);
  std::string footer(length, '\0');
  read_at(size_ - kTail - length, length, footer.data());
  info_ = read_file_info(footer);
  if (info_.encrypted) throw InputError(path_, "the Parquet file is encrypted");
  if (info_.schema.empty()) throw Corrupt("its description has no columns");
  for (const RowGroup& group : info_.groups) {
    if (group.rows < 0 || group.rows > (int64_t{1} << 48)) throw Corrupt("a group of rows has no possible length");
    rows_ += static_cast<uint64_t>(group.rows);
  }
  if (info_.rows != static_cast<int64_t>(rows_)) {
    throw Corrupt(fmt::format("it has {} rows by its description, and {} in its groups", info_.rows, rows_));
  }
}

// The schema is a list of all elements, depth first; the values of those without children follow each other in a group.
void ParquetFile::find_columns() {
  const std::vector<ArrowField> noted = read_arrow_schema(info_.arrow_schema);
  const std::vector<SchemaElement>& schema = info_.schema;
  size_t chunks = 0;
  for (size_t at = 1; at < schema.size();) {
    ColumnInfo column{.name = schema[at].name, .problem = {}, .chunk = chunks, .element = schema[at]};
    const size_t first = at;
    for (uint64_t open = 1; open > 0; --open, ++at) {
      if (at >= schema.size()) throw Corrupt("its description ends inside a column", true);
      if (schema[at].physical < 0) {
        if (schema[at].children < 0) throw Corrupt("a column has a negative number of parts");
        open += static_cast<uint64_t>(schema[at].children);
      } else {
        ++chunks;
      }
    }
    if (schema[first].physical < 0) {
      column.problem = "is nested";
    } else if (schema[first].repetition == Repetition::kRepeated) {
      column.problem = "holds lists";
    } else {
      column.problem = type_problem(schema[first]);
    }
    if (const size_t k = columns_.size(); k < noted.size() && noted[k].name == column.name) {
      column.category = noted[k].category && schema[first].logical == Logical::kText;
      column.duration = noted[k].duration && schema[first].physical == static_cast<int>(Physical::kInt64);
    }
    column.kind = kind_of(column.element, column.duration);
    columns_.push_back(std::move(column));
  }
  for (const RowGroup& group : info_.groups) {
    if (group.chunks.size() != chunks) throw Corrupt("a group of rows has not as many columns as the file");
  }
}

}  // namespace agon::parquet
