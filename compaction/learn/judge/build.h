// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "compaction/learn/judge/options.h"

namespace compaction::judge {

/// Thrown if a source cannot be read or compiled. what() is the message to print.
struct BuildError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The compiler, and where headers and libraries are: beside an installed program, otherwise in the
/// build that made the program.
struct Toolchain {
  std::string compiler;            ///< $CXX, or g++ if that is not set
  std::filesystem::path includes;  ///< folder that contains compaction/
  std::filesystem::path judge_library, page_library, host_library, boost_library;
};

Toolchain find_toolchain();

/// Returns the C++ that is compiled: the student's source, rewritten if it is CUDA, and a main
/// function. Compilers report the student's file and line numbers.
std::string program_source(const Options& options, const std::string& source);

/// Builds `options.file` in `folder` and returns the path of the program. Throws BuildError.
std::filesystem::path build_program(const Toolchain& toolchain, const Options& options,
                                    const std::filesystem::path& folder);

}  // namespace compaction::judge
