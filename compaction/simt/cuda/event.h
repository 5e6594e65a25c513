// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

namespace simt::cuda {

/// A CUDA event: a point in a stream. The host can wait for it, and read the time between two
/// events.
///
/// It belongs to the device that was current when it was created. If the creation failed, every
/// call returns its error.
class Event {
 public:
  /// @param flags  flags of cudaEventCreateWithFlags(): cudaEventDisableTiming makes events cheaper
  ///               that are only waited for
  explicit Event(unsigned flags = cudaEventDefault)
      : status_(cudaEventCreateWithFlags(&event_, flags)) {}
  ~Event() {
    if (status_ == cudaSuccess) cudaEventDestroy(event_);
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  /// Marks the work that `stream` holds so far. Does not wait for it.
  [[nodiscard]] cudaError_t record(cudaStream_t stream) {
    return status_ == cudaSuccess ? cudaEventRecord(event_, stream) : status_;
  }
  /// Waits on the host until the recorded work has finished.
  [[nodiscard]] cudaError_t synchronize() const {
    return status_ == cudaSuccess ? cudaEventSynchronize(event_) : status_;
  }
  /// Sets `milliseconds` to the device time between `start` and this event, both of which must have
  /// been recorded with timing and be complete.
  [[nodiscard]] cudaError_t elapsed_since(const Event& start, float& milliseconds) const {
    return status_ == cudaSuccess ? cudaEventElapsedTime(&milliseconds, start.event_, event_)
                                  : status_;
  }

 private:
  cudaEvent_t event_ = nullptr;
  cudaError_t status_;
};

}  // namespace simt::cuda
