# Lets the Python module link the libraries of another build tree instead of compiling them again. Sets AGON_LIBRARIES to
# that tree, and makes the target agon_libraries, which brings it up to date.
#
#   -DAGON_LIBRARIES=DIR   that tree
#   -DAGON_LIBRARIES=      none: compile everything for the module alone, fmt included, as a wheel for others needs it
#   (neither)              build/, where `make` has left one that fits
if(NOT DEFINED AGON_LIBRARIES)
  set(AGON_LIBRARIES "")
  set(tree ${CMAKE_SOURCE_DIR}/build)
  if(EXISTS ${tree}/CMakeCache.txt AND EXISTS ${tree}/build.ninja)
    load_cache(${tree} READ_WITH_PREFIX tree_ CMAKE_HOME_DIRECTORY CMAKE_BUILD_TYPE CMAKE_CXX_COMPILER AGON_STATIC
               AGON_SANITIZE)
    # A Release build of this very source by this compiler, not for one static executable and without sanitizers. Python
    # names the compiler by its machine (x86_64-linux-gnu-g++), make by c++: the file behind the name counts.
    file(REAL_PATH "${CMAKE_CXX_COMPILER}" this_compiler)
    file(REAL_PATH "${tree_CMAKE_CXX_COMPILER}" that_compiler)
    if(tree_CMAKE_HOME_DIRECTORY STREQUAL CMAKE_SOURCE_DIR AND tree_CMAKE_BUILD_TYPE STREQUAL Release AND
       this_compiler STREQUAL that_compiler AND NOT tree_AGON_STATIC AND NOT tree_AGON_SANITIZE)
      set(AGON_LIBRARIES ${tree})
    endif()
  endif()
endif()

if(AGON_LIBRARIES)
  message(STATUS "The libraries are those of ${AGON_LIBRARIES}")
  set(archives base nn parquet data graph score opponent game agent match posterior certificate referee effect report catalog run)
  list(TRANSFORM archives PREPEND ${AGON_LIBRARIES}/libagon_)
  list(TRANSFORM archives APPEND .a)
  add_custom_target(agon_libraries COMMAND ${CMAKE_COMMAND} --build ${AGON_LIBRARIES} --target agon_run
                    BYPRODUCTS ${archives} USES_TERMINAL COMMENT "Bringing ${AGON_LIBRARIES} up to date")
endif()
