# embed_files(TARGET FILE ..) makes the bytes of the files part of TARGET; agon/data/embedded_files.h gives them back.
# One small source with .incbin lines: nothing to compile but a table, however large the files are.
function(embed_files target)
  set(assembly "")
  set(declarations "")
  set(entries "")
  set(files ${ARGN})
  if(EMSCRIPTEN)
    set(enter_section ".section .rodata.agon_files,\\\"\\\",@")
    set(leave_section ".text")
  else()
    set(enter_section ".pushsection .rodata")
    set(leave_section ".popsection")
  endif()
  list(SORT files)
  set(number 0)
  foreach(file ${files})
    get_filename_component(name ${file} NAME)
    string(APPEND assembly "    \".balign 16\\nagon_file_${number}_begin: .incbin \\\"${file}\\\"\\n\"\n")
    string(APPEND assembly "    \"agon_file_${number}_end: .byte 0\\n\"\n")
    if(EMSCRIPTEN)  # whose objects have a type and a size
      foreach(end begin end)
        string(APPEND assembly "    \".type agon_file_${number}_${end},@object\\n\"\n")
      endforeach()
      string(APPEND assembly "    \".size agon_file_${number}_begin, agon_file_${number}_end-agon_file_${number}_begin\\n\"\n")
      string(APPEND assembly "    \".size agon_file_${number}_end, 1\\n\"\n")
    endif()
    string(APPEND declarations "extern const char agon_file_${number}_begin[] __attribute__((visibility(\"hidden\")));\n")
    string(APPEND declarations "extern const char agon_file_${number}_end[] __attribute__((visibility(\"hidden\")));\n")
    string(APPEND entries "    {\"${name}\", agon_file_${number}_begin, agon_file_${number}_end},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  set(source ${CMAKE_BINARY_DIR}/generated/embedded_files.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
// Written by cmake/embed_files.cmake.
#include "agon/data/embedded_files.h"

asm("    @enter_section@\n"
@assembly@    "    @leave_section@\n");

extern "C" {
@declarations@}

namespace agon {
namespace {
struct Entry {
  std::string_view name;
  const char* begin;
  const char* end;
};
const Entry kFiles[] = {
@entries@};
}  // namespace

std::string_view embedded_file(std::string_view name) {
  for (const Entry& file : kFiles) {
    if (file.name == name) return {file.begin, static_cast<size_t>(file.end - file.begin)};
  }
  return {};
}

std::vector<std::string_view> embedded_file_names() {
  std::vector<std::string_view> names;
  for (const Entry& file : kFiles) names.push_back(file.name);
  return names;
}

}  // namespace agon
]])
  # The compiler does not report what the assembler reads, so the dependency is stated here.
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${files}")
  target_sources(${target} PRIVATE ${source})
endfunction()
