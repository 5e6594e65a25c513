#pragma once

#include <cassert>
#include <cstddef>

#include "compaction/simt/span.h"

namespace compaction {

/// Parts of a workspace start at multiples of this, as cudaMalloc's memory does. Bytes.
inline constexpr size_t kWorkspaceAlignment = 256;

/// What a part of `bytes` bytes takes of a workspace.
inline size_t workspace_part(size_t bytes) {
  return (bytes + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment;
}

/// Cuts a workspace into parts, front to back. The sizes must match those that were added up with
/// workspace_part() to tell the caller how much is needed.
class WorkspaceCutter {
 public:
  explicit WorkspaceCutter(simt::Span<std::byte> workspace) : rest_(workspace) {}

  template <class T>
  simt::Span<T> take(size_t count) {
    size_t bytes = workspace_part(count * sizeof(T));
    assert(bytes <= rest_.size && "the workspace is too small");
    T* items = reinterpret_cast<T*>(rest_.data);
    rest_ = {rest_.data + bytes, rest_.size - bytes};
    return {items, count};
  }

  simt::Span<std::byte> rest() const { return rest_; }

 private:
  simt::Span<std::byte> rest_;
};

}  // namespace compaction
