# The engine of the browser page: agon compiled to WebAssembly by Emscripten (em++ of Debian's package). Included where
# packages are looked for, because those of the host are of use here for their headers alone: they stand in /usr/include
# beside those of the host's C library, which a compiler for another machine must not see.
set(headers ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
foreach(place fmt nlohmann fast_float eigen3/Eigen)
  get_filename_component(name ${place} NAME)
  file(CREATE_LINK /usr/include/${place} ${headers}/${name} SYMBOLIC)
endforeach()
file(CONFIGURE OUTPUT ${headers}/mmintrin.h CONTENT "")  # Eigen includes it for SSE2, of which it uses nothing older
foreach(package Eigen3::Eigen fmt::fmt-header-only FastFloat::fast_float nlohmann_json::nlohmann_json Threads::Threads)
  add_library(${package} INTERFACE IMPORTED)
  if(NOT package STREQUAL Threads::Threads)
    target_include_directories(${package} SYSTEM INTERFACE ${headers})
  endif()
endforeach()
target_compile_definitions(fmt::fmt-header-only INTERFACE FMT_HEADER_ONLY)
set(AGON_FMT fmt::fmt-header-only)

# -msse2: Emscripten writes SSE2 as WebAssembly's vectors, so that Eigen sums in the order in which it sums on x86-64.
# -fgnuc-version: Eigen works around faults of GNU compilers before 6.3 (10 x 5 + 13 by its reckoning) and from major
# version 6 on in assembler of x86; this one is neither.
# library.h: what Emscripten's standard library lacks.
add_compile_options(-fwasm-exceptions -msimd128 -msse2 -fgnuc-version=5.13.0 -ffp-contract=off
                    "SHELL:-include ${CMAKE_SOURCE_DIR}/web/engine/library.h" -Wno-unused-command-line-argument)
add_link_options(-fwasm-exceptions)
