// SPDX-License-Identifier: MIT
#include "backend/cuda/optix_tracer.h"
#include "backend/renderer.h"
#include "base/error.h"

// Replaces optix_tracer.cpp in builds without OptiX's headers.

namespace winnow {

struct OptixTracer::Impl {};

OptixTracer::OptixTracer(const HostScene&, const OptixGeometry&) {
  throw Error(
      "--tracer rt: this winnow was built without the headers of OptiX; build it with "
      "-D OptiX_ROOT=DIR, or use --tracer bvh");
}

OptixTracer::~OptixTracer() = default;

OptixScene OptixTracer::scene() const {
  return {};
}

uint64_t OptixTracer::tree_bytes() const {
  return 0;
}

void OptixTracer::reserve(uint32_t) {}

Span<FoundHit> OptixTracer::occluders() const {
  return {};
}

void OptixTracer::launch(cudaStream_t, const char*, const OptixArguments&, uint32_t) {}

uint32_t OptixTracer::next_width(cudaStream_t, const uint32_t*, uint32_t) {
  return 0;
}

std::optional<unsigned> ray_tracing_cores(int) {
  return {};
}

}  // namespace winnow
