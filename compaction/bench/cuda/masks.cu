// SPDX-License-Identifier: MIT
#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cmath>
#include <cstdio>
#include <cub/device/device_select.cuh>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "compaction/append.h"
#include "compaction/bench/cuda/contenders.cuh"
#include "compaction/bench/cuda/select_result.cuh"
#include "compaction/bench/traffic.h"
#include "compaction/ladder/ballot_select.h"
#include "compaction/ladder/look_back_select.h"
#include "compaction/ladder/scan_select.h"
#include "compaction/tools/mask_file.h"

// Selects the ids of the active paths, or their state, which is three columns of 16 bytes.

namespace compaction::bench {
namespace {

using Id = uint32_t;
constexpr unsigned kStateColumns = 3;

/// A predicate on an index i: bit i % 32 of word i / 32.
struct MaskBit {
  const uint32_t* words;

  SIMT_HOST_DEVICE bool operator()(uint64_t i) const {
    return words[i / Mask::kWordBits] >> i % Mask::kWordBits & 1;
  }
};

struct RecordedMask {
  explicit RecordedMask(const Mask& mask)
      : n(mask.entries), kept(mask.kept()), host{mask.words.data()}, words(mask.words) {}

  MaskBit bit() const { return {words.data()}; }

  /// `Output` is SelectResult<..., MaskBit> or AppendResult<MaskBit>.
  template <class Output>
  std::shared_ptr<Output> result() const {
    return std::make_shared<Output>(n, kept, bit(), host);
  }

  uint64_t n, kept;
  MaskBit host;
  DeviceArray<uint32_t> words;
};

struct MaskedIds {
  MaskBit keep;
  Span<const Id> ids;

  SIMT_HOST_DEVICE bool selected(uint32_t item) const { return keep(item); }
  SIMT_HOST_DEVICE Id value(uint32_t item) const { return ids[item]; }
};

/// Appends the ids that a mask selects by block_append(), staged in shared memory.
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

auto flag_iterator(const RecordedMask& mask) {
  return thrust::make_transform_iterator(thrust::make_counting_iterator(uint64_t(0)), mask.bit());
}

/// Returns the rungs of the ladder and a kernel that appends. They select ids only.
template <class Result>
std::vector<Contender> id_ladder_contenders(const Session& session,
                                            std::shared_ptr<RecordedMask> mask,
                                            std::shared_ptr<Columns<Id, 1>> ids) {
  cudaStream_t stream = session.stream();
  MaskedIds source{mask->bit(), span_of((*ids)[0])};
  auto id_rung = [&](const char* name, size_t bytes, auto select) {
    auto call = [=](auto& to, auto& launcher, Span<std::byte> workspace) {
      (void)ids;  // read by the source
      select(launcher, source, ItemCount{mask->n}, span_of(to.columns[0]),
             span_of(to.count.on_device), workspace);
    };
    return rung(session, name, bytes, mask->result<Result>(), call);
  };
  auto appended = mask->result<AppendResult<MaskBit>>();
  auto capacity = uint32_t(mask->n);
  return {
      id_rung("scan", scan_select_bytes(capacity),
              [](auto& launcher, auto... a) { scan_select(launcher, a...); }),
      id_rung("ballot", ballot_select_bytes(capacity),
              [](auto& launcher, auto... a) { ballot_select(launcher, a...); }),
      id_rung("look_back", look_back_select_bytes(capacity),
              [](auto& launcher, auto... a) { look_back_select(launcher, a...); }),
      {"append",
       [=] {
         (void)mask, (void)ids;  // read by the source
         simt::cuda::Launcher launcher(stream);
         launcher.launch(simt::ceil_div(capacity, AppendMasked::kTileSize),
                         AppendMasked{.source = source,
                                      .out = span_of(appended->items),
                                      .count = appended->counts.next(stream)});
         check(launcher.status());
       },
       appended},
  };
}

template <class T, unsigned count>
std::vector<Contender> mask_contenders(const Session& session, Task& task, const Mask& recorded) {
  using Result = SelectResult<T, count, MaskBit>;
  cudaStream_t stream = session.stream();
  auto mask = std::make_shared<RecordedMask>(recorded);
  auto flags = new_array<uint8_t>(mask->n, mask->bit());  // for algorithms that take flags
  auto in = random_columns<T, count>(mask->n);
  task.bytes = masked_traffic(task.n, task.kept, task.item_bytes);

  auto ours = mask->result<Result>();
  auto sink = write_columns<0>(*in, ours->columns);
  auto call = [=](auto& to, const Storage& storage) {
    (void)in;  // read by the sink
    return select(Masked{mask->words.data()}, sink, ItemCount{mask->n}, {to.count.data()}, storage,
                  stream);
  };
  std::vector<Contender> all = {fast_path(ours, call)};
  if constexpr (std::is_same_v<T, Id>)
    for (Contender& contender : id_ladder_contenders<Result>(session, mask, in))
      all.push_back(std::move(contender));

  auto add_cub = [&](const char* name, auto flag) {
    auto call_cub = [=](auto& to, void* temp, size_t& bytes) {
      (void)flags;  // read by `flag`, as is `mask`
      return cub::DeviceSelect::Flagged(temp, bytes, iterator_of(*in), flag,
                                        iterator_of(to.columns), to.count.data(), int(mask->n),
                                        stream);
    };
    all.push_back(cub_contender(mask->result<Result>(), call_cub, name));
  };
  add_cub(kCub, flags->data());
  add_cub("cub (mask)", flag_iterator(*mask));
  all.push_back(thrust_contender(mask->result<Result>(), [=](auto& to) {
    auto first = iterator_of(*in), out = iterator_of(to.columns);
    auto end = thrust::copy_if(thrust::cuda::par.on(stream), first, first + mask->n, flags->data(),
                               out, IsSet());
    to.count.on_host = uint64_t(end - out);
  }));
  all.push_back(memcpy_contender(session, task));
  return all;
}

/// Rounds to tenths, enough for a table. The counts of the task are exact.
double percent(uint64_t part, uint64_t whole) {
  constexpr double kPercent = 100, kTenths = 10;
  return std::round(kTenths * kPercent * double(part) / double(whole)) / kTenths;
}

}  // namespace

void bench_masks(Session& session, const std::vector<Mask>& masks) {
  for (size_t bounce = 0; bounce < masks.size(); ++bounce) {
    const Mask& mask = masks[bounce];
    std::printf("\nbounce %zu: %u entries, %llu selected\n", bounce, unsigned(mask.entries),
                static_cast<unsigned long long>(mask.kept()));
    if (mask.entries == 0) continue;
    Task task{.suite = "masks",
              .operation = "mask_ids",
              .item_bytes = sizeof(Id),
              .n = mask.entries,
              .bounce = int(bounce),
              .keep = percent(mask.kept(), mask.entries),
              .kept = mask.kept()};
    session.race(task, [&](Task& t) { return mask_contenders<Id, 1>(session, t, mask); });
    task.operation = "mask_state";
    task.item_bytes = kStateColumns * sizeof(Item16);
    session.race(task,
                 [&](Task& t) { return mask_contenders<Item16, kStateColumns>(session, t, mask); });
  }
}

}  // namespace compaction::bench
