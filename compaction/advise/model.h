// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compaction/advise/replay.h"

namespace compaction::advise {

/// Properties of a GPU that the model uses.
struct DeviceModel {
  std::string name, source;
  double launch_ns = 0;      ///< a kernel without work, in a row of kernels
  double empty_warp_ns = 0;  ///< a warp that finds no work, on the whole GPU
  double bytes_per_ns = 0;   ///< read and written, by a copy
  double pass_ns = 0;        ///< a pass of the library over few items
  double pass_item_ns = 0;   ///< what an item adds to it, beside the bytes of its index and state
  double split_item_ns = 0;  ///< the same of a split
};

/// Returns constants that were measured on an NVIDIA H200.
DeviceModel built_in_device();

/// Reads lines "name value". Throws std::runtime_error, which names the file.
DeviceModel read_device_model(const std::string& path);
std::string device_model_text(const DeviceModel& device);

/// Returns the bytes that a pass reads and writes.
double pass_bytes(const StepLoad& load, Strategy::Kind kind, uint32_t state_bytes);

/// Returns the expected time of the pass before a step, ns; 0 if there is none.
double pass_nanoseconds(const DeviceModel& device, const StepLoad& load, Strategy::Kind kind,
                        uint32_t state_bytes);

/// The time of a step:
///
///   fixed + launch + empty x empty warps + sum over classes(class x largest costs in the warps)
///         + lane x active lanes, whose state is moved
///         + work x costs of all items + longest x largest cost of a warp, both for StepCost::kWork
///
/// No coefficient is negative. They are fitted to the recorded times of all steps by weighted least
/// squares. Where these leave a choice, the coefficients stay near those of the device. The scale
/// of a step is its recorded time over the fitted one.
struct StepModel {
  double launch = 0, empty = 0, lane = 0, work = 0, longest = 0;  // ns
  std::vector<double> of_class;                                   // ns for a cost of 1
  std::vector<double> scale;                                      ///< [recorded step]
  double residual = 0;  ///< root mean square of the relative errors of the fit, weighted by time

  double nanoseconds(const StepLoad& load) const;  ///< without fixed, scale
};

struct Prediction {
  Strategy strategy;
  std::string refusal;  ///< why the strategy cannot run this program; then all else is empty
  std::vector<StepLoad> loads;      ///< [step]
  double step_ns = 0, pass_ns = 0;  ///< sums over all steps
  double frame_ns = 0, low_ns = 0, high_ns = 0;

  double occupancy() const;  ///< occupancy of active warps, over all steps
};

/// Returns the time of each pass of a strategy, [step], ns.
using PassTimes = std::function<std::vector<double>(const Strategy&, const std::vector<StepLoad>&)>;

struct Advice {
  bool has_times = false;  ///< whether times could be predicted
  StepModel model;
  std::vector<Prediction> predictions;  ///< the first is "none"
  size_t best = 0;
  /// The numbers that decide.
  double occupancy = 0;   ///< active lanes in active warps without culling, weighted by time
  double warp_share = 0;  ///< share of the time without culling that follows the active warps
  double pass_share = 0;  ///< passes of culling every step over the time without culling
};

/// Fits the model and predicts all strategies.
Advice advise(const Recording& recording, const std::vector<Strategy>& strategies,
              const DeviceModel& device, const PassTimes& pass_times);

/// Minimizes |weights (a x - b)|^2 + |ridge (x - prior)|^2 over x >= 0 by coordinate descent.
///
/// @param a  [row][column]
std::vector<double> non_negative_fit(const std::vector<std::vector<double>>& a,
                                     const std::vector<double>& b,
                                     const std::vector<double>& weights,
                                     const std::vector<double>& prior,
                                     const std::vector<double>& ridge);

}  // namespace compaction::advise
