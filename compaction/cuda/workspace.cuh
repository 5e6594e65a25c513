// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "compaction/simt/span.h"

namespace compaction {

/// Device memory for calls of the library's functions, one call at a time. Consecutive calls on one
/// stream may share a workspace; calls on several streams need one each.
///
/// It is zeroed once; each call leaves it ready for the next one. It belongs to the device that was
/// current at the first reserve(). It is movable; a moved-from workspace is empty.
class Workspace {
 public:
  Workspace() = default;
  ~Workspace() { release(); }
  Workspace(Workspace&& other) noexcept { swap(other); }
  Workspace& operator=(Workspace&& other) noexcept {
    Workspace(std::move(other)).swap(*this);
    return *this;
  }

  /// Ensures a size of at least `bytes`: if necessary, allocates new memory and zeroes it on
  /// `stream`. Calls on that stream may follow at once; other streams must wait for it.
  ///
  /// Calls in flight and captured graphs stay valid: old memory is kept until release(). So the sum
  /// of all sizes is allocated; reserve the largest size first.
  ///
  /// @return  the error of the allocation; cudaErrorStreamCaptureUnsupported, without any change,
  ///          if it would have to allocate while `stream` is being captured
  [[nodiscard]] cudaError_t reserve(size_t bytes, cudaStream_t stream) {
    if (bytes <= bytes_) return cudaSuccess;
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    if (cudaError_t status = cudaStreamIsCapturing(stream, &capture); status != cudaSuccess)
      return status;
    if (capture != cudaStreamCaptureStatusNone) return cudaErrorStreamCaptureUnsupported;

    void* memory = nullptr;
    if (cudaError_t status = cudaMalloc(&memory, bytes); status != cudaSuccess) return status;
    blocks_.push_back(memory);
    bytes_ = bytes;
    return reset(stream);
  }

  /// Waits until the memory is zeroed, so that calls on any stream may follow.
  [[nodiscard]] cudaError_t reserve(size_t bytes) {
    if (bytes <= bytes_) return cudaSuccess;
    cudaError_t status = reserve(bytes, nullptr);
    return status == cudaSuccess ? cudaStreamSynchronize(nullptr) : status;
  }

  /// Zeroes the workspace on `stream`. Needed only after something other than a call has written to
  /// it. It does not help after a kernel has failed, because that destroys the CUDA context and its
  /// memory.
  [[nodiscard]] cudaError_t reset(cudaStream_t stream = nullptr) {
    return bytes_ > 0 ? cudaMemsetAsync(memory(), 0, bytes_, stream) : cudaSuccess;
  }

  /// Frees all memory. No call in flight and no graph may still use it.
  void release() {
    for (void* block : blocks_) cudaFree(block);
    blocks_.clear();
    bytes_ = 0;
  }

  size_t bytes() const { return bytes_; }
  simt::Span<std::byte> span() const { return {memory(), bytes_}; }
  operator simt::Span<std::byte>() const { return span(); }

 private:
  std::byte* memory() const {
    return blocks_.empty() ? nullptr : static_cast<std::byte*>(blocks_.back());
  }
  void swap(Workspace& other) noexcept {
    blocks_.swap(other.blocks_);
    std::swap(bytes_, other.bytes_);
  }

  std::vector<void*> blocks_;  ///< all but the last are kept for calls in flight and graphs
  size_t bytes_ = 0;           ///< size of the last block
};

/// Makes a call allocate and free its workspace on its stream, from `pool` or, if that is null,
/// from the current pool of the stream's device. See cudaMallocAsync().
struct StreamOrdered {
  cudaMemPool_t pool = nullptr;
};
inline constexpr StreamOrdered stream_ordered{};

/// A workspace that the caller keeps, StreamOrdered, or temporary storage as in CUB.
struct Storage {
  simt::Span<std::byte> workspace;  ///< workspace of the caller
  bool is_zeroed = true;            ///< whether it is ready for a call
  StreamOrdered from = {};
  bool allocates = false;        ///< whether the call allocates from `from`
  void* temp = nullptr;          ///< temporary storage, or null to query its size
  size_t* temp_bytes = nullptr;  ///< its size; null where the storage is not temporary

  Storage(simt::Span<std::byte> workspace) : workspace(workspace) {}
  Storage(const Workspace& workspace) : workspace(workspace.span()) {}
  Storage(StreamOrdered from) : is_zeroed(false), from(from), allocates(true) {}
  explicit Storage(void* temp, size_t& temp_bytes) : temp(temp), temp_bytes(&temp_bytes) {}

  bool asks_for_size() const { return temp_bytes != nullptr && temp == nullptr; }
};

}  // namespace compaction
