# SPDX-License-Identifier: MIT
# ctest includes this file before it runs tests. It makes each suite of a GoogleTest program a ctest test. The
# program lists its suites, so no list is kept by hand. The including file sets:
#
#   program   the test program
#   left_out  GoogleTest patterns of tests that do not run, separated by colons; may be empty
#
# Suites whose name starts with Gpu/ have the label `gpu`, all others `cpu`. Up to `max_group` small suites in a row are
# one ctest test, which has the names of all: to start the program takes longer than to run most suites. If all tests
# of a ctest test are skipped, ctest shows it as skipped. A suite of more than `max_shard` tests is split into n shards. Each
# shard runs every n-th test, so no core is idle for long at the end.
cmake_policy(VERSION 3.25)
set(max_shard 100)
set(max_group 6)
set(max_group_tests 40)
# Suites whose tests may all be skipped are alone, so that ctest shows it.
set(optional_suites "^(BillOfMaterials|CoveredPicturesByOidn|Page|PrimitiveListSize|ProgramFile|RealOidn)$")
# Suites that take long are alone and start early.
string(CONCAT long_suites "^(Bench|Cpu/(Degenerate|Mitsuba|Renderers)|Dataset|Distribution|Faults|FileLimits|FilmFiles|"
  "Host/FastScan|Instances|Kills|LookBack.*|Merge|MotionBlur|Mpi|OrderOf.*|Principled|Programs|Render|Resume|Scenes|"
  "See|SeePaths|SinglePassScan|Site.*|Soak.*|WriteWinnowJson|.*(Bvh|Displays|Script))$")

if(NOT EXISTS ${program})
  add_test(winnow_tests_is_not_built ${program})
  set_tests_properties(winnow_tests_is_not_built PROPERTIES LABELS "cpu;gpu")
  return()
endif()

execute_process(COMMAND ${program} --gtest_list_tests --gtest_filter=-${left_out}
  OUTPUT_VARIABLE lines ERROR_VARIABLE errors RESULT_VARIABLE status TIMEOUT 60)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${program} does not list its tests (${status}): ${errors}")
endif()

# "Suite.  # TypeParam = ..." begins a suite, and "  Test  # GetParam() = ..." is one of its tests. Suites that
# differ only in their type (Suite/0, Suite/1, ...) count as one.
string(REGEX REPLACE "[][;]" "_" lines "${lines}")
# GoogleTest prints the bytes of a parameter that has no PrintTo().
if(lines MATCHES "([^\n]+)-byte object <")
  message(FATAL_ERROR "a test parameter has no PrintTo(): ${CMAKE_MATCH_0}...")
endif()
string(REPLACE "\n" ";" lines "${lines}")
set(suites)
foreach(line IN LISTS lines)
  if(line MATCHES "^([^ ]+)\\.( |$)")
    set(suite ${CMAKE_MATCH_1})
    set(filter "${suite}.*")
    if(suite MATCHES "^(.+)/[0-9]+$")
      set(suite ${CMAKE_MATCH_1})
      set(filter "${suite}/*")
    endif()
    if(NOT DEFINED count_of_${suite})
      list(APPEND suites ${suite})
      set(count_of_${suite} 0)
      set(filter_of_${suite} ${filter})
    endif()
  elseif(line MATCHES "^  [^ ]")
    math(EXPR count_of_${suite} "${count_of_${suite}} + 1")
  endif()
endforeach()
if(NOT suites)
  message(FATAL_ERROR "${program} lists no tests")
endif()

# The end of GoogleTest's summary if no test passed and none failed: the list of skipped tests.
set(all_skipped "\\[  PASSED  \\] 0 tests\\.\n(\\[  SKIPPED \\][^\n]*\n)+$")

# Join small suites. Those with parameters, whose names have a slash, are alone, because many of them render.
set(tests)
set(group)
foreach(suite IN LISTS suites)
  if(suite MATCHES "/|${optional_suites}|${long_suites}")
    list(APPEND tests ${suite})
    continue()
  endif()
  math(EXPR count "${count_of_${suite}} + 0${count_of_${group}}")
  if(group AND size LESS max_group AND NOT count GREATER max_group_tests)
    list(REMOVE_ITEM tests ${group})
    set(joined ${group}+${suite})
    set(count_of_${joined} ${count})
    set(filter_of_${joined} ${filter_of_${group}}:${filter_of_${suite}})
    math(EXPR size "${size} + 1")
  else()
    set(joined ${suite})
    set(size 1)
  endif()
  set(group ${joined})
  list(APPEND tests ${group})
endforeach()

foreach(suite IN LISTS tests)
  math(EXPR shard_count "(${count_of_${suite}} + ${max_shard} - 1) / ${max_shard}")
  math(EXPR last_shard "${shard_count} - 1")
  foreach(shard RANGE ${last_shard})
    set(name ${suite})
    if(shard_count GREATER 1)
      math(EXPR nth "${shard} + 1")
      string(APPEND name "-${nth}-of-${shard_count}")
    endif()
    set(label cpu)
    if(suite MATCHES "^Gpu/")
      set(label gpu)
    endif()
    add_test(${name} ${program} --gtest_filter=${filter_of_${suite}}-${left_out})
    set_tests_properties(${name} PROPERTIES LABELS ${label} SKIP_REGULAR_EXPRESSION "${all_skipped}"
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${shard_count};GTEST_SHARD_INDEX=${shard}")
    if(suite MATCHES ${long_suites})
      set_tests_properties(${name} PROPERTIES COST 50)
    endif()
  endforeach()
endforeach()
