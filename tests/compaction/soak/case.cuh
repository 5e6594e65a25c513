// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tests/compaction/soak/draw_input.h"
#include "tests/compaction/soak/lane.cuh"

namespace soak {

/// An array of a case: where it is on the device, what is uploaded, and what is expected of it.
template <class T>
struct Array {
  T* device = nullptr;
  T* uploaded = nullptr;
  T* expected = nullptr;
};

/// Number of items of a call, as an argument and as expected.
struct Size {
  compaction::ItemCount n;
  uint64_t capacity, count;
};

/// Destination of the count of a select, and the maximum number of items that it may write.
struct CountOut {
  compaction::SelectedCount to;
  Array<uint32_t> narrow;  ///< either this or `wide` is used
  Array<uint64_t> wide;
  Array<uint32_t> overflowed;

  /// Number of `selected` items that fit.
  uint64_t fitting(uint64_t selected) const { return std::min(selected, to.capacity); }
  void expect(uint64_t selected) const {
    if (narrow.expected) *narrow.expected = uint32_t(selected);
    if (wide.expected) *wide.expected = selected;
    if (overflowed.expected) *overflowed.expected = selected > to.capacity;
  }
};

/// One random call: its arrays, sizes, storage and how it is launched follow from a seed.
class Case {
 public:
  /// Bytes of a lane for sizes up to kSmallSize, and for any.
  static constexpr uint64_t kSmallSize = uint64_t(1) << 14;
  static constexpr size_t kSmallBytes = size_t(8) << 20, kLargeBytes = size_t(1) << 30;

  Case(Draw draw, uint64_t size, Lane& lane)
      : draw_(draw),
        lane_(&lane),
        size_(size),
        budget_(size > kSmallSize ? kLargeBytes : kSmallBytes) {}

  Draw& draw() { return draw_; }
  const std::string& text() const { return text_; }

  /// A size whose arrays have about `item_bytes` for each item, with a count on the device or not.
  Size size(size_t item_bytes) {
    constexpr size_t kForGaps = 64 << 10;
    Size size{{}, std::min<uint64_t>(size_, (budget_ - kForGaps) / item_bytes), 0};
    size.count = size.capacity;
    size.n = compaction::ItemCount(size.capacity);
    note(std::to_string(size.capacity) + " items of " + std::to_string(item_bytes) +
         " bytes in all arrays");
    if (!draw_.one_in(3)) return size;
    // More than the capacity is limited to it.
    const uint64_t told =
        draw_.one_in(4) ? size.capacity + draw_.below(1000) : draw_.below(size.capacity + 1);
    size.count = std::min(told, size.capacity);
    const bool is_negative = draw_.one_in(8);  // counts as 0
    if (is_negative) size.count = 0;
    const auto tell = [&]<class Count>(Count) {
      const Array<Count> count = output<Count>("the count read", 1);
      *count.uploaded = *count.expected = Count(is_negative ? ~told : told);
      size.n.on_device = count.device;
    };
    if (draw_.one_in(2))
      tell(int());
    else if (is_negative)
      tell(int64_t());
    else
      tell(uint64_t());
    note("of which " + (is_negative ? "a negative number" : std::to_string(told)) +
         " on the device");
    return size;
  }

  /// `n` random items, at a random alignment.
  template <class T>
  Array<T> input(const char* name, uint64_t n) {
    const Array<T> array = output<T>(name, n);
    draw_.fill(array.uploaded, n * sizeof(T));
    copy(array, n);
    return array;
  }
  /// Room for `n` items, at a random alignment.
  template <class T>
  Array<T> output(const char* name, uint64_t n) {
    constexpr size_t kLine = 128;  // bytes
    const size_t misaligned =
        draw_.one_in(2) ? draw_.below(kLine / std::min(kLine, alignof(T))) * alignof(T) : 0;
    const size_t offset = lane_->take(name, n * sizeof(T), sizeof(T), misaligned);
    lane_->poison(offset, n * sizeof(T));
    const auto at = [&](std::byte* memory) { return reinterpret_cast<T*>(memory + offset); };
    return {at(lane_->device()), at(lane_->uploaded()), at(lane_->expected())};
  }
  /// Expects of an input what was uploaded.
  template <class T>
  void copy(const Array<T>& array, uint64_t n) const {
    std::copy(array.uploaded, array.uploaded + n, array.expected);
  }
  /// Random items whose lowest bit is a random pattern. Returns how many of `count` have it set.
  template <class T>
  uint64_t mark(const Array<T>& items, const Size& size) {
    Pattern pattern(draw_);
    uint64_t selected = 0;
    for (uint64_t i = 0; i < size.capacity; ++i) {
      auto* low = reinterpret_cast<uint8_t*>(items.uploaded + i);  // little endian, as the device
      *low = uint8_t((*low & ~1u) | unsigned(pattern.next()));
      selected += i < size.count ? *low & 1 : 0;
    }
    copy(items, size.capacity);
    return selected;
  }

  /// Makes a destination of a count of at most `n`; one in four has less room than that.
  CountOut count_out(uint64_t n) {
    CountOut out;
    if (draw_.one_in(2)) {
      out.narrow = output<uint32_t>("the count", 1);
      out.to.count = out.narrow.device;
    } else {
      out.wide = output<uint64_t>("the count", 1);
      out.to.count = out.wide.device;
    }
    if (draw_.one_in(2)) {
      out.overflowed = output<uint32_t>("the overflow", 1);
      out.to.overflowed = out.overflowed.device;
    }
    if (draw_.one_in(4)) {
      out.to.capacity = draw_.below(n + 1);
      note("room for " + std::to_string(out.to.capacity));
    }
    return out;
  }

  /// Uploads the arrays, runs `call(storage, stream)` in memory of `bytes`, and downloads them.
  template <class Call>
  void run(size_t bytes, Call call, bool repeatable = true) {
    lane_->upload();
    const compaction::Storage storage = draw_storage(bytes);
    if (draw_.one_in(16) && !storage.allocates) {
      replay(storage, call, repeatable ? 1 + draw_.below(3) : 1);
    } else {
      const uint64_t calls = repeatable && draw_.one_in(8) ? 2 : 1;
      for (uint64_t i = 0; i < calls; ++i) check(call(storage, lane_->stream()));
    }
    lane_->download();
  }

  void note(const std::string& words) { text_ += (text_.empty() ? "" : ", ") + words; }
  Lane& lane() { return *lane_; }

 private:
  /// The workspace of the lane, which all its calls share, one of the exact size, or a pool.
  compaction::Storage draw_storage(size_t bytes) {
    switch (draw_.below(8)) {
      case 0:
        note("stream-ordered");
        return compaction::stream_ordered;
      case 1: {
        note("new workspace of " + std::to_string(bytes) + " bytes");
        std::byte* memory = lane_->temp(bytes);
        check(cudaMemsetAsync(memory, 0, bytes, lane_->stream()));
        return compaction::Span<std::byte>{memory, bytes};
      }
      default:
        check(lane_->workspace().reserve(bytes, lane_->stream()));
        if (draw_.one_in(64)) {
          note("last epochs");
          lane_->begin_last_epochs(uint32_t(draw_.below(4)));
        }
        return lane_->workspace();
    }
  }

  template <class Call>
  void replay(const compaction::Storage& storage, Call call, uint64_t replays) {
    note("graph, " + std::to_string(replays) + " replays");
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t instance = nullptr;
    check(cudaStreamBeginCapture(lane_->stream(), cudaStreamCaptureModeThreadLocal));
    const cudaError_t status = call(storage, lane_->stream());
    check(cudaStreamEndCapture(lane_->stream(), &graph));
    check(status);
    check(cudaGraphInstantiate(&instance, graph, 0));
    check(cudaGraphDestroy(graph));
    lane_->keep_until_checked(instance);
    for (uint64_t i = 0; i < replays; ++i) check(cudaGraphLaunch(instance, lane_->stream()));
  }

  Draw draw_;
  Lane* lane_;
  uint64_t size_;
  size_t budget_;
  std::string text_;
};

/// A function of the library, with types.
struct Function {
  const char* name;
  void (*run)(Case&);
};

std::vector<Function> select_functions();
std::vector<Function> partition_functions();
std::vector<Function> scan_functions();
std::vector<Function> run_functions();
std::vector<Function> split_functions();
std::vector<Function> float_functions();

}  // namespace soak
