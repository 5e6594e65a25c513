// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "compaction/simt/host/executor.h"
#include "compaction/simt/simt.h"

// The interface of the judge for the judged function, and that of kernels, simt.h. The judge
// includes this header before a student's source and call.h after it.

namespace compaction::judge {

/// `launcher.launch(blocks, Kernel{...})` returns when the kernel has ended.
class Launcher {
 public:
  explicit Launcher(simt::host::Executor& executor) : executor_(executor) {}

  template <class Kernel>
  void launch(uint32_t blocks, const Kernel& kernel) {
    run(simt::host::Executor::Launch::of(blocks, kernel));
  }

  /// Returns a small number, so that a kernel sized to fill the device needs few items to use all
  /// of its blocks.
  unsigned multiprocessors() const { return executor_.multiprocessors(); }
  size_t max_shared_bytes() const { return executor_.max_shared_bytes(); }
  size_t shared_bytes_per_multiprocessor() const {
    return executor_.shared_bytes_per_multiprocessor();
  }

 private:
  void run(simt::host::Executor::Launch launch);

  simt::host::Executor& executor_;
};

/// Returns `bytes` of uninitialized device memory. The judge frees it after the judged call.
void* device_bytes(size_t bytes);

/// Returns [n] uninitialized items in device memory. The judge frees them after the judged call.
template <class T>
simt::Span<T> device_array(size_t n) {
  return {static_cast<T*>(device_bytes(n * sizeof(T))), n};
}

void device_memset(void* to, int value, size_t bytes);

/// Copies from the host to device memory.
void device_write(void* to, const void* from, size_t bytes);

/// Notes that the judged function takes its input without const, for the report.
void note_missing_const();

/// Like device_array(), but zeroed.
template <class T>
simt::Span<T> zeroed_device_array(size_t n) {
  simt::Span<T> array = device_array<T>(n);
  device_memset(array.data, 0, n * sizeof(T));
  return array;
}

/// Arguments of the judged function. All arrays are in device memory, unless --host-arrays puts
/// `in` and `out` into host memory.
struct Arguments {
  Launcher& launcher;
  simt::Span<const uint32_t> in;  ///< [n], items of 32 bits
  simt::Span<uint32_t> out;       ///< [n]; [1] for a reduction
  simt::Span<uint32_t> count;     ///< [1], number of selected items; used by a select only
  bool out_is_on_host = false;

  uint32_t n() const { return uint32_t(in.size); }
  void set_count(uint32_t selected) const { device_write(count.data, &selected, sizeof selected); }
};

/// The main function of the program that `compaction-judge` builds. Parses the options, judges
/// `function` and prints the verdict. Returns the exit status.
int judge_student(int argc, char** argv, void (*function)(const Arguments&));

}  // namespace compaction::judge
