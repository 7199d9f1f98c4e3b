# The worked examples of CONTRIBUTING.md, built and run exactly as printed there: tests/worked_examples/worked says how a
# section is written.
#
#   agon_worked_example(score "Adding a score" "Scores.*")
#
# builds worked_score (agon with the files of that section in place of its own) and worked_score_tests (the tests of
# agon/catalog and of the example itself with the same files), and adds two tests: the commands of the section, and the
# tests that match the filter; without a filter, the commands alone. Only the files of the section are compiled;
# everything else is linked as it is.
#
# An example replaces a file of agon's. g++ calls a function that another file could replace through the linker, also
# within a batch, and the linker is told to take the first definition, which is the example's. Other compilers may bind
# such a call at once, and the sanitizers dislike double definitions, so for them the file is kept out of its batch, and
# its object is not linked at all.
set(linked_first FALSE)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT AGON_SANITIZE)
  set(linked_first TRUE)
endif()
set(worked ${AGON_PYTHON} -B ${CMAKE_SOURCE_DIR}/tests/worked_examples/worked)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/CONTRIBUTING.md)

function(agon_worked_example name section filter)
  execute_process(COMMAND ${worked} list ${section} OUTPUT_VARIABLE files OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  if(NOT files)  # a section without an example
    return()
  endif()
  string(REPLACE "\n" ";" files "${files}")
  set(folder ${CMAKE_BINARY_DIR}/worked_examples/${name})
  set(depends ${CMAKE_SOURCE_DIR}/CONTRIBUTING.md ${CMAKE_SOURCE_DIR}/tests/worked_examples/worked)
  foreach(file ${files})
    list(APPEND written ${folder}/${file})
    if(EXISTS ${CMAKE_SOURCE_DIR}/${file})
      list(APPEND depends ${CMAKE_SOURCE_DIR}/${file})
      if(NOT linked_first)
        set_source_files_properties(${CMAKE_SOURCE_DIR}/${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      endif()
    endif()
  endforeach()
  add_custom_command(OUTPUT ${written} COMMAND ${worked} write ${section} ${folder} DEPENDS ${depends} VERBATIM
    COMMENT "Following CONTRIBUTING.md: ${section}")
  set(tests ${written})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER written EXCLUDE REGEX "_test\\.cpp$")

  # What is linked into both programs comes before the libraries, whose own versions of these files are then not needed.
  add_library(worked_${name}_objects OBJECT EXCLUDE_FROM_ALL ${written})
  target_include_directories(worked_${name}_objects BEFORE PUBLIC ${folder})
  target_link_libraries(worked_${name}_objects PUBLIC agon_study)
  if(linked_first)
    target_link_options(worked_${name}_objects INTERFACE LINKER:-z,muldefs)
  endif()
  add_executable(worked_${name} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:agon>)
  target_link_libraries(worked_${name} PRIVATE worked_${name}_objects agon_cli)
  add_dependencies(agon_tests worked_${name})
  add_test(NAME worked_${name} COMMAND ${worked} run ${section} $<TARGET_FILE:worked_${name}>)
  if(NOT filter)
    return()
  endif()
  add_executable(worked_${name}_tests EXCLUDE_FROM_ALL ${tests} $<TARGET_OBJECTS:catalog_tests>)
  target_link_libraries(worked_${name}_tests PRIVATE worked_${name}_objects GTest::gtest_main rapidcheck)
  add_dependencies(agon_tests worked_${name}_tests)
  add_test(NAME worked_${name}_tests COMMAND worked_${name}_tests --gtest_filter=${filter})
  set_tests_properties(worked_${name}_tests PROPERTIES ENVIRONMENT "RC_PARAMS=seed=1")
endfunction()

agon_worked_example(score "Adding a score" "Scores.*:DiscreteAic.*")
agon_worked_example(opponent "Adding an opponent" "OpponentContract.KnowledgeIsKept*:ChowLiu.*")
agon_worked_example(challenger "Adding a challenger" "")
agon_worked_example(option "Adding an option" "")
