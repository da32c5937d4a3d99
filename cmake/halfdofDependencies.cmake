# SPDX-License-Identifier: LGPL-2.1-or-later
# The libraries that the targets of halfdof link. This file is included by the build and, after installation,
# by halfdofConfig.cmake. Packages without a CMake configuration become imported targets named halfdof::...,
# whose include directories are system directories.

# halfdof_import(<name> HEADER <header> [PATH_SUFFIXES <suffix>...] LIBRARIES <library>...)
# Finds a package. A library written a|b is found under either name. If a file is missing, sets
# halfdof_missing in the caller's scope: a comma-separated list.
function(halfdof_import name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER" "PATH_SUFFIXES;LIBRARIES")
  if(TARGET halfdof::${name})
    return()
  endif()
  set(missing "")
  find_path(HALFDOF_${name}_INCLUDE_DIR ${arg_HEADER} PATH_SUFFIXES ${arg_PATH_SUFFIXES})
  mark_as_advanced(HALFDOF_${name}_INCLUDE_DIR)
  if(NOT HALFDOF_${name}_INCLUDE_DIR)
    list(APPEND missing ${arg_HEADER})
  endif()
  set(libraries "")
  foreach(library IN LISTS arg_LIBRARIES)
    string(REPLACE "|" ";" names "${library}")
    list(GET names 0 first)
    find_library(HALFDOF_${first}_LIBRARY NAMES ${names})
    mark_as_advanced(HALFDOF_${first}_LIBRARY)
    if(HALFDOF_${first}_LIBRARY)
      list(APPEND libraries ${HALFDOF_${first}_LIBRARY})
    else()
      list(APPEND missing lib${first})
    endif()
  endforeach()
  if(missing)
    list(JOIN missing ", " missing)
    set(halfdof_missing "${name}: ${missing}" PARENT_SCOPE)
    return()
  endif()
  add_library(halfdof::${name} INTERFACE IMPORTED GLOBAL)
  target_include_directories(halfdof::${name} SYSTEM INTERFACE ${HALFDOF_${name}_INCLUDE_DIR})
  target_link_libraries(halfdof::${name} INTERFACE ${libraries})
endfunction()

# Reports missing files: the build stops with an error; an installed package sets halfdof_NOT_FOUND_MESSAGE.
macro(halfdof_check_missing)
  if(halfdof_missing)
    if(PROJECT_NAME STREQUAL "halfdof")
      message(FATAL_ERROR "halfdof needs ${halfdof_missing}. The Debian packages are listed in .ci/packages.txt.")
    endif()
    set(halfdof_FOUND FALSE)
    set(halfdof_NOT_FOUND_MESSAGE "halfdof needs ${halfdof_missing}.")
  endif()
endmacro()

# A macro, like find_dependency(), so that variables of the packages are set in the caller's scope.
macro(halfdof_find_dependencies)
  include(CMakeFindDependencyMacro)
  set(halfdof_missing "")
  find_dependency(Eigen3 3.4)
endmacro()

# The libraries that only the sources of halfdof use. They are needed to build it, and to link it as a static
# library.
macro(halfdof_find_inner_dependencies)
  find_dependency(LAPACK)
  find_dependency(Boost 1.74)
  halfdof_import(suitesparse HEADER cholmod.h PATH_SUFFIXES suitesparse
                 LIBRARIES spqr cholmod umfpack klu btf amd camd colamd ccolamd suitesparseconfig)
  halfdof_import(lapacke HEADER lapacke.h LIBRARIES lapacke)
  halfdof_import(muparser HEADER muParser.h LIBRARIES muparser)
  halfdof_import(fftw HEADER fftw3.h LIBRARIES fftw3)
  halfdof_import(zlib HEADER zlib.h LIBRARIES z)
  halfdof_import(minizip HEADER minizip/unzip.h LIBRARIES minizip)
  halfdof_import(matio HEADER matio.h LIBRARIES matio)
  halfdof_import(flint HEADER arb_fmpz_poly.h LIBRARIES flint-arb flint gmp)
  halfdof_import(qd HEADER qd/dd_real.h LIBRARIES qd)
  halfdof_check_missing()
endmacro()

macro(halfdof_find_trilinos_dependencies)
  set(halfdof_missing "")
  find_dependency(MPI COMPONENTS CXX)
  halfdof_import(epetra HEADER Epetra_CrsMatrix.h PATH_SUFFIXES trilinos
                 LIBRARIES trilinos_belosepetra|belosepetra trilinos_belos|belos trilinos_ml|ml trilinos_ifpack|ifpack
                           trilinos_amesos|amesos trilinos_epetraext|epetraext trilinos_triutils|triutils
                           trilinos_epetra|epetra trilinos_teuchosremainder|teuchosremainder
                           trilinos_teuchosnumerics|teuchosnumerics trilinos_teuchoscomm|teuchoscomm
                           trilinos_teuchosparameterlist|teuchosparameterlist trilinos_teuchosparser|teuchosparser
                           trilinos_teuchoscore|teuchoscore)
  # The parallel MUMPS: libmumps-seq exports the same symbols with a fake MPI and must not be found instead.
  halfdof_import(mumps HEADER dmumps_c.h LIBRARIES dmumps zmumps mumps_common pord)
  halfdof_check_missing()
endmacro()

# halfdof_import_dealii(<target> <library of deal.II> <definition>...)
function(halfdof_import_dealii target library)
  set_target_properties(${library} PROPERTIES IMPORTED_GLOBAL TRUE)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  # /usr/include as a system directory would break #include_next of the standard headers.
  set(include_dirs ${DEAL_II_INCLUDE_DIRS})
  list(REMOVE_ITEM include_dirs /usr/include)
  target_include_directories(${target} SYSTEM INTERFACE ${include_dirs})
  target_compile_definitions(${target} INTERFACE ${DEAL_II_USER_DEFINITIONS} ${ARGN})
  # deal.II's flags select the linker gold: with its two hundred libraries, gold links a program in 1 s, the
  # default linker in 16 s.
  separate_arguments(linker_flags UNIX_COMMAND "${DEAL_II_LINKER_FLAGS}")
  target_link_options(${target} INTERFACE ${linker_flags})
  target_link_libraries(${target} INTERFACE ${library})
endfunction()

# Imports deal.II by its variables, since deal_ii_setup_target() would make include paths private and does not
# allow the keyword form of target_link_libraries(). Sets halfdof_dealii_variants to those of release and
# debug for which deal.II has a library, and defines halfdof::deal.II_release and halfdof::deal.II_debug for
# them.
macro(halfdof_find_dealii_dependencies)
  find_dependency(deal.II 9.4)
  set(halfdof_dealii_variants "")
  if(deal.II_FOUND)
    if(NOT TARGET ${DEAL_II_TARGET_RELEASE} AND NOT TARGET ${DEAL_II_TARGET_DEBUG})
      include(${DEAL_II_TARGET_CONFIG})
      set(DEAL_II_TARGET_CONFIG_INCLUDED TRUE)
    endif()
    foreach(halfdof_variant release debug)
      string(TOUPPER ${halfdof_variant} halfdof_build_type)
      if(halfdof_build_type IN_LIST DEAL_II_BUILD_TYPES)
        list(APPEND halfdof_dealii_variants ${halfdof_variant})
        if(NOT TARGET halfdof::deal.II_${halfdof_variant})
          # If DEBUG is defined, classes of deal.II have other members.
          set(halfdof_definitions "")
          if(halfdof_variant STREQUAL debug)
            set(halfdof_definitions ${DEAL_II_USER_DEFINITIONS_DEBUG})
          endif()
          halfdof_import_dealii(halfdof::deal.II_${halfdof_variant} ${DEAL_II_TARGET_${halfdof_build_type}}
                                ${halfdof_definitions})
        endif()
      endif()
    endforeach()
  endif()
endmacro()
