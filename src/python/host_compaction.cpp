// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstring>
#include <numeric>
#include <vector>

#include "compaction/simt/host/executor.h"
#include "compaction/single_pass/partition.h"
#include "compaction/single_pass/scan.h"
#include "compaction/single_pass/select.h"
#include "compaction/single_pass/split.h"
#include "python/compaction_calls.h"

namespace winnow::python {
namespace {

using simt::host::Executor;

using Zeros = std::vector<std::byte>;

simt::Span<std::byte> workspace_of(Zeros& zeros) {
  return {zeros.data(), zeros.size()};
}

// Kernels are compiled for one type of items, which are the indices of the items of a call, and for
// one operator of each type of values.
using Indices = std::vector<uint64_t>;
using Sink = compaction::WriteColumns<uint64_t>;

Indices indices_below(uint64_t n) {
  Indices indices(n);
  std::iota(indices.begin(), indices.end(), uint64_t(0));
  return indices;
}

/// Copies items[indices[i]] to out[i] for i in [0, count).
void gather(const void* items, const Indices& indices, uint64_t count, unsigned item_bytes,
            void* out) {
  for (uint64_t i = 0; i < count; ++i)
    std::memcpy(static_cast<std::byte*>(out) + i * item_bytes,
                static_cast<const std::byte*>(items) + indices[i] * item_bytes, item_bytes);
}

template <class T>
struct AnyOperator {
  static constexpr bool kCommutative = true;
  ScanOp kind;

  T identity() const {
    return of([](auto op) { return op.identity(); });
  }
  T operator()(T a, T b) const {
    return of([&](auto op) { return op(a, b); });
  }

 private:
  template <class Use>
  T of(Use use) const {
    T result;
    with_operator<T>(kind, [&](auto op) { result = use(op); });
    return result;
  }
};

}  // namespace

void run_on_host(const SelectCall& call, const simt::host::Schedule& schedule) {
  using Source = compaction::Flagged;
  Executor executor(schedule);
  const Indices all = indices_below(call.n);
  Indices selected(call.n), rejected(call.rejected ? call.n : 0);
  const Sink sink({all.data(), selected.data()});
  if (call.rejected) {
    Zeros zeros(compaction::partition_bytes<Source, Sink>(call.n));
    compaction::partition(executor, Source{call.flags}, sink, Sink({all.data(), rejected.data()}),
                          call.n, {call.count}, workspace_of(zeros));
    gather(call.items, rejected, call.n - uint64_t(*call.count), call.item_bytes, call.rejected);
  } else {
    Zeros zeros(compaction::select_bytes<Source, Sink>(call.n));
    compaction::select(executor, Source{call.flags}, sink, call.n, {call.count},
                       workspace_of(zeros));
  }
  gather(call.items, selected, uint64_t(*call.count), call.item_bytes, call.selected);
}

void run_on_host(const ScanCall& call, const simt::host::Schedule& schedule) {
  Executor executor(schedule);
  with_scan_type(call, [&]<class T>(const T* in, T* out) {
    const AnyOperator<T> op{call.op};
    Zeros zeros(compaction::scan_bytes<T, AnyOperator<T>>(call.n));
    T* const no_total = nullptr;
    if (call.kind == compaction::ScanKind::kInclusive)
      compaction::inclusive_scan(executor, in, call.n, out, op, op.identity(), no_total,
                                 workspace_of(zeros));
    else
      compaction::exclusive_scan(executor, in, call.n, out, op, op.identity(), no_total,
                                 workspace_of(zeros));
  });
}

void run_on_host(const SplitCall& call, const simt::host::Schedule& schedule) {
  Executor executor(schedule);
  const Indices all = indices_below(call.n);
  Indices moved(call.n);
  const Sink sink({all.data(), moved.data()});
  const IndicesByAnyKey source{call.keys, call.key_type};
  auto split = [&]<unsigned kClasses>(std::integral_constant<unsigned, kClasses>) {
    Zeros zeros(compaction::split_bytes<kClasses, IndicesByAnyKey, Sink>(call.n));
    compaction::split<kClasses>(executor, source, sink, call.n, {call.offsets},
                                workspace_of(zeros));
    gather(call.items, moved, uint64_t(call.offsets[kClasses]), call.item_bytes, call.out);
  };
  if (call.classes_of_kernel() == SplitCall::kFewClasses)
    split(std::integral_constant<unsigned, SplitCall::kFewClasses>());
  else
    split(std::integral_constant<unsigned, SplitCall::kMaxClasses>());
}

}  // namespace winnow::python
