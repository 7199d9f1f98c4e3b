// agon/parquet/test_file.h
//
// Writes small Parquet files for tests, plain and without compression, byte by byte, so that a test can spoil one.
//
//   TestFile{.columns = {test_numbers("x", {1, 2}), test_texts("s", {"a", "b"})}, .rows_per_group = 1}.bytes()
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace agon::parquet {

// The compact protocol: a byte of field and type, or one number after the other.
class TestThrift {
 public:
  std::string bytes;

  TestThrift& number(int id, int64_t value, int type = 6) {  // 5: of 32 bits, 6: of 64
    field(id, type);
    varint(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
    return *this;
  }
  TestThrift& text(int id, const std::string& value) {
    field(id, 8);
    varint(value.size());
    bytes += value;
    return *this;
  }
  TestThrift& part(int id, const TestThrift& value) {
    field(id, 12);
    bytes += value.closed();
    return *this;
  }
  TestThrift& list(int id, const std::vector<TestThrift>& values) {
    field(id, 9);
    if (values.size() < 15) {
      bytes += static_cast<char>(values.size() << 4 | 12);
    } else {
      bytes += static_cast<char>(0xFC);
      varint(values.size());
    }
    for (const TestThrift& value : values) bytes += value.closed();
    return *this;
  }
  std::string closed() const { return bytes + '\0'; }

 private:
  void field(int id, int type) {
    bytes += static_cast<char>((id - last_) << 4 | type);
    last_ = id;
  }
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
    bytes += static_cast<char>(value);
  }
  int last_ = 0;
};

template <class T>
std::string plain_bytes(T value) {
  std::string out(sizeof value, '\0');
  std::memcpy(out.data(), &value, sizeof value);
  return out;
}

struct TestColumn {
  std::string name;
  int physical = 0;
  int converted = -1;
  std::vector<std::optional<std::string>> cells = {};  // as stored; nothing: missing
  int repetition = -1;                                 // by the cells
  int encoding = 0;
  int codec = 0;
  int children = 0;  // a group without values
  int scale = 0, length = 0;
};

inline TestColumn test_numbers(const std::string& name, const std::vector<double>& values) {
  TestColumn out{.name = name, .physical = 5};
  for (const double value : values) out.cells.push_back(plain_bytes(value));
  return out;
}
inline TestColumn test_integers(const std::string& name, const std::vector<int64_t>& values, int converted = -1) {
  TestColumn out{.name = name, .physical = 2, .converted = converted};
  for (const int64_t value : values) out.cells.push_back(plain_bytes(value));
  return out;
}
inline TestColumn test_texts(const std::string& name, const std::vector<std::string>& values) {
  TestColumn out{.name = name, .physical = 6, .converted = 0};
  for (const std::string& value : values) {
    out.cells.push_back(plain_bytes(static_cast<uint32_t>(value.size())) + value);
  }
  return out;
}
inline TestColumn with_gap(TestColumn column, size_t row) {
  column.cells.at(row).reset();
  return column;
}

struct TestFile {
  std::vector<TestColumn> columns;
  size_t rows_per_group = 1'000'000;
  bool second_version = false;  // of data pages
  int64_t rows_more = 0;        // that the file claims

  std::string bytes() const {
    std::string out = "PAR1";
    const size_t rows = columns.front().cells.size();
    std::vector<TestThrift> groups;
    for (size_t first = 0; first < rows; first += rows_per_group) {
      const size_t count = std::min(rows_per_group, rows - first);
      std::vector<TestThrift> chunks;
      for (const TestColumn& column : columns) {
        if (column.children > 0) continue;
        const size_t begin = out.size();
        out += page(column, first, count);
        TestThrift meta;
        meta.number(1, column.physical, 5).number(4, column.codec, 5).number(5, static_cast<int64_t>(count));
        meta.number(7, static_cast<int64_t>(out.size() - begin)).number(9, static_cast<int64_t>(begin));
        chunks.push_back(TestThrift().part(3, meta));
      }
      groups.push_back(TestThrift().list(1, chunks).number(3, static_cast<int64_t>(count)));
    }
    const TestThrift footer = TestThrift()
                                  .number(1, 1, 5)
                                  .list(2, schema())
                                  .number(3, static_cast<int64_t>(rows) + rows_more)
                                  .list(4, groups);
    out += footer.closed();
    return out + plain_bytes(static_cast<uint32_t>(footer.closed().size())) + "PAR1";
  }

 private:
  static bool optional(const TestColumn& column) {
    if (column.repetition >= 0) return column.repetition == 1;
    return std::ranges::any_of(column.cells, [](const auto& cell) { return !cell.has_value(); });
  }

  std::vector<TestThrift> schema() const {
    int top = 0;
    for (size_t k = 0; k < columns.size(); k += 1 + static_cast<size_t>(columns[k].children)) ++top;
    std::vector<TestThrift> out = {TestThrift().text(4, "root").number(5, top, 5)};
    for (const TestColumn& column : columns) {
      TestThrift& e = out.emplace_back();
      if (column.children == 0) e.number(1, column.physical, 5);
      if (column.length > 0) e.number(2, column.length, 5);
      e.number(3, column.repetition >= 0 ? column.repetition : optional(column), 5).text(4, column.name);
      if (column.children > 0) e.number(5, column.children, 5);
      if (column.converted >= 0) e.number(6, column.converted, 5).number(7, column.scale, 5);
    }
    return out;
  }

  std::string page(const TestColumn& column, size_t first, size_t count) const {
    std::string levels, values;
    if (optional(column)) {  // a run of one for each
      for (size_t row = first; row < first + count; ++row) {
        levels += '\x02';
        levels += static_cast<char>(column.cells[row].has_value());
      }
    }
    for (size_t row = first; row < first + count; ++row) values += column.cells[row].value_or("");
    TestThrift head;
    if (second_version) {
      const auto size = static_cast<int64_t>(levels.size() + values.size());
      TestThrift data;
      data.number(1, static_cast<int64_t>(count), 5).number(2, 0, 5).number(3, static_cast<int64_t>(count), 5);
      data.number(4, column.encoding, 5).number(5, static_cast<int64_t>(levels.size()), 5).number(6, 0, 5);
      head.number(1, 3, 5).number(2, size, 5).number(3, size, 5).part(8, data);
      return head.closed() + levels + values;
    }
    if (!levels.empty()) levels = plain_bytes(static_cast<uint32_t>(levels.size())) + levels;
    const auto size = static_cast<int64_t>(levels.size() + values.size());
    TestThrift data;
    data.number(1, static_cast<int64_t>(count), 5).number(2, column.encoding, 5).number(3, 3, 5).number(4, 3, 5);
    head.number(1, 0, 5).number(2, size, 5).number(3, size, 5).part(5, data);
    return head.closed() + levels + values;
  }
};

}  // namespace agon::parquet
