// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "compaction/simt/qualifiers.h"

namespace simt {

/// Contiguous items on one device: a pointer and a size. Does not own them.
///
/// An index out of range throws std::out_of_range on the host and fails an `assert` on a GPU.
template <class T>
struct Span {
  T* data = nullptr;
  size_t size = 0;

  Span() = default;
  SIMT_HOST_DEVICE Span(T* data, size_t size) : data(data), size(size) {}

  /// Converts a span of items to a span of constant items.
  template <class U>
  requires std::is_same_v<T, const U> SIMT_HOST_DEVICE Span(Span<U> other)
      : data(other.data), size(other.size) {}

  SIMT_HOST_DEVICE T& operator[](size_t i) const {
#if defined(__CUDA_ARCH__)
    assert(i < size);
#else
    if (i >= size) [[unlikely]]
      throw_outside(i);
#endif
    return data[i];
  }

  SIMT_HOST_DEVICE T* begin() const {
    return data;
  }
  SIMT_HOST_DEVICE T* end() const {
    return data + size;
  }

  SIMT_HOST_DEVICE Span subspan(size_t first, size_t count) const {
    assert(first + count <= size);
    return {data + first, count};
  }

#if !defined(__CUDACC_RTC__)  // which compiles no host code
 private:
  [[noreturn]] void throw_outside(size_t i) const {
    throw std::out_of_range("index " + std::to_string(i) + " is outside a span of " +
                            std::to_string(size) + " items");
  }
#endif
};

}  // namespace simt
