// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "bvh/accel.h"
#include "bvh/build/build_wide_bvh.h"
#include "bvh/embree_accel.h"
#include "bvh/ray_set.h"

namespace winnow {

struct RayResults {
  std::vector<Hit> hits;           ///< [ray], for closest hits
  std::vector<uint32_t> occluded;  ///< [ray], 0 or 1, for shadow rays
};

/// A tracer of ray sets on one device, measured by `winnow bench-rays`.
class RayTracer {
 public:
  virtual ~RayTracer() = default;

  /// Sets the rays to trace. They must outlive their use.
  virtual void load(const RaySet& rays) = 0;

  /// Traces all rays once, on the CPU with all threads of oneTBB. Returns the time in ms; on a GPU,
  /// the time of the kernels.
  virtual double trace() = 0;

  /// Sorts the loaded rays for all following calls of trace(). Returns the time in ms. GPU only.
  virtual double sort(const RayOrder&) { throw Error("rays are sorted on a GPU only"); }

  virtual RayResults results() = 0;
  virtual std::string name() const = 0;

  /// Returns the bytes of a tree that the tracer builds for itself; 0 if there is none.
  virtual uint64_t tree_bytes() const { return 0; }
};

inline constexpr const char *kWideBvhTracer = "WideBvh", *kOptixTracer = "OptiX";

// Arguments must outlive the tracers.

/// Makes a tracer that calls Embree on the CPU in a plain loop.
std::unique_ptr<RayTracer> make_embree_loop(const EmbreeScene& scene, const char* name);
/// Makes a tracer that calls Embree on the CPU with packets of 16 rays. Only without spheres.
std::unique_ptr<RayTracer> make_embree_packets(const EmbreeScene& scene);
/// Makes a tracer that calls Embree on the CPU for one ray at a time, in a stage of the renderer.
std::unique_ptr<RayTracer> make_embree_stages(const EmbreeScene& scene);
/// Makes a tracer with our BVH on the CPU, one ray at a time.
std::unique_ptr<RayTracer> make_host_wide_bvh(const WideBvhArrays& bvh);
/// Makes a tracer with our BVH on a GPU, using the renderer's kernels. Throws Error; always in a
/// build without CUDA.
///
/// @param device  CUDA's device index
std::unique_ptr<RayTracer> make_cuda_wide_bvh(const WideBvhArrays& bvh, int device);

/// Makes a tracer with OptiX on a GPU. `bvh` traces the rays whose hits Winnow's tests do not
/// confirm. Throws Error; always in a build without CUDA or without OptiX's headers.
std::unique_ptr<RayTracer> make_cuda_optix(const HostScene& scene, const WideBvhArrays& bvh,
                                           int device);

/// Runs the fast build. Throws Error if the tree is too deep, and always in a build without CUDA.
WideBvhArrays build_wide_bvh_on_gpu(const HostScene& scene, int device);

}  // namespace winnow
