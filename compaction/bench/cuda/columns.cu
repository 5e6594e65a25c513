// SPDX-License-Identifier: MIT
#include <cub/device/device_select.cuh>
#include <memory>
#include <vector>

#include "compaction/bench/cuda/contenders.cuh"
#include "compaction/bench/cuda/select_result.cuh"
#include "compaction/bench/traffic.h"

namespace compaction::bench {
namespace {

constexpr unsigned kColumns = 4;

using FourColumns = Columns<Item16, kColumns>;

struct FirstBelow {
  Below<Item16> keep;

  template <class Tuple>
  __host__ __device__ bool operator()(const Tuple& items) const {
    return keep(thrust::get<0>(items));
  }
};

std::vector<Contender> column_contenders(const Session& session, Task& task) {
  using Result = SelectResult<Item16, kColumns>;
  cudaStream_t stream = session.stream();
  auto keep = keep_percent<Item16>(task.keep);
  auto in = random_columns<Item16, kColumns>(task.n);
  task.kept = count_kept<Item16>(task.n, keep);
  task.bytes = select_traffic(task.n, task.kept, task.item_bytes);
  ItemsIf<Item16, Below<Item16>> source{(*in)[0].data(), keep};

  auto result = [&] { return std::make_shared<Result>(task.n, task.kept, keep); };
  auto fast_select = [&](const char* name, const auto& make_sink) {
    auto to = result();
    auto call = [=, sink = make_sink(to->columns)](auto& to, const Storage& storage) {
      (void)in;  // read by the source
      return select(source, sink, ItemCount{task.n}, {to.count.data()}, storage, stream);
    };
    return fast_path(to, call, name);
  };
  auto call_cub = [=](auto& to, void* temp, size_t& bytes) {
    return cub::DeviceSelect::If(temp, bytes, iterator_of(*in), iterator_of(to.columns),
                                 to.count.data(), int(task.n), FirstBelow{keep}, stream);
  };
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
      cub_contender(result(), call_cub),
      memcpy_contender(session, task),
  };
}

}  // namespace

void bench_columns(Session& session) {
  session.race_selections(
      {.suite = "soa", .operation = "select_soa", .item_bytes = kColumns * sizeof(Item16)},
      [&](Task& task) { return column_contenders(session, task); });
}

}  // namespace compaction::bench
