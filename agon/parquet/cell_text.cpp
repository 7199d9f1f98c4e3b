#include "agon/parquet/cell_text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "agon/parquet/thrift.h"

namespace agon::parquet {
namespace {

int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

int64_t power_of_ten(int digits) {
  int64_t power = 1;
  for (int k = 0; k < digits; ++k) power *= 10;
  return power;
}

// The nearest double to digits / 10^scale.
double as_read(bool negative, const std::string& digits, int scale) {
  const double value = std::strtod(fmt::format("{}e-{}", digits, scale).c_str(), nullptr);
  return negative ? -value : value;
}

}  // namespace

// Hinnant 2013, "chrono-Compatible Low-Level Date Algorithms": years that begin in March, in eras of 400.
std::string date_text(int64_t days) {
  const int64_t shifted = days + 719468;
  const int64_t era = floor_divide(shifted, 146097);
  const int64_t day_of_era = shifted - era * 146097;
  const int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t month = (5 * day_of_year + 2) / 153;
  const int64_t day = day_of_year - (153 * month + 2) / 5 + 1;
  const int64_t civil_month = month < 10 ? month + 3 : month - 9;
  const int64_t year = year_of_era + era * 400 + (civil_month <= 2 ? 1 : 0);
  return fmt::format("{}{:04}-{:02}-{:02}", year < 0 ? "-" : "", std::abs(year), civil_month, day);
}

std::string time_text(int64_t units, int digits) {
  const int64_t per_second = power_of_ten(digits);
  const int64_t seconds = floor_divide(units, per_second);
  std::string text = fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (digits > 0) text += fmt::format(".{:0{}}", units - seconds * per_second, digits);
  return text;
}

std::string timestamp_text(int64_t units, int digits, bool in_utc) {
  const int64_t per_day = 86400 * power_of_ten(digits);
  const int64_t days = floor_divide(units, per_day);
  return date_text(days) + ' ' + time_text(units - days * per_day, digits) + (in_utc ? "Z" : "");
}

std::string old_timestamp(std::string_view int96) {
  constexpr int64_t kJulian1970 = 2440588;
  uint64_t nanoseconds = 0;
  uint32_t day = 0;
  std::memcpy(&nanoseconds, int96.data(), sizeof nanoseconds);
  std::memcpy(&day, int96.data() + sizeof nanoseconds, sizeof day);
  if (nanoseconds >= 86'400'000'000'000) throw Corrupt("a time of day has more than 24 hours");
  return date_text(static_cast<int64_t>(day) - kJulian1970) + ' ' + time_text(static_cast<int64_t>(nanoseconds), 9);
}

double decimal_number(int64_t unscaled, int scale) {
  constexpr int64_t kExact = int64_t{1} << 53;
  if (unscaled > -kExact && unscaled < kExact && scale <= 22) {  // both exact, so the quotient is rounded once
    static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                         1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    return static_cast<double>(unscaled) / kPowers[scale];
  }
  const uint64_t size = unscaled < 0 ? 0 - static_cast<uint64_t>(unscaled) : static_cast<uint64_t>(unscaled);
  return as_read(unscaled < 0, std::to_string(size), scale);
}

double decimal_number(std::string_view big_endian, int scale) {
  if (big_endian.size() > 16) throw Corrupt("a decimal has more than 38 digits");
  if (big_endian.empty()) return 0;
  const bool negative = (static_cast<uint8_t>(big_endian[0]) & 0x80) != 0;
  uint8_t bytes[16];
  std::memset(bytes, negative ? 0xFF : 0, sizeof bytes);
  std::memcpy(bytes + sizeof bytes - big_endian.size(), big_endian.data(), big_endian.size());
  uint64_t high = 0, low = 0;
  for (int k = 0; k < 8; ++k) high = high << 8 | bytes[k];
  for (int k = 8; k < 16; ++k) low = low << 8 | bytes[k];
  const uint64_t sign = negative ? UINT64_MAX : 0;
  if (high == sign && (low >> 63) == (sign & 1)) return decimal_number(static_cast<int64_t>(low), scale);
  if (negative) {
    low = 0 - low;
    high = ~high + (low == 0 ? 1 : 0);
  }
  // Division of 128 bits by 10, in parts of 32.
  std::string digits;
  uint32_t part[4] = {static_cast<uint32_t>(high >> 32), static_cast<uint32_t>(high), static_cast<uint32_t>(low >> 32),
                      static_cast<uint32_t>(low)};
  while ((part[0] | part[1] | part[2] | part[3]) != 0) {
    uint64_t rest = 0;
    for (uint32_t& p : part) {
      const uint64_t value = rest << 32 | p;
      p = static_cast<uint32_t>(value / 10);
      rest = value % 10;
    }
    digits.insert(digits.begin(), static_cast<char>('0' + rest));
  }
  return as_read(negative, digits, scale);
}

double half_number(std::string_view bytes) {
  uint16_t bits = 0;
  std::memcpy(&bits, bytes.data(), sizeof bits);
  const int exponent = bits >> 10 & 0x1F;
  const int fraction = bits & 0x3FF;
  const double size = exponent == 0    ? std::ldexp(fraction, -24)
                      : exponent == 31 ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                                       : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -size : size;
}

}  // namespace agon::parquet
