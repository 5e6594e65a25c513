#pragma once

#include <memory>
#include <string>

#include "app/cli/option_values.h"
#include "backend/renderer.h"

namespace winnow {

/// The device that a render runs on.
struct ChosenDevice {
  bool cuda = false;
  int number = 0;            ///< of the CUDA device
  std::string why_not_cuda;  ///< for the person, when `auto` falls back to the CPU
};

/// Throws Error with the reason and the remedy when a GPU is asked for that is not `available`.
ChosenDevice choose_device(const DeviceRequest& request, const CudaDevices& available);

std::unique_ptr<Renderer> make_renderer(const ChosenDevice& device, const HostScene& scene,
                                        const RenderSettings& settings);

}  // namespace winnow
