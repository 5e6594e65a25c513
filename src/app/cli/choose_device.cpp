// SPDX-License-Identifier: MIT
#include "app/cli/choose_device.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/error.h"

namespace winnow {

ChosenDevice choose_device(const DeviceRequest& request, const CudaDevices& available) {
  using Kind = DeviceRequest::Kind;
  const std::vector<CudaDevice>& gpus = available.devices;
  switch (request.kind) {
    case Kind::kCpu:
      return {};
    case Kind::kAuto:
      if (gpus.empty()) return {.why_not_cuda = available.why_none};
      return {.cuda = true, .index = gpus.front().number, .why_not_cuda = ""};
    case Kind::kCuda:
      break;
  }

  if (gpus.empty())
    throw Error(fmt::format("no GPU can be used: {}; --device cpu renders without one",
                            available.why_none));
  if (!request.index) return {.cuda = true, .index = gpus.front().number, .why_not_cuda = ""};
  bool exists = std::any_of(gpus.begin(), gpus.end(),
                            [&](const CudaDevice& gpu) { return gpu.number == *request.index; });
  if (!exists)
    throw Error(fmt::format(
        "there is no GPU {}: {}; winnow devices lists them", *request.index,
        gpus.size() == 1 ? "the only one is 0" : fmt::format("there are {}", gpus.size())));
  return {.cuda = true, .index = *request.index, .why_not_cuda = ""};
}

std::unique_ptr<Renderer> make_renderer(const ChosenDevice& device, const HostScene& scene,
                                        const RenderSettings& settings) {
  return device.cuda ? make_cuda_renderer(scene, settings, device.index)
                     : make_cpu_renderer(scene, settings);
}

}  // namespace winnow
