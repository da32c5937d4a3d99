# SPDX-License-Identifier: LGPL-2.1-or-later
# cmake -D BUILD=<build of halfdof> -D READELF=<readelf> -P search_paths.cmake
# No program or library of the build tree looks for libraries in the folder that it is called from, for which an empty
# or a relative entry of its search path stands.
file(GLOB files ${BUILD}/bin/* ${BUILD}/lib/*.so)
foreach(file ${files})
  execute_process(COMMAND ${READELF} --dynamic ${file} OUTPUT_VARIABLE dynamic RESULT_VARIABLE result ERROR_QUIET)
  if(result EQUAL 0 AND dynamic MATCHES "\\((RUNPATH|RPATH)\\)[^[]*\\[([^]]*)\\]")
    set(path ":${CMAKE_MATCH_2}:")
    if(path MATCHES "::" OR path MATCHES ":[^/$:]")
      list(APPEND wrong "${file}: ${CMAKE_MATCH_2}")
    endif()
  endif()
endforeach()
if(NOT files)
  message(FATAL_ERROR "There are no programs and libraries below ${BUILD}.")
endif()
if(wrong)
  list(JOIN wrong "\n" wrong)
  message(FATAL_ERROR "Search paths that hold the current folder:\n${wrong}")
endif()
