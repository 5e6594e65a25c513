// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include "compaction/simt/host/executor.h"
#include "compaction/simt/span.h"

namespace winnow {

/// A schedule of the host executor as a parameter of a test, which is named after it.
struct NamedSchedule {
  const char* name;
  simt::host::Schedule schedule;
};
inline void PrintTo(const NamedSchedule& named, std::ostream* out) {
  *out << named.name;
}
inline std::string name_of_schedule(const testing::TestParamInfo<NamedSchedule>& info) {
  return info.param.name;
}

/// A backend of FastBvhBuilder for tests: kernels run on the host executor, and memory is
/// initialized to 0xCD bytes.
class HostBvhBackend {
 public:
  explicit HostBvhBackend(simt::host::Schedule schedule = {}) : executor_(schedule) {}

  simt::host::Executor& launcher() { return executor_; }

  template <class T>
  simt::Span<T> allocate(size_t count) {
    const size_t words = (count * sizeof(T) + sizeof(Word) - 1) / sizeof(Word) + 1;
    constexpr int kUnwritten = 0xcd;
    memory_.push_back(std::make_unique<Word[]>(words));
    std::memset(memory_.back().get(), kUnwritten, words * sizeof(Word));
    return {reinterpret_cast<T*>(memory_.back().get()), count};
  }

  template <class T>
  void clear(simt::Span<T> span) {
    std::memset(static_cast<void*>(span.data), 0, span.size * sizeof(T));
  }

  simt::Span<std::byte> workspace(size_t bytes) {
    if (bytes > workspace_.size) {
      workspace_ = allocate<std::byte>(bytes);
      clear(workspace_);
    }
    return workspace_;
  }

  simt::Span<const uint32_t> sort(simt::Span<const uint64_t> keys,
                                  simt::Span<const uint32_t> values) {
    std::vector<uint32_t> order(keys.size);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
    auto sorted = allocate<uint32_t>(values.size);
    for (size_t i = 0; i < order.size(); ++i) sorted[i] = values[order[i]];
    return sorted;
  }

  template <class T>
  T read(simt::Span<T> span) {
    return span[0];
  }

 private:
  struct alignas(256) Word {
    std::byte bytes[256];
  };

  simt::host::Executor executor_;
  std::vector<std::unique_ptr<Word[]>> memory_;
  simt::Span<std::byte> workspace_;
};

}  // namespace winnow
