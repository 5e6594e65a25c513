#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "compaction/simt/span.h"

/// Items on a device between guard bands, all poisoned. `Device` has allocate(), free(), write()
/// and read(): HostDevice (host_device.h) or CudaDevice (cuda_device.cuh).
template <class T, class Device>
class GuardedBuffer {
 public:
  static constexpr uint8_t kPoison = 0xA5;

  GuardedBuffer(Device& device, size_t count, uint8_t fill = kPoison)
      : device_(device), count_(count), memory_(device.allocate(bytes())) {
    device_.write(memory_, std::vector<uint8_t>(bytes(), kPoison).data(), bytes());
    std::vector<uint8_t> items(count * sizeof(T), fill);
    device_.write(data(), items.data(), items.size());
  }
  GuardedBuffer(Device& device, const std::vector<T>& items) : GuardedBuffer(device, items.size()) {
    device_.write(data(), items.data(), items.size() * sizeof(T));
  }
  ~GuardedBuffer() { device_.free(memory_); }
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  T* data() const { return reinterpret_cast<T*>(static_cast<uint8_t*>(memory_) + kGuard); }
  simt::Span<T> span() const { return {data(), count_}; }

  /// The items. Throws where a guard band has changed.
  std::vector<T> read() const {
    std::vector<uint8_t> all(bytes());
    device_.read(all.data(), memory_, bytes());
    auto poisoned = [](uint8_t byte) { return byte == kPoison; };
    if (!std::all_of(all.begin(), all.begin() + kGuard, poisoned) ||
        !std::all_of(all.end() - kGuard, all.end(), poisoned))
      throw std::runtime_error("a kernel wrote outside its buffer");
    std::vector<T> items(count_);
    if (count_ > 0) std::memcpy(items.data(), all.data() + kGuard, count_ * sizeof(T));
    return items;
  }

 private:
  static constexpr size_t kGuard = 256;  // bytes; keeps the items aligned

  size_t bytes() const { return count_ * sizeof(T) + 2 * kGuard; }

  Device& device_;
  size_t count_;
  void* memory_;
};
