// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "compaction/single_pass/partition.h"
#include "compaction/single_pass/select.h"
#include "tests/compaction/support/backends.h"
#include "tests/compaction/support/guarded_buffer.h"

// Select and partition on a device. `Calls` defines how a function of the library is called there,
// and on which `Device`. select_items(), select_from_sources() and partition() are defined in
// headers of their own, and their kernels are instantiated by a source each, for the host executor
// and for CUDA.

namespace fast_on {

using namespace fast;
using compaction::DeviceCount;
using compaction::DeviceCountOut;
using compaction::ItemCount;
using compaction::SelectedCount;
using simt::Span;

/// A count in 32 or 64 bits.
template <class Device>
class CountBuffer {
 public:
  CountBuffer(Device& device, bool wide, uint64_t count)
      : wide_(wide),
        count64_(device, to_bytes<uint64_t>({count})),
        count32_(device, to_bytes<uint32_t>({uint32_t(count)})) {}

  DeviceCount in() const {
    return wide_ ? DeviceCount(count64_.data()) : DeviceCount(count32_.data());
  }
  DeviceCountOut out() const {
    return wide_ ? DeviceCountOut(count64_.data()) : DeviceCountOut(count32_.data());
  }
  uint64_t read() const { return wide_ ? count64_.read_one() : count32_.read_one(); }

 private:
  bool wide_;
  PlacedBuffer<uint64_t, Device> count64_;
  PlacedBuffer<uint32_t, Device> count32_;
};

/// Size of the outputs: as many items as are written.
inline size_t places(const SelectProblem& problem) {
  size_t kept =
      problem.keep.size() - size_t(std::count(problem.keep.begin(), problem.keep.end(), 0));
  return std::min(kept, size_t(problem.out_capacity));
}

/// A device with a workspace that all calls share, and buffers and calls on it.
template <class Calls>
class SelectDevice {
 public:
  using Device = typename Calls::Device;
  template <class T>
  using Buffer = PlacedBuffer<T, Device>;

  template <class... Args>
  explicit SelectDevice(Args... args)
      : device_(args...), kept_workspace_(device_, kKeptBytes, 0, End::kGuarded, 0) {}

  Device& device() { return device_; }

  /// The number of items, on the device if the problem requires it.
  struct Count {
    Count(Device& device, const SelectProblem& problem)
        : on_device(device, problem.wide_count, problem.keep.size() + problem.surplus) {
      n.capacity = problem.count_on_device ? problem.capacity : problem.keep.size();
      if (problem.count_on_device) n.on_device = on_device.in();
    }
    CountBuffer<Device> on_device;
    ItemCount n;
  };

  /// Column `c` of a problem.
  template <class T>
  struct ColumnBuffers {
    ColumnBuffers(Device& device, const SelectProblem& problem, size_t c)
        : in(device, make_items(sizeof(T), problem.keep, uint32_t(c)), problem.offsets.in,
             End::kOpen),
          out(device, places(problem), problem.offsets.out) {}
    compaction::Column<T> column() const { return {in.data(), out.data()}; }

    Buffer<T> in, out;
  };

  /// Runs `call(workspace)` in a workspace of `bytes`.
  template <class Call>
  void in_workspace(const SelectProblem& problem, size_t bytes, Call call) {
    if (problem.exact_workspace) {
      Buffer<std::byte> workspace(device_, bytes, 0, End::kGuarded, 0);
      call(workspace.span());
      device_.finish();
      workspace.read();
    } else {
      if (bytes > kept_workspace_.span().size) throw std::logic_error("the workspace is too small");
      call(kept_workspace_.span());
      device_.finish();
    }
  }

  template <class Source, class Sink>
  SelectResult run(const SelectProblem& problem, const Source& source, const Sink& sink) {
    Count count(device_, problem);
    CountBuffer<Device> selected(device_, problem.wide_count, kGarbage);
    Buffer<uint32_t> overflowed(device_, 1);
    SelectedCount result{.count = selected.out(),
                         .capacity = problem.out_capacity,
                         .overflowed = overflowed.data(),
                         .in_place = problem.in_place};
    in_workspace(problem, Calls::template select_bytes<Source, Sink>(count.n.capacity),
                 [&](Span<std::byte> workspace) {
                   Calls::select(device_, source, sink, count.n, result, workspace);
                 });
    if (count.on_device.read() != problem.keep.size() + problem.surplus)
      throw std::runtime_error("a kernel changed the count of items");
    return {{}, selected.read(), overflowed.read_one(), {}};
  }

  /// Runs `select(calls)` with counters for all items.
  template <class Run>
  SelectResult count_calls(const SelectProblem& problem, Run select) {
    Buffer<uint32_t> calls(device_, problem.keep.size(), 0, End::kGuarded, 0);
    SelectResult result = select(calls.span());
    result.calls = from_bytes<uint32_t>(calls.read());
    return result;
  }

  static constexpr uint64_t kGarbage = 0xA5A5A5A5A5A5A5A5;  ///< initial value of counts

 private:
  static constexpr size_t kKeptBytes = 1 << 18;  // more than any call needs

  Device device_;
  Buffer<std::byte> kept_workspace_;
};

/// How items of type T are selected by a predicate.
template <class T, class Predicate>
struct SelectItems {
  static auto source(const T* in, Predicate predicate) {
    if constexpr (simt::kHasVectors<T>)
      return compaction::ItemsIf<T, Predicate>{in, predicate};
    else if constexpr (simt::kFillsVectors<T>)
      return compaction::MultiVectorItemsIf<T, Predicate>{in, predicate};
    else
      return compaction::WordItemsIf<T, Predicate>{in, predicate};
  }
  static auto sink(T* out) {
    if constexpr (simt::kHasVectors<T>)
      return compaction::WriteItems<T>{out};
    else if constexpr (simt::kHasWords<T>)
      return compaction::WriteWords<T>(out);
    else
      return compaction::WriteBytes<T>(out);
  }
  using Source = decltype(source(nullptr, std::declval<Predicate>()));
  using Sink = decltype(sink(nullptr));
  using Job = compaction::SelectJob<Source, Sink>;
};

/// Selects items by a predicate: kItems and those that count its calls.
template <class Calls>
SelectResult select_items(SelectDevice<Calls>& device, const SelectProblem& problem);
/// Selects from all other sources, or into other sinks.
template <class Calls>
SelectResult select_from_sources(SelectDevice<Calls>& device, const SelectProblem& problem);
template <class Calls>
PartitionResult partition(SelectDevice<Calls>& device, Partition into,
                          const SelectProblem& problem);

template <class Calls>
class SelectsOn : public Selects {
 public:
  template <class... Args>
  explicit SelectsOn(Args... args) : device_(args...) {}

  SelectResult select(const SelectProblem& problem) override {
    switch (problem.select) {
      case Select::kItems:
      case Select::kCountedItems:
      case Select::kCountedLarge:
        return select_items(device_, problem);
      default:
        return select_from_sources(device_, problem);
    }
  }
  PartitionResult partition(Partition into, const SelectProblem& problem) override {
    return fast_on::partition(device_, into, problem);
  }

  uint64_t tile_items(unsigned item_bytes) override {
    return with_item(item_bytes, [](auto item) {
      using Job = typename SelectItems<decltype(item), IsKept>::Job;
      return uint64_t(Calls::template kShape<Job>.tile_chunks()) * Job::kChunkItems;
    });
  }
  uint64_t window_tiles() override {
    return Calls::template kShape<typename SelectItems<Item<4, 4>, IsKept>::Job>.reads *
           simt::kWarpSize;
  }
  uint64_t blocks() override { return device_.device().launcher().multiprocessors(); }

 private:
  SelectDevice<Calls> device_;
};

}  // namespace fast_on
