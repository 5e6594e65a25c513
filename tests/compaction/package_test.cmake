# SPDX-License-Identifier: MIT
# Installs compaction from this build, and builds and runs a user's project (consumer/) in each of
# the ways that compaction/README.md names.
set(consumer ${CMAKE_CURRENT_LIST_DIR}/consumer)
set(scratch ${CMAKE_CURRENT_BINARY_DIR}/compaction_package)

set(consumer_options
  -DCMAKE_BUILD_TYPE=$<CONFIG>
  -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
  -DCMAKE_PREFIX_PATH=${scratch}/prefix)

add_test(NAME CompactionPackage.OldOneIsRemoved COMMAND ${CMAKE_COMMAND} -E rm -rf ${scratch})
add_test(NAME CompactionPackage.IsInstalled
  COMMAND ${CMAKE_COMMAND} --install ${compaction_BINARY_DIR} --config $<CONFIG>
          --prefix ${scratch}/prefix)
set_tests_properties(CompactionPackage.OldOneIsRemoved CompactionPackage.IsInstalled PROPERTIES
  FIXTURES_SETUP compaction_package LABELS cpu)
set_tests_properties(CompactionPackage.IsInstalled PROPERTIES
  DEPENDS CompactionPackage.OldOneIsRemoved)

# The consumer, configured with these further options, must build and run.
function(consumer_runs name)
  add_test(NAME CompactionPackage.${name}
    COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${consumer} ${scratch}/${name}
            --build-generator ${CMAKE_GENERATOR} --build-config $<CONFIG>
            --build-options ${consumer_options} ${ARGN}
            --test-command consumer)
  set_tests_properties(CompactionPackage.${name} PROPERTIES
    FIXTURES_REQUIRED compaction_package LABELS cpu)
endfunction()

# The consumer, configured with these further options, must be told `message`.
function(consumer_is_told message name)
  add_test(NAME CompactionPackage.${name}
    COMMAND ${CMAKE_COMMAND} -G ${CMAKE_GENERATOR} -S ${consumer} -B ${scratch}/${name}
            ${consumer_options} ${ARGN})
  set_tests_properties(CompactionPackage.${name} PROPERTIES
    FIXTURES_REQUIRED compaction_package LABELS cpu PASS_REGULAR_EXPRESSION ${message})
endfunction()

set(without_boost -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON)
consumer_runs(BuildsProgramsForTheHost)
consumer_runs(BuildsAsAFolderOfAnotherProject -DCOMPACTION_SOURCE_DIR=${compaction_SOURCE_DIR})
if(WINNOW_CUDA)
  consumer_runs(BuildsProgramsForCudaWithoutBoost ${without_boost} -DCONSUMER_CUDA=ON
    -DCMAKE_CUDA_COMPILER=${CMAKE_CUDA_COMPILER}
    -DCMAKE_CUDA_HOST_COMPILER=${CMAKE_CUDA_HOST_COMPILER})
endif()
consumer_is_told("requested version \"0.1\"" RefusesAnotherMinorVersion -DCOMPACTION_VERSION=0.1)
consumer_is_told("needs Boost.Context" SaysWhatTheHostNeeds ${without_boost})
