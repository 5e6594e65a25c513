// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <map>
#include <mutex>
#include <utility>

#include "base/cuda_check.h"
#include "compaction/cuda/workspace.cuh"
#include "python/compaction_calls.h"

namespace winnow::python {

/// Selects a GPU during its lifetime and then restores the previous one, on which other libraries
/// rely.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    check_cuda(cudaGetDevice(&before_), "asking for the current GPU");
    check_cuda(cudaSetDevice(device), "selecting GPU " + std::to_string(device));
  }
  ~CurrentDevice() { cudaSetDevice(before_); }
  CurrentDevice(const CurrentDevice&) = delete;

 private:
  int before_ = 0;
};

/// Workspaces of all streams. One call at a time uses a workspace. They are never freed: the driver
/// may end before this library.
struct Workspaces {
  std::mutex mutex;
  std::map<std::pair<int, cudaStream_t>, compaction::Workspace> of_stream;
};
Workspaces& all_workspaces();

inline bool is_captured(cudaStream_t stream) {
  if (stream == nullptr) return false;  // the default stream cannot be captured
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  check_cuda(cudaStreamIsCapturing(stream, &capture), "asking whether a stream is captured");
  return capture != cudaStreamCaptureStatusNone;
}

/// Runs call(storage, stream), a function of the library, in the workspace of the stream, which has
/// at least `bytes`. While the stream is captured, in memory that belongs to the graph: graphs that
/// were captured on one stream may be replayed on several.
template <class Call>
void with_workspace(const char* doing, CudaPlace place, size_t bytes, Call call) {
  const CurrentDevice device(place.device);
  const auto stream = reinterpret_cast<cudaStream_t>(place.stream);
  if (is_captured(stream)) return check_cuda(call(compaction::stream_ordered, stream), doing);
  Workspaces& all = all_workspaces();
  const std::scoped_lock lock(all.mutex);
  compaction::Workspace& workspace = all.of_stream[{place.device, stream}];
  check_cuda(workspace.reserve(bytes, stream), "reserving the workspace of a stream");
  check_cuda(call(workspace, stream), doing);
}

}  // namespace winnow::python
