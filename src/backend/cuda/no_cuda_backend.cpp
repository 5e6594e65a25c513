// SPDX-License-Identifier: MIT
#include "backend/ray_tracer.h"
#include "backend/renderer.h"
#include "base/error.h"

// Replaces cuda_renderer.cpp and cuda_ray_tracer.cu in builds without nvcc.

namespace winnow {
namespace {

constexpr const char* kNoCuda = "this winnow was built without CUDA";

}  // namespace

std::unique_ptr<Renderer> make_cuda_renderer(const HostScene&, const RenderSettings&, int) {
  throw Error(kNoCuda);
}

std::vector<std::unique_ptr<Renderer>> make_cuda_renderers(const HostScene&, const RenderSettings&,
                                                           const std::vector<int>&) {
  throw Error(kNoCuda);
}

std::vector<std::jthread> open_gpus(const std::vector<int>&) {
  return {};
}

std::optional<unsigned> ray_tracing_cores(int) {
  return {};
}

CudaDevices list_cuda_devices() {
  return {.devices = {}, .why_none = kNoCuda};
}

std::unique_ptr<RayTracer> make_cuda_wide_bvh(const WideBvhArrays&, int) {
  throw Error(kNoCuda);
}

std::unique_ptr<RayTracer> make_cuda_optix(const HostScene&, const WideBvhArrays&, int) {
  throw Error(kNoCuda);
}

WideBvhArrays build_wide_bvh_on_gpu(const HostScene&, int) {
  throw Error(kNoCuda);
}

}  // namespace winnow
