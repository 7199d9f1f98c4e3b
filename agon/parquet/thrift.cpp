#include "agon/parquet/thrift.h"

namespace agon::parquet {

uint8_t ThriftReader::byte() {
  if (at_ >= bytes_.size()) throw Corrupt("its description is cut short", true);
  return static_cast<uint8_t>(bytes_[at_++]);
}

uint64_t ThriftReader::varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const uint8_t next = byte();
    value |= static_cast<uint64_t>(next & 0x7F) << shift;
    if (next < 0x80) return value;
  }
  throw Corrupt("its description holds a number of more than 64 bits");
}

void ThriftReader::advance(uint64_t count) {
  if (count > bytes_.size() - at_) throw Corrupt("its description is cut short", true);
  at_ += count;
}

bool ThriftReader::next(ThriftField& field) {
  const uint8_t head = byte();
  if (head == 0) return false;
  field.type = static_cast<ThriftType>(head & 0x0F);
  if ((head & 0x0F) == 0 || (head & 0x0F) > 12) throw Corrupt("its description has a field of no known type");
  const int64_t id = head >> 4 != 0 ? field.id + (head >> 4) : integer();
  if (id < 0 || id > INT16_MAX) throw Corrupt("its description has a field without a number");
  field.id = static_cast<int>(id);
  return true;
}

int64_t ThriftReader::integer(const ThriftField& field) {
  switch (field.type) {
    case ThriftType::kByte:
      return static_cast<int8_t>(byte());
    case ThriftType::kInt16:
    case ThriftType::kInt32:
    case ThriftType::kInt64:
      return integer();
    default:
      throw Corrupt("its description has something else where a number is expected");
  }
}

bool ThriftReader::truth(const ThriftField& field) const {
  if (field.type != ThriftType::kTrue && field.type != ThriftType::kFalse) {
    throw Corrupt("its description has something else where yes or no is expected");
  }
  return field.type == ThriftType::kTrue;
}

std::string_view ThriftReader::binary() {
  const uint64_t size = varint();
  const size_t begin = at_;
  advance(size);
  return bytes_.substr(begin, size);
}

std::string_view ThriftReader::binary(const ThriftField& field) {
  if (field.type != ThriftType::kBinary) throw Corrupt("its description has something else where text is expected");
  return binary();
}

size_t ThriftReader::list(const ThriftField& field, ThriftType of) {
  if (field.type != ThriftType::kList) throw Corrupt("its description has something else where a list is expected");
  const uint8_t head = byte();
  const uint64_t size = head >> 4 == 15 ? varint() : head >> 4;
  if (size > bytes_.size() - at_) throw Corrupt("its description has a list longer than itself", true);
  if (size > 0 && static_cast<ThriftType>(head & 0x0F) != of) {
    throw Corrupt("its description has a list of something else");
  }
  return size;
}

void ThriftReader::want_struct(const ThriftField& field) const {
  if (field.type != ThriftType::kStruct) throw Corrupt("its description has something else where a part is expected");
}

void ThriftReader::skip(ThriftType type, int depth) {
  if (depth > kMostNested) throw Corrupt("its description is nested too deep");
  switch (type) {
    case ThriftType::kTrue:
    case ThriftType::kFalse:
      return;
    case ThriftType::kByte:
      byte();
      return;
    case ThriftType::kInt16:
    case ThriftType::kInt32:
    case ThriftType::kInt64:
      varint();
      return;
    case ThriftType::kDouble:
      advance(8);
      return;
    case ThriftType::kBinary:
      binary();
      return;
    case ThriftType::kList:
    case ThriftType::kSet: {
      const uint8_t head = byte();
      const uint64_t size = head >> 4 == 15 ? varint() : head >> 4;
      const auto of = static_cast<ThriftType>(head & 0x0F);
      for (uint64_t k = 0; k < size; ++k) {
        // Here truths are bytes; as fields they are types.
        of == ThriftType::kTrue || of == ThriftType::kFalse ? void(byte()) : skip(of, depth + 1);
      }
      return;
    }
    case ThriftType::kMap: {
      const uint64_t size = varint();
      if (size == 0) return;
      const uint8_t types = byte();
      const auto one = [&](uint8_t of) {
        of == 1 || of == 2 ? void(byte()) : skip(static_cast<ThriftType>(of), depth + 1);
      };
      for (uint64_t k = 0; k < size; ++k) {
        one(types >> 4);
        one(types & 0x0F);
      }
      return;
    }
    case ThriftType::kStruct: {
      for (ThriftField field; next(field);) skip(field.type, depth + 1);
      return;
    }
    case ThriftType::kStop:
      break;
  }
  throw Corrupt("its description has a field of no known type");
}

}  // namespace agon::parquet
