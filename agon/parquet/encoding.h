// agon/parquet/encoding.h
//
// How the values of a page are written down, read a few at a time: a page may hold more of them than there is memory
// for (a run of a million equal ones takes three bytes).
//
//   parquet::RunDecoder levels(bytes, 1);      // runs and packed bits, for levels, truths and places in a dictionary
//   levels.get(some, 100);
//   parquet::ValueDecoder values(parquet::Physical::kDouble, parquet::Encoding::kPlain, 0, bytes);
//   values.numbers(to, 100);
//
// Bytes that end before the values that are asked for throw Corrupt.
//
// Source: apache/parquet-format, Encodings.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agon/parquet/metadata.h"

namespace agon::parquet {

[[noreturn]] void refuse_short_page();

class RunDecoder {
 public:
  RunDecoder() = default;
  RunDecoder(std::string_view bytes, int width);  // 0 to 32 bits a value
  void get(uint32_t* out, size_t count);

 private:
  void begin_run();

  std::string_view bytes_;
  size_t at_ = 0;
  int width_ = 0;
  size_t left_ = 0;  // values of the run
  bool packed_ = false;
  uint32_t value_ = 0;  // of a run of equal ones
  uint64_t bit_ = 0;    // of packed ones: from at_
};

// Differences in blocks, each with a smallest one and as many bits as the others need.
class DeltaDecoder {
 public:
  DeltaDecoder() = default;
  explicit DeltaDecoder(std::string_view bytes);
  void get(int64_t* out, size_t count);
  uint64_t left() const { return left_; }
  // The bytes after the last value, which are found without keeping the values.
  std::string_view after() const;

 private:
  void begin_block();
  void begin_part();

  std::string_view bytes_;
  size_t at_ = 0;
  uint64_t block_ = 0, parts_ = 0, per_part_ = 0;
  uint64_t left_ = 0;  // values
  uint64_t value_ = 0;
  bool first_ = true;
  uint64_t smallest_ = 0;
  std::string_view widths_;
  uint64_t part_ = 0, in_part_ = 0;  // the part of the block, and what is left in it
  int width_ = 0;
  uint64_t bit_ = 0;
};

class ValueDecoder {
 public:
  ValueDecoder() = default;
  // `length`: of kFixedBytes. Corrupt for an encoding that the type does not have; dictionaries are read elsewhere.
  ValueDecoder(Physical physical, Encoding encoding, size_t length, std::string_view bytes);

  void integers(int64_t* out, size_t count);  // kBoolean, kInt32, kInt64
  void numbers(double* out, size_t count);    // kFloat, kDouble
  // kInt96, kByteArray, kFixedBytes: each to take(std::string_view), which is valid during the call.
  template <class Take>
  void texts(size_t count, Take&& take) {
    for (size_t k = 0; k < count; ++k) take(next_text());
  }

 private:
  std::string_view next_text();
  std::string_view next_bytes(size_t count);
  void gather(size_t width, size_t count, char* out);

  Physical physical_ = Physical::kInt32;
  Encoding encoding_ = Encoding::kPlain;
  size_t length_ = 0;
  std::string_view bytes_;
  size_t at_ = 0;
  uint64_t bit_ = 0;   // of plain truths
  size_t stream_ = 0;  // values in each stream of bytes
  RunDecoder runs_;
  DeltaDecoder deltas_, suffixes_;
  std::string last_;
};

}  // namespace agon::parquet
