// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <stdexcept>
#include <string>
#include <vector>

#include "compaction/cuda.cuh"

namespace soak {

inline void check(cudaError_t status,
                  std::source_location where = std::source_location::current()) {
  if (status != cudaSuccess)
    throw std::runtime_error(std::string(where.file_name()) + ":" + std::to_string(where.line()) +
                             ": " + cudaGetErrorName(status) + ", " + cudaGetErrorString(status));
}

/// A stream, and one piece of device memory with the arrays of a case. The memory is uploaded
/// before the call and downloaded after it, so each case takes two copies. The expected contents
/// are built on the host and compared byte by byte: outputs, inputs, and the gaps between the
/// arrays.
class Lane {
 public:
  explicit Lane(size_t bytes) : bytes_(bytes) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaMalloc(&device_, bytes));
    check(cudaMallocHost(&uploaded_, bytes));
    check(cudaMallocHost(&downloaded_, bytes));
    expected_.resize(bytes);
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane() {
    cudaFreeHost(downloaded_);
    cudaFreeHost(uploaded_);
    cudaFree(temp_);
    cudaFree(device_);
    cudaStreamDestroy(stream_);
  }

  /// Forgets all arrays.
  void clear() {
    used_ = 0;
    arrays_.clear();
  }

  /// An array of `bytes` at `misaligned` bytes after a multiple of 256. Returns its offset.
  size_t take(const char* name, size_t bytes, size_t item_bytes, size_t misaligned) {
    constexpr size_t kAlignment = 256, kGap = 64;  // bytes
    const size_t offset = (used_ + kGap + kAlignment - 1) / kAlignment * kAlignment + misaligned;
    const size_t end = offset + bytes;
    if (end + kGap > bytes_) throw std::logic_error("a case is larger than its lane");
    poison(used_, offset - used_);
    poison(end, kGap);
    used_ = end + kGap;
    arrays_.push_back({name, offset, bytes, item_bytes});
    return offset;
  }
  void poison(size_t offset, size_t bytes) {
    constexpr int kPoison = 0xA5;
    std::memset(uploaded_ + offset, kPoison, bytes);
    std::memset(expected_.data() + offset, kPoison, bytes);
  }

  cudaStream_t stream() const { return stream_; }
  std::byte* uploaded() const { return uploaded_; }
  std::byte* expected() { return expected_.data(); }
  std::byte* device() const { return device_; }
  compaction::Workspace& workspace() { return workspace_; }

  /// Makes the workspace restart its epochs after `calls` more kernels.
  void begin_last_epochs(uint32_t calls) {
    using Queue = compaction::TileQueue;
    uint64_t next = 0;
    const auto copy = [&](void* to, const void* from, cudaMemcpyKind kind) {
      check(cudaMemcpyAsync(to, from, sizeof(next), kind, stream_));
      check(cudaStreamSynchronize(stream_));
    };
    copy(&next, workspace_.span().data, cudaMemcpyDeviceToHost);
    if (next >> Queue::kEpochShift > Queue::kLastEpoch / 2) return;  // it restarts soon
    next = uint64_t(Queue::kLastEpoch - calls) << Queue::kEpochShift;
    copy(workspace_.span().data, &next, cudaMemcpyHostToDevice);
  }

  /// Device memory of exactly `bytes`, with any contents.
  std::byte* temp(size_t bytes) {
    if (bytes > temp_bytes_) {
      check(cudaStreamSynchronize(stream_));
      check(cudaFree(temp_));
      temp_bytes_ = 2 * bytes;
      check(cudaMalloc(&temp_, temp_bytes_));
    }
    return temp_;
  }

  void upload() {
    check(cudaMemcpyAsync(device_, uploaded_, used_, cudaMemcpyHostToDevice, stream_));
  }
  void download() {
    check(cudaMemcpyAsync(downloaded_, device_, used_, cudaMemcpyDeviceToHost, stream_));
    in_flight_ = true;
  }
  void keep_until_checked(cudaGraphExec_t graph) { graph_ = graph; }

  /// Waits for the case in flight. Returns what differs in words, empty if nothing does.
  std::string error() {
    if (!in_flight_) return "";
    in_flight_ = false;
    check(cudaStreamSynchronize(stream_));
    if (graph_ != nullptr) check(cudaGraphExecDestroy(graph_));
    graph_ = nullptr;
    if (std::memcmp(downloaded_, expected_.data(), used_) == 0) return "";
    size_t at = 0;
    while (downloaded_[at] == expected_[at]) ++at;
    for (const Named& array : arrays_)
      if (at >= array.offset && at < array.offset + array.bytes)
        return std::string(array.name) + " is wrong from item " +
               std::to_string((at - array.offset) / array.item_bytes) + " of " +
               std::to_string(array.bytes / array.item_bytes) + " on";
    std::string before = "the first array";
    for (const Named& array : arrays_)
      if (array.offset < at)
        before = std::string("the end of ") + array.name + " by " +
                 std::to_string(at - array.offset - array.bytes) + " bytes";
    return "written beside " + before;
  }

 private:
  struct Named {
    const char* name;
    size_t offset, bytes, item_bytes;
  };

  cudaStream_t stream_ = nullptr;
  std::byte *device_ = nullptr, *uploaded_ = nullptr, *downloaded_ = nullptr, *temp_ = nullptr;
  size_t bytes_, used_ = 0, temp_bytes_ = 0;
  std::vector<std::byte> expected_;
  std::vector<Named> arrays_;
  compaction::Workspace workspace_;
  cudaGraphExec_t graph_ = nullptr;
  bool in_flight_ = false;
};

}  // namespace soak
