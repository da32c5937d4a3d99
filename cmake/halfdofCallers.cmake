# SPDX-License-Identifier: LGPL-2.1-or-later
# Compiler options of the targets that call the library: the program, examples and tests.
set(HALFDOF_CALLERS_CXX_OPTIONS "" CACHE STRING "Compiler options of the program, examples and tests, for example -O0")
set(HALFDOF_CALLERS_CXX_COMPILER ""
    CACHE STRING "Another compiler for them, for example clang++-14, which needs a third of the time for deal.II's headers")
mark_as_advanced(HALFDOF_CALLERS_CXX_OPTIONS HALFDOF_CALLERS_CXX_COMPILER)

# halfdof_caller(<target>): the target is compiled with these options and this compiler.
function(halfdof_caller target)
  target_compile_options(${target} PRIVATE ${HALFDOF_CALLERS_CXX_OPTIONS})
  if(HALFDOF_CALLERS_CXX_COMPILER)
    # CMake has only one compiler for a language, but a launcher may start another one that takes the same
    # options.
    find_program(HALFDOF_CALLERS_CXX_COMPILER_PATH ${HALFDOF_CALLERS_CXX_COMPILER} REQUIRED)
    mark_as_advanced(HALFDOF_CALLERS_CXX_COMPILER_PATH)
    set_target_properties(
      ${target} PROPERTIES CXX_COMPILER_LAUNCHER "${PROJECT_SOURCE_DIR}/cmake/compile_with.sh;\
${HALFDOF_CALLERS_CXX_COMPILER_PATH};${CMAKE_CXX_COMPILER_LAUNCHER};--")
  endif()
endfunction()

# halfdof_precompile_for_callers(<target> <library> <header>...): adds an empty program that owns the
# precompiled headers for all examples and tests that link the library. None of these can own them, since its
# own compile definitions would make the headers unusable for the others.
function(halfdof_precompile_for_callers target library)
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${target}.cc CONTENT "int main() {}\n")
  add_executable(${target} EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/${target}.cc)
  target_link_libraries(${target} PRIVATE ${library} halfdof_options)
  halfdof_caller(${target})
  target_precompile_headers(${target} PRIVATE ${HALFDOF_PRECOMPILED_HEADERS} ${ARGN})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
