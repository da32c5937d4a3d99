# cmake -D BUILD=<build of halfdof> -D SOURCE=<foreign project> -D SCRATCH=<folder> -D CXX_FLAGS=<flags>
#       -P consumer.cmake
# Installs halfdof below the scratch folder, builds the foreign project against it and runs its program.
file(REMOVE_RECURSE ${SCRATCH})
foreach(command "${CMAKE_COMMAND};--install;${BUILD};--prefix;${SCRATCH}/prefix"
                "${CMAKE_COMMAND};-G;Ninja;-S;${SOURCE};-B;${SCRATCH}/build;-DCMAKE_PREFIX_PATH=${SCRATCH}/prefix;\
-DCMAKE_BUILD_TYPE=Release;-DCMAKE_CXX_FLAGS_RELEASE=${CXX_FLAGS}"
                "${CMAKE_COMMAND};--build;${SCRATCH}/build"
                "${SCRATCH}/build/consumer")
  execute_process(COMMAND ${command} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN command " " command)
    message(FATAL_ERROR "Failed: ${command}")
  endif()
endforeach()
