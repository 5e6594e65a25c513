// SPDX-License-Identifier: MIT
#include "compaction/advise/model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>

namespace compaction::advise {
namespace {

constexpr unsigned kMaxClasses = StepItems::kMaxClasses;

/// Weights of the priors relative to the times. The worse the fit, the more the steps differ in
/// other things than their load, and the more the priors count.
constexpr double kMinRidge = 0.02, kMaxRidge = 1, kRidgePerResidual = 3;
/// Bounds of the launch, ns, of a scan relative to that of the device, and of the scale of a step.
constexpr double kMaxLaunch = 5000, kMaxIdle = 3, kMaxScale = 10;
/// Factors of the weights for what the device tells.
constexpr double kRidgeOfLaunch = 0.3, kRidgeOfIdle = 3;
/// What the active lanes of the step with most of them cost, relative to its longest resident warp,
/// and an empty warp relative to an active one, unless the times tell.
constexpr double kLanesOverWarp = 3, kEmptyOverWarp = 0.05;
/// The time of as many warps as run at once, relative to that of one of them, if their costs are
/// clock cycles.
constexpr double kWarpsOverWarp = 3;
/// Upper bound of the time of a single warp, ns for each of its clock cycles. GPUs run at 1 GHz and
/// more.
constexpr double kMaxPerCycle = 1;
/// Upper bound of the time that as many empty warps as run at once take to start and end, ns.
/// All constants from here on were chosen with the data that record/README.md names, on an NVIDIA
/// H200.
constexpr double kMaxEmpty = 10'000;
/// Share of the own work of a lane that it adds to that of its warp. Accesses of one lane at a time
/// wait for memory; those of several lanes also wait for each other.
constexpr double kLaneShare = 0.045;
/// Share of the state of an item that a step reads, and that it writes.
constexpr double kMovedShare = 0.9;
/// Reading the size of a list and its entries; giving new items to slots, in a step and for each
/// warp that takes some. ns.
constexpr double kListNanoseconds = 300, kRefillNanoseconds = 300, kRefillOfWarpNanoseconds = 0.9;

/// Terms of the error of a prediction: shares of what a strategy changes and of the frame, and more
/// of the frame the worse the fit. record/README.md counts the frames that are within the interval.
constexpr double kChangeError = 0.45, kTimeError = 0.075;
constexpr double kErrorOfResidual = 0.75, kMaxResidual = 0.15;
/// Share of the steps by which regeneration may take longer, because items that began far from each
/// other share a warp, and find less of what they read in caches.
constexpr double kMixedError = 0.3;

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double list_nanoseconds(const StepLoad& load) {
  return (load.is_list ? kListNanoseconds : 0) + (load.refilled > 0 ? kRefillNanoseconds : 0);
}

enum Column { kLaunch, kIdle, kEmpty, kLane, kLongest, kFirstClass };

/// Columns of the fit, in the order of the coefficients.
std::vector<double> features(const StepLoad& load, StepCost cost) {
  // What lanes take is in `longest` if their work is known.
  const double lanes = cost == StepCost::kWork ? 0 : double(load.lanes);
  std::vector<double> row = {1, load.scan_ns, double(load.warps - load.active_warps), lanes,
                             load.longest};
  row.insert(row.end(), load.class_work.begin(), load.class_work.end());
  return row;
}

StepModel from_coefficients(const std::vector<double>& x, StepCost cost) {
  StepModel model{.state_overlaps = cost == StepCost::kCycles,
                  .launch = x[kLaunch],
                  .idle = x[kIdle],
                  .empty = x[kEmpty],
                  .lane = x[kLane],
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
  double step_overhead = 0;     // of measuring the time of a step
  double resident_warps = 1;

  /// Returns the time of a step that the model explains.
  double time_of(size_t s) const {
    const Step& step = recording.steps[s];
    return std::max(0.0, step.nanoseconds - step.fixed_nanoseconds - step_overhead);
  }

  /// Fits all steps but `omitted`.
  StepModel without(std::optional<size_t> omitted) const {
    std::vector<std::vector<double>> a;
    std::vector<double> b, weights;
    for (size_t s = 0; s < loads.size(); ++s) {
      if (s == omitted && loads.size() > 1) continue;
      a.push_back(features(loads[s], recording.format.cost));
      const double state = recording.format.cost == StepCost::kCycles ? 0 : loads[s].state_ns;
      b.push_back(std::max(0.0, time_of(s) - list_nanoseconds(loads[s]) - state));
      weights.push_back(1 / std::sqrt(std::max(time_of(s), 1.0)));
    }
    const std::vector<double> prior = prior_of(a, b);
    std::vector<double> max(prior.size(), HUGE_VAL);
    max[kLaunch] = kMaxLaunch, max[kIdle] = kMaxIdle;
    if (recording.format.cost == StepCost::kCycles) max[kLongest] = kMaxPerCycle;
    max[kEmpty] = std::min(prior[kLongest] * longest_of_active_warp(),  // that of an active one
                           kMaxEmpty / device.resident_warps);
    std::vector<double> norms(prior.size());
    for (size_t row = 0; row < a.size(); ++row)
      for (size_t c = 0; c < norms.size(); ++c) norms[c] += std::pow(weights[row] * a[row][c], 2);
    const auto fit = [&](double weight) {
      std::vector<double> ridge;
      for (size_t c = 0; c < norms.size(); ++c)
        ridge.push_back(weight * std::sqrt(norms[c]) *
                        (c == kLaunch ? kRidgeOfLaunch
                         : c == kIdle ? kRidgeOfIdle
                                      : 1));
      return with_scales(from_coefficients(non_negative_fit(a, b, weights, prior, ridge, max),
                                           recording.format.cost));
    };
    const double residual = fit(kMinRidge).residual;
    return fit(std::clamp(kRidgePerResidual * residual, kMinRidge, kMaxRidge));
  }

  /// Returns what an active warp adds to `longest`, on average.
  double longest_of_active_warp() const {
    double longest = 0, active = 0;
    for (const StepLoad& load : loads) longest += load.longest, active += double(load.active_warps);
    return active > 0 ? longest / active : 0;
  }

  /// Returns the coefficients if resident warps are all that takes time, with their lanes and the
  /// empty warps in fixed relations to them.
  std::vector<double> prior_of(const std::vector<std::vector<double>>& a,
                               const std::vector<double>& b) const {
    double time = 0, longest = 0, lanes = 0, empty = 0, work = 0;
    for (size_t row = 0; row < a.size(); ++row) {
      time += std::max(0.0, b[row] - device.launch_ns);
      longest += a[row][kLongest], lanes += a[row][kLane], empty += a[row][kEmpty];
      work += a[row][kFirstClass];
    }
    std::vector<double> prior(kFirstClass + kMaxClasses);
    prior[kLaunch] = device.launch_ns, prior[kIdle] = 1;
    // Costs of a warp contain those of its lanes.
    const double lanes_over_warp = recording.format.cost == StepCost::kNone ? kLanesOverWarp : 0;
    const auto& full = *std::max_element(
        a.begin(), a.end(), [](const auto& x, const auto& y) { return x[kLane] < y[kLane]; });
    const double of_lane = full[kLane] > 0 ? lanes_over_warp * full[kLongest] / full[kLane] : 0;
    const double of_empty = recording.format.cost == StepCost::kWork
                                ? 0  // a step takes as long as its longest item
                                : kEmptyOverWarp * longest_of_active_warp();
    const double of_work =
        recording.format.cost == StepCost::kCycles ? kWarpsOverWarp / resident_warps : 0;
    const double all = longest + of_lane * lanes + of_empty * empty + of_work * work;
    const double per_cost = all > 0 ? time / all : 0;
    prior[kLongest] = per_cost;
    prior[kLane] = per_cost * of_lane, prior[kEmpty] = per_cost * of_empty;
    prior[kFirstClass] = per_cost * of_work;
    return prior;
  }

  StepModel with_scales(StepModel model) const {
    double squares = 0, total = 0;
    for (size_t s = 0; s < loads.size(); ++s) {
      const double fitted = model.nanoseconds(loads[s]), time = time_of(s);
      const double scale =
          fitted > model.launch
              ? std::clamp((time - model.launch) / (fitted - model.launch), 0.0, kMaxScale)
              : 1;
      model.scale.push_back(scale);
      if (time > 0) squares += time * std::pow(fitted / time - 1, 2), total += time;
    }
    model.residual = total > 0 ? std::sqrt(squares / total) : 0;
    return model;
  }
};

double sum_of_classes(const StepLoad& load) {
  return std::accumulate(load.class_work.begin(), load.class_work.end(), 0.0);
}

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
  double work = lane * double(load.lanes);
  for (size_t c = 0; c < of_class.size(); ++c) work += of_class[c] * load.class_work[c];
  return launch + idle * load.scan_ns + empty * double(load.warps - load.active_warps) +
         list_nanoseconds(load) + longest * load.longest +
         (state_overlaps ? std::max(work, load.state_ns) : work + load.state_ns);
}

double Prediction::occupancy() const {
  uint64_t lanes = 0, warps = 0;
  for (const StepLoad& load : loads) lanes += load.lanes, warps += load.active_warps;
  return warps ? double(lanes) / double(kWarpSize * warps) : 1;
}

double pass_nanoseconds(const DeviceModel& device, const StepLoad& load, Strategy::Kind kind,
                        uint32_t state_bytes) {
  if (load.pass_in == 0) return 0;
  const double items = double(load.pass_in);
  const double capacity = double(load.pass_capacity);
  if (kind == Strategy::kClass) return device.split_ns(capacity, items);
  // A list has indices in the place of states, and is read and written.
  constexpr double kIndexBytes = 4;
  const double moved = kind == Strategy::kMove ? double(state_bytes) - kIndexBytes : 0;
  return device.select_ns(capacity, items) +
         std::max(0.0, 2 * moved) * double(load.pass_out) / device.bytes_per_ns;
}

std::vector<double> non_negative_fit(const std::vector<std::vector<double>>& a,
                                     const std::vector<double>& b,
                                     const std::vector<double>& weights,
                                     const std::vector<double>& prior,
                                     const std::vector<double>& ridge,
                                     const std::vector<double>& max) {
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
      const double next =
          std::clamp(x[i] + residual / normal[i][i], 0.0, max.empty() ? HUGE_VAL : max[i]);
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
  const StepFormat& format = recording.format;
  Machine machine{.resident_warps = format.resident_warps ? format.resident_warps
                                                          : uint32_t(device.resident_warps)};
  if (format.cost == StepCost::kWork) machine.lane_share = kLaneShare;
  machine.in_turn = format.cost != StepCost::kCycles;
  // Cycles tell how the costs of warps differ. In place of those of its warp, an item then has
  // those of its class.
  std::optional<Recording> with_costs;
  if (format.cost == StepCost::kCycles) {
    constexpr uint32_t kSamplesPerStep = 2000;
    const std::vector<double> cycles = fit_cycles(sample_warps(recording, kSamplesPerStep));
    machine.lane_cost = cycles[kMaxClasses];
    with_costs = recording;
    for (Step& step : with_costs->steps)
      for (size_t i = 0; i < step.costs.size(); ++i)
        step.costs[i] = uint32_t(std::lround(cycles[step.classes[i]]));
  }
  const Recording& replayed = with_costs ? *with_costs : recording;
  const auto loads_of = [&](const Strategy& strategy) {
    std::vector<StepLoad> loads = replay(replayed, strategy, machine);
    for (StepLoad& load : loads) {
      const double moved = kMovedShare * 2 * format.state_bytes * kItemsPerSector;
      load.scan_ns =
          std::max(0.0, device.scan_ns(double(kWarpSize * load.warps)) - device.launch_ns);
      load.state_ns = moved * double(load.sectors) / device.bytes_per_ns +
                      kRefillOfWarpNanoseconds * double(load.refilled);
      // Without costs, the times tell what classes cost; else the costs do.
      if (format.cost != StepCost::kNone) load.class_work = {sum_of_classes(load)};
    }
    return loads;
  };
  double recorded_ns = 0;
  for (const Step& step : recording.steps) recorded_ns += step.nanoseconds;
  // Time between the steps of the recorded program; negative if measuring steps takes time.
  const double between =
      recording.frame_nanoseconds > 0 ? recording.frame_nanoseconds - recorded_ns : 0;
  const Fit fit{.recording = recording,
                .device = device,
                .loads = loads_of(recorded),
                .step_overhead = std::max(0.0, -between) / double(recording.steps.size()),
                .resident_warps = double(machine.resident_warps)};
  std::vector<StepModel> models;  // the first with all steps, the others without one of them
  if (advice.has_times) {
    models.push_back(fit.without(std::nullopt));
    constexpr size_t kMaxFolds = 32;
    const size_t stride = std::max<size_t>(1, recording.steps.size() / kMaxFolds);
    for (size_t s = 0; s < recording.steps.size(); s += stride) models.push_back(fit.without(s));
    advice.model = models[0];
  }

  for (const Strategy& strategy : strategies) {
    Prediction prediction{.strategy = strategy, .refusal = {}, .loads = {}};
    try {
      prediction.loads = loads_of(strategy);
    } catch (const std::runtime_error& error) {
      prediction.refusal = error.what();
      advice.predictions.push_back(std::move(prediction));
      continue;
    }
    prediction.pass_ns = sum_of(pass_times(strategy, prediction.loads));
    if (advice.has_times) {
      const double between_steps =
          std::max(0.0, between) * double(prediction.loads.size()) / double(recording.steps.size());
      std::vector<double> times;
      for (const StepModel& model : models)
        times.push_back(steps_nanoseconds(recording, model, prediction.loads));
      prediction.step_ns = times[0];
      prediction.frame_ns = times[0] + prediction.pass_ns + between_steps;
      const double time_error =
          kTimeError + kErrorOfResidual * std::min(models[0].residual, kMaxResidual);
      const double unchanged_ns = steps_nanoseconds(recording, models[0], fit.loads);
      const double error =
          std::hypot(time_error * prediction.frame_ns, kChangeError * (times[0] - unchanged_ns),
                     kChangeError * prediction.pass_ns);
      const auto [low, high] = std::minmax_element(times.begin(), times.end());
      prediction.low_ns = prediction.frame_ns - std::hypot(error, times[0] - *low);
      const bool mixes = strategy.kind == Strategy::kRegenerate && !strategy.state_in_slots;
      prediction.high_ns = prediction.frame_ns + std::hypot(error, *high - times[0],
                                                            mixes ? kMixedError * times[0] : 0.0);
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
    const StepModel& model = advice.model;
    // Warps that all run at once take the time of the longest, however many they are.
    double warps =
        machine.in_turn && load.warps > machine.resident_warps ? model.longest * load.longest : 0;
    for (unsigned c = 0; c < kMaxClasses; ++c) warps += model.of_class[c] * load.class_work[c];
    follows += model.scale[s] * warps;
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

}  // namespace compaction::advise
