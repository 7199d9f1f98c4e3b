# `cmake --install build --prefix DIR` installs the command and the library. Another project then says
#   find_package(agon REQUIRED)
#   target_link_libraries(mine PRIVATE agon::agon)
# and needs fmt, but none of the header libraries that agon is built with. install_headers.cmake has the public headers.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/agon)
set(installed base nn parquet data graph score opponent game agent match posterior certificate referee effect report catalog run)
foreach(folder ${installed})
  set_target_properties(agon_${folder} PROPERTIES EXPORT_NAME ${folder})
  install(TARGETS agon_${folder} EXPORT agonTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()
add_library(agon_all INTERFACE)
target_link_libraries(agon_all INTERFACE agon_run)
set_target_properties(agon_all PROPERTIES EXPORT_NAME agon)
install(TARGETS agon_all EXPORT agonTargets)
install(EXPORT agonTargets NAMESPACE agon:: DESTINATION ${package_folder})

configure_package_config_file(cmake/agonConfig.cmake.in ${CMAKE_BINARY_DIR}/agonConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/agonConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/agonConfig.cmake ${CMAKE_BINARY_DIR}/agonConfigVersion.cmake
        DESTINATION ${package_folder})

install(CODE "set(source ${CMAKE_SOURCE_DIR})\nset(include_folder ${CMAKE_INSTALL_INCLUDEDIR})")
install(SCRIPT cmake/install_headers.cmake)
install(FILES ${CMAKE_BINARY_DIR}/generated/agon/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/agon)
install(TARGETS agon RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
