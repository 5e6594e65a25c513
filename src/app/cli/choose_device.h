// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/option_values.h"
#include "backend/renderer.h"

namespace winnow {

struct ChosenDevice {
  bool cuda = false;
  std::vector<int> indices;  ///< CUDA's device indices, at least one; none on the CPU
  std::string why_not_cuda;  ///< why `auto` chose the CPU, for messages

  std::optional<int> first_cuda() const {
    return cuda ? std::optional(indices.front()) : std::nullopt;
  }
};

/// Resolves --device or --devices. Throws Error with reason and remedy if the requested GPU is not
/// `available`.
ChosenDevice choose_device(const DeviceRequest& request, const CudaDevices& available);

/// Chooses among the GPUs of this machine, which are not queried for --device cpu.
ChosenDevice choose_device(const DeviceRequest& request);

}  // namespace winnow
