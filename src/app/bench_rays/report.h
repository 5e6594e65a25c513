// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/bench_rays/ray_check.h"
#include "app/bench_rays/ray_sets.h"

namespace winnow {

/// An acceleration structure and its cost.
struct BuiltTree {
  std::string name;  ///< "WideBvh", "Embree"
  double build_seconds = 0.0;
  uint64_t bytes = 0;
};

/// Nodes visited and primitives tested by a ray in a WideBvh, on average.
struct RayVisits {
  double nodes = 0.0, primitives = 0.0;
};

/// Times of a set on a number of CPU threads.
struct ThreadTimes {
  uint32_t threads = 1;
  std::vector<double> milliseconds;  ///< [repetition]
};

/// Results of one tracer for one set.
struct TracerRun {
  std::string name;
  std::vector<double> milliseconds{};  ///< [repetition], with all threads
  std::vector<ThreadTimes> scaling{};  ///< with fewer threads, CPU only
  RayCheck check{};                    ///< against Embree
  bool must_be_right = true;           ///< otherwise it is for comparison only
};

struct RaySetRun {
  std::string name;  ///< RaySet::name()
  uint64_t rays = 0;
  std::optional<RayVisits> visits{};
  std::vector<TracerRun> runs{};
  std::vector<double> sort_milliseconds{};  ///< [repetition], to sort the rays on a GPU
};

/// All results of `winnow bench-rays`.
struct BenchRaysReport {
  std::string file, scene, device, started;  ///< `started` as in BenchReport
  bool cuda = false;
  uint32_t threads = 0;  ///< on the CPU
  uint32_t repeat = 0;
  uint64_t triangles = 0, spheres = 0;
  std::string camera_origin;  ///< for the reader: where the camera comes from
  RaySetSettings settings;
  double load_seconds = 0.0, rays_seconds = 0.0;  ///< to read the scene, and to generate the rays
  std::vector<BuiltTree> trees;
  std::vector<RaySetRun> sets;
};

/// Median rays per second.
double rays_per_second(const RaySetRun& set, const std::vector<double>& milliseconds);

/// Speedup of all threads over one, divided by the number of threads; none if only one number of
/// threads was measured.
std::optional<double> parallel_efficiency(const TracerRun& run, uint32_t threads);

/// Whether a tracer that must be right exceeds kMaxWrong.
bool is_wrong(const BenchRaysReport& report);

/// The report as text, at most 100 columns wide.
std::string bench_rays_text(const BenchRaysReport& report);

/// The complete report as JSON text; names contain the units.
std::string bench_rays_json(const BenchRaysReport& report);

}  // namespace winnow
