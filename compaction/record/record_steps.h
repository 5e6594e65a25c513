// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#if !defined(__CUDACC_RTC__)
#include <bit>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>
#endif

#include "compaction/simt/qualifiers.h"

// Records which items of a program are active in each of its steps, for compaction-advise.
// record/README.md shows how to use it and documents the bytes of the file.

namespace compaction {

/// What the threads of one step report: a byte per item, and 4 more if the costs are recorded.
struct StepItems {
  static constexpr uint8_t kInactive = 0xFF;
  static constexpr unsigned kMaxClasses = 32;

  uint8_t* classes = nullptr;  ///< [item], all kInactive before the step; null records nothing
  uint32_t* costs = nullptr;   ///< [item], or null

  /// Reports one item of the step. Items that no thread reports are inactive.
  ///
  /// @param item  number of the item, the same in all steps, wherever culling has moved it
  /// @param item_class  which code the item runs, [0, kMaxClasses)
  /// @param cost  clock cycles or own work, as StepFormat::cost says; capped at 2^32 - 1
  SIMT_HOST_DEVICE void record(uint64_t item, bool active, unsigned item_class = 0,
                               uint64_t cost = 0) const {
    if (!classes) return;
    classes[item] = !active ? kInactive : uint8_t(item_class < kInactive ? item_class : 0xFE);
    if (costs) costs[item] = uint32_t(cost < ~uint32_t(0) ? cost : ~uint32_t(0));
  }
};

enum class StepCost : uint32_t {
  kNone,
  kCycles,  ///< clock cycles of the whole step of the item, which lanes of a warp share
  kWork     ///< the item's own work, such as its iterations of a loop
};

struct StepFormat {
  uint32_t state_bytes = 0;  ///< state of an item that a step reads and writes
  uint32_t culled_every =
      0;  ///< the recorded program culled before each of so many steps; 0: never
  StepCost cost = StepCost::kNone;
  uint32_t resident_warps = 0;  ///< of the kernel of a step that the GPU runs at once; 0: unknown
};

#if !defined(__CUDACC_RTC__)  // only the host writes files

/// Writes a file of steps. Errors are std::runtime_error. Without finish(), it counts as cut off.
class StepFile {
 public:
  StepFile(std::ostream& to, const StepFormat& format)
      : file_(to), has_costs_(format.cost != StepCost::kNone) {
    static_assert(std::endian::native == std::endian::little);
    file_ << "CMPSTEPS";
    const uint32_t head[] = {2, format.state_bytes, format.culled_every, uint32_t(format.cost),
                             format.resident_warps};
    put(head, sizeof head);
  }

  /// Adds a step of `n` items.
  ///
  /// @param classes, costs  [n], as StepItems has written them; costs may be null without costs
  /// @param nanoseconds  duration of the step; 0: unknown
  /// @param fixed_nanoseconds  part of it that does not depend on where the items are
  void add(const uint8_t* classes, const uint32_t* costs, uint32_t n, double nanoseconds = 0,
           double fixed_nanoseconds = 0) {
    std::vector<uint32_t> words((uint64_t(n) + 31) / 32), kept_costs;
    std::vector<uint8_t> kept;
    for (uint32_t item = 0; item < n; ++item) {
      if (classes[item] == StepItems::kInactive) continue;
      if (classes[item] >= StepItems::kMaxClasses)
        throw std::runtime_error("item " + std::to_string(item) + " has a class above " +
                                 std::to_string(StepItems::kMaxClasses - 1));
      words[item / 32] |= uint32_t(1) << item % 32;
      kept.push_back(classes[item]);
      if (has_costs_) kept_costs.push_back(costs[item]);
    }
    const uint32_t head[] = {kStep, n, uint32_t(kept.size())};
    const double times[] = {nanoseconds, fixed_nanoseconds};
    hash_ = kHashBasis;
    put(head, sizeof head);
    put(times, sizeof times);
    put(words.data(), words.size() * sizeof words[0]);
    put(kept.data(), kept.size());
    put(kept_costs.data(), kept_costs.size() * sizeof(uint32_t));
    put_hash();
    ++steps_;
  }

  /// Ends the file.
  ///
  /// @param nanoseconds  duration of all steps and what is between them, not recording; 0: unknown
  void finish(double nanoseconds = 0) {
    const uint32_t head[] = {kEnd, steps_};
    hash_ = kHashBasis;
    put(head, sizeof head);
    put(&nanoseconds, sizeof nanoseconds);
    put_hash();
    if (!file_.flush()) throw std::runtime_error(kNotWritten);
  }

  static constexpr uint32_t kStep = 1, kEnd = 2, kHashBasis = 0x811C9DC5, kHashPrime = 0x01000193;

  /// Extends a hash by bytes: 32-bit FNV-1a.
  static uint32_t hash(uint32_t hash, const void* bytes, size_t count) {
    for (size_t i = 0; i < count; ++i)
      hash = (hash ^ static_cast<const uint8_t*>(bytes)[i]) * kHashPrime;
    return hash;
  }

 private:
  void put(const void* bytes, size_t count) {
    hash_ = hash(hash_, bytes, count);
    file_.write(static_cast<const char*>(bytes), std::streamsize(count));
    if (!file_) throw std::runtime_error(kNotWritten);
  }
  void put_hash() {
    const uint32_t hash = hash_;
    put(&hash, sizeof hash);
  }

  static constexpr const char* kNotWritten = "the file of steps cannot be written";

  std::ostream& file_;
  bool has_costs_;
  uint32_t hash_ = kHashBasis, steps_ = 0;
};

#endif

}  // namespace compaction
