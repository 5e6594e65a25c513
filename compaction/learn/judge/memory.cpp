// SPDX-License-Identifier: MIT
#include "compaction/learn/judge/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "compaction/simt/simt.h"

namespace compaction::judge {

DeviceMemory::DeviceMemory() {
  void* arena = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (arena == MAP_FAILED) throw std::bad_alloc();
  base_ = reinterpret_cast<uintptr_t>(arena);
}

DeviceMemory::~DeviceMemory() {
  munmap(reinterpret_cast<void*>(base_), kBytes);
}

void* DeviceMemory::allocate(size_t bytes, std::string name) {
  constexpr size_t kAlignment = 256;  // bytes, as with cudaMalloc
  constexpr int kGarbage = 0xA5;
  const size_t offset = used_ + kGap;
  const size_t end = offset + simt::ceil_div(bytes, kAlignment) * kAlignment;
  if (bytes > kBytes || end + kGap > kBytes) throw std::bad_alloc();
  used_ = end;
  if (name.empty()) name = "allocation " + std::to_string(++unnamed_);
  auto allocation = std::make_unique<Allocation>();
  allocation->name = std::move(name);
  allocation->offset = offset;
  allocation->bytes = bytes;
  allocation->history.reset(bytes);
  allocations_.push_back(std::move(allocation));
  void* start = reinterpret_cast<void*>(base_ + offset);
  std::memset(start, kGarbage, bytes);
  return start;
}

bool DeviceMemory::free(void* pointer) {
  if (!pointer) return true;
  const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  if (!contains(address)) return false;
  Allocation* allocation = find(address);
  if (!allocation || allocation->is_freed || base_ + allocation->offset != address) return false;
  allocation->is_freed = true;
  return true;
}

void DeviceMemory::free_all() {
  allocations_.clear();
  used_ = 0;
  unnamed_ = 0;
  last_found_ = 0;
}

Allocation* DeviceMemory::find(uintptr_t address) {
  const size_t offset = address - base_;
  auto holds = [&](size_t i) {
    return i < allocations_.size() && allocations_[i]->offset <= offset &&
           (i + 1 == allocations_.size() || offset < allocations_[i + 1]->offset);
  };
  if (!holds(last_found_)) {
    auto after = std::upper_bound(allocations_.begin(), allocations_.end(), offset,
                                  [](size_t place, const std::unique_ptr<Allocation>& allocation) {
                                    return place < allocation->offset;
                                  });
    if (after == allocations_.begin()) return nullptr;
    last_found_ = size_t(after - allocations_.begin()) - 1;
  }
  return allocations_[last_found_].get();
}

void DeviceMemory::set_written(const void* to, size_t bytes) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(to);
  if (!contains(address)) return;
  Allocation* allocation = find(address);
  if (!allocation) return;
  const size_t offset = address - base_ - allocation->offset;
  if (offset + bytes <= allocation->bytes) allocation->history.set_written(offset, bytes);
}

}  // namespace compaction::judge
