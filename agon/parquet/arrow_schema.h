// agon/parquet/arrow_schema.h
//
// What Arrow notes of its own types in a Parquet file that it writes: which columns of text are categories
// (dictionaries there; the categories of pandas and the factors of R), and which whole numbers are lengths of time.
//
// Source: apache/arrow, Message.fbs and Schema.fbs, in the layout of FlatBuffers, as base64.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agon::parquet {

struct ArrowField {
  std::string name;
  bool category = false, duration = false;
};

// The columns in their order. Nothing for what is not understood: without the note, types are those of Parquet.
std::vector<ArrowField> read_arrow_schema(std::string_view base64);

}  // namespace agon::parquet
