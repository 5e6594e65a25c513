// SPDX-License-Identifier: MIT
#include <cstddef>
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

}  // namespace

void run_on_host(const SelectCall& call, const simt::host::Schedule& schedule) {
  Executor executor(schedule);
  with_item(call.item_bytes, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    using Source = compaction::Flagged;
    using Sink = compaction::WriteColumns<T>;
    const auto* in = static_cast<const T*>(call.items);
    const Sink selected({in, static_cast<T*>(call.selected)});
    if (call.rejected) {
      Zeros zeros(compaction::partition_bytes<Source, Sink>(call.n));
      compaction::partition(executor, Source{call.flags}, selected,
                            Sink({in, static_cast<T*>(call.rejected)}), call.n, {call.count},
                            workspace_of(zeros));
    } else {
      Zeros zeros(compaction::select_bytes<Source, Sink>(call.n));
      compaction::select(executor, Source{call.flags}, selected, call.n, {call.count},
                         workspace_of(zeros));
    }
  });
}

void run_on_host(const ScanCall& call, const simt::host::Schedule& schedule) {
  Executor executor(schedule);
  with_scan(call, [&]<class T>(const T* in, T* out, auto op) {
    Zeros zeros(compaction::scan_bytes<T, decltype(op)>(call.n));
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
  with_item(call.item_bytes, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    using Sink = compaction::WriteColumns<T>;
    const Sink sink({static_cast<const T*>(call.items), static_cast<T*>(call.out)});
    const IndicesByAnyKey source{call.keys, call.key_type};
    auto split = [&]<unsigned kClasses>(std::integral_constant<unsigned, kClasses>) {
      Zeros zeros(compaction::split_bytes<kClasses, IndicesByAnyKey, Sink>(call.n));
      compaction::split<kClasses>(executor, source, sink, call.n, {call.offsets},
                                  workspace_of(zeros));
    };
    if (call.classes_of_kernel() == SplitCall::kFewClasses)
      split(std::integral_constant<unsigned, SplitCall::kFewClasses>());
    else
      split(std::integral_constant<unsigned, SplitCall::kMaxClasses>());
  });
}

}  // namespace winnow::python
