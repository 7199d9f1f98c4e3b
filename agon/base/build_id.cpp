#include "agon/base/build_id.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdint>
#include <cstring>

namespace agon {
namespace {

constexpr size_t kShownDigits = 16;
constexpr size_t kNoteAlignment = 4;

size_t padded(size_t bytes) { return (bytes + kNoteAlignment - 1) / kNoteAlignment * kNoteAlignment; }

// A segment of notes: header, name and content of each, the latter two padded.
std::string id_among_notes(const unsigned char* at, size_t size) {
  const unsigned char* const end = at + size;
  while (end - at >= static_cast<ptrdiff_t>(sizeof(ElfW(Nhdr)))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const unsigned char* const name = at + sizeof note;
    const unsigned char* const content = name + padded(note.n_namesz);
    if (content + note.n_descsz > end) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
      std::string digits;
      for (size_t k = 0; k < note.n_descsz && digits.size() < kShownDigits; ++k)
        digits += fmt::format("{:02x}", content[k]);
      return digits;
    }
    at = content + padded(note.n_descsz);
  }
  return "";
}

// Called for the program and every library it has loaded; looks at the one that this code is in.
int look_into(dl_phdr_info* object, size_t, void* out) {
  const auto here = reinterpret_cast<uintptr_t>(&build_id);
  bool is_ours = false;
  for (int k = 0; k < object->dlpi_phnum; ++k) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[k];
    const uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
    is_ours = is_ours || (segment.p_type == PT_LOAD && here >= begin && here < begin + segment.p_memsz);
  }
  if (!is_ours) return 0;
  std::string& found = *static_cast<std::string*>(out);
  for (int k = 0; k < object->dlpi_phnum && found.empty(); ++k) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[k];
    if (segment.p_type != PT_NOTE) continue;
    found =
        id_among_notes(reinterpret_cast<const unsigned char*>(object->dlpi_addr + segment.p_vaddr), segment.p_memsz);
  }
  return 1;
}

}  // namespace

std::string build_id() {
  std::string found;
  dl_iterate_phdr(look_into, &found);
  return found;
}

}  // namespace agon
