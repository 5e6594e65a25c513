// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "compaction/grid/item_count.h"
#include "compaction/simt/span.h"
#include "tests/compaction/support/backends.h"

namespace fast {

template <class T>
std::vector<uint8_t> to_bytes(const std::vector<T>& items) {
  std::vector<uint8_t> bytes(items.size() * sizeof(T));
  if (!items.empty()) std::memcpy(bytes.data(), items.data(), bytes.size());
  return bytes;
}
template <class T>
std::vector<T> from_bytes(const std::vector<uint8_t>& bytes) {
  std::vector<T> items(bytes.size() / sizeof(T));
  if (!items.empty()) std::memcpy(items.data(), bytes.data(), bytes.size());
  return items;
}

/// The memory after the items of a PlacedBuffer.
enum class End {
  kGuarded,  ///< poison, which must not change
  kOpen,     ///< none: the allocation ends with the last item, so that an address sanitizer
             ///< detects reads beyond it
};

/// Items on a device, at an offset from an aligned address, with poison around them. Items are read
/// and written as bytes. `Device` has allocate(), free(), write() and read(): HostDevice
/// (host_device.h) or CudaDevice (cuda_device.cuh).
template <class T, class Device>
class PlacedBuffer {
 public:
  static constexpr uint8_t kPoison = 0xA5;

  PlacedBuffer(Device& device, size_t count, unsigned offset = 0, End end = End::kGuarded,
               uint8_t fill = kPoison)
      : device_(device),
        count_(count),
        front_(kGuard + offset * sizeof(T)),
        back_(end == End::kGuarded ? kGuard : 0),
        memory_(device.allocate(bytes())) {
    std::vector<uint8_t> all(bytes(), kPoison);
    device_.write(memory_, all.data(), all.size());
    write(std::vector<uint8_t>(count * sizeof(T), fill));
  }
  PlacedBuffer(Device& device, const std::vector<uint8_t>& items, unsigned offset = 0,
               End end = End::kGuarded)
      : PlacedBuffer(device, items.size() / sizeof(T), offset, end) {
    write(items);
  }
  ~PlacedBuffer() { device_.free(memory_); }
  PlacedBuffer(const PlacedBuffer&) = delete;
  PlacedBuffer& operator=(const PlacedBuffer&) = delete;

  T* data() const { return reinterpret_cast<T*>(static_cast<uint8_t*>(memory_) + front_); }
  simt::Span<T> span() const { return {data(), count_}; }

  void write(const std::vector<uint8_t>& items) {
    device_.write(data(), items.data(), items.size());
  }

  /// Returns the items. Throws if the poison around them has changed.
  std::vector<uint8_t> read() const {
    std::vector<uint8_t> all(bytes());
    device_.read(all.data(), memory_, all.size());
    auto poisoned = [](uint8_t byte) { return byte == kPoison; };
    if (!std::all_of(all.begin(), all.begin() + ptrdiff_t(front_), poisoned) ||
        !std::all_of(all.end() - ptrdiff_t(back_), all.end(), poisoned))
      throw std::runtime_error("a kernel wrote outside its buffer");
    return {all.begin() + ptrdiff_t(front_), all.end() - ptrdiff_t(back_)};
  }
  T read_one() const { return from_bytes<T>(read()).at(0); }

 private:
  static constexpr size_t kGuard = 256;  // bytes; keeps the items aligned

  size_t bytes() const { return front_ + count_ * sizeof(T) + back_; }

  Device& device_;
  size_t count_, front_, back_;
  void* memory_;
};

/// The items of a scan or a reduction and their number, on the device if the problem requires it.
template <class T, class Device>
struct ScanInputs {
  ScanInputs(Device& device, const ScanProblem<T>& problem, End end)
      : bytes(to_bytes(problem.in)),
        in(device, bytes, problem.offsets.in, end),
        count(device, to_bytes(std::vector<uint64_t>{problem.in.size()})) {
    n.capacity = problem.count_on_device ? problem.capacity : problem.in.size();
    if (problem.count_on_device) n.on_device = static_cast<const uint64_t*>(count.data());
  }

  /// The span ends with the items, not with the capacity: an access beyond is an error.
  simt::Span<const T> items() const { return in.span(); }
  void expect_unchanged() const {
    if (in.read() != bytes) throw std::runtime_error("a kernel changed its input");
    count.read();
  }

  std::vector<uint8_t> bytes;
  PlacedBuffer<T, Device> in;
  PlacedBuffer<uint64_t, Device> count;
  compaction::ItemCount n;
};

}  // namespace fast

/// Items on a device between guard bands, all poisoned at first.
template <class T, class Device>
class GuardedBuffer : public fast::PlacedBuffer<T, Device> {
  using Base = fast::PlacedBuffer<T, Device>;

 public:
  GuardedBuffer(Device& device, size_t count, uint8_t fill = Base::kPoison)
      : Base(device, count, 0, fast::End::kGuarded, fill) {}
  GuardedBuffer(Device& device, const std::vector<T>& items)
      : Base(device, fast::to_bytes(items)) {}

  /// Returns the items. Throws if a guard band has changed.
  std::vector<T> read() const { return fast::from_bytes<T>(Base::read()); }
};
