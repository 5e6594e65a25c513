// SPDX-License-Identifier: MIT
#include "app/cli/choose_device.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace winnow {

ChosenDevice choose_device(const DeviceRequest& request, const CudaDevices& available) {
  using Kind = DeviceRequest::Kind;
  const std::vector<CudaDevice>& gpus = available.devices;
  if (request.kind == Kind::kCpu) return {};
  if (gpus.empty() && request.kind == Kind::kAuto)
    return {.cuda = false, .indices = {}, .why_not_cuda = available.why_none};
  if (gpus.empty())
    throw Error(fmt::format("no GPU can be used: {}; --device cpu renders without one",
                            available.why_none));
  std::vector<int> indices = request.indices;
  if (request.kind == Kind::kAllCuda)
    for (const CudaDevice& gpu : gpus) indices.push_back(gpu.index);
  if (indices.empty()) indices.push_back(gpus.front().index);
  for (const int index : indices)
    if (std::none_of(gpus.begin(), gpus.end(),
                     [&](const CudaDevice& gpu) { return gpu.index == index; }))
      throw Error(fmt::format(
          "there is no GPU {}: {}; winnow devices lists them", index,
          gpus.size() == 1 ? "the only one is 0" : fmt::format("there are {}", gpus.size())));
  return {.cuda = true, .indices = std::move(indices), .why_not_cuda = ""};
}

ChosenDevice choose_device(const DeviceRequest& request) {
  const bool is_cpu = request.kind == DeviceRequest::Kind::kCpu;
  return choose_device(request, is_cpu ? CudaDevices{} : list_cuda_devices());
}

std::string first_gpus(const char* visible, int count) {
  std::string first;
  if (!visible) {
    for (int gpu = 0; gpu < count; ++gpu) first += (gpu ? "," : "") + std::to_string(gpu);
    return first;
  }
  std::string_view rest = visible;
  for (int gpu = 0; gpu < count && !rest.empty(); ++gpu) {
    const size_t comma = std::min(rest.find(','), rest.size());
    first += (gpu ? "," : "") + std::string(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return first;
}

void hide_further_gpus(const DeviceRequest& request) {
  using Kind = DeviceRequest::Kind;
  if (request.kind == Kind::kCpu || request.kind == Kind::kAllCuda) return;
  constexpr const char* kVariable = "CUDA_VISIBLE_DEVICES";
  const int last = request.indices.empty() ? 0 : std::ranges::max(request.indices);
  ::setenv(kVariable, first_gpus(std::getenv(kVariable), last + 1).c_str(), 1);
}

void use_one_queue_per_gpu() {
  ::setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 0);
}

}  // namespace winnow
