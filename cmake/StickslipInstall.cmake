# find_package(stickslip CONFIG) for others: libraries, headers and the package files.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(folders GLOBAL PROPERTY STICKSLIP_FOLDERS)
get_property(packages GLOBAL PROPERTY STICKSLIP_PACKAGES)
list(JOIN packages "\n" STICKSLIP_DEPENDENCIES)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/stickslip)
set_target_properties(stickslip_flags PROPERTIES EXPORT_NAME flags)

set(umbrella ${PROJECT_SOURCE_DIR}/src/stickslip/stickslip.h)
if(EXISTS ${umbrella})
  target_sources(stickslip INTERFACE FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${umbrella})
  set(umbrella_set FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()

install(
  TARGETS ${folders}
  EXPORT stickslipTargets
  COMPONENT cpp
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT cpp
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT cpp)
install(TARGETS stickslip stickslip_flags EXPORT stickslipTargets COMPONENT cpp ${umbrella_set} COMPONENT cpp)
install(
  EXPORT stickslipTargets
  NAMESPACE stickslip::
  DESTINATION ${package_dir}
  COMPONENT cpp)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/stickslipConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/stickslipConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 every minor version may break.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/stickslipConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/stickslipConfig.cmake ${PROJECT_BINARY_DIR}/stickslipConfigVersion.cmake
        ${CMAKE_CURRENT_LIST_DIR}/FindAMD.cmake ${CMAKE_CURRENT_LIST_DIR}/FindHDF5C.cmake
  DESTINATION ${package_dir}
  COMPONENT cpp)
