# SPDX-License-Identifier: MIT
# Finds the GPU architectures to build CUDA code for. As a script, it prints them:
#
#   cmake -D NVCC=/path/to/nvcc -P architectures.cmake
cmake_policy(VERSION 3.25)

# Sets `result` to the architectures of this machine's GPUs, in the form of
# CMAKE_CUDA_ARCHITECTURES: native code, or, for a GPU newer than `nvcc`, the newest PTX that
# `nvcc` can write. Without a GPU, sets it to `without_gpu`; if all GPUs are older than sm_75,
# to an empty string.
function(gpu_architectures result nvcc without_gpu)
  set(oldest 75)
  set(${result} ${without_gpu} PARENT_SCOPE)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
    OUTPUT_VARIABLE output RESULT_VARIABLE failed ERROR_QUIET)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]" capabilities "${output}")
  if(failed OR NOT capabilities)
    return()
  endif()
  execute_process(COMMAND ${nvcc} --list-gpu-arch OUTPUT_VARIABLE output ERROR_QUIET)
  string(REGEX MATCHALL "[0-9]+" known "${output}")
  list(SORT known COMPARE NATURAL)

  string(REPLACE "." "" capabilities "${capabilities}")
  list(REMOVE_DUPLICATES capabilities)
  set(architectures)
  foreach(capability IN LISTS capabilities)
    if(capability LESS oldest)
      continue()
    elseif(capability IN_LIST known)
      list(APPEND architectures ${capability}-real)
    else()
      set(newest)
      foreach(architecture IN LISTS known)
        if(architecture LESS capability)
          set(newest ${architecture}-virtual)
        endif()
      endforeach()
      list(APPEND architectures ${newest})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES architectures)
  set(${result} ${architectures} PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  gpu_architectures(architectures ${NVCC} none)
  message("${architectures}")
endif()
