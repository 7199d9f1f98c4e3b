# Batches: many sources compiled as one, so that headers are read and templates instantiated once for all of them. It saves
# half of a build from nothing. Daily work does not pay for it: a source that changed after its build folder was first
# configured leaves its batch for good and is compiled by itself.
#
#   agon_batch_host(FOLDER VARIABLE)   the folder whose library holds the batches of FOLDER
#   agon_batch(TARGET SOURCE ..)       compiles these sources of TARGET in one batch
#
# Sources of a batch share a translation unit, so a private name may stand only once in it. The test `batches`
# (tests/batches) looks after that where sources have left their batches; elsewhere the build itself does. Those named by
# alone_in_batches never share: long ones, and kernels compiled for several processors.
set(batches_begun ${CMAKE_BINARY_DIR}/batches-begun)
if(AGON_BATCH AND NOT EXISTS ${batches_begun})
  file(TOUCH ${batches_begun})
endif()
set(alone_in_batches linear_algebra row_kernels dense_kernels lingam_entropy)

# Small neighbours share their batches with the first of them, whose library then holds what was compiled; it and they link
# each other. The folders of the library that is installed do not share with the commands. A fuzz target links the first
# folders alone.
set(batched_with_base parquet data graph)
if(NOT AGON_SANITIZE MATCHES fuzzer)
  set(batched_with_opponent game)
  set(batched_with_agent match posterior)
  set(batched_with_certificate effect)
  set(batched_with_report catalog run)
  set(batched_with_study cli)
endif()
function(agon_batch_host folder variable)
  set(${variable} ${folder} PARENT_SCOPE)
  foreach(host base opponent agent certificate report study)
    if(AGON_BATCH AND folder IN_LIST batched_with_${host})
      set(${variable} ${host} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

function(agon_batch target)
  if(NOT AGON_BATCH)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)  # g++ takes the sources of a batch for headers
  endif()
  get_property(whole GLOBAL PROPERTY batch_of_${target})
  get_property(alone GLOBAL PROPERTY batch_left_${target})
  foreach(source ${ARGN})
    get_filename_component(name ${source} NAME_WE)
    if(name IN_LIST alone_in_batches)
      continue()
    endif()
    string(APPEND whole "#include \"${source}\"\n")
    if(${source} IS_NEWER_THAN ${batches_begun})
      set(alone TRUE)
    else()
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${target})
      set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    endif()
  endforeach()
  set_property(GLOBAL PROPERTY batch_of_${target} "${whole}")
  set_property(GLOBAL PROPERTY batch_left_${target} "${alone}")
  set(check ${CMAKE_BINARY_DIR}/batches/${target}.cpp)
  if(alone)
    file(CONFIGURE OUTPUT ${check} CONTENT "${whole}" @ONLY)
  else()
    file(REMOVE ${check})
  endif()
endfunction()
