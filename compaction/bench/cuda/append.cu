// SPDX-License-Identifier: MIT
#include <memory>
#include <type_traits>
#include <vector>

#include "compaction/append.h"
#include "compaction/bench/cuda/contenders.cuh"
#include "compaction/bench/cuda/select_result.cuh"
#include "compaction/bench/traffic.h"
#include "compaction/simt/chunk.h"
#include "compaction/simt/cuda/launch.cuh"

namespace compaction::bench {
namespace {

using Vector = simt::Chunk<uint32_t>;

/// Copies items, one vector per thread: a kernel that keeps all items.
struct CopyItems {
  static constexpr unsigned kBlockSize = 256;
  static constexpr unsigned kTileSize = kBlockSize * Vector::kItems;
  using Shared = simt::NoShared;

  Span<const Vector> in;
  Span<Vector> out;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    uint64_t vector = uint64_t(block.group_index()) * kBlockSize + block.thread_rank();
    if (vector < in.size) out[vector] = in[vector];
  }
};

/// Stages items in shared memory if a thread has several.
template <unsigned kValues>
struct AppendByBlock {
  static constexpr unsigned kBlockSize = 256;
  static constexpr unsigned kBlocksPerSm = 6;  // 96 KiB in flight with 16 values per thread
  static constexpr unsigned kTileSize = kBlockSize * kValues;
  using Shared = std::conditional_t<kValues == 1, AppendShared<kBlockSize>,
                                    StagedAppendShared<uint32_t, kBlockSize, kValues>>;

  Span<const uint32_t> in;
  Below<uint32_t> keep;
  Span<uint32_t> out;
  uint32_t* count;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    uint64_t first = uint64_t(block.group_index()) * kTileSize +
                     block.warp_rank() * simt::kWarpSize * kValues + block.warp().thread_rank();
    uint32_t items[kValues];
    bool kept[kValues];
    if (first + (kValues - 1) * simt::kWarpSize < in.size) {
      // No branch between the loads, so that all of them are in flight at once.
      for (unsigned i = 0; i < kValues; ++i) items[i] = in[first + i * simt::kWarpSize];
      for (unsigned i = 0; i < kValues; ++i) kept[i] = keep(items[i]);
    } else {
      for (unsigned i = 0; i < kValues; ++i) {
        uint64_t item = first + i * simt::kWarpSize;
        items[i] = item < in.size ? in[item] : 0;
        kept[i] = item < in.size && keep(items[i]);
      }
    }
    block_append(block, kept, items, out, count, shared);
  }
};

struct AppendByWarp {
  static constexpr unsigned kBlockSize = 256;
  static constexpr unsigned kTileSize = kBlockSize;
  using Shared = simt::NoShared;

  Span<const uint32_t> in;
  Below<uint32_t> keep;
  Span<uint32_t> out;
  uint32_t* count;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    uint64_t item = uint64_t(block.group_index()) * kBlockSize + block.thread_rank();
    bool inside = item < in.size;
    uint32_t value = inside ? in[item] : 0;
    warp_append(block.warp(), inside && keep(value), value, out, count);
  }
};

template <class Kernel>
void launch(cudaStream_t stream, uint64_t n, const Kernel& kernel) {
  simt::cuda::Launcher launcher(stream);
  launcher.launch(uint32_t(simt::ceil_div(n, Kernel::kTileSize)), kernel);
  check(launcher.status());
}

template <class Kernel>
Contender append_contender(const char* name, cudaStream_t stream,
                           const SelectInput<uint32_t>& input) {
  KeepsItem<uint32_t> keeps{input.keep};
  auto result = std::make_shared<AppendResult<>>(input.n, input.kept, keeps, keeps);
  return {name,
          [=] {
            launch(stream, input.n,
                   Kernel{.in = span_of(*input.items),
                          .keep = input.keep,
                          .out = span_of(result->items),
                          .count = result->counts.next(stream)});
          },
          result};
}

/// The copy reads and writes half of `bytes` each, like memcpy_contender().
Contender copy_contender(cudaStream_t stream, std::shared_ptr<DeviceArray<uint32_t>> items,
                         uint64_t bytes) {
  auto copied = std::make_shared<DeviceArray<uint32_t>>(items->size());
  return {"copy kernel",
          [=, vectors = size_t(bytes / 2 / sizeof(Vector))] {
            Span<const Vector> in{reinterpret_cast<const Vector*>(items->data()), vectors};
            Span<Vector> out{reinterpret_cast<Vector*>(copied->data()), vectors};
            launch(stream, vectors * Vector::kItems, CopyItems{in, out});
          },
          nullptr};
}

std::vector<Contender> append_contenders(const Session& session, Task& task) {
  constexpr unsigned kManyValues = 16;  // 64 bytes in flight for each thread
  cudaStream_t stream = session.stream();
  SelectInput<uint32_t> input(task);
  task.bytes = select_traffic(task.n, task.kept, sizeof(uint32_t));
  return {
      append_contender<AppendByBlock<kManyValues>>("append", stream, input),
      append_contender<AppendByBlock<1>>("append (1 value)", stream, input),
      append_contender<AppendByWarp>("append (warp)", stream, input),
      copy_contender(stream, input.items, task.bytes),
      memcpy_contender(session, task),
  };
}

}  // namespace

void bench_append(Session& session) {
  session.race_selections(
      {.suite = "append", .operation = "append", .item_bytes = sizeof(uint32_t)},
      [&](Task& task) { return append_contenders(session, task); });
}

}  // namespace compaction::bench
