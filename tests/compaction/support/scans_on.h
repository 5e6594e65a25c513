// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "compaction/single_pass/reduce.h"
#include "compaction/single_pass/scan.h"
#include "tests/compaction/support/backends.h"
#include "tests/compaction/support/guarded_buffer.h"

// Included by one .cpp for the host executor and by one .cu for CUDA. `Calls` defines how a scan is
// called there, and on which `Device`.

namespace fast_on {

using namespace fast;
using compaction::ItemCount;
using compaction::ScanKind;
using simt::Span;

template <class Calls, class T, class Op>
class ScansOn : public Scans<T, Op> {
 public:
  using Device = typename Calls::Device;

  template <class... Args>
  explicit ScansOn(Args... args) : device_(args...) {}

  Scanned<T> scan(ScanKind kind, const ScanProblem<T>& problem) override {
    Inputs inputs(device_, problem, End::kOpen);
    Buffer separate(device_, problem.in.size(), problem.offsets.out), total(device_, 1);
    Buffer& out = problem.in_place ? inputs.in : separate;
    size_t bytes = Calls::template scan_bytes<T, Op>(inputs.n.capacity);
    PlacedBuffer<std::byte, Device> workspace(device_, bytes, 0, End::kGuarded, 0);
    auto run = [&]<ScanKind kKind>() {
      Calls::template scan<kKind>(device_, static_cast<const T*>(inputs.in.data()), inputs.n,
                                  out.data(), Op(), problem.init, total.data(), workspace.span());
    };
    if (kind == ScanKind::kInclusive)
      run.template operator()<ScanKind::kInclusive>();
    else
      run.template operator()<ScanKind::kExclusive>();
    device_.finish();
    workspace.read();
    if (!problem.in_place) inputs.expect_unchanged();
    return {from_bytes<T>(out.read()), total.read_one()};
  }

  T reduce(const ScanProblem<T>& problem) override {
    Inputs inputs(device_, problem, End::kOpen);
    Buffer result(device_, 1);
    PlacedBuffer<std::byte, Device> workspace(device_, compaction::reduce_bytes<T>(), 0,
                                              End::kGuarded, 0);
    Calls::reduce(device_, static_cast<const T*>(inputs.in.data()), inputs.n, result.data(), Op(),
                  workspace.span());
    device_.finish();
    workspace.read();
    inputs.expect_unchanged();
    return result.read_one();
  }

  uint64_t tile_items() override { return uint64_t(kShape.tile_chunks()) * Job::kChunkItems; }
  uint64_t window_tiles() override { return kShape.reads * simt::kWarpSize; }
  uint64_t blocks() override { return device_.launcher().multiprocessors(); }

 private:
  using Inputs = ScanInputs<T, Device>;
  using Buffer = PlacedBuffer<T, Device>;
  using Job = compaction::ScanJob<T, Op, ScanKind::kInclusive>;
  static constexpr compaction::TileShape kShape = Calls::template kShape<Job>;

  Device device_;
};

template <class Calls, class... T, class... Op, class... Args>
AllScans scans_on(std::tuple<ScansPointer<T, Op>...>*, Args... args) {
  return {std::make_unique<ScansOn<Calls, T, Op>>(args...)...};
}

/// Scans of all types, on devices constructed from `args`.
template <class Calls, class... Args>
AllScans make_scans(Args... args) {
  return scans_on<Calls>(static_cast<AllScans*>(nullptr), args...);
}

}  // namespace fast_on
