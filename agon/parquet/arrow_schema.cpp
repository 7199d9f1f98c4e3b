#include "agon/parquet/arrow_schema.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

namespace agon::parquet {
namespace {

std::string from_base64(std::string_view text) {
  std::string out;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int digit = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (digit < 0) break;
    bits = bits << 6 | static_cast<uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out.push_back(static_cast<char>(bits >> count & 0xFF));
  }
  return out;
}

// A table of FlatBuffers: its first word leads back to a list of where its fields are.
class FlatTable {
 public:
  FlatTable(std::string_view bytes, uint64_t at) : bytes_(bytes), at_(at) {
    const auto back = read<int32_t>(at_);
    if (!back) return;
    const int64_t fields = static_cast<int64_t>(at_) - *back;
    if (fields < 0) return;
    fields_ = static_cast<uint64_t>(fields);
    size_ = read<uint16_t>(fields_).value_or(0);
  }

  // Where field k is; nothing if it is not set.
  std::optional<uint64_t> field(uint64_t k) const {
    const uint64_t slot = 4 + 2 * k;
    if (slot + 2 > size_) return std::nullopt;
    const uint16_t offset = read<uint16_t>(fields_ + slot).value_or(0);
    return offset == 0 ? std::nullopt : std::optional(at_ + offset);
  }
  // What field k points to.
  std::optional<uint64_t> target(uint64_t k) const {
    const auto place = field(k);
    return place ? follow(*place) : std::nullopt;
  }
  std::optional<uint64_t> follow(uint64_t place) const {
    const auto offset = read<uint32_t>(place);
    return offset && *offset != 0 ? std::optional(place + *offset) : std::nullopt;
  }

  template <class T>
  std::optional<T> read(uint64_t place) const {
    static_assert(std::endian::native == std::endian::little);
    if (place > bytes_.size() || bytes_.size() - place < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + place, sizeof value);
    return value;
  }

  std::string_view text(uint64_t place) const {
    const auto size = read<uint32_t>(place);
    if (!size || bytes_.size() - place - 4 < *size) return {};
    return bytes_.substr(place + 4, *size);
  }

 private:
  std::string_view bytes_;
  uint64_t at_, fields_ = 0;
  uint16_t size_ = 0;
};

}  // namespace

std::vector<ArrowField> read_arrow_schema(std::string_view base64) {
  constexpr uint8_t kSchema = 1, kDuration = 18;  // in the unions MessageHeader and Type
  const std::string bytes = from_base64(base64);
  std::vector<ArrowField> out;
  // A mark of four bytes, the length, then the message; files of old have no mark.
  uint64_t begin = 4;
  if (bytes.starts_with("\xFF\xFF\xFF\xFF")) begin = 8;
  const std::string_view message = std::string_view(bytes).substr(std::min<size_t>(begin, bytes.size()));
  const FlatTable start(message, 0);
  const auto root = start.follow(0);
  if (!root) return out;
  const FlatTable head(message, *root);
  const auto kind = head.field(1);
  const auto schema = head.target(2);
  if (!kind || head.read<uint8_t>(*kind) != kSchema || !schema) return out;
  const auto fields = FlatTable(message, *schema).target(1);
  if (!fields) return out;
  const uint32_t count = head.read<uint32_t>(*fields).value_or(0);
  for (uint32_t k = 0; k < count; ++k) {
    const auto place = head.follow(*fields + 4 + 4 * static_cast<uint64_t>(k));
    if (!place) return {};
    const FlatTable field(message, *place);
    const auto name = field.target(0);
    const auto type = field.field(2);
    out.push_back({.name = name ? std::string(field.text(*name)) : "",
                   .category = field.field(4).has_value(),
                   .duration = type && field.read<uint8_t>(*type) == kDuration});
  }
  return out;
}

}  // namespace agon::parquet
