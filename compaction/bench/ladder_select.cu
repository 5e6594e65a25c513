#include <cub/device/device_select.cuh>
#include <memory>
#include <vector>

#include "compaction/bench/cub_call.cuh"
#include "compaction/bench/fast_path.cuh"
#include "compaction/bench/fill_random.cuh"
#include "compaction/bench/ladder.cuh"
#include "compaction/bench/select_result.cuh"
#include "compaction/bench/suites.cuh"
#include "compaction/bench/traffic.h"
#include "compaction/ladder/ballot_select.h"
#include "compaction/ladder/kogge_stone_scan.h"
#include "compaction/ladder/look_back_scan.h"
#include "compaction/ladder/look_back_select.h"
#include "compaction/ladder/scan_select.h"

namespace compaction::bench {
namespace {

using T = LadderItem;

/// The items that a predicate keeps, as the rungs ask for them.
struct ItemsBelow {
  Span<const T> items;
  Below<T> keep;

  SIMT_HOST_DEVICE bool selected(uint32_t item) const { return keep(items[item]); }
  SIMT_HOST_DEVICE T value(uint32_t item) const { return items[item]; }
};

std::vector<Contender> contenders(const Session& session, Task& task) {
  cudaStream_t stream = session.stream();
  uint64_t n = task.n;
  auto keep = keep_percent<T>(task.keep);
  auto items = std::make_shared<DeviceArray<T>>(n);
  fill_random(*items);
  task.kept = count_kept<T>(n, keep);
  task.bytes = select_traffic(n, task.kept, sizeof(T));

  auto result = [&] { return std::make_shared<SelectResult<T>>(n, keep, task.kept); };
  auto select_rung = [&](const char* name, size_t bytes, auto select) {
    auto to = result();
    return rung(session, name, bytes, to, [=](auto& launcher, Span<std::byte> workspace) {
      select(launcher, ItemsBelow{span_of(*items), keep}, ItemCount{n}, span_of(to->items),
             span_of(to->count.on_device), workspace);
    });
  };
  auto capacity = uint32_t(n);
  auto ours = result(), cubs = result();
  return {
      select_rung("scan (kogge_stone)", scan_select_bytes<KoggeStoneScan>(capacity),
                  [](auto& launcher, auto... a) { scan_select<KoggeStoneScan>(launcher, a...); }),
      select_rung("scan (brent_kung)", scan_select_bytes<BrentKungScan>(capacity),
                  [](auto& launcher, auto... a) { scan_select<BrentKungScan>(launcher, a...); }),
      select_rung("scan (look_back)", scan_select_bytes<LookBackScan>(capacity),
                  [](auto& launcher, auto... a) { scan_select<LookBackScan>(launcher, a...); }),
      select_rung("ballot", ballot_select_bytes(capacity),
                  [](auto& launcher, auto... a) { ballot_select(launcher, a...); }),
      select_rung("look_back", look_back_select_bytes(capacity),
                  [](auto& launcher, auto... a) { look_back_select(launcher, a...); }),
      {kOurs, fast_select_if(items, ours, keep, stream), ours},
      {kCub, cub_call([=](void* storage, size_t& bytes) {
         return cub::DeviceSelect::If(storage, bytes, items->data(), cubs->items.data(),
                                      cubs->count.on_device.data(), int(n), keep, stream);
       }),
       cubs},
      memcpy_contender(session, task),
  };
}

}  // namespace

void bench_ladder_select(Session& session) {
  constexpr double kKeep = 50;
  for (uint64_t n : session.options().ladder_sizes)
    session.race({.suite = "ladder",
                  .operation = "ladder_select",
                  .item_bytes = sizeof(T),
                  .n = n,
                  .keep = kKeep},
                 [&](Task& task) { return contenders(session, task); });
}

}  // namespace compaction::bench
