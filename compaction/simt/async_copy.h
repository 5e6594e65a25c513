// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "compaction/simt/chunk.h"
#include "compaction/simt/qualifiers.h"

#if defined(__CUDACC__)
#include <cuda_pipeline.h>
#else
#include <stdexcept>
#endif

namespace simt {

/// Asynchronous copies of one thread from global to shared memory.
///
/// A thread starts copies and closes a group of copies by commit(). wait<kLater>() returns when all
/// groups except the last kLater are complete. Then the thread may read the data; other threads may
/// read it after a barrier. A copy moves 4, 8 or 16 bytes, aligned to that size. On the host,
/// copy() fills the destination with 0xCD bytes and wait() copies, so that a missing wait and a
/// destination that is still in use both show.
template <unsigned kMaxGroups, unsigned kMaxCopies>
class AsyncCopies {
 public:
#if defined(__CUDACC__)
  template <size_t kBytes = kVectorBytes>
  __device__ void copy(void* shared, const void* global) {
    __pipeline_memcpy_async(shared, global, kBytes);
  }
  __device__ void commit() {
    __pipeline_commit();
  }
  template <unsigned kLater>
  __device__ void wait() {
    __pipeline_wait_prior(kLater);
  }
#else
  template <size_t kBytes = kVectorBytes>
  void copy(void* shared, const void* global) {
    static_assert(kBytes == 4 || kBytes == 8 || kBytes == kVectorBytes);
    Group& group = groups_[committed_ % (kMaxGroups + 1)];
    if (group.count == kMaxCopies) throw std::logic_error("more copies in a group than declared");
    group.copies[group.count++] = {shared, global, kBytes};
    std::memset(shared, kPoison, kBytes);
  }
  void commit() {
    ++committed_;
    if (committed_ - arrived_ > kMaxGroups)
      throw std::logic_error("more groups of copies in flight than declared");
  }
  template <unsigned kLater>
  void wait() {
    for (; committed_ - arrived_ > kLater; ++arrived_) {
      Group& group = groups_[arrived_ % (kMaxGroups + 1)];
      for (unsigned i = 0; i < group.count; ++i)
        std::memcpy(group.copies[i].shared, group.copies[i].global, group.copies[i].bytes);
      group.count = 0;
    }
  }

 private:
  struct Copy {
    void* shared;
    const void* global;
    size_t bytes;
  };
  struct Group {
    Copy copies[kMaxCopies];
    unsigned count = 0;
  };

  static constexpr int kPoison = 0xCD;

  Group groups_[kMaxGroups + 1];
  uint64_t committed_ = 0, arrived_ = 0;
#endif
};

}  // namespace simt
