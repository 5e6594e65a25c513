// SPDX-License-Identifier: MIT
#include "compaction/advise/model.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>

namespace compaction::advise {
namespace {

constexpr unsigned kMaxClasses = StepItems::kMaxClasses;

/// Relative weights of the coefficients' priors. Small ones decide only what the times leave open.
/// The worse the fit, the more the steps differ in other things than their load, and the more the
/// priors count.
constexpr double kMinRidge = 0.02, kMaxRidge = 1, kRidgePerResidual = 10, kRidgeOfEmpty = 0.5;
/// What the active lanes of a full warp cost, relative to the warp itself, unless the times tell.
/// In three scenes of a path tracer, predictions were best with this ratio.
constexpr double kLanesOverWarp = 3;

/// Share of what a strategy changes, and of the frame, by which a prediction may be wrong: 9 of 10
/// frames of the test in record/README.md are within the interval.
constexpr double kChangeError = 0.25, kTimeError = 0.04;

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Columns of the fit, in the order of the coefficients.
std::vector<double> features(const StepLoad& load) {
  std::vector<double> row = {1, double(load.warps - load.active_warps), double(load.lanes),
                             load.work, load.longest};
  row.insert(row.end(), load.class_work.begin(), load.class_work.end());
  return row;
}

enum Column { kLaunch, kEmpty, kLane, kWork, kLongest, kFirstClass };

StepModel from_coefficients(const std::vector<double>& x) {
  StepModel model{.launch = x[kLaunch],
                  .empty = x[kEmpty],
                  .lane = x[kLane],
                  .work = x[kWork],
                  .longest = x[kLongest],
                  .of_class = {x.begin() + kFirstClass, x.end()},
                  .scale = {},
                  .residual = 0};
  return model;
}

/// Costs of a warp by class and lanes, from clock cycles: [class] and then a lane.
std::vector<double> fit_cycles(const std::vector<WarpSample>& samples) {
  std::vector<std::vector<double>> a;
  std::vector<double> b, weights;
  double mean = 0;
  for (const WarpSample& sample : samples) mean += sample.cycles / double(samples.size());
  for (const WarpSample& sample : samples) {
    std::vector<double> row(kMaxClasses + 1);
    for (unsigned c = 0; c < kMaxClasses; ++c) row[c] = sample.classes >> c & 1;
    row[kMaxClasses] = sample.lanes;
    a.push_back(row);
    b.push_back(sample.cycles);
    weights.push_back(1);
  }
  std::vector<double> prior(kMaxClasses + 1, mean), ridge(kMaxClasses + 1, 1);
  prior[kMaxClasses] = 0;
  return non_negative_fit(a, b, weights, prior, ridge);
}

struct Fit {
  const Recording& recording;
  const DeviceModel& device;
  std::vector<StepLoad> loads;  // loads of the recorded program, by step

  /// Fits all steps but `omitted`.
  StepModel without(std::optional<size_t> omitted) const {
    std::vector<std::vector<double>> a;
    std::vector<double> b, weights;
    for (size_t s = 0; s < loads.size(); ++s) {
      if (s == omitted && loads.size() > 1) continue;
      const Step& step = recording.steps[s];
      a.push_back(features(loads[s]));
      b.push_back(step.nanoseconds - step.fixed_nanoseconds);
      weights.push_back(1 / std::sqrt(std::max(step.nanoseconds, 1.0)));
    }
    const std::vector<double> prior = prior_of(a, b);
    std::vector<double> norms(prior.size());
    for (size_t row = 0; row < a.size(); ++row)
      for (size_t c = 0; c < norms.size(); ++c) norms[c] += std::pow(weights[row] * a[row][c], 2);
    const auto fit = [&](double weight) {
      std::vector<double> ridge;
      for (size_t c = 0; c < norms.size(); ++c)
        ridge.push_back(weight * std::sqrt(norms[c]) * (c == kEmpty ? kRidgeOfEmpty : 1));
      return with_scales(from_coefficients(non_negative_fit(a, b, weights, prior, ridge)));
    };
    const double residual = fit(kMinRidge).residual;
    return fit(std::clamp(kRidgePerResidual * residual, kMinRidge, kMaxRidge));
  }

  /// Returns the coefficients if all classes cost the same and lanes kLanesOverWarp.
  std::vector<double> prior_of(const std::vector<std::vector<double>>& a,
                               const std::vector<double>& b) const {
    // With cycles, the cost of a warp contains that of its lanes; with work, a lane costs its work.
    const StepCost cost = recording.format.cost;
    const Column per_lane = cost == StepCost::kWork ? kWork : kLane;
    double time = 0, of_warps = 0, of_lanes = 0, warps = 0;
    for (size_t row = 0; row < a.size(); ++row) {
      time += std::max(0.0, b[row] - device.launch_ns - device.empty_warp_ns * a[row][kEmpty]);
      of_warps += std::accumulate(a[row].begin() + kFirstClass, a[row].end(), 0.0);
      of_lanes += a[row][per_lane];
    }
    for (const StepLoad& load : loads) warps += double(load.active_warps);
    const double warp_cost = cost == StepCost::kWork || warps == 0 ? 1 : of_warps / warps;
    const double lane_cost = cost == StepCost::kCycles ? 0 : kLanesOverWarp * warp_cost / kWarpSize;
    const double all = of_warps + lane_cost * of_lanes, per_cost = all > 0 ? time / all : 0;
    std::vector<double> prior(kFirstClass + kMaxClasses, per_cost);
    prior[kLaunch] = device.launch_ns, prior[kEmpty] = device.empty_warp_ns;
    prior[kLane] = prior[kWork] = prior[kLongest] = 0;
    prior[per_lane] = lane_cost * per_cost;
    return prior;
  }

  StepModel with_scales(StepModel model) const {
    double squares = 0, total = 0;
    for (size_t s = 0; s < loads.size(); ++s) {
      const Step& step = recording.steps[s];
      const double fitted = model.nanoseconds(loads[s]);
      const double time = step.nanoseconds - step.fixed_nanoseconds;
      constexpr double kMin = 0.1, kMax = 10;
      const double scale =
          fitted > model.launch
              ? std::clamp((time - model.launch) / (fitted - model.launch), kMin, kMax)
              : 1;
      model.scale.push_back(scale);
      if (time > 0) squares += time * std::pow(fitted / time - 1, 2), total += time;
    }
    model.residual = total > 0 ? std::sqrt(squares / total) : 0;
    return model;
  }
};

/// Returns the time of all steps of a strategy without passes.
double steps_nanoseconds(const Recording& recording, const StepModel& model,
                         const std::vector<StepLoad>& loads) {
  double sum = 0;
  for (size_t s = 0; s < loads.size(); ++s) {
    const StepLoad& load = loads[s];
    double scale = 1, fixed = 0;
    if (load.lanes_of_step.empty()) {
      scale = model.scale[s], fixed = recording.steps[s].fixed_nanoseconds;
    } else if (load.lanes > 0) {
      scale = 0;
      for (size_t age = 0; age < load.lanes_of_step.size(); ++age) {
        const double lanes = double(load.lanes_of_step[age]);
        scale += model.scale[age] * lanes / double(load.lanes);
        if (const uint64_t all = recording.steps[age].active_count())
          fixed += recording.steps[age].fixed_nanoseconds * lanes / double(all);
      }
    }
    const double warps = model.nanoseconds(load) - model.launch;
    sum += fixed + model.launch + scale * warps;
  }
  return sum;
}

}  // namespace

double StepModel::nanoseconds(const StepLoad& load) const {
  double time = launch + empty * double(load.warps - load.active_warps) +
                lane * double(load.lanes) + work * load.work + longest * load.longest;
  for (size_t c = 0; c < of_class.size(); ++c) time += of_class[c] * load.class_work[c];
  return time;
}

double Prediction::occupancy() const {
  uint64_t lanes = 0, warps = 0;
  for (const StepLoad& load : loads) lanes += load.lanes, warps += load.active_warps;
  return warps ? double(lanes) / double(kWarpSize * warps) : 1;
}

double pass_bytes(const StepLoad& load, Strategy::Kind kind, uint32_t state_bytes) {
  constexpr double kIndexBytes = 4, kClassBytes = 1;
  if (kind == Strategy::kMove)
    return double(load.pass_in) * kClassBytes + double(load.pass_out) * 2 * state_bytes;
  return double(load.pass_in) * (kIndexBytes + kClassBytes) + double(load.pass_out) * kIndexBytes;
}

double pass_nanoseconds(const DeviceModel& device, const StepLoad& load, Strategy::Kind kind,
                        uint32_t state_bytes) {
  if (load.pass_in == 0) return 0;
  const double per_item = kind == Strategy::kClass ? device.split_item_ns : device.pass_item_ns;
  return device.pass_ns + per_item * double(load.pass_in) +
         pass_bytes(load, kind, state_bytes) / device.bytes_per_ns;
}

std::vector<double> non_negative_fit(const std::vector<std::vector<double>>& a,
                                     const std::vector<double>& b,
                                     const std::vector<double>& weights,
                                     const std::vector<double>& prior,
                                     const std::vector<double>& ridge) {
  const size_t n = prior.size();
  std::vector<std::vector<double>> normal(n, std::vector<double>(n));
  std::vector<double> right(n);
  for (size_t row = 0; row < a.size(); ++row)
    for (size_t i = 0; i < n; ++i) {
      const double weighted = weights[row] * weights[row] * a[row][i];
      if (weighted == 0) continue;
      right[i] += weighted * b[row];
      for (size_t j = 0; j < n; ++j) normal[i][j] += weighted * a[row][j];
    }
  for (size_t i = 0; i < n; ++i) {
    normal[i][i] += ridge[i] * ridge[i];
    right[i] += ridge[i] * ridge[i] * prior[i];
  }
  std::vector<double> x = prior;
  std::vector<size_t> used;  // others stay at their prior
  for (size_t i = 0; i < n; ++i)
    if (normal[i][i] > 0) used.push_back(i);
  constexpr int kSweeps = 20'000;
  constexpr double kConverged = 1e-12;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double change = 0;
    for (size_t i : used) {
      double residual = right[i];
      for (size_t j : used) residual -= normal[i][j] * x[j];
      const double next = std::max(0.0, x[i] + residual / normal[i][i]);
      change = std::max(change, std::abs(next - x[i]) * std::sqrt(normal[i][i]));
      x[i] = next;
    }
    double size = 0;
    for (size_t i : used) size += x[i] * std::sqrt(normal[i][i]);
    if (change <= kConverged * size) break;
  }
  return x;
}

Advice advise(const Recording& recording, const std::vector<Strategy>& strategies,
              const DeviceModel& device, const PassTimes& pass_times) {
  Advice advice;
  advice.has_times = recording.has_times();
  const uint32_t every = recording.format.culled_every;
  const Strategy recorded{.kind = every ? Strategy::kCull : Strategy::kNone,
                          .every = std::max(every, 1u)};
  Fit fit{.recording = recording, .device = device, .loads = replay(recording, recorded)};
  // Cycles tell how the costs of warps differ. Their sum is then the only cost of a step.
  std::vector<double> cycles;
  if (recording.format.cost == StepCost::kCycles) {
    constexpr uint32_t kSamplesPerStep = 2000;
    cycles = fit_cycles(sample_warps(recording, kSamplesPerStep));
  }
  const auto load_of = [&](std::vector<StepLoad> loads) {
    for (StepLoad& load : loads) {
      if (recording.format.cost != StepCost::kWork) load.work = load.longest = 0;
      if (cycles.empty()) continue;
      double sum = cycles[kMaxClasses] * double(load.lanes);
      for (unsigned c = 0; c < kMaxClasses; ++c) sum += cycles[c] * double(load.class_warps[c]);
      load.class_work = {sum};
    }
    return loads;
  };
  fit.loads = load_of(std::move(fit.loads));

  std::vector<StepModel> models;  // the first with all steps, the others without one of them
  double between = 0;             // time between the steps of the recorded program
  if (advice.has_times) {
    models.push_back(fit.without(std::nullopt));
    constexpr size_t kMaxFolds = 32;
    const size_t stride = std::max<size_t>(1, recording.steps.size() / kMaxFolds);
    for (size_t s = 0; s < recording.steps.size(); s += stride) models.push_back(fit.without(s));
    advice.model = models[0];
    double recorded_ns = 0;
    for (const Step& step : recording.steps) recorded_ns += step.nanoseconds;
    if (recording.frame_nanoseconds > 0) between = recording.frame_nanoseconds - recorded_ns;
  }

  for (const Strategy& strategy : strategies) {
    Prediction prediction{.strategy = strategy, .refusal = {}, .loads = {}};
    try {
      prediction.loads = load_of(replay(recording, strategy));
    } catch (const std::runtime_error& error) {
      prediction.refusal = error.what();
      advice.predictions.push_back(std::move(prediction));
      continue;
    }
    prediction.pass_ns = sum_of(pass_times(strategy, prediction.loads));
    if (advice.has_times) {
      const double between_steps =
          between * double(prediction.loads.size()) / double(recording.steps.size());
      std::vector<double> times;
      for (const StepModel& model : models)
        times.push_back(steps_nanoseconds(recording, model, prediction.loads));
      prediction.step_ns = times[0];
      prediction.frame_ns = times[0] + prediction.pass_ns + between_steps;
      const double recorded_ns = steps_nanoseconds(recording, models[0], fit.loads);
      const double error =
          std::hypot(kTimeError * prediction.frame_ns, kChangeError * (times[0] - recorded_ns),
                     kChangeError * prediction.pass_ns);
      const auto [low, high] = std::minmax_element(times.begin(), times.end());
      prediction.low_ns = prediction.frame_ns - std::hypot(error, times[0] - *low);
      prediction.high_ns = prediction.frame_ns + std::hypot(error, *high - times[0]);
    }
    advice.predictions.push_back(std::move(prediction));
  }

  const Prediction& none = advice.predictions[0];
  double busy = 0, occupied = 0, follows = 0, all = 0;
  for (size_t s = 0; s < none.loads.size(); ++s) {
    const StepLoad& load = none.loads[s];
    const double weight =
        advice.has_times ? recording.steps[s].nanoseconds : double(load.active_warps);
    busy += weight, occupied += weight * load.occupancy();
    if (!advice.has_times) continue;
    for (unsigned c = 0; c < kMaxClasses; ++c)
      follows += advice.model.scale[s] * advice.model.of_class[c] * load.class_work[c];
  }
  all = none.frame_ns;
  advice.occupancy = busy > 0 ? occupied / busy : 1;
  if (advice.has_times && all > 0) advice.warp_share = std::min(1.0, follows / all);
  for (size_t p = 0; p < advice.predictions.size(); ++p) {
    const Prediction& prediction = advice.predictions[p];
    if (!prediction.refusal.empty()) continue;
    if (prediction.strategy.kind == Strategy::kCull && prediction.strategy.every == 1 && all > 0)
      advice.pass_share = prediction.pass_ns / all;
    if (prediction.frame_ns < advice.predictions[advice.best].frame_ns) advice.best = p;
  }
  return advice;
}

DeviceModel built_in_device() {
  // Printed by compaction-advise --measure-device on 2026-11-28 (CUDA 13.0, driver 580.159.04).
  return {.name = "NVIDIA H200",
          .source = "built in",
          .launch_ns = 4900,
          .empty_warp_ns = 0.073,
          .bytes_per_ns = 4200,
          .pass_ns = 6000,
          .pass_item_ns = 0.00137,
          .split_item_ns = 0.00385};
}

namespace {
const std::map<std::string, double DeviceModel::*>& device_numbers() {
  static const std::map<std::string, double DeviceModel::*> numbers = {
      {"launch_ns", &DeviceModel::launch_ns},       {"empty_warp_ns", &DeviceModel::empty_warp_ns},
      {"bytes_per_ns", &DeviceModel::bytes_per_ns}, {"pass_ns", &DeviceModel::pass_ns},
      {"pass_item_ns", &DeviceModel::pass_item_ns}, {"split_item_ns", &DeviceModel::split_item_ns}};
  return numbers;
}
}  // namespace

DeviceModel read_device_model(const std::string& path) {
  std::ifstream file(path);
  const auto fail = [&](const std::string& reason) {
    throw std::runtime_error("'" + path + "' " + reason);
  };
  if (!file) fail("cannot be read");
  DeviceModel device{.name = {}, .source = path};
  size_t found = 0;
  for (std::string line, word; std::getline(file, line);) {
    std::istringstream words(line);
    if (!(words >> word) || word[0] == '#') continue;
    if (word == "name") {
      std::getline(words >> std::ws, device.name);
      continue;
    }
    const auto number = device_numbers().find(word);
    if (number == device_numbers().end()) fail("has the unknown name '" + word + "'");
    double& value = device.*number->second;
    if (!(words >> value) || !std::isfinite(value) || value < 0)
      fail("has no number from 0 on after '" + word + "'");
    ++found;
  }
  if (found < device_numbers().size() || device.bytes_per_ns == 0)
    fail(
        "lacks numbers: it needs launch_ns, empty_warp_ns, bytes_per_ns, pass_ns, pass_item_ns "
        "and split_item_ns");
  return device;
}

std::string device_model_text(const DeviceModel& device) {
  std::ostringstream text;
  text << "name " << device.name << '\n';
  for (const auto& [name, number] : device_numbers()) text << name << ' ' << device.*number << '\n';
  return text.str();
}

}  // namespace compaction::advise
