# SPDX-License-Identifier: MIT
# Writes winnow_build.h, from which `winnow --version` takes the commit. Runs in every build, and
# rewrites the file only if the commit has changed. Without git, or outside a clone, it is "unknown".
set(commit unknown)
find_package(Git QUIET)
if(Git_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --show-toplevel WORKING_DIRECTORY ${SOURCE_DIR}
                  OUTPUT_VARIABLE clone OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  file(REAL_PATH "${SOURCE_DIR}" root)
  if(clone STREQUAL root)  # else it is the repository of a project around this one
    execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --exclude=* --abbrev=12
                    WORKING_DIRECTORY ${SOURCE_DIR} RESULT_VARIABLE failure OUTPUT_VARIABLE described
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT failure)
      set(commit ${described})
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define WINNOW_COMMIT \"${commit}\"\n")
