// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "compaction/learn/judge/options.h"

namespace compaction::judge {

/// A source that is not compiled or read. what() is what to show.
struct BuildError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Where headers and libraries are: beside an installed program, else where the program was built.
struct Toolchain {
  std::string compiler;            ///< $CXX, else g++
  std::filesystem::path includes;  ///< holds compaction/
  std::filesystem::path judge_library, page_library, host_library, boost_library;
};

Toolchain find_toolchain();

/// The C++ that is compiled: the student's source, rewritten where it is CUDA, and a main function.
/// Lines of it keep their names.
std::string program_source(const Options& options, const std::string& source);

/// Builds `options.file` in `folder` and returns the program.
std::filesystem::path build_program(const Toolchain& toolchain, const Options& options,
                                    const std::filesystem::path& folder);

}  // namespace compaction::judge
