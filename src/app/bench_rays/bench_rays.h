#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "app/bench_rays/ray_sets.h"
#include "app/cli/option_values.h"
#include "app/cli/view.h"

namespace CLI {
class App;
}

namespace winnow {

/// The options of `winnow bench-rays`. What is empty is taken from the scene or depends on the
/// device.
struct BenchRaysOptions {
  std::filesystem::path scene;
  std::optional<View> camera;
  std::optional<LightRectangle> light;
  std::optional<Size> size;
  uint32_t spp = 1;
  std::optional<uint32_t> repeat;
  bool fast_build = false;  ///< of the tree on a GPU, by the GPU
  bool sorted = false;      ///< rays from hits also in the order of sorted_rays()
  uint64_t seed = 0;
  uint32_t threads = 0;  ///< of the CPU; 0 is all
  DeviceRequest device;
  std::filesystem::path json;  ///< empty: none
  bool quiet = false;
};

/// Adds the options of `winnow bench-rays` to `command`; parsing it fills `options`.
void add_bench_rays_options(CLI::App& command, BenchRaysOptions& options);

/// Measures how fast rays of each kind are traced, prints and writes it. Returns the exit code: 1
/// if results are wrong.
int bench_rays(const BenchRaysOptions& options);

}  // namespace winnow
