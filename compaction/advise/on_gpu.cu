// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "compaction/advise/command.h"
#include "compaction/cuda/graph.h"
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
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaEventCreate(&begin_));
    check(cudaEventCreate(&end_));
  }
  ~Timer() { cudaEventDestroy(begin_), cudaEventDestroy(end_), cudaStreamDestroy(stream_); }
  Timer(const Timer&) = delete;

  /// Returns the median time of one of several calls in a row in a CUDA graph, ns.
  ///
  /// @param call  call(stream) enqueues the work
  template <class Call>
  double operator()(Call call, int calls_in_a_row = 8) {
    constexpr int kRuns = 7;
    constexpr double kNanosecondsPerMillisecond = 1e6;
    std::vector<double> times;
    Graph graph;
    check(graph.record([&](cudaStream_t stream) {
      call(stream);  // not timed: it waits for the launch of the graph
      check(cudaEventRecordWithFlags(begin_, stream, cudaEventRecordExternal));
      for (int i = 0; i < calls_in_a_row; ++i) call(stream);
      check(cudaEventRecordWithFlags(end_, stream, cudaEventRecordExternal));
    }));
    check(cudaDeviceSynchronize());  // the stream does not wait for copies to the device
    for (int run = 0; run < kRuns; ++run) {
      check(graph.launch(stream_));
      check(cudaStreamSynchronize(stream_));
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, begin_, end_));
      times.push_back(kNanosecondsPerMillisecond * double(milliseconds) / calls_in_a_row);
    }
    std::sort(times.begin(), times.end());
    return times[kRuns / 2];
  }

 private:
  cudaStream_t stream_ = nullptr;
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

__global__ void do_nothing() {}
__global__ void find_no_work(const uint8_t* classes, uint32_t n, uint32_t* out) {
  for (uint32_t item = blockIdx.x * blockDim.x + threadIdx.x; item < n;
       item += gridDim.x * blockDim.x)
    if (classes[item] != StepItems::kInactive) out[item] = 1;
}

constexpr unsigned kCopyBlock = 256, kCopiesOfThread = 4;
/// Each block copies kCopyBlock x kCopiesOfThread items.
__global__ void copy_items(const uint4* from, uint4* to) {
  const size_t first = size_t(blockIdx.x) * kCopyBlock * kCopiesOfThread + threadIdx.x;
  uint4 items[kCopiesOfThread];
#pragma unroll
  for (unsigned i = 0; i < kCopiesOfThread; ++i) items[i] = from[first + i * kCopyBlock];
#pragma unroll
  for (unsigned i = 0; i < kCopiesOfThread; ++i) to[first + i * kCopyBlock] = items[i];
}

/// Returns the bytes read and written per ns by a kernel that copies far more than caches hold. The
/// driver's copies in a CUDA graph are slower: 2,760 bytes per ns on an NVIDIA H200, not 4,200.
double copy_bytes_per_ns(Timer& timer) {
  constexpr unsigned kBlocks = 1 << 16;
  constexpr size_t kItems = size_t(kBlocks) * kCopyBlock * kCopiesOfThread;  // 1 GiB
  OnDevice<uint4> from(kItems), to(kItems);
  from.fill(1);
  const double time = timer([&](cudaStream_t stream) {
    copy_items<<<kBlocks, kCopyBlock, 0, stream>>>(from.data(), to.data());
  });
  return 2 * double(from.bytes()) / time;
}

/// The passes over up to `n` items.
class Passes {
 public:
  Passes(uint32_t n, bool moves)
      : capacity_(n),
        classes_(n),
        flags_(n),
        from_(n),
        to_(n),
        scanned_(n),
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
    set_count(uint32_t(queue.size()));
  }
  /// The number of items is in device memory; kernels are launched for `capacity` items.
  void set_count(uint32_t n) { check(cudaMemcpy(n_.data(), &n, sizeof n, cudaMemcpyHostToDevice)); }
  void set_capacity(uint32_t capacity) { capacity_ = capacity; }
  ItemCount count() const { return {capacity_, n_.data()}; }

  double select_list() {
    return after_scan([&](cudaStream_t stream) {
      check(select_if(from_.data(), to_.data(), counts_.data(), count(), IsActive{classes_.data()},
                      workspace_, stream));
    });
  }
  double split_list() {
    return after_scan([&](cudaStream_t stream) {
      check(split_by<StepItems::kMaxClasses>(from_.data(), to_.data(), {counts_.data()}, count(),
                                             ClassOf{classes_.data()}, workspace_, stream));
    });
  }
  /// A step over all items that has no work if they are inactive.
  double scan() {
    return timer_([&](cudaStream_t stream) { enqueue_scan(stream); });
  }
  /// Moves states of 64 bytes by their flags.
  double select_state() {
    const auto column = [&](size_t i) {
      return Column<Item16>{columns_.data() + 2 * i * capacity_,
                            columns_.data() + (2 * i + 1) * capacity_};
    };
    const State64 sink(column(0), column(1), column(2), column(3));
    return after_scan([&](cudaStream_t stream) {
      check(select(Flagged{flags_.data()}, sink, count(), counts_.data(), workspace_, stream));
    });
  }
  void list_all() {
    std::vector<uint32_t> all(capacity_);
    for (size_t i = 0; i < all.size(); ++i) all[i] = uint32_t(i);
    from_.copy(all);
  }
  /// @param item_class  of all items; StepItems::kInactive: none is active
  void set_all(uint32_t n, uint8_t item_class) {
    classes_.fill(item_class);
    set_capacity(n);
    set_count(n);
  }
  Timer& timer() { return timer_; }

 private:
  /// Returns the time of a pass that takes turns with a step: a kernel that follows itself finds
  /// its code and its data in caches.
  template <class Call>
  double after_scan(Call call) {
    const double both = timer_([&](cudaStream_t stream) {
      enqueue_scan(stream);
      call(stream);
    });
    return std::max(0.0, both - scan());
  }
  void enqueue_scan(cudaStream_t stream) {
    constexpr uint32_t kBlock = 256, kBlocksPerSm = 8;
    int device = 0, multiprocessors = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    find_no_work<<<kBlocksPerSm * uint32_t(multiprocessors), kBlock, 0, stream>>>(
        classes_.data(), capacity_, scanned_.data());
  }

  uint32_t capacity_;
  OnDevice<uint8_t> classes_, flags_;
  OnDevice<uint32_t> from_, to_, scanned_;
  OnDevice<Item16> columns_;
  OnDevice<uint32_t> counts_{StepItems::kMaxClasses + 1};
  Workspace workspace_;
  Timer timer_;
  OnDevice<uint32_t> n_{1};
};

bool has_gpu() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
}

/// Measures the constants of the current GPU, which takes a second.
DeviceModel measure_device() {
  constexpr uint32_t kMany = uint32_t(TimesBySize::kItems.back());
  constexpr int kLaunches = 100;
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0));
  DeviceModel device{.name = properties.name, .source = "measured now"};
  device.resident_warps =
      double(properties.multiProcessorCount) * properties.maxThreadsPerMultiProcessor / kWarpSize;
  Passes passes(kMany, false);
  passes.list_all();
  const double warm_up = 2e8;  // ns, until the clocks are up
  for (double ns = 0; ns < warm_up;) {
    passes.set_all(kMany, 0);
    constexpr int kCalls = 64;
    ns += kCalls * passes.select_list();
  }
  device.launch_ns =
      passes.timer()([](cudaStream_t stream) { do_nothing<<<1, 1, 0, stream>>>(); }, kLaunches);
  device.bytes_per_ns = copy_bytes_per_ns(passes.timer());
  for (size_t i = 0; i < TimesBySize::kItems.size(); ++i) {
    const auto n = uint32_t(TimesBySize::kItems[i]);
    passes.set_all(n, 0);
    device.select_ns.full.ns[i] = passes.select_list();
    device.split_ns.full.ns[i] = passes.split_list();
    passes.set_count(1);
    device.select_ns.few.ns[i] = passes.select_list();
    device.split_ns.few.ns[i] = passes.split_list();
    passes.set_all(n, StepItems::kInactive);
    device.scan_ns.ns[i] = passes.scan();
  }
  return device;
}

/// Runs the library's kernels on the recorded items. States of other sizes than 4 and 64 bytes are
/// interpolated.
std::vector<double> time_passes(const Recording& recording, const Strategy& strategy) {
  Passes passes(recording.item_count, strategy.kind == Strategy::kMove);
  std::vector<double> times(recording.steps.size());
  std::vector<uint8_t> classes(recording.item_count);
  replay(recording, strategy, {}, [&](size_t s, const std::vector<uint32_t>& queue) {
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
