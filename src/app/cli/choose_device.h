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

/// Returns the value of CUDA_VISIBLE_DEVICES with which CUDA sees only the first `count` of the
/// GPUs that it sees with `visible`, the value that is set, or null.
std::string first_gpus(const char* visible, int count);

// These functions set variables of the environment, before the first use of CUDA. Only the program
// calls them: in a Python process, they would change what other libraries see.

/// Hides the GPUs after the last one that `request` may choose: CUDA takes a tenth of a second to
/// start for each GPU that it sees.
void hide_further_gpus(const DeviceRequest& request);

/// Makes CUDA create contexts with one hardware queue for each GPU, which takes half as long as
/// with eight, unless the user has chosen a number. A renderer has one stream.
void use_one_queue_per_gpu();

}  // namespace winnow
