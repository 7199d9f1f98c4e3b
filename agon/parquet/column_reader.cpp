#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "agon/base/error.h"
#include "agon/parquet/cell_text.h"
#include "agon/parquet/codec.h"
#include "agon/parquet/encoding.h"
#include "agon/parquet/parquet_file.h"

namespace agon::parquet {
namespace {

constexpr size_t kWindow = size_t{64} << 10;      // read at once
constexpr size_t kMostPage = size_t{1} << 30;     // bytes of a page
constexpr size_t kMostTexts = size_t{256} << 20;  // bytes of the texts of the rows that are asked for at once
constexpr size_t kSome = 1024;                    // cells decoded at once

struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

void clear(Cells& cells, CellKind kind) {
  cells.kind = kind;
  cells.rows = 0;
  cells.integers.clear();
  cells.numbers.clear();
  cells.codes.clear();
  cells.texts.clear();
  cells.missing.clear();
}

// Cells are appended without their gaps; then the last `present` of them are spread over `levels`, 1 where there is
// one.
template <class T>
void spread(std::vector<T>& cells, const uint32_t* levels, size_t count, size_t present, T gap) {
  size_t from = cells.size();
  cells.resize(cells.size() - present + count);
  for (size_t to = cells.size(), k = count; k-- > 0;) {
    --to;
    cells[to] = levels[k] != 0 ? cells[--from] : gap;
  }
}

}  // namespace

class ColumnReader::Impl {
 public:
  Impl(const ParquetFile& file, const ColumnInfo& column) : file_(file), column_(column), element_(column.element) {
    physical_ = static_cast<Physical>(element_.physical);
  }

  bool read(size_t rows, Cells& out) {
    clear(out, column_.kind);
    texts_.clear();
    text_bytes_ = 0;
    std::fill(code_of_.begin(), code_of_.end(), 0u);
    try {
      while (out.rows < rows && next_values()) take(std::min({rows - out.rows, left_in_page_, kSome}), out);
    } catch (const Corrupt& problem) {
      throw InputError(file_.path(),
                       fmt::format("row group {}, column {}: {}", group_ + 1, quoted(column_.name), problem.what()),
                       "the file was damaged or cut short; write it again");
    }
    return out.rows > 0;
  }

 private:
  // Makes left_in_page_ positive; false at the end of the file.
  bool next_values() {
    while (left_in_page_ == 0) {
      if (left_in_chunk_ > 0) {
        next_page();
        continue;
      }
      if (begun_) ++group_;
      begun_ = true;
      if (group_ >= file_.groups().size()) return false;
      begin_chunk();
    }
    return true;
  }

  void begin_chunk() {
    const RowGroup& group = file_.groups()[group_];
    const ChunkInfo& chunk = group.chunks[column_.chunk];
    left_in_chunk_ = static_cast<size_t>(group.rows);
    has_dictionary_ = false;
    if (left_in_chunk_ == 0) return;
    if (chunk.encrypted) throw Corrupt("its values are encrypted");
    if (chunk.elsewhere) throw Corrupt("its values are in another file");
    if (chunk.physical != element_.physical) throw Corrupt("its type is not that of the column");
    if (chunk.values != group.rows) {
      throw Corrupt(fmt::format("it has {} values, and the group {} rows", chunk.values, group.rows));
    }
    if (const Unreadable why = why_unreadable(chunk.codec); !why.problem.empty()) {
      throw InputError(file_.path(), fmt::format("column {}: {}", quoted(column_.name), why.problem), why.hint);
    }
    codec_ = static_cast<Codec>(chunk.codec);
    const bool dictionary_first = chunk.dictionary_page > 0 && chunk.dictionary_page < chunk.data_page;
    const int64_t begin = dictionary_first ? chunk.dictionary_page : chunk.data_page;
    if (begin < 4 || chunk.bytes < 0 || static_cast<uint64_t>(begin) > file_.size() ||
        static_cast<uint64_t>(chunk.bytes) > file_.size() - static_cast<uint64_t>(begin)) {
      throw Corrupt("its values lie beyond the end of the file");
    }
    at_ = static_cast<uint64_t>(begin);
    end_ = at_ + static_cast<uint64_t>(chunk.bytes);
    window_.clear();
  }

  // `count` bytes of the chunk from where it is being read, or what is left of it; valid until the next call.
  std::string_view look(size_t count) {
    const auto have = static_cast<size_t>(std::min<uint64_t>(count, end_ - at_));
    if (window_.empty() || at_ < window_at_ || at_ - window_at_ + have > window_.size()) {
      const auto wanted = static_cast<size_t>(std::min<uint64_t>(std::max(have, kWindow), end_ - at_));
      window_.resize(wanted);
      file_.read_at(at_, wanted, window_.data());
      window_at_ = at_;
    }
    return std::string_view(window_).substr(static_cast<size_t>(at_ - window_at_), have);
  }

  PageHeader page_header() {
    for (size_t bytes = 256;; bytes *= 4) {
      const std::string_view head = look(bytes);
      try {
        return read_page_header(head);
      } catch (const Corrupt& problem) {
        if (!problem.cut || head.size() < bytes) throw;
      }
    }
  }

  void next_page() {
    if (at_ >= end_) throw Corrupt(fmt::format("its pages end {} values too soon", left_in_chunk_));
    const PageHeader head = page_header();
    at_ += head.header_bytes;
    if (head.stored_bytes < 0 || head.bytes < 0 || static_cast<uint64_t>(head.stored_bytes) > end_ - at_ ||
        static_cast<uint64_t>(head.bytes) > kMostPage) {
      throw Corrupt("a page has no possible length");
    }
    const std::string_view stored = look(static_cast<size_t>(head.stored_bytes));
    at_ += stored.size();
    switch (static_cast<PageKind>(head.kind)) {
      case PageKind::kDictionary:
        read_dictionary(head, unpacked(stored, static_cast<size_t>(head.bytes)));
        return;
      case PageKind::kData:
      case PageKind::kDataV2:
        begin_page(head, stored);
        return;
      default:
        return;  // an index, which nobody needs
    }
  }

  std::string_view unpacked(std::string_view stored, size_t bytes) {
    if (codec_ == Codec::kNone) {
      if (bytes != stored.size()) throw Corrupt("a page has no possible length");
      return stored;
    }
    unpack(codec_, stored, bytes, page_);
    return page_;
  }

  void begin_page(const PageHeader& head, std::string_view stored) {
    if (head.values < 0 || static_cast<uint64_t>(head.values) > left_in_chunk_) {
      throw Corrupt("a page has more values than the group has rows");
    }
    const bool optional = element_.repetition == Repetition::kOptional;
    const auto bytes = static_cast<size_t>(head.bytes);
    const auto count = static_cast<size_t>(head.values);
    std::string_view values;
    has_levels_ = optional;
    if (head.kind == static_cast<int>(PageKind::kDataV2)) {
      const int64_t levels = head.definition_bytes;
      if (levels < 0 || head.repetition_bytes != 0 || static_cast<uint64_t>(levels) > stored.size() ||
          static_cast<uint64_t>(levels) > bytes) {
        throw Corrupt("a page has no possible length");
      }
      if (optional) {  // they are not packed
        level_bytes_ = stored.substr(0, static_cast<size_t>(levels));
        levels_ = RunDecoder(level_bytes_, 1);
      }
      stored.remove_prefix(static_cast<size_t>(levels));
      values = head.packed ? unpacked(stored, bytes - static_cast<size_t>(levels)) : stored;
    } else {
      values = unpacked(stored, bytes);
      if (optional) values = values.substr(levels_in_front(values, head, count));
    }
    in_dictionary_ = head.encoding == static_cast<int>(Encoding::kDictionary) ||
                     head.encoding == static_cast<int>(Encoding::kPlainDictionary);
    left_in_page_ = count;
    left_in_chunk_ -= count;
    if (count == 0) return;
    if (in_dictionary_) {
      if (!has_dictionary_) throw Corrupt("a page names values of a dictionary that is not there");
      // A page of gaps alone may be empty.
      places_ = values.empty() ? RunDecoder() : RunDecoder(values.substr(1), static_cast<uint8_t>(values[0]));
    } else if (values.empty()) {
      values_ = ValueDecoder(physical_, Encoding::kPlain, length(), values);
    } else {
      values_ = ValueDecoder(physical_, static_cast<Encoding>(head.encoding), length(), values);
    }
  }

  // Levels of the first version: their length, then runs. Old files may have a bit for each instead, which is refused.
  size_t levels_in_front(std::string_view values, const PageHeader& head, size_t count) {
    if (head.level_encoding == static_cast<int>(Encoding::kRle)) {
      uint32_t size = 0;
      if (values.size() < sizeof size) refuse_short_page();
      std::memcpy(&size, values.data(), sizeof size);
      if (size > values.size() - sizeof size) refuse_short_page();
      levels_ = RunDecoder(values.substr(sizeof size, size), 1);
      return sizeof size + size;
    }
    throw Corrupt(fmt::format("its gaps are written in an encoding that is not read (number {}, {} values)",
                              head.level_encoding, count));
  }

  size_t length() const { return element_.type_length > 0 ? static_cast<size_t>(element_.type_length) : 1; }

  void read_dictionary(const PageHeader& head, std::string_view bytes) {
    const bool plain = head.encoding == static_cast<int>(Encoding::kPlain) ||
                       head.encoding == static_cast<int>(Encoding::kPlainDictionary);
    if (!plain) throw Corrupt("a dictionary is written in an encoding that is not read");
    // A value takes a byte at least, but for truths, which have no dictionaries.
    if (head.values < 0 || static_cast<uint64_t>(head.values) > bytes.size() || physical_ == Physical::kBoolean) {
      throw Corrupt("a dictionary has no possible length");
    }
    clear(dictionary_, column_.kind);
    texts_.swap(dictionary_texts_);
    texts_.clear();
    const size_t before = text_bytes_;
    text_bytes_ = 0;
    values_ = ValueDecoder(physical_, Encoding::kPlain, length(), bytes);
    for (size_t done = 0; done < static_cast<size_t>(head.values);) {
      const size_t some = std::min(kSome, static_cast<size_t>(head.values) - done);
      take_values(some, dictionary_);
      done += some;
    }
    dictionary_.rows = static_cast<size_t>(head.values);
    texts_.clear();
    texts_.swap(dictionary_texts_);
    text_bytes_ = before;
    code_of_.assign(dictionary_.texts.size(), 0);
    has_dictionary_ = true;
  }

  void take(size_t count, Cells& out) {
    uint32_t levels[kSome];
    size_t present = count;
    if (has_levels_) {
      levels_.get(levels, count);
      present = 0;
      for (size_t k = 0; k < count; ++k) present += levels[k] != 0;
    }
    if (in_dictionary_) {
      take_places(present, out);
    } else {
      take_values(present, out);
    }
    if (present < count) {
      out.missing.resize(out.rows, 0);
      for (size_t k = 0; k < count; ++k) out.missing.push_back(levels[k] == 0);
      if (out.kind == CellKind::kText) {
        spread(out.codes, levels, count, present, uint32_t{0});
      } else if (out.kind == CellKind::kNumber) {
        spread(out.numbers, levels, count, present, std::nan(""));
      } else {
        spread(out.integers, levels, count, present, int64_t{0});
      }
    } else if (!out.missing.empty()) {
      out.missing.resize(out.rows + count, 0);
    }
    out.rows += count;
    left_in_page_ -= count;
  }

  void take_places(size_t count, Cells& out) {
    uint32_t places[kSome];
    places_.get(places, count);
    if (dictionary_.kind == CellKind::kNumber) become_numbers(out);
    for (size_t k = 0; k < count; ++k) {
      if (places[k] >= dictionary_.rows) throw Corrupt("a page names a value that its dictionary does not have");
      const size_t place = places[k];
      if (out.kind == CellKind::kText) {
        uint32_t& code = code_of_[dictionary_.codes[place]];  // 0: not met in these rows; else one more
        if (code == 0) code = code_of_text(dictionary_.texts[dictionary_.codes[place]], out) + 1;
        out.codes.push_back(code - 1);
      } else if (out.kind == CellKind::kNumber) {
        out.numbers.push_back(dictionary_.kind == CellKind::kNumber ? dictionary_.numbers[place]
                                                                    : static_cast<double>(dictionary_.integers[place]));
      } else {
        out.integers.push_back(dictionary_.integers[place]);
      }
    }
  }

  void take_values(size_t count, Cells& out) {
    if (physical_ == Physical::kFloat || physical_ == Physical::kDouble) {
      const size_t before = out.numbers.size();
      out.numbers.resize(before + count);
      values_.numbers(out.numbers.data() + before, count);
    } else if (physical_ == Physical::kBoolean || physical_ == Physical::kInt32 || physical_ == Physical::kInt64) {
      int64_t some[kSome];
      values_.integers(some, count);
      for (size_t k = 0; k < count; ++k) take_integer(some[k], out);
    } else if (element_.logical == Logical::kDecimal || element_.logical == Logical::kHalf) {
      const bool half = element_.logical == Logical::kHalf;
      values_.texts(count, [&](std::string_view bytes) {
        out.numbers.push_back(half ? half_number(bytes) : decimal_number(bytes, element_.scale));
      });
    } else if (physical_ == Physical::kInt96) {
      values_.texts(count,
                    [&](std::string_view bytes) { out.codes.push_back(code_of_text(old_timestamp(bytes), out)); });
    } else {
      values_.texts(count, [&](std::string_view text) { out.codes.push_back(code_of_text(text, out)); });
    }
  }

  void take_integer(int64_t value, Cells& out) {
    if (column_.duration) {
      out.codes.push_back(code_of_text(std::to_string(value), out));
      return;
    }
    switch (element_.logical) {
      case Logical::kDecimal:
        out.numbers.push_back(decimal_number(value, element_.scale));
        return;
      case Logical::kDate:
        out.codes.push_back(code_of_text(date_text(value), out));
        return;
      case Logical::kTime:
        out.codes.push_back(code_of_text(time_text(value, element_.digits), out));
        return;
      case Logical::kTimestamp:
        out.codes.push_back(code_of_text(timestamp_text(value, element_.digits, element_.in_utc), out));
        return;
      default:
        break;
    }
    double number = static_cast<double>(value);
    if (!element_.is_signed && physical_ == Physical::kInt32) {
      value = static_cast<int64_t>(static_cast<uint32_t>(value));
      number = static_cast<double>(value);
    } else if (!element_.is_signed && value < 0) {
      number = static_cast<double>(static_cast<uint64_t>(value));
      become_numbers(out);
    }
    if (out.kind == CellKind::kNumber) {
      out.numbers.push_back(number);
    } else {
      out.integers.push_back(value);
    }
  }

  // Of whole numbers, when one of them is beyond those with a sign.
  static void become_numbers(Cells& out) {
    if (out.kind != CellKind::kInteger) return;
    out.kind = CellKind::kNumber;
    out.numbers.assign(out.integers.begin(), out.integers.end());
    for (size_t row = 0; row < out.missing.size() && row < out.numbers.size(); ++row) {
      if (out.missing[row] != 0) out.numbers[row] = std::nan("");
    }
    out.integers.clear();
  }

  uint32_t code_of_text(std::string_view text, Cells& out) {
    const auto known = texts_.find(text);
    if (known != texts_.end()) return known->second;
    text_bytes_ += text.size();
    if (text_bytes_ > kMostTexts) throw Corrupt("its texts are too long to be levels");
    const auto code = static_cast<uint32_t>(out.texts.size());
    out.texts.emplace_back(text);
    texts_.emplace(text, code);
    return code;
  }

  const ParquetFile& file_;
  const ColumnInfo& column_;
  const SchemaElement& element_;
  Physical physical_ = Physical::kInt32;

  bool begun_ = false;
  size_t group_ = 0;
  size_t left_in_chunk_ = 0, left_in_page_ = 0;  // values; those of the page are no longer in the chunk
  Codec codec_ = Codec::kNone;
  uint64_t at_ = 0, end_ = 0;  // of the chunk, in the file
  std::string window_;
  uint64_t window_at_ = 0;
  std::string page_;  // unpacked

  bool has_levels_ = false, in_dictionary_ = false, has_dictionary_ = false;
  std::string level_bytes_;
  RunDecoder levels_, places_;
  ValueDecoder values_;
  Cells dictionary_;
  std::vector<uint32_t> code_of_;  // by code of the dictionary: one more than that among the rows asked for
  std::unordered_map<std::string, uint32_t, TextHash, std::equal_to<>> texts_, dictionary_texts_;
  size_t text_bytes_ = 0;
};

ColumnReader::ColumnReader(const ParquetFile& file, size_t column) {
  const ColumnInfo& info = file.columns().at(column);
  if (!info.problem.empty()) {
    throw InputError(file.path(), fmt::format("column {} {}", quoted(info.name), info.problem),
                     "--drop " + shell_word(info.name) + " omits it");
  }
  impl_ = std::make_unique<Impl>(file, info);
}
ColumnReader::~ColumnReader() = default;
ColumnReader::ColumnReader(ColumnReader&&) noexcept = default;
bool ColumnReader::read(size_t rows, Cells& out) { return impl_->read(rows, out); }

}  // namespace agon::parquet
