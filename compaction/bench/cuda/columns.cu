// SPDX-License-Identifier: MIT
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cub/device/device_select.cuh>
#include <memory>
#include <vector>

#include "compaction/bench/cuda/baselines.cuh"
#include "compaction/bench/cuda/fast_path.cuh"
#include "compaction/bench/cuda/race.cuh"
#include "compaction/bench/cuda/select_result.cuh"
#include "compaction/bench/cuda/suites.cuh"
#include "compaction/bench/traffic.h"

namespace compaction::bench {
namespace {

constexpr unsigned kColumns = 4;

using FourColumns = Columns<Item16, kColumns>;

/// Decides by the first column.
struct FirstBelow {
  Below<Item16> keep;

  template <class Tuple>
  __host__ __device__ bool operator()(const Tuple& items) const {
    return keep(thrust::get<0>(items));
  }
};

/// Iterates over all columns at once.
auto zip(const FourColumns& columns) {
  return thrust::make_zip_iterator(thrust::make_tuple(columns[0].data(), columns[1].data(),
                                                      columns[2].data(), columns[3].data()));
}

/// Sink of columns [first, kColumns).
template <unsigned first>
auto write_columns(const FourColumns& in, const FourColumns& out) {
  auto column = [&](unsigned c) { return Column<Item16>{in[c].data(), out[c].data()}; };
  if constexpr (first == 0)
    return WriteColumns<Item16, Item16, Item16, Item16>(column(0), column(1), column(2), column(3));
  else
    return WriteColumns<Item16, Item16, Item16>(column(1), column(2), column(3));
}

std::vector<Contender> column_contenders(const Session& session, Task& task) {
  using Result = SelectResult<Item16, kColumns>;
  cudaStream_t stream = session.stream();
  auto keep = keep_percent<Item16>(task.keep);
  auto in = random_columns<Item16, kColumns>(task.n);
  task.kept = count_kept<Item16>(task.n, keep);
  task.bytes = select_traffic(task.n, task.kept, task.item_bytes);
  ItemsIf<Item16, Below<Item16>> source{(*in)[0].data(), keep};

  auto fast_select = [&](const char* name, const auto& make_sink) {
    auto to = std::make_shared<Result>(task.n, task.kept, keep);
    auto sink = make_sink(to->columns);
    return fast_path(
        select_bytes<decltype(source), decltype(sink)>(task.n), to,
        [=, n = task.n](Span<std::byte> workspace) {
          (void)in;  // read by the source
          return select(source, sink, ItemCount{n}, {to->count.on_device.data()}, workspace,
                        stream);
        },
        name);
  };
  auto cubs = std::make_shared<Result>(task.n, task.kept, keep);
  return {
      // Reads the columns of selected items only, the first one twice.
      fast_select("fetches all",
                  [&](const FourColumns& out) { return write_columns<0>(*in, out); }),
      // Keeps the first column in shared memory until it is written.
      fast_select(kOurs,
                  [&](const FourColumns& out) {
                    auto others = write_columns<1>(*in, out);
                    return WriteBoth<WriteItems<Item16>, decltype(others)>{{out[0].data()}, others};
                  }),
      {kCub, cub_call([=, n = int(task.n)](void* storage, size_t& bytes) {
         return cub::DeviceSelect::If(storage, bytes, zip(*in), zip(cubs->columns),
                                      cubs->count.on_device.data(), n, FirstBelow{keep}, stream);
       }),
       cubs},
      memcpy_contender(session, task),
  };
}

}  // namespace

void bench_columns(Session& session) {
  for (uint64_t n : session.options().sizes)
    for (double keep : session.options().keep)
      session.race({.suite = "soa",
                    .operation = "select_soa",
                    .item_bytes = kColumns * sizeof(Item16),
                    .n = n,
                    .keep = keep},
                   [&](Task& task) { return column_contenders(session, task); });
}

}  // namespace compaction::bench
