# SPDX-License-Identifier: LGPL-2.1-or-later
# Installs the libraries, their headers, the program and the package that find_package(halfdof) reads. Each component
# has an export file of its own, so that find_package(halfdof) without components needs neither MPI nor deal.II.
include(CMakePackageConfigHelpers)

set(HALFDOF_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/halfdof)

# What the Debian packages hold (halfdofPackages.cmake): libraries, development, program, dealii_libraries and
# dealii_development. Shared libraries are of the first kind; what names no component is for development.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)

# halfdof_install_library(<target> <export> <component of its shared library>)
function(halfdof_install_library target export component)
  install(TARGETS ${target} EXPORT ${export}
          LIBRARY COMPONENT ${component} NAMELINK_COMPONENT ${CMAKE_INSTALL_DEFAULT_COMPONENT_NAME}
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endfunction()

# halfdof_install(<target> <export> <component>): the last library of an export.
function(halfdof_install target export component)
  halfdof_install_library(${target} ${export} ${component})
  install(EXPORT ${export} NAMESPACE halfdof:: DESTINATION ${HALFDOF_PACKAGE_DIR})
endfunction()

halfdof_install_library(halfdof_plots halfdof-core libraries)
halfdof_install(halfdof halfdof-core libraries)
install(DIRECTORY src/include/halfdof DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
        PATTERN trilinos EXCLUDE)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dealii_development)
if(HALFDOF_WITH_TRILINOS)
  halfdof_install(halfdof_trilinos halfdof-trilinos dealii_libraries)
  install(DIRECTORY src/include/halfdof/linear_algebra/trilinos
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/halfdof/linear_algebra OPTIONAL FILES_MATCHING PATTERN "*.h")
endif()
if(HALFDOF_WITH_DEALII)
  foreach(variant IN LISTS halfdof_dealii_variants)
    halfdof_install_library(halfdof_dealii_${variant} halfdof-dealii dealii_libraries)
  endforeach()
  halfdof_install(halfdof_dealii halfdof-dealii dealii_libraries)
  install(DIRECTORY plugin/halfdof DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} OPTIONAL FILES_MATCHING PATTERN "*.h")
endif()
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
if(TARGET halfdof_program)
  install(TARGETS halfdof_program RUNTIME COMPONENT program)
endif()

configure_package_config_file(cmake/halfdofConfig.cmake.in ${PROJECT_BINARY_DIR}/halfdofConfig.cmake
                              INSTALL_DESTINATION ${HALFDOF_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/halfdofConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/halfdofConfig.cmake ${PROJECT_BINARY_DIR}/halfdofConfigVersion.cmake
              cmake/halfdofDependencies.cmake
        DESTINATION ${HALFDOF_PACKAGE_DIR})

# pkg-config --cflags --libs halfdof: paths relative to halfdof.pc, so that it serves below any prefix. A static library
# asks for what it uses inside by pkg-config --static.
function(halfdof_files_to_link target files)
  set(found "")
  get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
  foreach(library IN LISTS libraries)
    if(TARGET "${library}")
      halfdof_files_to_link(${library} inner)
      list(APPEND found ${inner})
    elseif(library MATCHES "^(/|-l)")
      list(APPEND found ${library})
    endif()
  endforeach()
  set(${files} ${found} PARENT_SCOPE)
endfunction()
set(HALFDOF_PRIVATE_LIBRARIES "")
if(NOT BUILD_SHARED_LIBS)
  foreach(library IN LISTS HALFDOF_INNER_LIBRARIES)
    halfdof_files_to_link(${library} files)
    list(APPEND HALFDOF_PRIVATE_LIBRARIES ${files})
  endforeach()
  list(JOIN HALFDOF_PRIVATE_LIBRARIES " " HALFDOF_PRIVATE_LIBRARIES)
endif()
file(RELATIVE_PATH HALFDOF_PREFIX_FROM_PKG_CONFIG ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" HALFDOF_PREFIX_FROM_PKG_CONFIG ${HALFDOF_PREFIX_FROM_PKG_CONFIG})
configure_file(cmake/halfdof.pc.in ${PROJECT_BINARY_DIR}/halfdof.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/halfdof.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(PROJECT_IS_TOP_LEVEL)
  include(halfdofPackages)
endif()
