#include "backend/renderer.h"
#include "base/error.h"

// Stands in for cuda_renderer.cu where there is no nvcc.

namespace winnow {
namespace {

constexpr const char* kWhyNone = "this winnow was built without CUDA";

}  // namespace

std::unique_ptr<Renderer> make_cuda_renderer(const HostScene&, const RenderSettings&, int) {
  throw Error(kWhyNone);
}

CudaDevices list_cuda_devices() {
  return {.devices = {}, .why_none = kWhyNone};
}

}  // namespace winnow
