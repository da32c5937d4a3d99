# halfdof_precompile_for_callers(<target> <library> <header>...): a program that does nothing but hold the precompiled
# headers of all that call this library, examples and tests. These themselves have definitions of their own, which would
# spoil those of others.
function(halfdof_precompile_for_callers target library)
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${target}.cc CONTENT "int main() {}\n")
  add_executable(${target} EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/${target}.cc)
  target_link_libraries(${target} PRIVATE ${library} halfdof_options)
  target_compile_options(${target} PRIVATE ${HALFDOF_CALLERS_CXX_OPTIONS})
  target_precompile_headers(${target} PRIVATE ${HALFDOF_PRECOMPILED_HEADERS} ${ARGN})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
