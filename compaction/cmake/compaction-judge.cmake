# SPDX-License-Identifier: MIT
# compaction_judge(NAME test FILE student.cu TASK reduce|scan|select [option...])
#
# Adds a test that judges a student's source. The test compiles it with g++; the build does not. The options
# are those of compaction-judge, such as --max 256 or --host-arrays.
function(compaction_judge)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;FILE;TASK" "")
  foreach(word NAME FILE TASK)
    if(NOT DEFINED arg_${word})
      message(FATAL_ERROR "compaction_judge needs ${word}: NAME test FILE source TASK reduce|scan|select")
    endif()
  endforeach()
  cmake_path(ABSOLUTE_PATH arg_FILE BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  if(TARGET compaction-judge)
    set(program $<TARGET_FILE:compaction-judge>)
  else()
    set(program ${COMPACTION_JUDGE_PROGRAM})
  endif()
  add_test(NAME ${arg_NAME}
    COMMAND ${program} ${arg_FILE} --task ${arg_TASK} ${arg_UNPARSED_ARGUMENTS})
endfunction()
