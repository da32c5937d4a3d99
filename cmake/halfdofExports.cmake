# SPDX-License-Identifier: LGPL-2.1-or-later
# The shared libraries export only the names in src/exports.txt. Tests of internal functions link
# halfdof_inside and halfdof_trilinos_inside, which contain the same object files and export all symbols;
# these two are not installed.

# halfdof_write_exports(<file>): writes a linker version script with the mangled names of src/exports.txt
# (Itanium C++ ABI, 5.1): each consists of the namespace, the length of the name, and the name.
function(halfdof_write_exports file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/exports.txt)
  file(READ ${PROJECT_SOURCE_DIR}/src/exports.txt names)
  string(REGEX REPLACE "#[^\n]*" "" names "${names}")
  string(REGEX REPLACE "inside:.*" "" public "${names}")
  string(REGEX REPLACE ".*inside:" "" inside "${names}")
  string(REGEX REPLACE "[a-z_0-9/.]+:" "" public "${public}")
  # Operators of the namespaces: their mangled names are two small letters.
  set(patterns "    _ZN7halfdof[a-z]*;\n    _ZN7halfdof8internal[a-z]*;\n")
  foreach(group public inside)
    set(namespace 7halfdof)
    if("${group}" STREQUAL "inside")
      set(namespace 7halfdof8internal)
    endif()
    string(REGEX MATCHALL "[A-Za-z_0-9]+" names "${${group}}")
    foreach(name IN LISTS names)
      string(LENGTH ${name} length)
      foreach(prefix N NK T[ISV]N)
        string(APPEND patterns "    _Z${prefix}${namespace}${length}${name}*;\n")
      endforeach()
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT ${file} CONTENT "{\n  global:\n${patterns}  local:\n    *;\n};\n" @ONLY)
endfunction()

# halfdof_export_listed_names(<target>): lets a shared library export only the listed names.
function(halfdof_export_listed_names target)
  if(BUILD_SHARED_LIBS)
    set(script ${PROJECT_BINARY_DIR}/exports.map)
    halfdof_write_exports(${script})
    target_link_options(${target} PRIVATE LINKER:--version-script=${script})
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${script})
  endif()
endfunction()

# halfdof_add_inside_library(<target> <name> <library>...): adds the library <name>, which exports all symbols
# of <target>.
function(halfdof_add_inside_library target name)
  if(BUILD_SHARED_LIBS)
    add_library(${name} SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${target}>)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
    target_compile_features(${name} PUBLIC cxx_std_17)
    target_link_options(${name} PRIVATE LINKER:-Bsymbolic-functions)
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/src/include ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${name} PUBLIC ${ARGN} ${HALFDOF_INNER_LIBRARIES})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE ${target} ${HALFDOF_INNER_LIBRARIES})
  endif()
endfunction()
