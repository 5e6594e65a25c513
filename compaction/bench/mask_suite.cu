#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cmath>
#include <cstdio>
#include <cub/device/device_select.cuh>
#include <memory>
#include <vector>

#include "compaction/append.h"
#include "compaction/bench/cub_call.cuh"
#include "compaction/bench/fast_path.cuh"
#include "compaction/bench/fill_random.cuh"
#include "compaction/bench/ladder.cuh"
#include "compaction/bench/mask_result.cuh"
#include "compaction/bench/race.cuh"
#include "compaction/bench/suites.cuh"
#include "compaction/bench/traffic.h"
#include "compaction/ladder/ballot_select.h"
#include "compaction/ladder/look_back_select.h"
#include "compaction/ladder/scan_select.h"

// What a wavefront renderer has to do after each bounce, on the masks of a real one: select the ids
// of the living paths, or their state, which is three columns of 16 bytes.

namespace compaction::bench {
namespace {

using Id = uint32_t;
constexpr unsigned kStateColumns = 3;

/// The ids that a mask selects, as the rungs ask for them.
struct MaskedIds {
  MaskBit keep;
  Span<const Id> ids;

  SIMT_HOST_DEVICE bool selected(uint32_t item) const { return keep(item); }
  SIMT_HOST_DEVICE Id value(uint32_t item) const { return ids[item]; }
};

/// Appends the ids that a mask selects, by the block_append() that gathers them in shared memory.
struct AppendMasked {
  static constexpr unsigned kBlockSize = 256;
  static constexpr unsigned kValues = 16;  // 64 bytes in flight for each thread
  static constexpr unsigned kTileSize = kBlockSize * kValues;
  using Shared = StagedAppendShared<Id, kBlockSize, kValues>;

  MaskedIds source;
  Span<Id> out;
  uint32_t* count;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    uint64_t first = uint64_t(block.group_index()) * kTileSize +
                     block.warp_rank() * simt::kWarpSize * kValues + block.warp().thread_rank();
    Id ids[kValues];
    bool kept[kValues];
    for (unsigned i = 0; i < kValues; ++i) {
      uint64_t item = first + i * simt::kWarpSize;
      kept[i] = item < source.ids.size && source.selected(uint32_t(item));
      ids[i] = kept[i] ? source.value(uint32_t(item)) : 0;
    }
    block_append(block, kept, ids, out, count, shared);
  }
};

struct IsSet {
  SIMT_HOST_DEVICE bool operator()(uint8_t flag) const { return flag != 0; }
};

/// The bits of a mask, for algorithms that take flags. Not timed.
std::shared_ptr<DeviceArray<uint8_t>> flags_of(const RecordedMask& mask) {
  auto flags = std::make_shared<DeviceArray<uint8_t>>(mask.n);
  fill(*flags, mask.bit());
  return flags;
}

/// The bits as an iterator over flags.
auto flag_iterator(const RecordedMask& mask) {
  return thrust::make_transform_iterator(thrust::make_counting_iterator(uint64_t(0)), mask.bit());
}

std::vector<Contender> id_contenders(const Session& session, Task& task, const Mask& recorded) {
  cudaStream_t stream = session.stream();
  auto mask = std::make_shared<RecordedMask>(recorded);
  auto flags = flags_of(*mask);
  auto ids = std::make_shared<DeviceArray<Id>>(mask->n);
  fill_random(*ids);
  int n = int(mask->n);
  task.bytes = masked_traffic(task.n, task.kept, sizeof(Id));

  auto result = [&] { return std::make_shared<MaskResult<Id, 1>>(mask); };
  MaskedIds source{mask->bit(), span_of(*ids)};
  auto id_rung = [&](const char* name, size_t bytes, auto select) {
    auto to = result();
    return rung(session, name, bytes, to, [=](auto& launcher, Span<std::byte> workspace) {
      (void)ids;
      select(launcher, source, ItemCount{mask->n}, span_of(to->columns[0]),
             span_of(to->count.on_device), workspace);
    });
  };
  auto cub_flagged = [&](const char* name, auto flag, const auto& to) {
    return Contender{name, cub_call([=](void* storage, size_t& bytes) {
                       (void)mask, (void)flags;
                       return cub::DeviceSelect::Flagged(storage, bytes, ids->data(), flag,
                                                         to->columns[0].data(),
                                                         to->count.on_device.data(), n, stream);
                     }),
                     to};
  };
  auto ours = result(), thrusts = result();
  auto appended = std::make_shared<MaskAppendResult>(mask);
  auto capacity = uint32_t(mask->n);
  return {
      {kOurs,
       fast_select(Masked{mask->words.data()},
                   WriteColumns<Id>({ids->data(), ours->columns[0].data()}), ItemCount{mask->n},
                   ours->count, {mask, ids, ours}, stream),
       ours},
      id_rung("scan", scan_select_bytes(capacity),
              [](auto& launcher, auto... a) { scan_select(launcher, a...); }),
      id_rung("ballot", ballot_select_bytes(capacity),
              [](auto& launcher, auto... a) { ballot_select(launcher, a...); }),
      id_rung("look_back", look_back_select_bytes(capacity),
              [](auto& launcher, auto... a) { look_back_select(launcher, a...); }),
      {"append",
       [=] {
         (void)mask, (void)ids;
         simt::cuda::Launcher launcher(stream);
         launcher.launch(simt::ceil_div(capacity, AppendMasked::kTileSize),
                         AppendMasked{.source = source,
                                      .out = span_of(appended->items),
                                      .count = appended->counts.next(stream)});
         check(launcher.status());
       },
       appended},
      cub_flagged(kCub, flags->data(), result()),
      cub_flagged("cub (mask)", flag_iterator(*mask), result()),
      {kThrust,  // allocates, and returns the count to the host
       [=] {
         Id* end = thrust::copy_if(thrust::cuda::par.on(stream), ids->data(), ids->data() + n,
                                   flags->data(), thrusts->columns[0].data(), IsSet());
         thrusts->count.on_host = uint64_t(end - thrusts->columns[0].data());
       },
       thrusts, /*synchronizes=*/true},
      memcpy_contender(session, task),
  };
}

using State = MaskedColumns<Item16, kStateColumns>;

/// Iterates over all columns at once.
auto zip(const State& state) {
  return thrust::make_zip_iterator(
      thrust::make_tuple(state[0].data(), state[1].data(), state[2].data()));
}

std::vector<Contender> state_contenders(const Session& session, Task& task, const Mask& recorded) {
  cudaStream_t stream = session.stream();
  auto mask = std::make_shared<RecordedMask>(recorded);
  auto flags = flags_of(*mask);
  auto in = std::make_shared<State>(mask->n);
  for (unsigned c = 0; c < kStateColumns; ++c)
    fill((*in)[c], RandomItem<Item16>{first_of_column(c)});
  int n = int(mask->n);
  task.bytes = masked_traffic(task.n, task.kept, task.item_bytes);

  auto result = [&] { return std::make_shared<MaskResult<Item16, kStateColumns>>(mask); };
  auto cub_flagged = [&](const char* name, auto flag, const auto& to) {
    return Contender{name, cub_call([=](void* storage, size_t& bytes) {
                       (void)mask, (void)flags;
                       return cub::DeviceSelect::Flagged(storage, bytes, zip(*in), flag,
                                                         zip(to->columns),
                                                         to->count.on_device.data(), n, stream);
                     }),
                     to};
  };
  auto ours = result(), thrusts = result();
  auto column = [&](unsigned c) {
    return Column<Item16>{(*in)[c].data(), ours->columns[c].data()};
  };
  return {
      {kOurs,
       fast_select(Masked{mask->words.data()},
                   WriteColumns<Item16, Item16, Item16>(column(0), column(1), column(2)),
                   ItemCount{mask->n}, ours->count, {mask, in, ours}, stream),
       ours},
      cub_flagged(kCub, flags->data(), result()),
      cub_flagged("cub (mask)", flag_iterator(*mask), result()),
      {kThrust,
       [=] {
         auto end = thrust::copy_if(thrust::cuda::par.on(stream), zip(*in), zip(*in) + n,
                                    flags->data(), zip(thrusts->columns), IsSet());
         thrusts->count.on_host = uint64_t(end - zip(thrusts->columns));
       },
       thrusts, /*synchronizes=*/true},
      memcpy_contender(session, task),
  };
}

/// In tenths, enough for a table; the counts of the task are exact.
double percent(uint64_t part, uint64_t whole) {
  constexpr double kPercent = 100, kTenths = 10;
  return std::round(kTenths * kPercent * double(part) / double(whole)) / kTenths;
}

}  // namespace

void bench_masks(Session& session, const std::vector<Mask>& masks) {
  for (size_t bounce = 0; bounce < masks.size(); ++bounce) {
    const Mask& mask = masks[bounce];
    std::printf("\nbounce %zu: of %u entries ", bounce, unsigned(mask.n));
    if (mask.n == 0) {
      std::printf("there is nothing to select\n");
      continue;
    }
    std::printf("%llu live on\n", static_cast<unsigned long long>(mask.kept()));
    Task task{.suite = "masks",
              .operation = "mask_ids",
              .item_bytes = sizeof(Id),
              .n = mask.n,
              .bounce = int(bounce),
              .keep = percent(mask.kept(), mask.n),
              .kept = mask.kept()};
    session.race(task, [&](Task& t) { return id_contenders(session, t, mask); });
    task.operation = "mask_state";
    task.item_bytes = kStateColumns * sizeof(Item16);
    session.race(task, [&](Task& t) { return state_contenders(session, t, mask); });
  }
}

}  // namespace compaction::bench
