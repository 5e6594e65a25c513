// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compaction/advise/replay.h"

namespace compaction::advise {

/// Times of a kernel over several numbers of items, linear between them, ns.
struct TimesBySize {
  static constexpr std::array<double, 8> kItems = {0x1p10, 0x1p12, 0x1p14, 0x1p16,
                                                   0x1p18, 0x1p20, 0x1p22, 0x1p24};
  std::array<double, kItems.size()> ns{};  ///< [size]

  double operator()(double items) const;
};

/// Times of a pass whose number of items is in device memory. They depend on it, and on the
/// capacity, which decides how many blocks are launched.
struct PassTimesBySize {
  TimesBySize few, full;  ///< by capacity, for 1 item and for as many items as fit

  double operator()(double capacity, double items) const;
};

/// Properties of a GPU that the model uses. Kernels follow each other in a CUDA graph.
struct DeviceModel {
  std::string name = {}, source = {};
  double launch_ns = 0;     ///< a kernel without work
  double bytes_per_ns = 0;  ///< read and written, by a copy
  double resident_warps = 1;
  TimesBySize scan_ns = {};  ///< threads that read a byte of their items, and find no work
  PassTimesBySize select_ns = {}, split_ns = {};  ///< of all items of a list
};

/// Returns constants that were measured on an NVIDIA H200.
DeviceModel built_in_device();

/// Reads lines "name value". Throws std::runtime_error, which names the file.
DeviceModel read_device_model(const std::string& path);
std::string device_model_text(const DeviceModel& device);

/// Returns the expected time of the pass before a step, ns; 0 if there is none.
double pass_nanoseconds(const DeviceModel& device, const StepLoad& load, Strategy::Kind kind,
                        uint32_t state_bytes);

/// The time of a step:
///
///   fixed + launch + idle x scan + empty x empty warps + list
///         + sum over classes(class x largest costs in the warps)
///         + lane x active items + longest x costs of the resident warp with most of them
///         + state of the items' sectors / bandwidth
///
/// `scan` is what the device takes to find that all items are inactive, and `list` what it takes to
/// read where a list is. `lane` is for costs of other kinds than kWork; with these, lanes add to
/// the costs of their warp. With kCycles, warps overlap: `longest` is of a single warp, and of the
/// work of classes and lanes and the state, the larger one counts. No coefficient is negative. They
/// are fitted to the recorded times of all steps by weighted least squares. Where these leave a
/// choice, the coefficients stay near those of the device. The scale of a step is its recorded time
/// over the fitted one.
struct StepModel {
  bool state_overlaps = false;                                    ///< with the work of warps
  double launch = 0, idle = 0, empty = 0, lane = 0, longest = 0;  // ns, but `idle`
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
/// @param max  [column], upper bounds of x; empty: none
std::vector<double> non_negative_fit(const std::vector<std::vector<double>>& a,
                                     const std::vector<double>& b,
                                     const std::vector<double>& weights,
                                     const std::vector<double>& prior,
                                     const std::vector<double>& ridge,
                                     const std::vector<double>& max = {});

}  // namespace compaction::advise
