# SPDX-License-Identifier: LGPL-2.1-or-later
# Debian packages, by `cmake --preset package`, `cmake --build --preset package` and `cpack --preset package`:
#   libhalfdof0.1          the libraries, named after the version of their interface
#   libhalfdof-dev         headers, find_package(halfdof), pkg-config
#   halfdof                the program
#   python3-halfdof        the Python package, if it is built
#   libhalfdof-dealii0.1   the engine for MPI and the deal.II plugin, if they are built
#   libhalfdof-dealii-dev  their headers and components of find_package(halfdof)
set(halfdof_interface ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The halfdof maintainers <maintainers@users.noreply.a-seed-eb813671.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has a first line of its own
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_OUTPUT_FILE_PREFIX ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
# Folders of packages are 755, whatever the umask of who builds them.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                                                WORLD_EXECUTE)

# What a package needs of other ones: of Debian's, as dpkg-shlibdeps finds out, and of ours, of the same version.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)

# Files of documentation that Debian compresses, without their names and times.
function(halfdof_compress file compressed)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/packaging)
  execute_process(COMMAND gzip --best --no-name --stdout ${PROJECT_SOURCE_DIR}/${file}
                  OUTPUT_FILE ${PROJECT_BINARY_DIR}/packaging/${compressed} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
halfdof_compress(CHANGELOG.md changelog.gz)
halfdof_compress(docs/halfdof.1 halfdof.1.gz)

# halfdof_package(<component> <name> <section> <first line of the description> <its text> [DEPENDS <component>...]
#                 [PACKAGES <package of Debian>...] [RECOMMENDS <package of Debian>...])
function(halfdof_package component name section title text)
  cmake_parse_arguments(PARSE_ARGV 5 arg "" "" "DEPENDS;PACKAGES;RECOMMENDS")
  string(TOUPPER ${component} COMPONENT)
  list(JOIN arg_PACKAGES ", " packages)
  list(JOIN arg_RECOMMENDS ", " recommends)
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_DEPENDS "${packages}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_RECOMMENDS "${recommends}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${COMPONENT}_DESCRIPTION "${title}\n${text}" PARENT_SCOPE)
  set(CPACK_COMPONENT_${COMPONENT}_DEPENDS "${arg_DEPENDS}" PARENT_SCOPE)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
  # Only in packages: `cmake --install` leaves these files out.
  install(FILES ${PROJECT_SOURCE_DIR}/cmake/copyright ${PROJECT_BINARY_DIR}/packaging/changelog.gz
          DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${name} COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

set(about "halfdof finds the degrees of freedom of an assembled finite-element\nsystem that have no inertia, eliminates \
them exactly and returns a\nregular sparse state-space system with the same finite spectrum.")
set(CPACK_COMPONENTS_ALL "")
halfdof_package(libraries libhalfdof${halfdof_interface} libs
                "Exact elimination of degrees of freedom without inertia - libraries"
                "${about}\nThis package holds the shared libraries.")
halfdof_package(development libhalfdof-dev libdevel
                "Exact elimination of degrees of freedom without inertia - headers"
                "${about}\nThis package holds what is needed to compile programs: headers,\nfind_package(halfdof), pkg-config."
                DEPENDS libraries PACKAGES "libeigen3-dev (>= 3.4)")
if(TARGET halfdof_program)
  halfdof_package(program halfdof math
                  "Exact elimination of degrees of freedom without inertia - program"
                  "${about}\nThis package holds the program halfdof, which works on matrices of other\nfinite-element codes: inspect, reduce, modes, \
response, simulate with\nfriction and contact, kernel, prony, convert, report."
                  DEPENDS libraries RECOMMENDS gnuplot-nox)
  install(FILES ${PROJECT_BINARY_DIR}/packaging/halfdof.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
          COMPONENT program EXCLUDE_FROM_ALL)
endif()
if(HALFDOF_WITH_PYTHON)
  halfdof_package(python python3-halfdof python
                  "Exact elimination of degrees of freedom without inertia - Python package"
                  "${about}\nThis package holds the Python package halfdof, which takes the matrices of\nscipy.sparse."
                  DEPENDS libraries PACKAGES "python3 (>= 3.11)" "python3 (<< 3.12)" python3-numpy python3-scipy
                  RECOMMENDS python3-matplotlib)
endif()
if(HALFDOF_WITH_TRILINOS)
  set(needed libopenmpi-dev libmumps-dev trilinos-all-dev)
  if(HALFDOF_WITH_DEALII)
    list(APPEND needed "libdeal.ii-dev (>= 9.4)")
  endif()
  halfdof_package(dealii_libraries libhalfdof-dealii${halfdof_interface} libs
                  "Exact elimination of degrees of freedom without inertia - MPI and deal.II"
                  "${about}\nThis package holds the engine for MPI (Trilinos, MUMPS) and the plugin\nof deal.II."
                  DEPENDS libraries)
  halfdof_package(dealii_development libhalfdof-dealii-dev libdevel
                  "Exact elimination of degrees of freedom without inertia - headers for deal.II"
                  "${about}\nThis package holds what is needed to compile programs that use MPI or\ndeal.II."
                  DEPENDS dealii_libraries development PACKAGES ${needed})
endif()
include(CPack)
