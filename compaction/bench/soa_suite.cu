#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cub/device/device_select.cuh>
#include <memory>
#include <vector>

#include "compaction/bench/columns_result.cuh"
#include "compaction/bench/cub_call.cuh"
#include "compaction/bench/fast_path.cuh"
#include "compaction/bench/fill_random.cuh"
#include "compaction/bench/race.cuh"
#include "compaction/bench/suites.cuh"
#include "compaction/bench/traffic.h"

namespace compaction::bench {
namespace {

/// Decides by the first column.
struct FirstBelow {
  Below<Item16> keep;

  template <class Tuple>
  __host__ __device__ bool operator()(const Tuple& items) const {
    return keep(thrust::get<0>(items));
  }
};

/// Iterates over all columns at once.
auto zip(const Columns& columns) {
  return thrust::make_zip_iterator(thrust::make_tuple(columns[0].data(), columns[1].data(),
                                                      columns[2].data(), columns[3].data()));
}

/// Sink of columns [first, kColumns).
template <unsigned first>
auto write_columns(const Columns& in, const Columns& out) {
  auto column = [&](unsigned c) { return Column<Item16>{in[c].data(), out[c].data()}; };
  if constexpr (first == 0)
    return WriteColumns<Item16, Item16, Item16, Item16>(column(0), column(1), column(2), column(3));
  else
    return WriteColumns<Item16, Item16, Item16>(column(1), column(2), column(3));
}

std::vector<Contender> contenders(const Session& session, Task& task) {
  cudaStream_t stream = session.stream();
  auto keep = keep_percent<Item16>(task.keep);
  auto in = std::make_shared<Columns>(task.n);
  for (unsigned c = 0; c < kColumns; ++c) fill((*in)[c], RandomItem<Item16>{first_of_column(c)});
  task.kept = count_kept<Item16>(task.n, keep);
  task.bytes = select_traffic(task.n, task.kept, task.item_bytes);
  int n = int(task.n);

  auto result = [&] { return std::make_shared<ColumnsResult>(task.n, keep, task.kept); };
  auto fetched = result(), held = result(), cubs = result();
  return {
      // Reads the columns of kept items only, the first one twice.
      {"fetches all",
       fast_select(ItemsIf<Item16, Below<Item16>>{(*in)[0].data(), keep},
                   write_columns<0>(*in, fetched->columns), ItemCount{task.n}, fetched->count,
                   {in, fetched}, stream),
       fetched},
      // Holds the first column in shared memory until it is written.
      {kOurs,
       fast_select(ItemsIf<Item16, Below<Item16>>{(*in)[0].data(), keep},
                   WriteBoth<WriteItems<Item16>, decltype(write_columns<1>(*in, *in))>{
                       {held->columns[0].data()}, write_columns<1>(*in, held->columns)},
                   ItemCount{task.n}, held->count, {in, held}, stream),
       held},
      {kCub, cub_call([=](void* storage, size_t& bytes) {
         return cub::DeviceSelect::If(storage, bytes, zip(*in), zip(cubs->columns),
                                      cubs->count.on_device.data(), n, FirstBelow{keep}, stream);
       }),
       cubs},
      memcpy_contender(session, task),
  };
}

}  // namespace

void bench_soa(Session& session) {
  for (uint64_t n : session.options().sizes)
    for (double keep : session.options().keep)
      session.race({.suite = "soa",
                    .operation = "select_soa",
                    .item_bytes = kColumns * sizeof(Item16),
                    .n = n,
                    .keep = keep},
                   [&](Task& task) { return contenders(session, task); });
}

}  // namespace compaction::bench
