#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "bvh/build/build_wide_bvh.h"
#include "bvh/embree_accel.h"
#include "bvh/ray_order.h"
#include "bvh/ray_set.h"

namespace winnow {

/// What became of the rays of one set.
struct RayResults {
  std::vector<Hit> hits;           ///< [ray], for closest hits
  std::vector<uint32_t> occluded;  ///< [ray], 0 or 1, for shadow rays
};

/// One way to trace sets of rays on one device, which `winnow bench-rays` times.
class RayTracer {
 public:
  virtual ~RayTracer() = default;

  /// Takes the rays that are traced from now on. They must outlive their use.
  virtual void load(const RaySet& rays) = 0;

  /// Traces all of them once, on the CPU with oneTBB's threads. Returns the time that this took,
  /// ms: on a GPU that of the kernels.
  virtual double trace() = 0;

  /// Brings the loaded rays into that order, in which they are traced from now on. Returns the time
  /// that this took, ms. Only on a GPU.
  virtual double sort(const RayOrder&) { throw Error("rays are sorted on a GPU only"); }

  /// What the last trace() found.
  virtual RayResults results() = 0;

  virtual std::string name() const = 0;
};

inline constexpr const char* kWideBvhTracer = "WideBvh";

// The ways. What they are given must outlive them.

/// Embree on the CPU, in the plainest loop.
std::unique_ptr<RayTracer> make_embree_loop(const EmbreeScene& scene, const char* name);
/// Embree on the CPU, in packets of 16 rays. Only for scenes without spheres.
std::unique_ptr<RayTracer> make_embree_packets(const EmbreeScene& scene);
/// Embree on the CPU as the renderer's threads use it: a stage over a small wave.
std::unique_ptr<RayTracer> make_embree_stages(const EmbreeScene& scene);
/// Our BVH on the CPU, one ray at a time.
std::unique_ptr<RayTracer> make_host_wide_bvh(const WideBvhArrays& bvh);
/// Our BVH on a GPU, with the renderer's kernels. Throws Error, always in a build without CUDA.
/// @param device  CUDA's device number
std::unique_ptr<RayTracer> make_cuda_wide_bvh(const WideBvhArrays& bvh, int device);

/// The tree of the fast build. Throws Error where it is too deep, and always in a build without
/// CUDA.
/// @param device  CUDA's device number
WideBvhArrays build_wide_bvh_on_gpu(const HostScene& scene, int device);

}  // namespace winnow
