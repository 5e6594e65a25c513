// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <initializer_list>

#include "compaction/grid/item_count.h"
#include "compaction/simt/span.h"

#if defined(COMPACTION_CHECK)
#include <cstdio>
#include <string>
#include <vector>

#include "compaction/grid/workspace.h"
#endif

// Checks of calls in a build with COMPACTION_CHECK (for the whole program). A call tests its
// arguments and its workspace, explains misuse on stderr, and returns cudaErrorInvalidValue without
// launching anything. It then waits for its stream, unless the stream is being captured, and tests
// how the kernel ended.

namespace compaction::detail {

/// An array that a call reads or writes.
struct Array {
  const char* name;
  const void* data;
  uint64_t bytes;  ///< size that the call uses in any case
  unsigned item_bytes;
  unsigned alignment;     ///< bytes
  bool written = false;   ///< otherwise it is only read
  bool optional = false;  ///< may be null
  bool in_place = false;  ///< may be written over an array that is read, at the same address
};

/// Describes n items that are read. If the count is on the device, only the first one is certain to
/// be read.
template <class T>
Array reads(const char* name, const T* data, const ItemCount& n) {
  const uint64_t certain = n.on_device && n.capacity > 0 ? 1 : n.capacity;
  return {name, data, certain * sizeof(T), sizeof(T), alignof(T)};
}
template <class T>
Array writes(const char* name, const T* data, const ItemCount& n) {
  Array array = reads(name, data, n);
  array.written = true;
  return array;
}
/// Describes n items that are written and may overwrite an input at the same address.
template <class T>
Array writes_in_place(const char* name, const T* data, const ItemCount& n) {
  Array array = writes(name, data, n);
  array.in_place = true;
  return array;
}
/// Describes up to n items that are written, possibly none.
template <class T>
Array writes_some(const char* name, const T* data, const ItemCount& n) {
  Array array = writes(name, data, n.capacity > 0 ? 1 : 0);
  array.optional = true;
  return array;
}
/// Describes one result that is not written if the pointer is null.
template <class T>
Array writes_one_or_none(const char* name, const T* data) {
  Array array = writes(name, data, 1);
  array.optional = true;
  return array;
}
inline Array writes_count(const SelectedCount& to) {
  const unsigned bytes = unsigned(to.count.bytes());
  return {"the count", to.count.address(), bytes, bytes, bytes, true, true};
}
inline Array reads_count(const ItemCount& n) {
  const unsigned bytes = unsigned(n.on_device.bytes());
  return {
      "the number of items on the device", n.on_device.address(), bytes, bytes, bytes, false, true};
}

struct CallSite {
  const char* function;
  std::initializer_list<Array> arrays = {};
};

#if defined(COMPACTION_CHECK)

class Checker {
 public:
  Checker(const char* function, cudaStream_t stream) : function_(function), stream_(stream) {
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    cudaStreamIsCapturing(stream, &capture);
    capturing_ = capture != cudaStreamCaptureStatusNone;
  }

  cudaError_t status() const { return status_; }

  void error(const std::string& what) {
    std::fprintf(stderr, "compaction: %s: %s\n", function_, what.c_str());
    status_ = cudaErrorInvalidValue;
  }

  void check_arrays(std::vector<Array> arrays, const ItemCount& n) {
    arrays.push_back(reads_count(n));
    for (const Array& array : arrays) check_array(array);
    for (size_t a = 0; a < arrays.size(); ++a)
      for (size_t b = 0; b < a; ++b) check_overlap(arrays[a], arrays[b]);
  }

  /// Tests that the workspace is accessible and in the state in which a call leaves it.
  void check_workspace(simt::Span<std::byte> workspace) {
    constexpr unsigned kAlignment = 16;  // bytes
    const cudaError_t before = status_;
    check_array({"the workspace", workspace.data, workspace.size, 1, kAlignment, true});
    if (capturing_ || status_ != before || workspace.size < sizeof(TileQueue::State)) return;
    std::vector<std::byte> copy(workspace.size);
    cudaMemcpyAsync(copy.data(), workspace.data, copy.size(), cudaMemcpyDeviceToHost, stream_);
    if (cudaError_t status = cudaStreamSynchronize(stream_); status != cudaSuccess)
      return error("the stream had failed before the call: " + describe(status));
    if (!is_ready({copy.data(), copy.size()}))
      error(
          "the workspace is not as a call leaves it: it was not zeroed before its first use, was "
          "written to, or is used by a call on another stream");
  }

  /// Reports a count on the device that is negative or above the capacity. This is not an error,
  /// but a 32-bit count that is read as 64 bits looks like that.
  void check_count(const ItemCount& n) {
    if (capturing_ || status_ != cudaSuccess || !n.on_device) return;
    uint64_t count = 0;  // little endian, as all hosts of CUDA are
    cudaMemcpyAsync(&count, n.on_device.address(), n.on_device.bytes(), cudaMemcpyDefault, stream_);
    if (cudaStreamSynchronize(stream_) != cudaSuccess) return;
    if (n.on_device.is_negative(count))
      std::fprintf(stderr,
                   "compaction: %s: the number of items on the device is negative; it is taken as "
                   "0\n",
                   function_);
    else if (count > n.capacity)
      std::fprintf(stderr,
                   "compaction: %s: the number of items on the device, %llu, is limited to "
                   "the capacity, %llu\n",
                   function_, static_cast<unsigned long long>(count),
                   static_cast<unsigned long long>(n.capacity));
  }

  /// Waits for the kernel, reports its error and returns it.
  cudaError_t finish(cudaError_t launched) {
    if (launched == cudaSuccess && !capturing_) launched = cudaStreamSynchronize(stream_);
    if (launched != cudaSuccess)
      std::fprintf(stderr, "compaction: %s: %s\n", function_, describe(launched).c_str());
    return launched;
  }

 private:
  static std::string describe(cudaError_t status) {
    return std::string(cudaGetErrorName(status)) + ", " + cudaGetErrorString(status);
  }

  void check_array(const Array& array) {
    const std::string name = array.name;
    if (array.data == nullptr) {
      if (!array.optional && array.bytes > 0) error(name + " is null");
      return;
    }
    if (reinterpret_cast<uintptr_t>(array.data) % array.alignment != 0)
      error(name + " is not aligned to " + std::to_string(array.alignment) + " bytes");
    if (!is_accessible(array.data)) {
      error(name + " is not memory that the current device can access; is it host memory?");
    } else if (array.bytes > 0 &&
               !is_accessible(static_cast<const std::byte*>(array.data) + array.bytes - 1)) {
      error(name + " ends before its " + std::to_string(array.bytes / array.item_bytes) + " items");
    }
  }

  static bool is_accessible(const void* address) {
    cudaPointerAttributes attributes{};
    if (cudaPointerGetAttributes(&attributes, address) != cudaSuccess) {
      cudaGetLastError();
      return false;
    }
    if (attributes.devicePointer != nullptr) return true;
    int device = 0, pageable = 0;  // some systems can access all of the host's memory
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, device);
    return attributes.type == cudaMemoryTypeUnregistered && pageable != 0;
  }

  void check_overlap(const Array& a, const Array& b) {
    if (!a.written && !b.written) return;
    if (a.bytes == 0 || b.bytes == 0 || a.data == nullptr || b.data == nullptr) return;
    if (a.data == b.data && a.written != b.written && (a.in_place || b.in_place)) return;
    const auto begin = [](const Array& array) { return reinterpret_cast<uintptr_t>(array.data); };
    if (begin(a) < begin(b) + b.bytes && begin(b) < begin(a) + a.bytes)
      error(std::string(a.name) + " overlaps " + b.name);
  }

  const char* function_;
  cudaStream_t stream_;
  bool capturing_ = false;
  cudaError_t status_ = cudaSuccess;
};

#endif  // COMPACTION_CHECK

}  // namespace compaction::detail
