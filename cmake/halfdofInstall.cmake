# Installs the libraries, their headers, the program and the package that find_package(halfdof) reads. Each component
# has an export file of its own, so that find_package(halfdof) without components needs neither MPI nor deal.II.
include(CMakePackageConfigHelpers)

set(HALFDOF_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/halfdof)

# halfdof_install(<target> <export>)
function(halfdof_install target export)
  install(TARGETS ${target} EXPORT ${export} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT ${export} NAMESPACE halfdof:: DESTINATION ${HALFDOF_PACKAGE_DIR})
endfunction()

halfdof_install(halfdof halfdof-core)
install(DIRECTORY src/halfdof DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
        PATTERN trilinos EXCLUDE)
if(HALFDOF_WITH_TRILINOS)
  halfdof_install(halfdof_trilinos halfdof-trilinos)
  install(DIRECTORY src/halfdof/linear_algebra/trilinos
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/halfdof/linear_algebra OPTIONAL FILES_MATCHING PATTERN "*.h")
endif()
if(HALFDOF_WITH_DEALII)
  foreach(variant IN LISTS halfdof_dealii_variants)
    install(TARGETS halfdof_dealii_${variant} EXPORT halfdof-dealii INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  endforeach()
  halfdof_install(halfdof_dealii halfdof-dealii)
  install(DIRECTORY plugin/halfdof DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} OPTIONAL FILES_MATCHING PATTERN "*.h")
endif()
if(TARGET halfdof_program)
  install(TARGETS halfdof_program)
endif()

configure_package_config_file(cmake/halfdofConfig.cmake.in ${PROJECT_BINARY_DIR}/halfdofConfig.cmake
                              INSTALL_DESTINATION ${HALFDOF_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/halfdofConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/halfdofConfig.cmake ${PROJECT_BINARY_DIR}/halfdofConfigVersion.cmake
              cmake/halfdofDependencies.cmake
        DESTINATION ${HALFDOF_PACKAGE_DIR})
