#include "agon/parquet/codec.h"

#include <fmt/format.h>

#include <climits>
#include <cstdint>
#include <cstring>
#include <type_traits>

#ifndef AGON_STATIC
#include <dlfcn.h>
#endif

namespace agon::parquet {
namespace {

[[noreturn]] void refuse_packed() { throw Corrupt("a page cannot be unpacked"); }

// `count` bytes from `distance` before the end of what is written; the two may overlap, which repeats bytes.
void copy_again(std::string& out, size_t& at, size_t distance, size_t count) {
  if (distance == 0 || distance > at || count > out.size() - at) refuse_packed();
  char* to = out.data() + at;
  const char* from = to - distance;
  if (distance >= count) {
    std::memcpy(to, from, count);
  } else {
    for (size_t k = 0; k < count; ++k) to[k] = from[k];
  }
  at += count;
}

void copy_plain(std::string& out, size_t& at, std::string_view stored, size_t& from, size_t count) {
  if (count > stored.size() - from || count > out.size() - at) refuse_packed();
  std::memcpy(out.data() + at, stored.data() + from, count);
  at += count;
  from += count;
}

#ifndef AGON_STATIC
template <class Function>
void find_function(void* library, Function& function, const char* name) {
  function = library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
}

// zlib's stream as zlib.h has it since 1995; inflateInit2_ is told its size, and refuses another.
struct ZStream {
  const unsigned char* next_in;
  unsigned avail_in;
  unsigned long total_in;
  unsigned char* next_out;
  unsigned avail_out;
  unsigned long total_out;
  const char* message;
  void* state;
  void* (*allocate)(void*, unsigned, unsigned);
  void (*release)(void*, void*);
  void* opaque;
  int data_type;
  unsigned long checksum, reserved;
};

struct Zlib {
  int (*init)(ZStream*, int, const char*, int) = nullptr;
  int (*inflate)(ZStream*, int) = nullptr;
  int (*reset)(ZStream*) = nullptr;
  int (*end)(ZStream*) = nullptr;

  Zlib() {
    void* library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    find_function(library, init, "inflateInit2_");
    find_function(library, inflate, "inflate");
    find_function(library, reset, "inflateReset");
    find_function(library, end, "inflateEnd");
  }
  bool ready() const { return init != nullptr && inflate != nullptr && reset != nullptr && end != nullptr; }

  // One member after the other.
  bool unpack(std::string_view stored, std::string& out) const {
    constexpr int kEitherHeader = 15 + 32, kFinish = 4, kStreamEnd = 1;
    if (stored.size() > UINT_MAX || out.size() > UINT_MAX) return false;
    ZStream stream{};
    if (init(&stream, kEitherHeader, "1", sizeof stream) != 0) return false;
    stream.next_in = reinterpret_cast<const unsigned char*>(stored.data());
    stream.avail_in = static_cast<unsigned>(stored.size());
    stream.next_out = reinterpret_cast<unsigned char*>(out.data());
    stream.avail_out = static_cast<unsigned>(out.size());
    bool good = true;
    while (good && stream.avail_in > 0) {
      good = inflate(&stream, kFinish) == kStreamEnd;
      if (good && stream.avail_in > 0) good = reset(&stream) == 0;
    }
    good = good && stream.avail_out == 0;
    end(&stream);
    return good;
  }
};

struct Zstd {
  size_t (*decompress)(void*, size_t, const void*, size_t) = nullptr;
  unsigned (*is_error)(size_t) = nullptr;

  Zstd() {
    void* library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    find_function(library, decompress, "ZSTD_decompress");
    find_function(library, is_error, "ZSTD_isError");
  }
  bool ready() const { return decompress != nullptr && is_error != nullptr; }
};

const Zlib& zlib() {
  static const Zlib loaded;
  return loaded;
}
const Zstd& zstd() {
  static const Zstd loaded;
  return loaded;
}
#endif

}  // namespace

Unreadable why_unreadable(int codec) {
  static constexpr const char* kNames[] = {"none", "Snappy", "gzip", "LZO", "Brotli", "LZ4 in frames", "zstd", "LZ4"};
  if (codec < 0 || codec > 7) {
    return {fmt::format("it is compressed in a way that is not known ({})", codec), "write it with Snappy"};
  }
  const std::string name = kNames[codec];
  switch (static_cast<Codec>(codec)) {
    case Codec::kNone:
    case Codec::kSnappy:
    case Codec::kLz4:
      return {};
#ifdef AGON_STATIC
    case Codec::kGzip:
    case Codec::kZstd:
      return {"it is compressed by " + name + ", which this build does not read", "write it with Snappy"};
#else
    case Codec::kGzip:
      if (zlib().ready()) return {};
      return {"it is compressed by gzip, and libz.so.1 was not found", "in Debian it is in the package zlib1g"};
    case Codec::kZstd:
      if (zstd().ready()) return {};
      return {"it is compressed by zstd, and libzstd.so.1 was not found", "in Debian it is in the package libzstd1"};
#endif
    default:
      return {"it is compressed by " + name + ", which is not read",
              "write it with Snappy, gzip or zstd, or add it up in Python: agon.summarize(FILE)"};
  }
}

// Elements of a byte of type and length, then bytes as they are, or where they stood before.
void detail::unpack_snappy(std::string_view stored, std::string& out) {
  size_t from = 0, at = 0;
  uint64_t size = 0;
  for (int shift = 0;; shift += 7) {
    if (from == stored.size() || shift > 28) refuse_packed();
    const auto byte = static_cast<uint8_t>(stored[from++]);
    size |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) break;
  }
  if (size != out.size()) refuse_packed();
  const auto number = [&](size_t bytes) {
    if (bytes > stored.size() - from) refuse_packed();
    size_t value = 0;
    for (size_t k = 0; k < bytes; ++k) value |= static_cast<size_t>(static_cast<uint8_t>(stored[from++])) << (8 * k);
    return value;
  };
  while (from < stored.size()) {
    const auto tag = static_cast<uint8_t>(stored[from++]);
    const size_t high = tag >> 2;
    switch (tag & 3) {
      case 0: {
        const size_t count = high < 60 ? high + 1 : number(high - 59) + 1;
        copy_plain(out, at, stored, from, count);
        break;
      }
      case 1: {
        const size_t low = number(1);
        copy_again(out, at, (high >> 3) << 8 | low, (high & 7) + 4);
        break;
      }
      case 2: {
        const size_t distance = number(2);
        copy_again(out, at, distance, high + 1);
        break;
      }
      default: {
        const size_t distance = number(4);
        copy_again(out, at, distance, high + 1);
      }
    }
  }
  if (at != out.size()) refuse_packed();
}

// Sequences of bytes as they are and of those that stood before; the last has the former alone.
void detail::unpack_lz4(std::string_view stored, std::string& out) {
  size_t from = 0, at = 0;
  const auto byte = [&]() -> size_t {
    if (from == stored.size()) refuse_packed();
    return static_cast<uint8_t>(stored[from++]);
  };
  const auto length = [&](size_t begun) {
    if (begun < 15) return begun;
    for (;;) {
      const size_t more = byte();
      begun += more;
      if (more < 255) return begun;
    }
  };
  while (from < stored.size()) {
    const size_t token = byte();
    copy_plain(out, at, stored, from, length(token >> 4));
    if (from == stored.size()) break;
    const size_t low = byte();
    const size_t distance = byte() << 8 | low;
    copy_again(out, at, distance, length(token & 15) + 4);
  }
  if (at != out.size()) refuse_packed();
}

void unpack(Codec codec, std::string_view stored, size_t bytes, std::string& out) {
  // At most so many bytes come of one: 64 of 3 in Snappy, 255 of 1 in LZ4, 1032 of 1 in gzip, 128 KB of 4 in zstd.
  const size_t most = codec == Codec::kSnappy ? 22 : codec == Codec::kLz4 ? 256 : codec == Codec::kGzip ? 1040 : 40'000;
  if (bytes / most > stored.size()) refuse_packed();
  out.resize(bytes);
  if (bytes == 0) return;
  if (codec == Codec::kSnappy) return detail::unpack_snappy(stored, out);
  if (codec == Codec::kLz4) return detail::unpack_lz4(stored, out);
#ifndef AGON_STATIC
  if (codec == Codec::kGzip && zlib().ready() && zlib().unpack(stored, out)) return;
  if (codec == Codec::kZstd && zstd().ready()) {
    const size_t done = zstd().decompress(out.data(), out.size(), stored.data(), stored.size());
    if (zstd().is_error(done) == 0 && done == out.size()) return;
  }
#endif
  refuse_packed();
}

}  // namespace agon::parquet
