// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "compaction/select.h"
#include "tests/compaction/support/backends.h"
#include "tests/compaction/support/guarded_buffer.h"

// What selects_on.h needs to call select and partition.

namespace {

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
  CountBuffer(Device& device, bool wide, uint64_t count = 0)
      : wide_(wide),
        count64_(device, as_bytes(count)),
        count32_(device, as_bytes(uint32_t(count))) {}

  DeviceCount in() const {
    return wide_ ? DeviceCount(count64_.data()) : DeviceCount(count32_.data());
  }
  DeviceCountOut out() const {
    return wide_ ? DeviceCountOut(count64_.data()) : DeviceCountOut(count32_.data());
  }
  uint64_t read() const { return wide_ ? count64_.read_one() : count32_.read_one(); }

 private:
  template <class Count>
  static Bytes as_bytes(Count count) {
    Bytes bytes(sizeof(Count));
    std::memcpy(bytes.data(), &count, sizeof(Count));
    return bytes;
  }

  bool wide_;
  PlacedBuffer<uint64_t, Device> count64_;
  PlacedBuffer<uint32_t, Device> count32_;
};

/// The device, its workspace, and the arguments of a call.
template <class Calls>
class CallOn : public Selects {
 public:
  using Device = typename Calls::Device;

  template <class... Args>
  explicit CallOn(Args... args)
      : device_(args...), kept_workspace_(device_, kKeptBytes, 0, End::kGuarded, 0) {}

 protected:
  template <class T>
  using Buffer = PlacedBuffer<T, Device>;

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
    ColumnBuffers(Device& device, const SelectProblem& problem, size_t places, unsigned c)
        : in(device, make_items(sizeof(T), problem.keep, c), problem.offsets.in, End::kOpen),
          out(device, places, problem.offsets.out) {}
    compaction::Column<T> column() const { return {in.data(), out.data()}; }

    Buffer<T> in, out;
  };

  template <class T, class Predicate>
  struct SelectItems {
    using Source = std::conditional_t<simt::kHasVectors<T>, compaction::ItemsIf<T, Predicate>,
                                      compaction::LargeItemsIf<T, Predicate>>;
    using Sink = std::conditional_t<simt::kHasVectors<T>, compaction::WriteItems<T>,
                                    compaction::WriteColumns<T>>;
    using Job = compaction::SelectJob<Source, Sink>;

    static Sink sink(const T* in, T* out) {
      if constexpr (simt::kHasVectors<T>)
        return {out};
      else
        return Sink({in, out});
    }
  };

  /// Size of the outputs: as many items as are written.
  static size_t places(const SelectProblem& problem) {
    size_t kept = 0;
    for (uint8_t keep : problem.keep) kept += keep != 0;
    return kept < problem.out_capacity ? kept : size_t(problem.out_capacity);
  }

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
    size_t n = problem.keep.size();
    Buffer<uint32_t> calls(device_, n, 0, End::kGuarded, 0);
    SelectResult result = select(calls.span());
    Bytes bytes = calls.read();
    result.calls.resize(n);
    if (n > 0) std::memcpy(result.calls.data(), bytes.data(), bytes.size());
    return result;
  }

  static constexpr uint64_t kGarbage = 0xA5A5A5A5A5A5A5A5;  // initial value of counts
  static constexpr size_t kKeptBytes = 1 << 18;             // more than any call needs

  Device device_;
  Buffer<std::byte> kept_workspace_;
};

}  // namespace fast_on

}  // namespace
