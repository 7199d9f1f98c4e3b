#include "agon/parquet/metadata.h"

#include <algorithm>
#include <climits>

namespace agon::parquet {
namespace {

int small(int64_t value) { return static_cast<int>(std::clamp<int64_t>(value, INT_MIN, INT_MAX)); }

// A union is a struct of which one field is set; that of units of time says how many digits follow the second.
int time_digits(ThriftReader& in) {
  int digits = 0;
  for (ThriftField unit; in.next(unit);) {
    if (unit.id >= 1 && unit.id <= 3) digits = 3 * unit.id;
    in.skip(unit);
  }
  return digits;
}

void read_logical_type(ThriftReader& in, SchemaElement& out) {
  static constexpr const char* kNames[] = {"",     "string", "map",       "list",   "enum",    "decimal",
                                           "date", "time",   "timestamp", "",       "integer", "unknown",
                                           "json", "bson",   "uuid",      "float16"};
  for (ThriftField type; in.next(type);) {
    in.want_struct(type);
    out.logical_name = type.id < static_cast<int>(std::size(kNames)) ? kNames[type.id] : "of a newer type";
    out.logical = type.id == 1 || type.id == 4 || type.id == 12 ? Logical::kText
                  : type.id == 5                                ? Logical::kDecimal
                  : type.id == 6                                ? Logical::kDate
                  : type.id == 7                                ? Logical::kTime
                  : type.id == 8                                ? Logical::kTimestamp
                  : type.id == 10                               ? Logical::kInteger
                  : type.id == 11                               ? Logical::kNone
                  : type.id == 15                               ? Logical::kHalf
                                                                : Logical::kOther;
    for (ThriftField field; in.next(field);) {
      const bool time = type.id == 7 || type.id == 8;
      if (type.id == 5 && field.id == 1) {
        out.scale = small(in.integer(field));
      } else if (time && field.id == 1) {
        out.in_utc = in.truth(field);
      } else if (time && field.id == 2) {
        in.want_struct(field);
        out.digits = time_digits(in);
      } else if (type.id == 10 && field.id == 1) {
        out.bits = small(in.integer(field));
      } else if (type.id == 10 && field.id == 2) {
        out.is_signed = in.truth(field);
      } else {
        in.skip(field);
      }
    }
  }
}

void take_converted_type(int type, SchemaElement& out) {
  static constexpr const char* kOthers[] = {"bson", "interval"};
  switch (type) {
    case 0:   // UTF8
    case 4:   // ENUM
    case 19:  // JSON
      out.logical = Logical::kText;
      return;
    case 5:
      out.logical = Logical::kDecimal;
      return;
    case 6:
      out.logical = Logical::kDate;
      return;
    case 7:
    case 8:
      out.logical = Logical::kTime;
      out.digits = type == 7 ? 3 : 6;
      return;
    case 9:
    case 10:
      out.logical = Logical::kTimestamp;
      out.digits = type == 9 ? 3 : 6;
      out.in_utc = true;
      return;
    case 20:
    case 21:
      out.logical = Logical::kOther;
      out.logical_name = kOthers[type - 20];
      return;
    default:
      if (type < 11 || type > 18) return;  // maps and lists, which are groups
      out.logical = Logical::kInteger;
      out.is_signed = type >= 15;
      out.bits = 8 << (type - (out.is_signed ? 15 : 11));
  }
}

SchemaElement read_schema_element(ThriftReader& in) {
  SchemaElement out;
  int converted = -1, scale = 0;
  bool logical = false;
  for (ThriftField field; in.next(field);) {
    switch (field.id) {
      case 1:
        out.physical = small(in.integer(field));
        if (out.physical < 0 || out.physical > 7) throw Corrupt("a column is of no known type");
        break;
      case 2:
        out.type_length = small(in.integer(field));
        break;
      case 3: {
        const int64_t repetition = in.integer(field);
        if (repetition < 0 || repetition > 2) throw Corrupt("a column is neither required, optional nor repeated");
        out.repetition = static_cast<Repetition>(repetition);
        break;
      }
      case 4:
        out.name = in.binary(field);
        break;
      case 5:
        out.children = small(in.integer(field));
        break;
      case 6:
        converted = small(in.integer(field));
        break;
      case 7:
        scale = small(in.integer(field));
        break;
      case 10:
        in.want_struct(field);
        read_logical_type(in, out);
        logical = true;
        break;
      default:
        in.skip(field);
    }
  }
  if (!logical && converted >= 0) {
    take_converted_type(converted, out);
    out.scale = scale;
  }
  return out;
}

void read_chunk_meta(ThriftReader& in, ChunkInfo& out) {
  for (ThriftField field; in.next(field);) {
    switch (field.id) {
      case 1:
        out.physical = small(in.integer(field));
        break;
      case 4:
        out.codec = small(in.integer(field));
        break;
      case 5:
        out.values = in.integer(field);
        break;
      case 7:
        out.bytes = in.integer(field);
        break;
      case 9:
        out.data_page = in.integer(field);
        break;
      case 11:
        out.dictionary_page = in.integer(field);
        break;
      default:
        in.skip(field);
    }
  }
}

ChunkInfo read_chunk(ThriftReader& in) {
  ChunkInfo out;
  for (ThriftField field; in.next(field);) {
    if (field.id == 1) {
      out.elsewhere = !in.binary(field).empty();
    } else if (field.id == 3) {
      in.want_struct(field);
      read_chunk_meta(in, out);
    } else {
      out.encrypted = out.encrypted || field.id == 8;
      in.skip(field);
    }
  }
  return out;
}

RowGroup read_group(ThriftReader& in) {
  RowGroup out;
  for (ThriftField field; in.next(field);) {
    if (field.id == 1) {
      const size_t count = in.list(field, ThriftType::kStruct);
      for (size_t k = 0; k < count; ++k) out.chunks.push_back(read_chunk(in));
    } else if (field.id == 3) {
      out.rows = in.integer(field);
    } else {
      in.skip(field);
    }
  }
  return out;
}

}  // namespace

FileInfo read_file_info(std::string_view footer) {
  ThriftReader in(footer);
  FileInfo out;
  for (ThriftField field; in.next(field);) {
    switch (field.id) {
      case 2: {
        const size_t count = in.list(field, ThriftType::kStruct);
        for (size_t k = 0; k < count; ++k) out.schema.push_back(read_schema_element(in));
        break;
      }
      case 3:
        out.rows = in.integer(field);
        break;
      case 4: {
        const size_t count = in.list(field, ThriftType::kStruct);
        for (size_t k = 0; k < count; ++k) out.groups.push_back(read_group(in));
        break;
      }
      case 5: {
        const size_t count = in.list(field, ThriftType::kStruct);
        for (size_t k = 0; k < count; ++k) {
          std::string_view key, value;
          for (ThriftField part; in.next(part);) {
            if (part.id == 1) {
              key = in.binary(part);
            } else if (part.id == 2) {
              value = in.binary(part);
            } else {
              in.skip(part);
            }
          }
          if (key == "ARROW:schema") out.arrow_schema = value;
        }
        break;
      }
      default:
        out.encrypted = out.encrypted || field.id == 8;
        in.skip(field);
    }
  }
  return out;
}

PageHeader read_page_header(std::string_view bytes) {
  ThriftReader in(bytes);
  PageHeader out;
  for (ThriftField field; in.next(field);) {
    if (field.id == 1) {
      out.kind = in.integer(field);
    } else if (field.id == 2) {
      out.bytes = in.integer(field);
    } else if (field.id == 3) {
      out.stored_bytes = in.integer(field);
    } else if (field.id == 5 || field.id == 7 || field.id == 8) {
      in.want_struct(field);
      const bool second = field.id == 8;
      for (ThriftField part; in.next(part);) {
        if (part.id == 1) {
          out.values = in.integer(part);
        } else if (part.id == (second ? 4 : 2)) {
          out.encoding = in.integer(part);
        } else if (field.id == 5 && part.id == 3) {
          out.level_encoding = in.integer(part);
        } else if (second && part.id == 5) {
          out.definition_bytes = in.integer(part);
        } else if (second && part.id == 6) {
          out.repetition_bytes = in.integer(part);
        } else if (second && part.id == 7) {
          out.packed = in.truth(part);
        } else {
          in.skip(part);
        }
      }
    } else {
      in.skip(field);
    }
  }
  out.header_bytes = in.position();
  return out;
}

}  // namespace agon::parquet
