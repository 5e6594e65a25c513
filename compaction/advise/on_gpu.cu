// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "compaction/advise/command.h"
#include "compaction/select.cuh"
#include "compaction/split.cuh"

namespace compaction::advise {
namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// An array in device memory.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(size_t size) : size_(size) { check(cudaMalloc(&data_, bytes())); }
  ~OnDevice() { cudaFree(data_); }
  OnDevice(const OnDevice&) = delete;

  T* data() const { return data_; }
  size_t bytes() const { return std::max<size_t>(size_, 1) * sizeof(T); }
  void fill(int byte) { check(cudaMemset(data_, byte, bytes())); }
  void copy(const std::vector<T>& from) {
    check(cudaMemcpy(data_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  }

 private:
  size_t size_;
  T* data_ = nullptr;
};

/// A clock of the device.
class Timer {
 public:
  Timer() {
    check(cudaEventCreate(&begin_));
    check(cudaEventCreate(&end_));
  }
  ~Timer() { cudaEventDestroy(begin_), cudaEventDestroy(end_); }
  Timer(const Timer&) = delete;

  /// Returns the median time of one of several calls in a row, ns.
  template <class Call>
  double operator()(Call call, int calls_in_a_row = 4) {
    constexpr int kRuns = 7;
    constexpr double kNanosecondsPerMillisecond = 1e6;
    std::vector<double> times;
    call();
    for (int run = 0; run < kRuns; ++run) {
      check(cudaEventRecord(begin_));
      for (int i = 0; i < calls_in_a_row; ++i) call();
      check(cudaEventRecord(end_));
      check(cudaEventSynchronize(end_));
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, begin_, end_));
      times.push_back(kNanosecondsPerMillisecond * double(milliseconds) / calls_in_a_row);
    }
    std::sort(times.begin(), times.end());
    return times[kRuns / 2];
  }

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

struct IsActive {
  const uint8_t* classes;
  __host__ __device__ bool operator()(uint32_t item) const {
    return classes[item] != StepItems::kInactive;
  }
};
/// The class of an item; none of an inactive one, which a split drops.
struct ClassOf {
  const uint8_t* classes;
  __host__ __device__ uint32_t operator()(uint32_t item) const { return classes[item]; }
};

struct alignas(16) Item16 {
  uint32_t words[4];
};
using State64 = WriteColumns<Item16, Item16, Item16, Item16>;
constexpr double kStateBytes = 64, kIndexBytes = 4;
constexpr unsigned kColumns = 4;

/// The passes over up to `n` items.
class Passes {
 public:
  Passes(uint32_t n, bool moves)
      : capacity_(n),
        classes_(n),
        flags_(n),
        from_(n),
        to_(n),
        columns_(moves ? 2 * kColumns * size_t(n) : 0) {
    const size_t bytes[] = {select_if_bytes<uint32_t, IsActive>(n),
                            split_by_bytes<StepItems::kMaxClasses, uint32_t, ClassOf>(n),
                            select_bytes<Flagged, State64>(n)};
    check(workspace_.reserve(*std::max_element(bytes, bytes + 3)));
  }

  void set(const std::vector<uint8_t>& classes, const std::vector<uint32_t>& queue) {
    classes_.copy(classes);
    from_.copy(queue);
    std::vector<uint8_t> flags;
    for (uint32_t item : queue) flags.push_back(classes[item] != StepItems::kInactive);
    flags_.copy(flags);
    n_ = queue.size();
  }

  double select_list(int calls_in_a_row = 4) {
    return timer_(
        [&] {
          check(select_if(from_.data(), to_.data(), counts_.data(), n_, IsActive{classes_.data()},
                          workspace_));
        },
        calls_in_a_row);
  }
  double split_list() {
    return timer_([&] {
      check(split_by<StepItems::kMaxClasses>(from_.data(), to_.data(), {counts_.data()}, n_,
                                             ClassOf{classes_.data()}, workspace_));
    });
  }
  /// Moves states of 64 bytes by their flags.
  double select_state() {
    const auto column = [&](size_t i) {
      return Column<Item16>{columns_.data() + 2 * i * capacity_,
                            columns_.data() + (2 * i + 1) * capacity_};
    };
    const State64 sink(column(0), column(1), column(2), column(3));
    return timer_(
        [&] { check(select(Flagged{flags_.data()}, sink, n_, counts_.data(), workspace_)); });
  }
  void list_all() {
    std::vector<uint32_t> all(capacity_);
    for (size_t i = 0; i < all.size(); ++i) all[i] = uint32_t(i);
    from_.copy(all);
  }
  void set_all_active(size_t n) {
    classes_.fill(0);
    n_ = n;
  }
  Timer& timer() { return timer_; }

 private:
  uint32_t capacity_;
  OnDevice<uint8_t> classes_, flags_;
  OnDevice<uint32_t> from_, to_;
  OnDevice<Item16> columns_;
  OnDevice<uint32_t> counts_{StepItems::kMaxClasses + 1};
  Workspace workspace_;
  Timer timer_;
  size_t n_ = 0;
};

__global__ void do_nothing() {}
__global__ void find_no_work(const uint8_t* classes, uint32_t* out) {
  const uint32_t item = blockIdx.x * blockDim.x + threadIdx.x;
  if (classes[item] != StepItems::kInactive) out[item] = 1;
}

bool has_gpu() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
}

/// Measures the constants of the current GPU, which takes a second.
DeviceModel measure_device() {
  constexpr uint32_t kFew = 1 << 10, kMany = 1 << 24, kBlock = 256;
  constexpr size_t kCopied = size_t(1) << 29;
  constexpr int kLaunches = 100;
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0));
  DeviceModel device{.name = properties.name, .source = "measured now"};
  Passes passes(kMany, false);
  passes.list_all();
  const double warm_up = 2e8;  // ns, until the clocks are up
  for (double ns = 0; ns < warm_up;) {
    passes.set_all_active(kMany);
    constexpr int kCalls = 100, kRuns = 8;
    ns += kRuns * kCalls * passes.select_list(kCalls);
  }
  device.launch_ns = passes.timer()([] { do_nothing<<<1, 1>>>(); }, kLaunches);
  {
    OnDevice<uint8_t> classes(kMany);
    OnDevice<uint32_t> out(kMany);
    classes.fill(StepItems::kInactive);
    const double time = passes.timer()(
        [&] { find_no_work<<<kMany / kBlock, kBlock>>>(classes.data(), out.data()); });
    device.empty_warp_ns = std::max(0.0, time - device.launch_ns) / (kMany / kWarpSize);
  }
  {
    OnDevice<uint8_t> from(kCopied), to(kCopied);
    const double time = passes.timer()(
        [&] { check(cudaMemcpyAsync(to.data(), from.data(), kCopied, cudaMemcpyDeviceToDevice)); });
    device.bytes_per_ns = 2 * double(kCopied) / time;
  }
  passes.set_all_active(kFew);
  device.pass_ns = passes.select_list();
  passes.set_all_active(kMany);
  StepLoad load;
  load.pass_in = load.pass_out = kMany;
  const double of_bytes = pass_bytes(load, Strategy::kCull, 0) / device.bytes_per_ns;
  const auto per_item = [&](double time) {
    return std::max(0.0, time - device.pass_ns - of_bytes) / kMany;
  };
  device.pass_item_ns = per_item(passes.select_list());
  device.split_item_ns = per_item(passes.split_list());
  return device;
}

/// Runs the library's kernels on the recorded items. States of other sizes than 4 and 64 bytes are
/// interpolated.
std::vector<double> time_passes(const Recording& recording, const Strategy& strategy) {
  Passes passes(recording.item_count, strategy.kind == Strategy::kMove);
  std::vector<double> times(recording.steps.size());
  std::vector<uint8_t> classes(recording.item_count);
  replay(recording, strategy, [&](size_t s, const std::vector<uint32_t>& queue) {
    const Step& step = recording.steps[s];
    std::fill(classes.begin(), classes.end(), StepItems::kInactive);
    size_t next = 0;
    for (size_t w = 0; w < step.words.size(); ++w)
      for (uint32_t left = step.words[w]; left; left &= left - 1)
        classes[kWarpSize * w + size_t(std::countr_zero(left))] = step.classes[next++];
    passes.set(classes, queue);
    if (strategy.kind == Strategy::kClass) {
      times[s] = passes.split_list();
    } else {
      times[s] = passes.select_list();
      if (strategy.kind == Strategy::kMove)
        times[s] += (passes.select_state() - times[s]) *
                    (double(recording.format.state_bytes) - kIndexBytes) /
                    (kStateBytes - kIndexBytes);
    }
  });
  return times;
}

}  // namespace

Gpu this_gpu() {
  return {has_gpu, measure_device, time_passes};
}

}  // namespace compaction::advise
