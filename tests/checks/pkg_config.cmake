# SPDX-License-Identifier: LGPL-2.1-or-later
# cmake -D BUILD=<build of halfdof> -D SOURCE=<a source that calls it> -D CXX=<compiler> -D PKG_CONFIG=<pkg-config>
#       -D FLAGS=<flags of the compiler> -D STATIC=<--static for a static library> -P pkg_config.cmake
# Installs halfdof below the working directory, and compiles, links and runs the source by what pkg-config says.
file(REMOVE_RECURSE prefix)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${CMAKE_BINARY_DIR}/prefix OUTPUT_QUIET
                COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE file prefix/halfdof.pc)
cmake_path(GET file PARENT_PATH folder)
cmake_path(GET folder PARENT_PATH libraries)
set(ENV{PKG_CONFIG_PATH} ${folder})
execute_process(COMMAND ${PKG_CONFIG} ${STATIC} --cflags --libs halfdof OUTPUT_VARIABLE options
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(options UNIX_COMMAND "${options}")
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
execute_process(COMMAND ${CXX} -std=c++17 ${flags} ${SOURCE} -o consumer ${options} COMMAND_ECHO STDOUT
                COMMAND_ERROR_IS_FATAL ANY)
set(ENV{LD_LIBRARY_PATH} ${libraries})
execute_process(COMMAND ./consumer COMMAND_ERROR_IS_FATAL ANY)
