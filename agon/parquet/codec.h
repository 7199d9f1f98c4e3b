// agon/parquet/codec.h
//
// Unpacks the bytes of a page. Snappy and LZ4 are written here; gzip and zstd are those of libz and libzstd, which are
// loaded when a file asks for them, so that agon runs without them. A static executable, and the browser, have neither.
//
//   parquet::unpack(parquet::Codec::kSnappy, stored, 131072, page);   // to exactly that many bytes, or Corrupt
//
// Memory is bounded by what the stored bytes can hold at most, whatever length a page claims.
//
// Sources: github.com/google/snappy, format_description.txt; github.com/lz4/lz4, lz4_Block_format.md.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "agon/parquet/metadata.h"

namespace agon::parquet {

// "": agon can read it. Else why not, and what to do.
struct Unreadable {
  std::string problem, hint;
};
Unreadable why_unreadable(int codec);

// Into `out`, whose memory is used again.
void unpack(Codec codec, std::string_view stored, size_t bytes, std::string& out);

namespace detail {
void unpack_snappy(std::string_view stored, std::string& out);  // to the size that `out` has
void unpack_lz4(std::string_view stored, std::string& out);
}  // namespace detail

}  // namespace agon::parquet
