// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <stdexcept>
#include <tuple>

#include "compaction/ladder/hillis_steele_scan.h"
#include "compaction/ladder/multi_block_reduce.h"
#include "compaction/ladder/multi_block_scan.h"
#include "compaction/ladder/naive_scan.h"
#include "compaction/ladder/shuffle_reduce.h"
#include "compaction/ladder/single_pass_scan.h"
#include "tests/compaction/ladder/support/ladder.h"
#include "tests/compaction/support/guarded_buffer.h"

// Included by one .cpp for the host executor and by one .cu for CUDA. `Device` is HostDevice or
// CudaDevice.

/// Calls `use` with the type of `rung`.
template <class Use>
auto with_scan(ScanRung rung, Use use) {
  switch (rung) {
    case ScanRung::kNaive:
      return use(compaction::NaiveScan());
    case ScanRung::kHillisSteele:
      return use(compaction::HillisSteeleScan());
    case ScanRung::kKoggeStone:
      return use(compaction::KoggeStoneScan());
    case ScanRung::kBrentKung:
      return use(compaction::BrentKungScan());
    case ScanRung::kCoarsened:
      return use(compaction::CoarsenedScan());
    case ScanRung::kChained:
      return use(compaction::ChainedScan());
    case ScanRung::kLookBack:
      return use(compaction::LookBackScan());
  }
  throw std::logic_error("no such scan");
}

template <class T>
size_t scan_bytes(ScanRung rung, uint64_t capacity) {
  return with_scan(rung, [&](auto scan) { return decltype(scan)::template bytes<T>(capacity); });
}

/// Initial bytes of a workspace: zero where the scan requires that, else anything.
inline uint8_t workspace_fill(ScanRung rung) {
  bool zeroed = rung == ScanRung::kChained || rung == ScanRung::kLookBack;
  return zeroed ? 0 : 0xA5;
}

template <class Launcher, class... Arguments>
void launch_scan(Launcher& launcher, ScanRung rung, compaction::ScanKind kind,
                 Arguments... arguments) {
  with_scan(rung, [&](auto scan) {
    if (kind == compaction::ScanKind::kInclusive)
      decltype(scan)::inclusive(launcher, arguments...);
    else
      decltype(scan)::exclusive(launcher, arguments...);
  });
}

template <class T>
size_t reduce_bytes(ReduceRung rung, uint64_t capacity) {
  switch (rung) {
    case ReduceRung::kNaive:
      return compaction::naive_reduce_bytes<T>(capacity);
    case ReduceRung::kTree:
      return compaction::tree_reduce_bytes<T>(capacity);
    case ReduceRung::kShuffle:
      return compaction::shuffle_reduce_bytes<T>(capacity);
  }
  throw std::logic_error("no such reduction");
}

template <class Launcher, class... Arguments>
void launch_reduce(Launcher& launcher, ReduceRung rung, Arguments... arguments) {
  switch (rung) {
    case ReduceRung::kNaive:
      return compaction::naive_reduce(launcher, arguments...);
    case ReduceRung::kTree:
      return compaction::tree_reduce(launcher, arguments...);
    case ReduceRung::kShuffle:
      return compaction::shuffle_reduce(launcher, arguments...);
  }
}

namespace {

template <class Device, class T, class Op>
class LadderOn : public Ladder<T, Op> {
 public:
  template <class... Args>
  explicit LadderOn(Args... args) : device_(args...) {}

  T reduce(ReduceRung rung, const fast::ScanProblem<T>& problem) override {
    Inputs inputs(device_, problem, fast::End::kGuarded);
    Buffer result(device_, 1);
    GuardedBuffer<std::byte, Device> workspace(device_, reduce_bytes<T>(rung, inputs.n.capacity));
    launch_reduce(device_.launcher(), rung, inputs.items(), inputs.n, result.span(),
                  workspace.span(), Op());
    device_.finish();
    workspace.read();
    inputs.expect_unchanged();
    return result.read_one();
  }

  Scanned<T> scan(ScanRung rung, compaction::ScanKind kind,
                  const fast::ScanProblem<T>& problem) override {
    Inputs inputs(device_, problem, fast::End::kGuarded);
    Buffer separate(device_, problem.in.size()), total(device_, 1);
    Buffer& out = problem.in_place ? inputs.in : separate;
    GuardedBuffer<std::byte, Device> workspace(device_, scan_bytes<T>(rung, inputs.n.capacity),
                                               workspace_fill(rung));
    launch_scan(device_.launcher(), rung, kind, inputs.items(), inputs.n, out.span(),
                workspace.span(), Op(), total.span());
    device_.finish();
    workspace.read();
    if (!problem.in_place) inputs.expect_unchanged();
    return {fast::from_bytes<T>(out.read()), total.read_one()};
  }

 private:
  using Inputs = fast::ScanInputs<T, Device>;
  using Buffer = fast::PlacedBuffer<T, Device>;

  Device device_;
};

template <class Device, class... T, class... Op, class... Args>
Ladders ladders_on(std::tuple<LadderPointer<T, Op>...>*, Args... args) {
  return {std::make_unique<LadderOn<Device, T, Op>>(args...)...};
}

/// The ladder for all types, on devices constructed from `args`.
template <class Device, class... Args>
Ladders make_ladders(Args... args) {
  return ladders_on<Device>(static_cast<Ladders*>(nullptr), args...);
}

}  // namespace
