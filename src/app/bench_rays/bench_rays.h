// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "app/bench_rays/ray_sets.h"
#include "app/cli/shared_options.h"

namespace winnow {

/// Empty options take their value from the scene or depend on the device.
struct BenchRaysOptions : SceneOptions {
  std::filesystem::path scene;
  std::optional<LightRectangle> light;
  uint32_t spp = 1;
  std::optional<uint32_t> repeat;
  bool fast_build = false;  ///< builds the BVH on the GPU
  bool sorted = false;      ///< also trace secondary rays in the order of sorted_rays()
  uint64_t seed = 0;
  uint32_t threads = 0;  ///< number of CPU threads; 0: all
  DeviceRequest device;
  std::filesystem::path json;  ///< empty: none
  bool quiet = false;
};

OptionTable bench_rays_options(BenchRaysOptions& options);

/// Measures, prints and writes the rates of all kinds of rays. Returns 1 if results are wrong.
int bench_rays(const BenchRaysOptions& options);

}  // namespace winnow
