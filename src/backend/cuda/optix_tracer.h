// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <cstring>
#include <memory>

#include "backend/cuda/found_hits.h"
#include "backend/cuda/optix_arguments.h"
#include "scene/host_scene.h"

namespace winnow {

/// Traces rays with OptiX, which uses the ray-tracing cores of a GPU. Owns OptiX's trees of a scene
/// on one GPU. Without OptiX's headers, the constructor throws.
class OptixTracer {
 public:
  /// Throws Error if the driver has no OptiX, or one that is older than the headers.
  ///
  /// @param scene     the scene of `geometry`
  /// @param geometry  arrays on the current GPU, which must outlive the tracer
  OptixTracer(const HostScene& scene, const OptixGeometry& geometry);
  ~OptixTracer();

  const OptixGeometry& geometry() const { return geometry_; }
  OptixScene scene() const;
  uint64_t tree_bytes() const;

  /// Allocates what waves of this size need. No wave may be in flight.
  void reserve(uint32_t slots);
  Span<FoundHit> occluders() const;  ///< [slot], for FindOccluders

  /// Begins a wave. Its launches are as wide as those of an earlier wave needed to be.
  void begin_wave() { launch_ = 0; }

  /// Launches a program for the rays of a stage on `stream`. Throws Error if that is recorded into
  /// a graph: OptiX does not take part in recordings.
  ///
  /// @param count  on the device: the number of items
  /// @param most   upper bound of `*count`
  template <class Arguments>
  void launch(cudaStream_t stream, const Arguments& arguments, const uint32_t* count,
              uint32_t most) {
    launch(stream, arguments, next_width(stream, count, most));
  }
  template <class Arguments>
  void launch(cudaStream_t stream, const Arguments& arguments, uint32_t width) {
    OptixArguments packed;
    static_assert(sizeof arguments <= sizeof packed);
    std::memcpy(packed.bytes, static_cast<const void*>(&arguments), sizeof arguments);
    launch(stream, Arguments::kProgram, packed, width);
  }

 private:
  struct Impl;

  void launch(cudaStream_t stream, const char* program, const OptixArguments& arguments,
              uint32_t width);

  /// Returns the width of the next launch of the wave, and requests the number of its items for
  /// later waves. A launch whose threads return at once takes 16 to 160 us, depending on its width.
  uint32_t next_width(cudaStream_t stream, const uint32_t* count, uint32_t most);

  OptixGeometry geometry_;
  std::unique_ptr<Impl> impl_;
  size_t launch_ = 0;  ///< launches of this wave so far
};

}  // namespace winnow
