# SPDX-License-Identifier: MIT
# Installs compaction from this build. Then builds and runs users' projects (consumer/ and
# compaction/examples/) in each of the ways that compaction/README.md describes.
set(consumer ${CMAKE_CURRENT_LIST_DIR}/consumer)
set(scratch ${CMAKE_CURRENT_BINARY_DIR}/compaction_package)
set(headers_prefix ${scratch}/headers_prefix)  # prefix of the build that has only headers

set(consumer_options
  -DCMAKE_BUILD_TYPE=$<CONFIG>
  "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"  # compiles in half of the time
  -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
  -DCMAKE_PREFIX_PATH=${scratch}/prefix)
set(cuda_options
  -DCMAKE_CUDA_COMPILER=${CMAKE_CUDA_COMPILER}
  -DCMAKE_CUDA_HOST_COMPILER=${CMAKE_CUDA_HOST_COMPILER})
if(NOT WINNOW_GPU_TESTS)  # the programs do not run
  list(APPEND cuda_options "-DCMAKE_CUDA_FLAGS_RELEASE=-O0 -DNDEBUG ${fast_cuda_options}")
endif()
set(without_boost -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON)

add_test(NAME CompactionPackage.OldOneIsRemoved COMMAND ${CMAKE_COMMAND} -E rm -rf ${scratch})
add_test(NAME CompactionPackage.IsInstalled
  COMMAND ${CMAKE_COMMAND} --install ${compaction_BINARY_DIR} --config $<CONFIG>
          --prefix ${scratch}/prefix)
# Configures, builds and installs as a user who wants only the headers. This compiles nothing.
add_test(NAME CompactionPackage.HeadersAreInstalledInTenSecondsWithoutBoost
  COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${compaction_SOURCE_DIR} ${scratch}/headers
          --build-generator ${CMAKE_GENERATOR} --build-target install
          --build-options ${without_boost} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
                          -DCMAKE_INSTALL_PREFIX=${headers_prefix})
set_tests_properties(CompactionPackage.HeadersAreInstalledInTenSecondsWithoutBoost PROPERTIES
  TIMEOUT 10 FAIL_REGULAR_EXPRESSION "Building C")
set(setup_tests CompactionPackage.OldOneIsRemoved CompactionPackage.IsInstalled
  CompactionPackage.HeadersAreInstalledInTenSecondsWithoutBoost)
set_tests_properties(${setup_tests} PROPERTIES FIXTURES_SETUP compaction_package LABELS cpu)
list(REMOVE_AT setup_tests 0)
set_tests_properties(${setup_tests} PROPERTIES DEPENDS CompactionPackage.OldOneIsRemoved)

add_test(NAME CompactionPackage.HasALicence
  COMMAND ${CMAKE_COMMAND} -E compare_files
          ${headers_prefix}/share/doc/compaction/LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set_tests_properties(CompactionPackage.HasALicence PROPERTIES
  FIXTURES_REQUIRED compaction_package LABELS cpu)

# Adds a test: `program` of the project in `folder`, configured with the further options, must build and run.
function(project_runs folder program name)
  add_test(NAME CompactionPackage.${name}
    COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${folder} ${scratch}/${name}
            --build-generator ${CMAKE_GENERATOR} --build-config $<CONFIG>
            --build-options ${consumer_options} ${ARGN}
            --test-command ${program})
  set_tests_properties(CompactionPackage.${name} PROPERTIES
    FIXTURES_REQUIRED compaction_package LABELS cpu)
endfunction()
function(consumer_runs name)
  project_runs(${consumer} consumer ${name} ${ARGN})
endfunction()

# Adds a test: to configure the consumer with the further options must print `message`.
function(consumer_is_told message name)
  add_test(NAME CompactionPackage.${name}
    COMMAND ${CMAKE_COMMAND} -G ${CMAKE_GENERATOR} -S ${consumer} -B ${scratch}/${name}
            ${consumer_options} ${ARGN})
  set_tests_properties(CompactionPackage.${name} PROPERTIES
    FIXTURES_REQUIRED compaction_package LABELS cpu PASS_REGULAR_EXPRESSION ${message})
endfunction()

# Adds a test: the compiler, called with the further arguments, must print `message`.
function(compiler_says message name)
  add_test(NAME CompactionPackage.${name} COMMAND ${ARGN})
  set_tests_properties(CompactionPackage.${name} PROPERTIES
    LABELS cpu PASS_REGULAR_EXPRESSION ${message})
endfunction()

consumer_runs(BuildsProgramsForTheHost)
consumer_runs(BuildsAsAFolderOfAnotherProject -DCOMPACTION_SOURCE_DIR=${compaction_SOURCE_DIR}
  -DCMAKE_UNITY_BUILD=ON)  # its sources compile in half of the time
set_tests_properties(CompactionPackage.BuildsProgramsForTheHost
  CompactionPackage.BuildsAsAFolderOfAnotherProject PROPERTIES COST 50)  # start early
consumer_is_told("requested version \"0.1\"" RefusesAnotherMinorVersion -DCOMPACTION_VERSION=0.1)
consumer_is_told("needs Boost.Context" SaysWhatTheHostNeeds ${without_boost})
consumer_is_told("compaction::host was not installed" SaysThatTheHostWasNotInstalled
  -DCMAKE_PREFIX_PATH=${headers_prefix})

set(check_syntax ${CMAKE_CXX_COMPILER} -fsyntax-only -I${PROJECT_SOURCE_DIR})
set(one_header -x c++ ${compaction_SOURCE_DIR}/single_pass/scan.h)
compiler_says("error: .*compaction needs C\\+\\+20: compile with -std=c\\+\\+20" AsksForCpp20
  ${check_syntax} -std=c++17 ${one_header})
compiler_says("compaction needs CUDA 12.4 or newer" AsksForANewerCuda
  ${check_syntax} -std=c++20 -D__CUDACC_VER_MAJOR__=11 -D__CUDACC_VER_MINOR__=8 ${one_header})
compiler_says("compaction needs a GPU of sm_75 or newer" AsksForANewerGpu
  ${check_syntax} -std=c++20 -D__CUDA_ARCH__=700 -x c++ ${compaction_SOURCE_DIR}/simt/qualifiers.h)
set(needs_identity "no identity\\(\\).*pass compaction::WithIdentity{op, identity}")
compiler_says(${needs_identity} AsksForAnIdentity
  ${check_syntax} -std=c++20 ${consumer}/refused/operator_without_identity.cpp)
compiler_says("compaction: items .* must have a default constructor" AsksForADefaultConstructor
  ${check_syntax} -std=c++20 ${consumer}/refused/item_without_default_constructor.cpp)
compiler_says("compaction: items must be trivially copyable" AsksForItemsThatAreCopied
  ${check_syntax} -std=c++20 ${consumer}/refused/item_that_is_only_moved.cpp)

set(examples ${compaction_SOURCE_DIR}/examples)
project_runs(${examples} on_the_host RunsTheExamplesOfTheReadmeOnTheHost -DEXAMPLES_CUDA=OFF)
if(WINNOW_CUDA)
  consumer_runs(BuildsProgramsForCudaWithoutBoost ${without_boost} -DCONSUMER_CUDA=ON
    ${cuda_options})
  # The project has a second program, misuse. Compiling both takes longer than most tests.
  set_tests_properties(CompactionPackage.BuildsProgramsForCudaWithoutBoost PROPERTIES
    FIXTURES_SETUP compaction_cuda_consumer COST 60)
  add_test(NAME CompactionPackage.NamesMisuse
    COMMAND ${scratch}/BuildsProgramsForCudaWithoutBoost/misuse)
  string(CONCAT misuse
    "reduce: in is not memory that the current device can access. is it host memory.*"
    "reduce: the result is null.*"
    "reduce: in ends before its 274877906944 items.*"
    "reduce: the result overlaps in.*"
    "inclusive_scan: out overlaps in.*"
    "inclusive_scan: out is not aligned to 4 bytes.*"
    "select_if: out overlaps in.*"
    "partition_if: rejected overlaps selected.*"
    "select_if: more than 2.40 items, or a negative number of them.*"
    "select_if: more than 2.40 items, or a negative number of them.*"
    "select_if: the workspace has 0 bytes and must have.*"
    "reduce: the workspace is not as a call leaves it.*"
    "inclusive_scan: the workspace is not as a call leaves it.*"
    "select_if: the workspace has [0-9]+ bytes and must have.*"
    "select_if: the workspace is not aligned to 16 bytes.*"
    "the number of items on the device is negative.*"
    "the number of items on the device, 4294967295, is limited to the capacity, 100000.*"
    "device_loop: the stream is not being captured.*"
    "device_loop: the body of a loop allocates or frees memory.*"
    "unrolled_loop: the loop has no limit.*"
    "Graph::launch: CUDA cannot capture the launch of a graph.*"
    "device_loop: the loop has no state in device memory.*"
    "reduce: the workspace is not as a call leaves it.*"
    "0 unexpected results|"
    "built, but not run")
  set_tests_properties(CompactionPackage.NamesMisuse PROPERTIES
    FIXTURES_REQUIRED compaction_cuda_consumer LABELS cpu
    PASS_REGULAR_EXPRESSION ${misuse} SKIP_REGULAR_EXPRESSION "built, but not run")
  if(WINNOW_GPU_TESTS)
    # Run all examples. Each prints why if it cannot run.
    project_runs(${examples} ${CMAKE_CTEST_COMMAND} RunsTheExamplesOfTheReadmeOnTheGpu
      ${without_boost} ${cuda_options})
    set_tests_properties(CompactionPackage.RunsTheExamplesOfTheReadmeOnTheGpu PROPERTIES
      SKIP_REGULAR_EXPRESSION "built, but not run")
  endif()
  compiler_says("compaction needs C\\+\\+20: compile with -std=c\\+\\+20" AsksForCpp20InCuda
    ${CMAKE_CUDA_COMPILER} -std=c++17 -I${PROJECT_SOURCE_DIR} -c -o /dev/null
    -x cu ${compaction_SOURCE_DIR}/cuda.cuh)
  compiler_says(${needs_identity} AsksForAnIdentityInCuda
    ${CMAKE_CUDA_COMPILER} -std=c++20 -arch=sm_90 -I${PROJECT_SOURCE_DIR} -c -o /dev/null
    ${consumer}/refused/operator_without_identity.cu)
  compiler_says("compaction: the count must be a pointer to an integer of 32 or 64 bits"
    AsksForACountOf32Or64Bits
    ${CMAKE_CUDA_COMPILER} -std=c++20 -arch=sm_90 -I${PROJECT_SOURCE_DIR} -c -o /dev/null
    ${consumer}/refused/count_of_16_bits.cu)
endif()

# NVRTC, as CuPy's RawModule calls it, compiles device code without a GPU. nvcc from PyPI comes without it.
if(WINNOW_CUDA AND TARGET CUDA::nvrtc)
  # From CUDA 13 on, <cuda/std/...> is in cccl/.
  list(TRANSFORM CUDAToolkit_INCLUDE_DIRS REPLACE "(.+)" "-I\\1;-I\\1/cccl" OUTPUT_VARIABLE cuda_includes)
  set(prefix_includes -I${scratch}/prefix/include -I${scratch}/prefix/include/compaction/simt/nvrtc)
  add_test(NAME CompactionPackage.CompilesWithNvrtc
    COMMAND ${WINNOW_PYTHON3} ${PROJECT_SOURCE_DIR}/scripts/support/compile_with_nvrtc.py
            $<TARGET_FILE:CUDA::nvrtc> ${consumer}/device_code.cu -arch=sm_90 -std=c++20 -default-device
            -diag-suppress=1097 ${prefix_includes} ${cuda_includes})
  set_tests_properties(CompactionPackage.CompilesWithNvrtc PROPERTIES
    FIXTURES_REQUIRED compaction_package LABELS cpu)
endif()

if(TARGET compaction-see)
  add_test(NAME CompactionPackage.HasTheProgramThatShowsAlgorithms
    COMMAND ${scratch}/prefix/bin/compaction-see --list)
  set_tests_properties(CompactionPackage.HasTheProgramThatShowsAlgorithms PROPERTIES
    FIXTURES_REQUIRED compaction_package LABELS cpu PASS_REGULAR_EXPRESSION "scan/look-back")
endif()

if(TARGET compaction-advise)
  add_test(NAME CompactionPackage.HasTheProgramThatAdvises
    COMMAND ${scratch}/prefix/bin/compaction-advise --help)
  set_tests_properties(CompactionPackage.HasTheProgramThatAdvises PROPERTIES
    FIXTURES_REQUIRED compaction_package LABELS cpu PASS_REGULAR_EXPRESSION "--measure-device")
endif()

# A course's project, whose test judges a student's source with the installed program.
if(TARGET compaction-judge)
  project_runs(${CMAKE_CURRENT_LIST_DIR}/learn/judge/course "${CMAKE_CTEST_COMMAND}" CourseIsJudged)
endif()
