// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "compaction/single_pass/split.h"
#include "tests/compaction/support/guarded_buffer.h"
#include "tests/compaction/support/select_items.h"

// Splits with memory and launches hidden. Included by tests for the host executor and for CUDA.

namespace fast {

/// The class of an item is its first byte.
struct FirstByte {
  template <class T>
  SIMT_HOST_DEVICE uint32_t operator()(const T& item) const {
    return item.bytes[0];
  }
};

struct SplitProblem {
  Bytes keys;             ///< [n], the class of each item
  uint64_t capacity = 0;  ///< maximum of a count on the device; else the count is n
  bool count_on_device = false;
  Offsets offsets = {};
  uint64_t out_capacity = ~uint64_t(0);
  bool wide_offsets = false;
};

struct SplitAnswer {
  Bytes items;                    ///< up to the output's capacity
  std::vector<uint64_t> offsets;  ///< [classes + 1]
  uint32_t overflowed;
  bool operator==(const SplitAnswer&) const = default;
};

/// Items of `item_bytes` bytes whose first byte is their class.
inline Bytes items_of_keys(const Bytes& keys, unsigned item_bytes) {
  Bytes items = make_items(item_bytes, Bytes(keys.size()));
  for (size_t i = 0; i < keys.size(); ++i) items[i * item_bytes] = keys[i];
  return items;
}

/// The definition: class after class, one item after the other.
inline SplitAnswer reference_split(unsigned classes, const Bytes& keys, const Bytes& items,
                                   uint64_t out_capacity = ~uint64_t(0)) {
  const size_t size = keys.empty() ? 1 : items.size() / keys.size();
  SplitAnswer answer{{}, {0}, 0};
  for (unsigned c = 0; c < classes; ++c) {
    for (size_t i = 0; i < keys.size(); ++i)
      if (keys[i] == c)
        answer.items.insert(answer.items.end(), items.begin() + ptrdiff_t(i * size),
                            items.begin() + ptrdiff_t((i + 1) * size));
    answer.offsets.push_back(answer.items.size() / size);
  }
  answer.overflowed = answer.offsets.back() > out_capacity;
  if (answer.overflowed) answer.items.resize(size_t(out_capacity) * size);
  return answer;
}

/// Calls split(launcher, source, sink, n, offsets, workspace) on a device.
template <unsigned kClasses, class Device>
class SplitOn {
 public:
  SplitOn(Device& device, size_t workspace_bytes)
      : device_(device), workspace_(device, workspace_bytes, 0) {}

  /// @param call  call(n, offsets, workspace)
  /// @param out   of `places` items
  template <class T, class Call>
  SplitAnswer run(const SplitProblem& problem, size_t places, Call call) {
    PlacedBuffer<T, Device> out(device_, places, problem.offsets.out);
    GuardedBuffer<uint64_t, Device> count(device_, std::vector<uint64_t>{problem.keys.size()});
    GuardedBuffer<uint32_t, Device> narrow(device_, kClasses + 1), overflowed(device_, 1);
    GuardedBuffer<uint64_t, Device> wide(device_, kClasses + 1);
    compaction::ItemCount n{problem.keys.size()};
    if (problem.count_on_device) n = {problem.capacity, static_cast<const uint64_t*>(count.data())};
    using compaction::SplitOffsets;
    call(out.data(), n,
         problem.wide_offsets
             ? SplitOffsets(wide.data(), problem.out_capacity, overflowed.data())
             : SplitOffsets(narrow.data(), problem.out_capacity, overflowed.data()),
         workspace_.span());
    device_.finish();
    workspace_.read();
    SplitAnswer answer{out.read(), {}, overflowed.read()[0]};
    if (problem.wide_offsets) {
      answer.offsets = wide.read();
    } else {
      const std::vector<uint32_t> offsets = narrow.read();
      answer.offsets.assign(offsets.begin(), offsets.end());
    }
    return answer;
  }

 private:
  Device& device_;
  GuardedBuffer<std::byte, Device> workspace_;
};

}  // namespace fast
