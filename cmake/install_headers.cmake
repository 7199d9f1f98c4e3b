# Installs the public headers, and with them what they include. Only these are public: what else is installed may change
# without notice. They need the standard library alone.
cmake_policy(VERSION 3.25)
set(public
    agon/base/error.h agon/base/rng.h agon/base/stop.h
    agon/data/dataset.h agon/data/csv.h agon/data/embedded.h agon/data/simulate.h agon/data/bif.h
    agon/data/summary.h
    agon/graph/dag.h agon/graph/pdag.h agon/graph/pag.h agon/graph/equivalence.h agon/graph/knowledge.h
    agon/graph/measures.h agon/graph/formats.h
    agon/score/local_score.h
    agon/opponent/ges.h agon/opponent/boss.h agon/opponent/hill_climbing.h
    agon/match/match.h agon/match/bootstrap.h
    agon/posterior/posterior.h
    agon/certificate/certificate.h
    agon/effect/effect.h agon/effect/next_step.h
    agon/report/run_record.h agon/report/record_json.h agon/report/comparison.h agon/report/summary.h agon/report/html.h
    agon/catalog/scores.h agon/catalog/opponents.h
    agon/run/run.h)

set(waiting ${public})
set(seen agon/version.h)  # written by CMake, and installed from there
while(waiting)
  list(POP_FRONT waiting header)
  if(header IN_LIST seen)
    continue()
  endif()
  list(APPEND seen ${header})
  file(STRINGS ${source}/${header} lines REGEX "^#include \"agon/")
  foreach(line ${lines})
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included ${line})
    list(APPEND waiting ${included})
  endforeach()
  get_filename_component(folder ${header} DIRECTORY)
  file(INSTALL ${source}/${header} DESTINATION ${CMAKE_INSTALL_PREFIX}/${include_folder}/${folder})
endwhile()
