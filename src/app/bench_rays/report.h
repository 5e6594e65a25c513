#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/bench_rays/ray_check.h"
#include "app/bench_rays/ray_sets.h"

namespace winnow {

/// An acceleration structure, and what it cost.
struct BuiltTree {
  std::string name;  ///< "WideBvh", "Embree"
  double build_seconds = 0.0;
  uint64_t bytes = 0;
};

/// What one ray meets on its way through a WideBvh, on average.
struct RayVisits {
  double nodes = 0.0, primitives = 0.0;
};

/// Times of a set on some threads of the CPU.
struct ThreadTimes {
  uint32_t threads = 1;
  std::vector<double> milliseconds;  ///< [round]
};

/// How one tracer did on one set.
struct TracerRun {
  std::string name;
  std::vector<double> milliseconds;  ///< [round], with all threads
  std::vector<ThreadTimes> scaling;  ///< with fewer threads, CPU only
  RayCheck check;                    ///< against Embree
  bool must_be_right = true;         ///< else it is there for comparison
};

struct RaySetRun {
  std::string name;  ///< RaySet::name()
  uint64_t rays = 0;
  std::optional<RayVisits> visits;
  std::vector<TracerRun> runs;
  std::vector<double> sort_milliseconds{};  ///< [round], of bringing them into this order, on a GPU
};

/// All that `winnow bench-rays` measured.
struct BenchRaysReport {
  std::string file, scene, device, started;  ///< `started` as in BenchReport
  bool cuda = false;
  uint32_t threads = 0;  ///< on the CPU
  uint32_t repeat = 0;
  uint64_t triangles = 0, spheres = 0;
  std::string camera_origin;  ///< for the person: who chose it
  RaySetSettings settings;
  double load_seconds = 0.0, rays_seconds = 0.0;  ///< of reading the scene, and of making the rays
  std::vector<BuiltTree> trees;
  std::vector<RaySetRun> sets;
};

/// Median rays per second.
double rays_per_second(const RaySetRun& set, const std::vector<double>& milliseconds);

/// Rate with all threads over that with one, as a share of the number of threads; none where only
/// one number of threads was measured.
std::optional<double> parallel_efficiency(const TracerRun& run, uint32_t threads);

/// Whether a tracer that must be right is wrong in more rays than kMaxWrong allows.
bool is_wrong(const BenchRaysReport& report);

/// What is printed, at most 100 columns wide.
std::string bench_rays_text(const BenchRaysReport& report);

/// All of the report as JSON text; units are in the names.
std::string bench_rays_json(const BenchRaysReport& report);

}  // namespace winnow
