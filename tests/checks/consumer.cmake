# SPDX-License-Identifier: LGPL-2.1-or-later
# cmake -D BUILD=<build of halfdof> -D SOURCE=<foreign project> -D PROGRAM=<its program> -D BUILD_TYPE=<Debug or Release>
#       -D CXX_FLAGS=<flags of Release> -D OPTIONS=<options of the foreign project> -P consumer.cmake
# Installs halfdof below the working directory, builds the foreign project against it and runs its program.
file(REMOVE_RECURSE prefix build)
foreach(command "${CMAKE_COMMAND};--install;${BUILD};--prefix;${CMAKE_BINARY_DIR}/prefix"
                "${CMAKE_COMMAND};-G;Ninja;-S;${SOURCE};-B;build;-DCMAKE_PREFIX_PATH=${CMAKE_BINARY_DIR}/prefix;\
-DCMAKE_BUILD_TYPE=${BUILD_TYPE};-DCMAKE_CXX_FLAGS_RELEASE=${CXX_FLAGS};${OPTIONS}"
                "${CMAKE_COMMAND};--build;build"
                "build/${PROGRAM}")
  execute_process(COMMAND ${command} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN command " " command)
    message(FATAL_ERROR "Failed: ${command}")
  endif()
endforeach()
