// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compaction/advise/device_model.h"
#include "compaction/advise/replay.h"

namespace compaction::advise {

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
