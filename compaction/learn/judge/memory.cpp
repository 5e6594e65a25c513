// SPDX-License-Identifier: MIT
#include "compaction/learn/judge/memory.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

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

void DeviceMemory::open(int change) {
  const bool was_open = opened_ > 0;
  opened_ += change;
  if (was_open == (opened_ > 0)) return;
  mprotect(reinterpret_cast<void*>(base_), kBytes,
           opened_ > 0 ? PROT_READ | PROT_WRITE : PROT_NONE);
}

void* DeviceMemory::allocate(size_t bytes, const std::string& name) {
  constexpr size_t kAlignment = 256;  // bytes, as with cudaMalloc
  constexpr size_t kGap = 4096;
  constexpr int kGarbage = 0xA5;
  const Opened opened(*this);
  const size_t offset = used_ + kGap;
  const size_t end = offset + simt::ceil_div(bytes, kAlignment) * kAlignment;
  if (bytes > kBytes || end + kGap > kBytes) throw std::bad_alloc();
  used_ = end;
  Allocation& array = allocations_[base_ + offset];
  array.name = name.empty() ? "allocation " + std::to_string(++unnamed_) : name;
  array.start = base_ + offset;
  array.bytes = bytes;
  array.history.reset(bytes);
  return std::memset(reinterpret_cast<void*>(array.start), kGarbage, bytes);
}

bool DeviceMemory::free(void* pointer) {
  if (!pointer) return true;
  Allocation* array = find(pointer);
  if (!array || array->is_freed || array->start != uintptr_t(pointer)) return false;
  array->is_freed = true;
  return true;
}

void DeviceMemory::free_all() {
  allocations_.clear();
  used_ = 0;
  unnamed_ = 0;
}

Allocation* DeviceMemory::find(const void* address) {
  const auto array = allocations_.lower_bound(uintptr_t(address));
  return contains(address) && array != allocations_.end() ? &array->second : nullptr;
}

void DeviceMemory::set_written(const void* to, size_t bytes) {
  Allocation* array = find(to);
  if (!array) return;
  const size_t offset = uintptr_t(to) - array->start;
  if (offset + bytes <= array->bytes) array->history.set_written(offset, bytes);
}

}  // namespace compaction::judge
