// agon/base/archive.h
//
// Turns state into bytes and back. A type describes its state once, in one function that both writes and reads, so that
// the two cannot disagree.
//
//   void exchange(Archive& archive, Player& p) { archive(p.rng); archive(p.weights); archive(p.history); }
//
//   Archive writer;           writer(player);       std::string bytes = writer.bytes();
//   Archive reader(bytes);    reader(same_player);  reader.finish();
//
// Numbers, enumerators and plain structs are stored as they are in memory; strings, vectors and optionals with their
// length; anything else through exchange(Archive&, T&) in its own namespace. The bytes are meant for the same program
// on the same machine: another compiler or processor may lay them out differently.
//
// What may be relied on: reading never goes past the end of the bytes, and never allocates more than they could hold;
// bytes that do not fit throw InputError. A checksum (checkpoint.h) has to say whether they are the bytes that were
// written.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace agon {

class Archive {
 public:
  Archive() = default;                                                    // writes
  explicit Archive(std::string_view bytes) : reads_(true), in_(bytes) {}  // reads; the bytes must outlive it

  bool reads() const { return reads_; }
  const std::string& bytes() const { return out_; }
  void finish() const;  // after reading: throws unless everything was read

  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      raw(&value, sizeof value);
    } else {
      exchange(*this, value);
    }
  }
  void operator()(std::string& text) {
    text.resize(length(text.size(), 1));
    raw(text.data(), text.size());
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    constexpr bool plain = std::is_trivially_copyable_v<T>;
    list.resize(length(list.size(), plain ? sizeof(T) : 1));
    if constexpr (plain) {
      raw(list.data(), list.size() * sizeof(T));
    } else {
      for (T& item : list) (*this)(item);
    }
  }
  template <class T>
  requires(!std::is_trivially_copyable_v<T>) void operator()(std::optional<T>& value) {
    bool there = value.has_value();
    (*this)(there);
    if (reads_) there ? void(value.emplace()) : value.reset();
    if (there) (*this)(*value);
  }

  // `size` bytes at `data`, as they are.
  void raw(void* data, size_t size) {
    if (size == 0) return;
    if (!reads_) {
      out_.append(static_cast<const char*>(data), size);
      return;
    }
    demand(size <= in_.size());
    std::memcpy(data, in_.data(), size);
    in_.remove_prefix(size);
  }
  // The length of a list whose items take at least `item_bytes` each: written as it is, or read.
  size_t length(size_t now, size_t item_bytes);
  // Throws unless that many numbers may still follow; for matrices, before they are allocated.
  void demand_room(int64_t rows, int64_t columns, size_t item_bytes) const;
  // Throws InputError when what was read cannot be right.
  static void demand(bool holds);

 private:
  bool reads_ = false;
  std::string out_;
  std::string_view in_;
};

}  // namespace agon
