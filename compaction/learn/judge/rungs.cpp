// SPDX-License-Identifier: MIT
// Compiled with the compiler's hooks, like the functions that the rungs are compared with.

#include "compaction/learn/judge/rungs.h"

#include <stdexcept>
#include <string>

#include "compaction/append.h"
#include "compaction/ladder/ballot_select.h"
#include "compaction/ladder/hillis_steele_scan.h"
#include "compaction/ladder/look_back_select.h"
#include "compaction/ladder/multi_block_reduce.h"
#include "compaction/ladder/multi_block_scan.h"
#include "compaction/ladder/naive_scan.h"
#include "compaction/ladder/scan_select.h"
#include "compaction/ladder/shuffle_reduce.h"
#include "compaction/ladder/single_pass_scan.h"
#include "compaction/single_pass/reduce.h"
#include "compaction/single_pass/scan.h"
#include "compaction/single_pass/select.h"

namespace compaction::judge {

namespace {

struct NotZero {
  Span<const uint32_t> in;

  bool selected(uint32_t item) const { return in[item] != 0; }
  uint32_t value(uint32_t item) const { return in[item]; }
};

struct IsNotZero {
  bool operator()(uint32_t item) const { return item != 0; }
};

template <class Scan>
void scan(const Arguments& a) {
  Scan::exclusive(a.launcher, a.in, ItemCount{a.n()}, a.out,
                  zeroed_device_array<std::byte>(Scan::template bytes<uint32_t>(a.n())),
                  Sum<uint32_t>());
}

template <class Reduce>
Function reduction(size_t (*bytes)(uint64_t), Reduce reduce) {
  return [=](const Arguments& a) {
    reduce(a.launcher, a.in, ItemCount{a.n()}, a.out, device_array<std::byte>(bytes(a.n())));
  };
}

void single_pass_reduction(const Arguments& a) {
  reduce(a.launcher, a.in.data, ItemCount{a.n()}, a.out.data, Sum<uint32_t>(),
         zeroed_device_array<std::byte>(reduce_bytes<uint32_t>()));
}

void single_pass_scan(const Arguments& a) {
  exclusive_scan(a.launcher, a.in.data, ItemCount{a.n()}, a.out.data, Sum<uint32_t>(), 0u,
                 static_cast<uint32_t*>(nullptr),
                 zeroed_device_array<std::byte>(scan_bytes<uint32_t>(a.n())));
}

template <class Scan>
void select_by_scan(const Arguments& a) {
  scan_select<Scan>(a.launcher, NotZero{a.in}, ItemCount{a.n()}, a.out, a.count,
                    zeroed_device_array<std::byte>(scan_select_bytes<Scan>(a.n())));
}

void select_by_ballots(const Arguments& a) {
  ballot_select(a.launcher, NotZero{a.in}, ItemCount{a.n()}, a.out, a.count,
                device_array<std::byte>(ballot_select_bytes(a.n())));
}

void select_by_look_back(const Arguments& a) {
  look_back_select(a.launcher, NotZero{a.in}, ItemCount{a.n()}, a.out, a.count,
                   zeroed_device_array<std::byte>(look_back_select_bytes(a.n())));
}

void single_pass_select(const Arguments& a) {
  using Source = ItemsIf<uint32_t, IsNotZero>;
  using Sink = WriteItems<uint32_t>;
  select(a.launcher, Source{a.in.data, IsNotZero{}}, Sink{a.out.data}, ItemCount{a.n()},
         {a.count.data}, zeroed_device_array<std::byte>(select_bytes<Source, Sink>(a.n())));
}

/// Appends the items that are not 0 to `out`, each block after those that appended before it.
struct AppendNotZero {
  static constexpr unsigned kBlockSize = 256;
  using Shared = StagedAppendShared<uint32_t, kBlockSize, 1>;

  Span<const uint32_t> in;
  Span<uint32_t> out;
  uint32_t* count;

  void operator()(simt::Block auto& block, Shared& shared) const {
    const uint32_t item = block.group_index() * kBlockSize + block.thread_rank();
    const uint32_t values[1] = {item < in.size ? in[item] : 0};
    const bool push[1] = {values[0] != 0};
    block_append(block, push, values, out, count, shared);
  }
};

void append(const Arguments& a) {
  a.set_count(0);
  a.launcher.launch(simt::ceil_div(a.n(), AppendNotZero::kBlockSize),
                    AppendNotZero{a.in, a.out, a.count.data});
}

}  // namespace

const std::vector<Rung>& rungs() {
  static const std::vector<Rung> all = {
      {"naive_reduce", Task::kReduce, false,
       reduction(naive_reduce_bytes<uint32_t>, [](auto&&... a) { naive_reduce(a...); })},
      {"tree_reduce", Task::kReduce, false,
       reduction(tree_reduce_bytes<uint32_t>, [](auto&&... a) { tree_reduce(a...); })},
      {"shuffle_reduce", Task::kReduce, false,
       reduction(shuffle_reduce_bytes<uint32_t>, [](auto&&... a) { shuffle_reduce(a...); })},
      {"single_pass_reduce", Task::kReduce, false, single_pass_reduction},
      {"naive_scan", Task::kScan, false, scan<NaiveScan>},
      {"hillis_steele_scan", Task::kScan, false, scan<HillisSteeleScan>},
      {"kogge_stone_scan", Task::kScan, false, scan<KoggeStoneScan>},
      {"brent_kung_scan", Task::kScan, false, scan<BrentKungScan>},
      {"coarsened_scan", Task::kScan, false, scan<CoarsenedScan>},
      {"chained_scan", Task::kScan, false, scan<ChainedScan>},
      {"look_back_scan", Task::kScan, false, scan<LookBackScan>},
      {"single_pass_scan", Task::kScan, false, single_pass_scan},
      {"scan_select", Task::kSelect, false, select_by_scan<BrentKungScan>},
      {"ballot_select", Task::kSelect, false, select_by_ballots},
      {"look_back_select", Task::kSelect, false, select_by_look_back},
      {"single_pass_select", Task::kSelect, false, single_pass_select},
      {"append", Task::kSelect, true, append},
  };
  return all;
}

const Rung* find_rung(std::string_view name) {
  for (const Rung& rung : rungs())
    if (rung.name == name) return &rung;
  return nullptr;
}

const Rung& rung_beside(std::string_view file, Task task) {
  file = file.substr(file.rfind('/') + 1);
  const Rung* same_name = find_rung(file.substr(0, file.rfind('.')));
  if (same_name && same_name->task == task) return *same_name;
  return *find_rung(task == Task::kReduce ? "tree_reduce"
                    : task == Task::kScan ? "brent_kung_scan"
                                          : "ballot_select");
}

}  // namespace compaction::judge
