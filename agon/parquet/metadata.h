// agon/parquet/metadata.h
//
// What the end of a Parquet file says of the rest: its columns, and where the values of each begin in every group of
// rows. And what stands in front of every page of values.
//
// Source: apache/parquet-format, parquet.thrift, whose names and numbers are kept here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agon/parquet/thrift.h"

namespace agon::parquet {

enum class Physical { kBoolean = 0, kInt32, kInt64, kInt96, kFloat, kDouble, kByteArray, kFixedBytes };

enum class Codec { kNone = 0, kSnappy, kGzip, kLzo, kBrotli, kLz4Framed, kZstd, kLz4 };

enum class Encoding {
  kPlain = 0,
  kPlainDictionary = 2,
  kRle = 3,
  kBitPacked = 4,
  kDeltaBinary = 5,
  kDeltaLength = 6,
  kDeltaBytes = 7,
  kDictionary = 8,
  kByteStreamSplit = 9,
};

// What the bytes stand for, of the logical and of the older converted types.
enum class Logical {
  kNone,
  kText,
  kInteger,  // of `bits`
  kDecimal,  // an integer to be divided by 10^scale
  kHalf,     // a number of 16 bits
  kDate,     // days since 1970
  kTime,     // since midnight, in units of 10^-digits seconds
  kTimestamp,
  kOther,  // a type that no column of a table has
};

enum class Repetition { kRequired = 0, kOptional, kRepeated };

struct SchemaElement {
  std::string name;
  int physical = -1;  // -1: a group of others
  int type_length = 0;
  Repetition repetition = Repetition::kRequired;
  int children = 0;
  Logical logical = Logical::kNone;
  std::string logical_name;  // of kOther: how messages call it
  int scale = 0, bits = 0, digits = 0;
  bool is_signed = true;
  bool in_utc = false;
};

struct ChunkInfo {  // the values of a column in a group of rows
  int physical = -1;
  int codec = 0;
  bool elsewhere = false;  // in another file
  bool encrypted = false;
  int64_t values = 0;
  int64_t bytes = 0;  // as stored
  int64_t data_page = 0, dictionary_page = 0;
};

struct RowGroup {
  int64_t rows = 0;
  std::vector<ChunkInfo> chunks;  // by column of values
};

struct FileInfo {
  int64_t rows = 0;
  std::vector<SchemaElement> schema;  // depth first; the first is the root
  std::vector<RowGroup> groups;
  std::string arrow_schema;  // what Arrow keeps of its types; "": nothing
  bool encrypted = false;
};
FileInfo read_file_info(std::string_view footer);

enum class PageKind { kData = 0, kIndex, kDictionary, kDataV2 };

struct PageHeader {
  size_t header_bytes = 0;
  int64_t kind = -1;
  int64_t bytes = -1, stored_bytes = -1;  // of what follows, unpacked and as stored
  int64_t values = -1;
  int64_t encoding = -1, level_encoding = 3;
  int64_t definition_bytes = 0, repetition_bytes = 0;  // of the second version of pages, whose levels are not packed
  bool packed = true;
};
PageHeader read_page_header(std::string_view bytes);

}  // namespace agon::parquet
