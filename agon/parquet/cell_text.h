// agon/parquet/cell_text.h
//
// Dates, times and decimals: as the text, and as the number, that Arrow makes of them.
//
//   parquet::date_text(19'000);               // "2022-01-08"
//   parquet::timestamp_text(1'500, 3, true);  // "1970-01-01 00:00:01.500Z"
//   parquet::decimal_number(12'345, 2);       // 123.45
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace agon::parquet {

std::string date_text(int64_t days);  // since 1970, by the Gregorian calendar
// `digits` after the second: 0, 3, 6 or 9.
std::string time_text(int64_t units, int digits);
std::string timestamp_text(int64_t units, int digits, bool in_utc);
std::string old_timestamp(std::string_view int96);  // nanoseconds of the day, then the Julian day

double decimal_number(int64_t unscaled, int scale);
double decimal_number(std::string_view big_endian, int scale);  // of at most 16 bytes; Corrupt if there are more
double half_number(std::string_view bytes);                     // IEEE 754, 16 bits

}  // namespace agon::parquet
