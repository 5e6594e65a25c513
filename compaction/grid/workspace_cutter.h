// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "compaction/simt/span.h"

namespace compaction {

/// Alignment of the parts of a workspace, equal to that of cudaMalloc(). Bytes.
inline constexpr size_t kWorkspaceAlignment = 256;

/// Returns the size in bytes of a part of `bytes` bytes, with padding.
inline size_t workspace_part(size_t bytes) {
  return (bytes + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment;
}

/// Divides a workspace into parts, front to back. Its size is the sum of workspace_part() of the
/// sizes of the parts.
class WorkspaceCutter {
 public:
  /// Treats a workspace that is not aligned to 8 bytes as empty.
  explicit WorkspaceCutter(simt::Span<std::byte> workspace) {
    if (reinterpret_cast<uintptr_t>(workspace.data) % alignof(uint64_t) == 0) rest_ = workspace;
  }

  /// Returns the next part: `count` uninitialized items; or an empty span, in which every access is
  /// an error, if the rest of the workspace is too small.
  template <class T>
  simt::Span<T> take(size_t count) {
    size_t bytes = workspace_part(count * sizeof(T));
    if (bytes > rest_.size) return rest_ = {}, simt::Span<T>();
    T* items = reinterpret_cast<T*>(rest_.data);
    rest_ = {rest_.data + bytes, rest_.size - bytes};
    return {items, count};
  }

  simt::Span<std::byte> rest() const { return rest_; }

 private:
  simt::Span<std::byte> rest_;
};

}  // namespace compaction
