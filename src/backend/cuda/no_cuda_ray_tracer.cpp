#include "backend/ray_tracer.h"
#include "base/error.h"

// Stands in for cuda_ray_tracer.cu where there is no nvcc.

namespace winnow {
namespace {

constexpr const char* kWhyNot = "this winnow was built without CUDA";

}  // namespace

std::unique_ptr<RayTracer> make_cuda_wide_bvh(const WideBvhArrays&, int) {
  throw Error(kWhyNot);
}

WideBvhArrays build_wide_bvh_on_gpu(const HostScene&, int) {
  throw Error(kWhyNot);
}

}  // namespace winnow
