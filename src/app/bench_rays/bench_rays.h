// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "app/bench_rays/ray_sets.h"
#include "app/cli/option_values.h"
#include "app/cli/view.h"
#include "base/folder_watch.h"
#include "load/mitsuba/parameters.h"

namespace CLI {
class App;
}

namespace winnow {

/// The options of `winnow bench-rays`. Empty options are taken from the scene or depend on the
/// device.
struct BenchRaysOptions {
  std::filesystem::path scene;
  MitsubaParameters parameters;                   ///< of a Mitsuba scene
  OutsideFiles outside = OutsideFiles::kAllowed;  ///< of the folder of the scene
  std::optional<View> camera;
  std::optional<LightRectangle> light;
  std::optional<Size> size;
  uint32_t spp = 1;
  std::optional<uint32_t> repeat;
  bool fast_build = false;  ///< of the tree, on the GPU
  bool sorted = false;      ///< also trace secondary rays in the order of sorted_rays()
  uint64_t seed = 0;
  uint32_t threads = 0;  ///< of the CPU; 0 is all
  DeviceRequest device;
  std::filesystem::path json;  ///< empty: none
  bool quiet = false;
};

/// Adds the options of `winnow bench-rays` to `command`; parsing it fills `options`.
void add_bench_rays_options(CLI::App& command, BenchRaysOptions& options);

/// Measures the rates of all kinds of rays, prints them and writes them to files. Returns the exit
/// code: 1 if results are wrong.
int bench_rays(const BenchRaysOptions& options);

}  // namespace winnow
