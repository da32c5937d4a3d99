# SPDX-License-Identifier: LGPL-2.1-or-later
# cmake -D CLANG_FORMAT=<program> -P format.cmake: fails where a source differs from its clang-formatted self.
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH tests)
cmake_path(GET tests PARENT_PATH source)
set(files "")
foreach(folder src plugin examples tests)
  file(GLOB_RECURSE found ${source}/${folder}/*.cc ${source}/${folder}/*.h)
  list(APPEND files ${found})
endforeach()
execute_process(COMMAND ${CLANG_FORMAT} --dry-run --Werror ${files} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "Some sources are not formatted: clang-format-14 -i <file> mends each.")
endif()
