#include <cub/device/device_scan.cuh>
#include <memory>
#include <utility>
#include <vector>

#include "compaction/bench/cub_call.cuh"
#include "compaction/bench/fast_path.cuh"
#include "compaction/bench/fill_random.cuh"
#include "compaction/bench/ladder.cuh"
#include "compaction/bench/scan_result.cuh"
#include "compaction/bench/suites.cuh"
#include "compaction/bench/traffic.h"
#include "compaction/ladder/brent_kung_scan.h"
#include "compaction/ladder/chained_scan.h"
#include "compaction/ladder/coarsened_scan.h"
#include "compaction/ladder/hillis_steele_scan.h"
#include "compaction/ladder/kogge_stone_scan.h"
#include "compaction/ladder/look_back_scan.h"
#include "compaction/ladder/naive_scan.h"

namespace compaction::bench {
namespace {

using T = LadderItem;

template <class Scan>
Contender scan_rung(const Session& session, const char* name, Items<T> items) {
  uint64_t n = items->size();
  auto to = std::make_shared<ScanResult<T>>(n, ScanKind::kExclusive);
  return rung(session, name, Scan::template bytes<T>(n), to,
              [=](auto& launcher, Span<std::byte> workspace) {
                Scan::exclusive(launcher, Span<const T>(span_of(*items)), ItemCount{n},
                                span_of(to->items), workspace, Sum<T>());
              });
}

std::vector<Contender> contenders(const Session& session, Task& task) {
  constexpr uint64_t kMaxNaive = 1 << 16;  // its work grows with the square
  cudaStream_t stream = session.stream();
  uint64_t n = task.n;
  auto items = std::make_shared<DeviceArray<T>>(n);
  fill_random(*items);
  task.bytes = scan_traffic(n, sizeof(T));

  std::vector<Contender> all;
  if (n <= kMaxNaive) all.push_back(scan_rung<NaiveScan>(session, "naive", items));
  all.push_back(scan_rung<HillisSteeleScan>(session, "hillis_steele", items));
  all.push_back(scan_rung<KoggeStoneScan>(session, "kogge_stone", items));
  all.push_back(scan_rung<BrentKungScan>(session, "brent_kung", items));
  all.push_back(scan_rung<CoarsenedScan>(session, "coarsened", items));
  all.push_back(scan_rung<ChainedScan>(session, "chained", items));
  all.push_back(scan_rung<LookBackScan>(session, "look_back", items));
  auto ours = std::make_shared<ScanResult<T>>(n, ScanKind::kExclusive);
  all.push_back({kOurs, fast_scan(ScanKind::kExclusive, items, ours, stream), ours});
  auto cubs = std::make_shared<ScanResult<T>>(n, ScanKind::kExclusive);
  all.push_back({kCub, cub_call([=](void* storage, size_t& bytes) {
                   return cub::DeviceScan::ExclusiveSum(storage, bytes, items->data(),
                                                        cubs->items.data(), int(n), stream);
                 }),
                 cubs});
  all.push_back(memcpy_contender(session, task));
  return all;
}

}  // namespace

void bench_ladder_scan(Session& session) {
  for (uint64_t n : session.options().ladder_sizes)
    session.race({.suite = "ladder", .operation = "ladder_scan", .item_bytes = sizeof(T), .n = n},
                 [&](Task& task) { return contenders(session, task); });
}

}  // namespace compaction::bench
