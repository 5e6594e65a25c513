// SPDX-License-Identifier: MIT
#include "app/cli/choose_device.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/error.h"

namespace winnow {

ChosenDevice choose_device(const DeviceRequest& request, const CudaDevices& available) {
  using Kind = DeviceRequest::Kind;
  const std::vector<CudaDevice>& gpus = available.devices;
  if (request.kind == Kind::kCpu) return {};
  if (gpus.empty() && request.kind == Kind::kAuto) return {.why_not_cuda = available.why_none};
  if (gpus.empty())
    throw Error(fmt::format("no GPU can be used: {}; --device cpu renders without one",
                            available.why_none));
  const int index = request.index.value_or(gpus.front().index);
  if (std::none_of(gpus.begin(), gpus.end(),
                   [&](const CudaDevice& gpu) { return gpu.index == index; }))
    throw Error(fmt::format(
        "there is no GPU {}: {}; winnow devices lists them", index,
        gpus.size() == 1 ? "the only one is 0" : fmt::format("there are {}", gpus.size())));
  return {.cuda = true, .index = index, .why_not_cuda = ""};
}

ChosenDevice choose_device(const DeviceRequest& request) {
  const bool is_cpu = request.kind == DeviceRequest::Kind::kCpu;
  return choose_device(request, is_cpu ? CudaDevices{} : list_cuda_devices());
}

std::unique_ptr<Renderer> make_renderer(const ChosenDevice& device, const HostScene& scene,
                                        const RenderSettings& settings) {
  return device.cuda ? make_cuda_renderer(scene, settings, device.index)
                     : make_cpu_renderer(scene, settings);
}

}  // namespace winnow
