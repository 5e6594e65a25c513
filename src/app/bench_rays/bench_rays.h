// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/bench_rays/ray_sets.h"
#include "app/cli/shared_options.h"
#include "wavefront/state/render_settings.h"

namespace winnow {

/// Empty options take their value from the scene or depend on the device.
struct BenchRaysOptions : SceneOptions {
  std::filesystem::path scene;
  std::optional<LightRectangle> light;
  uint32_t spp = 1;
  std::optional<uint32_t> repeat;
  bool fast_build = false;                       ///< builds the BVH on the GPU
  std::vector<Tracer> tracers = {Tracer::kBvh};  ///< on a GPU
  bool sorted = false;  ///< also trace secondary rays in the order of sorted_rays()
  uint64_t seed = 0;
  uint32_t threads = 0;  ///< number of CPU threads; 0: all
  DeviceRequest device;
  std::filesystem::path json;  ///< empty: none
  bool quiet = false;
};

OptionTable bench_rays_options(BenchRaysOptions& options);

/// Measures, prints and writes the rates of all kinds of rays. Returns 1 if results are wrong.
int bench_rays(const BenchRaysOptions& options);

struct BuiltTree {
  std::string name;  ///< "WideBvh", "Embree"
  double build_seconds = 0.0;
  uint64_t bytes = 0;
};

/// Mean number of nodes that a ray visits and of primitives that it tests in a WideBvh.
struct RayVisits {
  double nodes = 0.0, primitives = 0.0;

  void node() { ++nodes; }
  void primitive() { ++primitives; }
};

struct ThreadTimes {
  uint32_t threads = 1;
  std::vector<double> milliseconds;  ///< [repetition]
};

struct TracerRun {
  std::string name;
  std::vector<double> milliseconds{};  ///< [repetition], with all threads
  std::vector<ThreadTimes> scaling{};  ///< times with fewer threads, CPU only
  RayCheck check{};                    ///< comparison with Embree
  bool must_be_right = true;           ///< false: for comparison only
};

struct RaySetRun {
  std::string name;  ///< RaySet::name()
  uint64_t rays = 0;
  std::optional<RayVisits> visits{};
  std::vector<TracerRun> runs{};
  /// Rays whose primitives differ, or whose occlusion, between the first two tracers of a GPU.
  std::optional<uint64_t> found_others{};
  std::vector<double> sort_milliseconds{};  ///< [repetition], time to sort the rays on a GPU
};

struct BenchRaysReport {
  std::string file, scene, device, started;  ///< `started` as in BenchReport
  bool cuda = false;
  uint32_t threads = 0;  ///< on the CPU
  uint32_t repeat = 0;
  uint64_t triangles = 0, spheres = 0;
  std::string camera_origin;  ///< where the camera comes from, for the reader
  RaySetSettings settings;
  double load_seconds = 0.0, rays_seconds = 0.0;  ///< time to read the scene and to generate rays
  std::vector<BuiltTree> trees;
  std::vector<RaySetRun> sets;
};

/// Returns the median rays per second.
double rays_per_second(const RaySetRun& set, const std::vector<double>& milliseconds);

/// Returns the speedup of all threads over one, divided by the number of threads; none if only one
/// number of threads was measured.
std::optional<double> parallel_efficiency(const TracerRun& run, uint32_t threads);

/// Returns whether a tracer that must be right exceeds kMaxWrong.
bool is_wrong(const BenchRaysReport& report);

/// Returns the report as text, at most 100 columns wide.
std::string bench_rays_text(const BenchRaysReport& report);

/// Returns the complete report as JSON text; names contain the units.
std::string bench_rays_json(const BenchRaysReport& report);

}  // namespace winnow
