// agon/parquet/thrift.h
//
// Reads the compact protocol of Apache Thrift, in which the footer of a Parquet file and the headers of its pages are
// written: structs of numbered fields, of which a reader skips those that it does not know.
//
//   parquet::ThriftReader in(bytes);
//   for (parquet::ThriftField field; in.next(field);) {   // the fields of one struct, up to its end
//     if (field.id == 3) rows = in.integer(field); else in.skip(field);
//   }
//
// What is cut short, nested deeper than kMostNested, or of another type than was asked for throws Corrupt. Nothing is
// allocated by a length that the bytes do not hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace agon::parquet {

// Bytes that are no Parquet. Who knows the file and the column turns it into an InputError.
struct Corrupt : std::runtime_error {
  explicit Corrupt(const std::string& what, bool cut_short = false) : std::runtime_error(what), cut(cut_short) {}
  bool cut;  // more bytes might help
};

enum class ThriftType : uint8_t {
  kStop = 0,
  kTrue = 1,
  kFalse = 2,
  kByte = 3,
  kInt16 = 4,
  kInt32 = 5,
  kInt64 = 6,
  kDouble = 7,
  kBinary = 8,
  kList = 9,
  kSet = 10,
  kMap = 11,
  kStruct = 12,
};

struct ThriftField {
  ThriftType type = ThriftType::kStop;
  int id = 0;
};

constexpr int kMostNested = 32;

class ThriftReader {
 public:
  explicit ThriftReader(std::string_view bytes) : bytes_(bytes) {}

  // The next field of a struct; false at its end. `field` must be the one before, or new for the first.
  bool next(ThriftField& field);
  void skip(const ThriftField& field) { skip(field.type, 0); }

  int64_t integer(const ThriftField& field);             // of 8 to 64 bits
  bool truth(const ThriftField& field) const;            // the type of the field is its value
  std::string_view binary(const ThriftField& field);     // stays valid as long as the bytes do
  size_t list(const ThriftField& field, ThriftType of);  // how many follow; each takes a byte at least
  // Elements of a list.
  int64_t integer() { return zigzag(varint()); }
  std::string_view binary();
  void want_struct(const ThriftField& field) const;

  size_t position() const { return at_; }

 private:
  uint8_t byte();
  uint64_t varint();
  static int64_t zigzag(uint64_t n) { return static_cast<int64_t>(n >> 1) ^ -static_cast<int64_t>(n & 1); }
  void advance(uint64_t count);
  void skip(ThriftType type, int depth);

  std::string_view bytes_;
  size_t at_ = 0;
};

}  // namespace agon::parquet
