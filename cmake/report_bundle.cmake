# The script of report.html, bundled from web/ by tools/bundle-report; its files are empty when Node is not there.
# Sets report_bundle to the list of files.
option(AGON_REPORT_SCRIPT "Bundle the script of report.html (needs Node and npm)" ON)
set(folder ${CMAKE_BINARY_DIR}/generated/report)
set(report_bundle ${folder}/report.js ${folder}/report.css ${folder}/report.sha256)
if(AGON_REPORT_SCRIPT)
  file(GLOB web_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/web/*.json ${CMAKE_SOURCE_DIR}/web/*.mjs
       ${CMAKE_SOURCE_DIR}/web/src/*)
  add_custom_command(OUTPUT ${report_bundle}
    COMMAND ${CMAKE_SOURCE_DIR}/tools/bundle-report ${folder} ${CMAKE_BINARY_DIR}/npm
    DEPENDS ${web_sources} ${CMAKE_SOURCE_DIR}/tools/bundle-report
    COMMENT "Bundling the script of report.html" VERBATIM)
else()
  foreach(file ${report_bundle})
    file(CONFIGURE OUTPUT ${file} CONTENT "")
  endforeach()
endif()
