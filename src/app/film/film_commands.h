// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "app/render/outputs.h"

namespace winnow {

/// `winnow info` of a film file: prints what is in it.
void print_film_info(const std::filesystem::path& file);

/// `winnow convert` of a film file: writes options.outputs, and prints their names.
void convert_film(const std::filesystem::path& file, const OutputOptions& options);

struct MergeOptions : OutputOptions {
  std::vector<std::filesystem::path> parts;
  bool lists_missing = false;  ///< prints the commands that render the missing shares
  bool partial = false;        ///< writes images even if pixels are missing
  bool quiet = false;
};

OptionTable merge_options(MergeOptions& options);

/// Combines film files of shares of one image and writes its images.
void merge(const MergeOptions& options);

}  // namespace winnow
