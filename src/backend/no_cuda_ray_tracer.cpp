#include "backend/ray_tracer.h"
#include "error.h"

// Stands in for cuda_ray_tracer.cu where there is no nvcc.

namespace winnow {

std::unique_ptr<RayTracer> make_cuda_wide_bvh(const WideBvhArrays&, int) {
  throw Error("this winnow was built without CUDA");
}

}  // namespace winnow
