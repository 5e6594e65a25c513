// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "tests/compaction/support/calls_host.h"

// A select and a scan on the host executor in tiles of a given shape, in one workspace.

namespace {

using compaction::ItemCount;
using compaction::ScanKind;
using compaction::TilePipeline;
using compaction::TileQueue;
using compaction::TileShape;
using compaction::TileWave;
using compaction::WaveShape;
using simt::Span;
using simt::host::Executor;
using simt::host::KernelError;
using simt::host::Order;
using simt::host::Schedule;

struct Below {
  uint32_t limit;
  SIMT_HOST_DEVICE bool operator()(uint32_t item) const { return item < limit; }
};

/// Half of all random numbers are below.
constexpr Below kBelowHalf{1u << 31};

using SelectNumbers =
    compaction::SelectJob<compaction::ItemsIf<uint32_t, Below>, compaction::WriteItems<uint32_t>>;

/// A workspace as the caller's memory: zeroed once.
struct Memory {
  explicit Memory(size_t bytes = 1 << 16, std::byte fill = {}) : bytes(bytes, fill) {}

  Span<std::byte> span() { return {bytes.data(), bytes.size()}; }
  TileQueue::State& state() { return *reinterpret_cast<TileQueue::State*>(bytes.data()); }
  uint32_t epoch() { return uint32_t(state().next >> TileQueue::kEpochShift); }
  void begin_epoch(uint32_t epoch) { state().next = uint64_t(epoch) << TileQueue::kEpochShift; }

  std::vector<std::byte> bytes;
};

inline std::vector<uint32_t> random_numbers(size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> numbers(n);
  for (uint32_t& number : numbers) number = uint32_t(random());
  return numbers;
}

inline std::vector<uint32_t> reference_below(const std::vector<uint32_t>& in, Below below) {
  std::vector<uint32_t> out;
  for (uint32_t number : in)
    if (below(number)) out.push_back(number);
  return out;
}

/// Selects the numbers below a limit, into another buffer or in place.
template <TileShape kShape>
std::vector<uint32_t> select_below(Executor& executor, Memory& memory, std::vector<uint32_t> in,
                                   Below below, bool in_place = false) {
  std::vector<uint32_t> separate(in.size());
  std::vector<uint32_t>& out = in_place ? in : separate;
  uint64_t count = ~uint64_t(0);
  SelectNumbers job{{in.data(), below}, {out.data()}, {}, {.count = &count, .in_place = in_place}};
  compaction::run_pipeline<TilePipeline<SelectNumbers, kShape>>(executor, job, ItemCount{in.size()},
                                                                memory.span());
  out.resize(count);  // throws where nothing was counted
  return out;
}

template <class T, class Op, ScanKind kKind, TileShape kShape>
std::vector<T> scan_items(Executor& executor, Memory& memory, const std::vector<T>& in,
                          bool in_place = false) {
  using Job = compaction::ScanJob<T, Op, kKind>;
  std::vector<T> out = in;
  Job job{in_place ? out.data() : in.data(), out.data(), Op(), T(Op().identity()), nullptr};
  compaction::run_pipeline<TilePipeline<Job, kShape>>(executor, job, ItemCount{in.size()},
                                                      memory.span());
  return out;
}

template <class T, class Op, ScanKind kKind>
std::vector<T> reference_scan(const std::vector<T>& in) {
  std::vector<T> out(in.size());
  T sum = T(Op().identity());
  for (size_t i = 0; i < in.size(); ++i) {
    T before = sum;
    sum = Op()(sum, in[i]);
    out[i] = kKind == ScanKind::kInclusive ? sum : before;
  }
  return out;
}

}  // namespace
