#include "agon/parquet/encoding.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/parquet/cell_text.h"
#include "agon/parquet/codec.h"

namespace agon::parquet {
namespace {

using std::string_literals::operator""s;
using std::string_view_literals::operator""sv;

// Encodings.md: the numbers 0 to 7 in 3 bits each.
TEST(ParquetRuns, PackedBitsOfTheSpecification) {
  RunDecoder runs("\x03\x88\xC6\xFA"sv, 3);
  std::vector<uint32_t> out(8);
  runs.get(out.data(), 3);
  runs.get(out.data() + 3, 5);
  EXPECT_EQ(out, (std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_THROW(runs.get(out.data(), 1), Corrupt);
}

TEST(ParquetRuns, ARunThenPackedBits) {
  RunDecoder runs("\x08\x05\x03\x88\xC6\xFA"sv, 3);
  std::vector<uint32_t> out(6);
  runs.get(out.data(), 6);
  EXPECT_EQ(out, (std::vector<uint32_t>{5, 5, 5, 5, 0, 1}));
}

TEST(ParquetRuns, NoBitsNeedNoBytes) {
  RunDecoder runs("", 0);
  std::vector<uint32_t> out(3, 9);
  runs.get(out.data(), 3);
  EXPECT_EQ(out, (std::vector<uint32_t>{0, 0, 0}));
  EXPECT_THROW(RunDecoder("", 33), Corrupt);
}

// Encodings.md, second example: 7, 5, 3, 1, 2, 3, 4, 5; differences from the smallest, -2, take 2 bits: 0 0 0 3 3 3 3.
TEST(ParquetDeltas, TheExampleOfTheSpecification) {
  const std::string bytes = "\x80\x01\x04\x08\x0E\x03\x02\x00\x00\x00\xC0\x3F"s + std::string(6, '\0') + "rest";
  DeltaDecoder deltas(bytes);
  EXPECT_EQ(deltas.after(), "rest");
  std::vector<int64_t> out(8);
  deltas.get(out.data(), 3);
  deltas.get(out.data() + 3, 5);
  EXPECT_EQ(out, (std::vector<int64_t>{7, 5, 3, 1, 2, 3, 4, 5}));
  EXPECT_THROW(deltas.get(out.data(), 1), Corrupt);
  for (size_t size = 0; size < 12; ++size) {
    EXPECT_THROW(
        {
          DeltaDecoder cut(std::string_view(bytes).substr(0, size));
          cut.get(out.data(), 8);
        },
        Corrupt)
        << size;
  }
}

TEST(ParquetValues, TruthsAreBits) {
  ValueDecoder values(Physical::kBoolean, Encoding::kPlain, 0, "\x05");
  std::vector<int64_t> out(4);
  values.integers(out.data(), 4);
  EXPECT_EQ(out, (std::vector<int64_t>{1, 0, 1, 0}));
  EXPECT_THROW(values.integers(out.data(), 5), Corrupt);
}

TEST(ParquetValues, StreamsOfBytes) {
  ValueDecoder values(Physical::kInt32, Encoding::kByteStreamSplit, 0, "\x01\x02\x00\x01\x00\x00\x00\x00"sv);
  std::vector<int64_t> out(2);
  values.integers(out.data(), 2);
  EXPECT_EQ(out, (std::vector<int64_t>{1, 258}));
}

TEST(ParquetValues, AnEncodingThatATypeDoesNotHaveIsRefused) {
  EXPECT_THROW(ValueDecoder(Physical::kDouble, Encoding::kDeltaBinary, 0, "\x80\x01\x04\x08\x0E"), Corrupt);
  EXPECT_THROW(ValueDecoder(Physical::kByteArray, static_cast<Encoding>(77), 0, "x"), Corrupt);
}

// format_description.txt: a literal, then a copy that overlaps itself.
TEST(ParquetCodecs, SnappyRepeatsWhatItWrote) {
  std::string out(9, '\0');
  detail::unpack_snappy("\x09\x08"s + "xyz" + "\x09\x03"s, out);
  EXPECT_EQ(out, "xyzxyzxyz");
  EXPECT_THROW(detail::unpack_snappy("\x09\x08"s + "xyz" + "\x09\x04"s, out), Corrupt);  // before the beginning
  EXPECT_THROW(detail::unpack_snappy("\x09\x08"s + "xyz", out), Corrupt);
  EXPECT_THROW(detail::unpack_snappy("\x0A\x08"s + "xyz" + "\x09\x03"s, out), Corrupt);
}

TEST(ParquetCodecs, Lz4RepeatsWhatItWrote) {
  std::string out(9, '\0');
  detail::unpack_lz4("\x32xyz\x03\x00\x00"s, out);
  EXPECT_EQ(out, "xyzxyzxyz");
  EXPECT_THROW(detail::unpack_lz4("\x32xyz\x04\x00\x00"s, out), Corrupt);
  EXPECT_THROW(detail::unpack_lz4("\x32xy", out), Corrupt);
}

TEST(ParquetCodecs, NoMoreMemoryThanTheBytesCanFill) {
  std::string out;
  EXPECT_THROW(unpack(Codec::kSnappy, "\xFF\xFF\xFF\x7F", 1 << 28, out), Corrupt);
  EXPECT_LT(out.capacity(), 1000u);
  EXPECT_EQ(why_unreadable(1).problem, "");
  EXPECT_NE(why_unreadable(4).problem.find("Brotli"), std::string::npos);
  EXPECT_NE(why_unreadable(99).problem, "");
}

// python3 -c "import datetime as d; print(d.date(1970,1,1) + d.timedelta(19000))" and the like.
TEST(ParquetText, DatesTimesAndDecimals) {
  EXPECT_EQ(date_text(0), "1970-01-01");
  EXPECT_EQ(date_text(19'000), "2022-01-08");
  EXPECT_EQ(date_text(11'016), "2000-02-29");
  EXPECT_EQ(date_text(-1), "1969-12-31");
  EXPECT_EQ(timestamp_text(1'500, 3, true), "1970-01-01 00:00:01.500Z");
  EXPECT_EQ(timestamp_text(-1, 6, false), "1969-12-31 23:59:59.999999");
  EXPECT_EQ(time_text(86'399, 0), "23:59:59");
  EXPECT_EQ(decimal_number(12'345, 2), 123.45);
  EXPECT_EQ(decimal_number(INT64_MIN, 0), -9223372036854775808.0);
  EXPECT_EQ(decimal_number("\xFF\x85"s, 2), -1.23);
  EXPECT_EQ(decimal_number("\x01"s + std::string(8, '\0'), 0), 18446744073709551616.0);
  EXPECT_EQ(decimal_number("\xFE"s + std::string(15, '\0'), 0), -std::ldexp(1, 121));
  EXPECT_EQ(half_number("\x00\x3C"s), 1.0);
  EXPECT_EQ(half_number("\x01\x00"s), std::ldexp(1, -24));
}

}  // namespace
}  // namespace agon::parquet
