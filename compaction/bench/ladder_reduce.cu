#include <cub/device/device_reduce.cuh>
#include <memory>
#include <vector>

#include "compaction/bench/cub_call.cuh"
#include "compaction/bench/fast_path.cuh"
#include "compaction/bench/fill_random.cuh"
#include "compaction/bench/ladder.cuh"
#include "compaction/bench/read_contender.cuh"
#include "compaction/bench/scan_result.cuh"
#include "compaction/bench/suites.cuh"
#include "compaction/bench/traffic.h"
#include "compaction/ladder/naive_reduce.h"
#include "compaction/ladder/shuffle_reduce.h"
#include "compaction/ladder/tree_reduce.h"

namespace compaction::bench {
namespace {

std::vector<Contender> contenders(const Session& session, Task& task) {
  using T = LadderItem;
  cudaStream_t stream = session.stream();
  uint64_t n = task.n;
  auto items = std::make_shared<DeviceArray<T>>(n);
  fill_random(*items);
  task.bytes = reduce_traffic(n, sizeof(T));

  auto result = [&] { return std::make_shared<ReduceResult<T>>(n); };
  auto reduce_rung = [&](const char* name, size_t bytes, auto reduce) {
    auto to = result();
    return rung(session, name, bytes, to, [=](auto& launcher, Span<std::byte> workspace) {
      reduce(launcher, Span<const T>(span_of(*items)), ItemCount{n}, span_of(to->sum), workspace);
    });
  };
  auto ours = result(), cubs = result();
  return {
      reduce_rung("naive", naive_reduce_bytes<T>(n),
                  [](auto& launcher, auto... a) { naive_reduce(launcher, a...); }),
      reduce_rung("tree", tree_reduce_bytes<T>(n),
                  [](auto& launcher, auto... a) { tree_reduce(launcher, a...); }),
      reduce_rung("shuffle", shuffle_reduce_bytes<T>(n),
                  [](auto& launcher, auto... a) { shuffle_reduce(launcher, a...); }),
      {kOurs, fast_reduce(items, ours, stream), ours},
      {kCub, cub_call([=](void* storage, size_t& bytes) {
         return cub::DeviceReduce::Sum(storage, bytes, items->data(), cubs->sum.data(), int(n),
                                       stream);
       }),
       cubs},
      read_contender(items, stream),
      memcpy_contender(session, task),
  };
}

}  // namespace

void bench_ladder_reduce(Session& session) {
  for (uint64_t n : session.options().ladder_sizes)
    session.race(
        {.suite = "ladder", .operation = "ladder_reduce", .item_bytes = sizeof(LadderItem), .n = n},
        [&](Task& task) { return contenders(session, task); });
}

}  // namespace compaction::bench
