# SPDX-License-Identifier: MIT
# Writes winnow_build.h, which contains the commit for `winnow --version`. Runs in every build, but
# changes the file only if the commit has changed. Without git or outside a clone, the commit is "unknown".
set(commit unknown)
find_package(Git QUIET)
if(Git_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --show-toplevel WORKING_DIRECTORY ${SOURCE_DIR}
                  OUTPUT_VARIABLE clone OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  file(REAL_PATH "${SOURCE_DIR}" root)
  if(clone STREQUAL root)  # otherwise the repository belongs to an enclosing project
    execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --exclude=* --abbrev=12
                    WORKING_DIRECTORY ${SOURCE_DIR} RESULT_VARIABLE failure OUTPUT_VARIABLE described
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT failure)
      set(commit ${described})
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define WINNOW_COMMIT \"${commit}\"\n")
