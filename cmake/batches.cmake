# Batches: several sources of a folder compiled as one, so that headers are read and templates instantiated once for all
# of them. It saves a third of a build from nothing, or more. Daily work does not pay for it: a source that changed after its
# build folder was first configured leaves its batch for good and is compiled by itself.
#
#   agon_batch(TARGET SOURCE ..)
#
# Sources of a batch share a translation unit, so a private name may stand only once in a folder. The test `batches`
# (tests/batches) looks after that where sources have left their batches; elsewhere the build itself does. Those named by
# alone_in_batches never share: long ones, and kernels compiled for several processors.
set(batches_begun ${CMAKE_BINARY_DIR}/batches-begun)
if(AGON_BATCH AND NOT EXISTS ${batches_begun})
  file(TOUCH ${batches_begun})
endif()

set(alone_in_batches linear_algebra row_kernels lingam_entropy)
function(agon_batch target)
  if(NOT AGON_BATCH)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_compile_options(${target} PRIVATE -Wno-subobject-linkage)  # g++ takes the sources of a batch for headers
  list(LENGTH ARGN count)
  math(EXPR batches "(${count} + 11) / 12")
  set(alone FALSE)
  set(whole "")
  foreach(source ${ARGN})
    get_filename_component(name ${source} NAME_WE)
    if(name IN_LIST alone_in_batches)
      continue()
    endif()
    string(APPEND whole "#include \"${source}\"\n")
    if(${source} IS_NEWER_THAN ${batches_begun})
      set(alone TRUE)
    else()
      # By its name, so that the others stay where they are when a source comes or goes.
      string(MD5 hash ${name})
      string(SUBSTRING ${hash} 0 4 hash)
      math(EXPR batch "0x${hash} % ${batches}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${target}_${batch})
      set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    endif()
  endforeach()
  set(check ${CMAKE_BINARY_DIR}/batches/${target}.cpp)
  if(alone)
    file(CONFIGURE OUTPUT ${check} CONTENT "${whole}" @ONLY)
  else()
    file(REMOVE ${check})
  endif()
endfunction()
