#include "agon/parquet/encoding.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace agon::parquet {
namespace {

static_assert(std::endian::native == std::endian::little, "values are stored so");

uint64_t read_varint(std::string_view bytes, size_t& at) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (at >= bytes.size()) refuse_short_page();
    const auto next = static_cast<uint8_t>(bytes[at++]);
    value |= static_cast<uint64_t>(next & 0x7F) << shift;
    if (next < 0x80) return value;
  }
  throw Corrupt("a page holds a number of more than 64 bits");
}

int64_t read_zigzag(std::string_view bytes, size_t& at) {
  const uint64_t n = read_varint(bytes, at);
  return static_cast<int64_t>(n >> 1) ^ -static_cast<int64_t>(n & 1);
}

// `width` bits from bit `bit` on, the lowest first; bits after the end are 0.
uint64_t bits_at(std::string_view bytes, uint64_t bit, int width) {
  if (width == 0) return 0;
  const uint64_t byte = bit / 8;
  const int shift = static_cast<int>(bit % 8);
  if (byte >= bytes.size()) return 0;
  uint64_t low = 0, high = 0;
  const size_t have = bytes.size() - byte;
  std::memcpy(&low, bytes.data() + byte, std::min<size_t>(have, 8));
  if (shift + width > 64 && have > 8) high = static_cast<uint8_t>(bytes[byte + 8]);
  uint64_t value = low >> shift;
  if (shift > 0) value |= high << (64 - shift);
  return width == 64 ? value : value & ((uint64_t{1} << width) - 1);
}

}  // namespace

void refuse_short_page() { throw Corrupt("a page ends before its values do"); }

RunDecoder::RunDecoder(std::string_view bytes, int width) : bytes_(bytes), width_(width) {
  if (width < 0 || width > 32) throw Corrupt("a page has values of more than 32 bits in its runs");
}

void RunDecoder::begin_run() {
  if (packed_) at_ += (bit_ + 7) / 8;
  const uint64_t head = read_varint(bytes_, at_);
  packed_ = (head & 1) != 0;
  if (packed_) {
    // The last group of 8 may be cut where the values end.
    left_ = static_cast<size_t>(std::min<uint64_t>(head >> 1, UINT32_MAX)) * 8;
    bit_ = 0;
    if (left_ > 0 && width_ > 0 && at_ >= bytes_.size()) refuse_short_page();
    return;
  }
  left_ = static_cast<size_t>(head >> 1);
  const size_t size = static_cast<size_t>(width_ + 7) / 8;
  if (size > bytes_.size() - at_) refuse_short_page();
  value_ = 0;
  std::memcpy(&value_, bytes_.data() + at_, size);
  at_ += size;
}

void RunDecoder::get(uint32_t* out, size_t count) {
  if (width_ == 0) {
    std::fill(out, out + count, 0u);  // no bits: every value is 0, and there may be no bytes
    return;
  }
  while (count > 0) {
    if (left_ == 0) {
      begin_run();
      continue;
    }
    const size_t some = std::min(count, left_);
    if (packed_) {
      const uint64_t end = static_cast<uint64_t>(at_) * 8 + bit_ + static_cast<uint64_t>(some) * width_;
      if (end > static_cast<uint64_t>(bytes_.size()) * 8) refuse_short_page();
      for (size_t k = 0; k < some; ++k, bit_ += static_cast<uint64_t>(width_)) {
        out[k] = static_cast<uint32_t>(bits_at(bytes_, static_cast<uint64_t>(at_) * 8 + bit_, width_));
      }
    } else {
      std::fill(out, out + some, value_);
    }
    out += some;
    count -= some;
    left_ -= some;
  }
}

DeltaDecoder::DeltaDecoder(std::string_view bytes) : bytes_(bytes) {
  constexpr uint64_t kMostInBlock = 1 << 20;
  block_ = read_varint(bytes_, at_);
  parts_ = read_varint(bytes_, at_);
  left_ = read_varint(bytes_, at_);
  value_ = static_cast<uint64_t>(read_zigzag(bytes_, at_));
  if (block_ == 0 || block_ > kMostInBlock || parts_ == 0 || parts_ > block_ || block_ % parts_ != 0) {
    throw Corrupt("a page of differences has blocks of no possible size");
  }
  per_part_ = block_ / parts_;
  part_ = parts_;
}

void DeltaDecoder::begin_block() {
  smallest_ = static_cast<uint64_t>(read_zigzag(bytes_, at_));
  if (parts_ > bytes_.size() - at_) refuse_short_page();
  widths_ = bytes_.substr(at_, parts_);
  at_ += parts_;
  part_ = 0;
}

void DeltaDecoder::begin_part() {
  if (part_ == parts_) begin_block();
  width_ = static_cast<uint8_t>(widths_[part_++]);
  if (width_ > 64) throw Corrupt("a page of differences has more than 64 bits for one");
  bit_ = static_cast<uint64_t>(at_) * 8;
  in_part_ = per_part_;
  // The last part of all is padded by good writers, and cut by others.
  const uint64_t size = (per_part_ * static_cast<uint64_t>(width_) + 7) / 8;
  const uint64_t needed = (std::min(per_part_, left_) * static_cast<uint64_t>(width_) + 7) / 8;
  if (needed > bytes_.size() - at_) refuse_short_page();
  at_ += static_cast<size_t>(std::min<uint64_t>(size, bytes_.size() - at_));
}

void DeltaDecoder::get(int64_t* out, size_t count) {
  if (count > left_) refuse_short_page();
  for (size_t k = 0; k < count; ++k) {
    if (first_) {
      first_ = false;
    } else {
      if (in_part_ == 0) begin_part();
      value_ += smallest_ + bits_at(bytes_, bit_, width_);
      bit_ += static_cast<uint64_t>(width_);
      --in_part_;
    }
    --left_;
    out[k] = static_cast<int64_t>(value_);
  }
}

std::string_view DeltaDecoder::after() const {
  DeltaDecoder copy = *this;
  if (copy.first_ && copy.left_ > 0) {
    copy.first_ = false;
    --copy.left_;
  }
  while (copy.left_ > 0) {
    copy.begin_part();
    copy.left_ -= std::min(copy.left_, copy.per_part_);
    // Parts of the last block that no value needs have widths, and no bytes.
  }
  return copy.bytes_.substr(copy.at_);
}

ValueDecoder::ValueDecoder(Physical physical, Encoding encoding, size_t length, std::string_view bytes)
    : physical_(physical), encoding_(encoding), length_(physical == Physical::kInt96 ? 12 : length), bytes_(bytes) {
  const bool whole = physical == Physical::kInt32 || physical == Physical::kInt64;
  const bool text = physical == Physical::kByteArray;
  const bool fixed = physical == Physical::kFixedBytes;
  if (encoding == Encoding::kPlain) return;
  if (encoding == Encoding::kRle && physical == Physical::kBoolean) {
    uint32_t size = 0;
    if (bytes.size() < sizeof size) refuse_short_page();
    std::memcpy(&size, bytes.data(), sizeof size);
    if (size > bytes.size() - sizeof size) refuse_short_page();
    runs_ = RunDecoder(bytes.substr(sizeof size, size), 1);
  } else if (encoding == Encoding::kDeltaBinary && whole) {
    deltas_ = DeltaDecoder(bytes);
  } else if (encoding == Encoding::kDeltaLength && text) {
    deltas_ = DeltaDecoder(bytes);
    bytes_ = deltas_.after();
  } else if (encoding == Encoding::kDeltaBytes && (text || fixed)) {
    deltas_ = DeltaDecoder(bytes);
    suffixes_ = DeltaDecoder(deltas_.after());
    bytes_ = suffixes_.after();
  } else if (encoding == Encoding::kByteStreamSplit && !text && physical != Physical::kBoolean &&
             physical != Physical::kInt96) {
    const size_t width = fixed ? length_ : physical == Physical::kInt32 || physical == Physical::kFloat ? 4 : 8;
    if (width == 0 || bytes.size() % width != 0) refuse_short_page();
    stream_ = bytes.size() / width;
  } else {
    throw Corrupt("a page is written in an encoding that is not read (number " +
                  std::to_string(static_cast<int>(encoding)) + ")");
  }
}

std::string_view ValueDecoder::next_bytes(size_t count) {
  if (count > bytes_.size() - at_) refuse_short_page();
  at_ += count;
  return bytes_.substr(at_ - count, count);
}

// Values whose bytes are stored together, or the first bytes of all, then the second ones, ..
void ValueDecoder::gather(size_t width, size_t count, char* out) {
  if (encoding_ == Encoding::kPlain) {
    if (count > (bytes_.size() - at_) / width) refuse_short_page();
    std::memcpy(out, bytes_.data() + at_, width * count);
    at_ += width * count;
    return;
  }
  if (count > stream_ - at_) refuse_short_page();
  for (size_t k = 0; k < count; ++k, ++at_) {
    for (size_t b = 0; b < width; ++b) out[k * width + b] = bytes_[b * stream_ + at_];
  }
}

void ValueDecoder::integers(int64_t* out, size_t count) {
  constexpr size_t kFew = 256;
  if (encoding_ == Encoding::kDeltaBinary) {
    deltas_.get(out, count);
    // Differences of 32 bits wrap around at 32.
    for (size_t k = 0; k < count && physical_ == Physical::kInt32; ++k) out[k] = static_cast<int32_t>(out[k]);
  } else if (encoding_ == Encoding::kRle) {
    uint32_t some[kFew];
    for (size_t done = 0; done < count;) {
      const size_t now = std::min(kFew, count - done);
      runs_.get(some, now);
      for (size_t k = 0; k < now; ++k) out[done++] = some[k];
    }
  } else if (physical_ == Physical::kBoolean) {
    if (bit_ + count > bytes_.size() * 8) refuse_short_page();
    for (size_t k = 0; k < count; ++k, ++bit_) out[k] = bytes_[bit_ / 8] >> (bit_ % 8) & 1;
  } else if (physical_ == Physical::kInt64) {
    gather(8, count, reinterpret_cast<char*>(out));
  } else {
    int32_t some[kFew];
    for (size_t done = 0; done < count;) {
      const size_t now = std::min(kFew, count - done);
      gather(4, now, reinterpret_cast<char*>(some));
      for (size_t k = 0; k < now; ++k) out[done++] = some[k];
    }
  }
}

void ValueDecoder::numbers(double* out, size_t count) {
  if (physical_ == Physical::kDouble) {
    gather(8, count, reinterpret_cast<char*>(out));
    return;
  }
  constexpr size_t kFew = 256;
  float some[kFew];
  for (size_t done = 0; done < count;) {
    const size_t now = std::min(kFew, count - done);
    gather(4, now, reinterpret_cast<char*>(some));
    for (size_t k = 0; k < now; ++k) out[done++] = static_cast<double>(some[k]);
  }
}

std::string_view ValueDecoder::next_text() {
  if (encoding_ == Encoding::kDeltaLength || encoding_ == Encoding::kDeltaBytes) {
    int64_t shared = 0, length = 0;
    if (encoding_ == Encoding::kDeltaBytes) {
      deltas_.get(&shared, 1);
      suffixes_.get(&length, 1);
    } else {
      deltas_.get(&length, 1);
    }
    if (shared < 0 || length < 0 || static_cast<uint64_t>(shared) > last_.size()) {
      throw Corrupt("a page has a text of no possible length");
    }
    const std::string_view rest = next_bytes(static_cast<size_t>(length));
    if (encoding_ == Encoding::kDeltaLength) return rest;
    last_.resize(static_cast<size_t>(shared));
    last_ += rest;
    if (physical_ == Physical::kFixedBytes && last_.size() != length_) {
      throw Corrupt("a page has a text of no possible length");
    }
    return last_;
  }
  if (encoding_ == Encoding::kByteStreamSplit) {
    last_.resize(length_);
    gather(length_, 1, last_.data());
    return last_;
  }
  if (physical_ != Physical::kByteArray) return next_bytes(length_);
  uint32_t size = 0;
  const std::string_view head = next_bytes(sizeof size);
  std::memcpy(&size, head.data(), sizeof size);
  return next_bytes(size);
}

}  // namespace agon::parquet
