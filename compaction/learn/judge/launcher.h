// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <typeinfo>

#include "compaction/simt/host/executor.h"
#include "compaction/simt/span.h"

// What a function under judgement uses. The judge includes it in front of a student's source, and
// call.h after it.

namespace compaction::judge {

/// Launches kernels on the judge's executor, as `launcher.launch(blocks, Kernel{...})`. Each one
/// has ended when launch() returns.
class Launcher {
 public:
  template <class Kernel>
  void launch(uint32_t blocks, const Kernel& kernel) {
    using Shared = typename Kernel::Shared;
    static_assert(std::is_trivially_default_constructible_v<Shared> &&
                  std::is_trivially_destructible_v<Shared>);
    static_assert(alignof(Shared) <= simt::host::Executor::kSharedAlignment);
    run({.name = typeid(Kernel).name(),
         .blocks = blocks,
         .block_size = Kernel::kBlockSize,
         .shared_size = sizeof(Shared),
         .kernel = &kernel,
         .body = [](const void* kernel, simt::host::Thread& thread, void* shared) {
           simt::host::Block block(thread);
           (*static_cast<const Kernel*>(kernel))(block, *static_cast<Shared*>(shared));
         }});
  }

  /// Few, so that a kernel that fills the device has several blocks for few items.
  unsigned multiprocessors() const;
  size_t max_shared_bytes() const;
  size_t shared_bytes_per_multiprocessor() const;

 private:
  void run(simt::host::Executor::Launch launch);
};

/// `bytes` of device memory, not initialized; the judge frees it after the call.
void* device_bytes(size_t bytes);

/// [n], not initialized, in device memory until the end of the call.
template <class T>
simt::Span<T> device_array(size_t n) {
  return {static_cast<T*>(device_bytes(n * sizeof(T))), n};
}

/// [n], zeroed.
template <class T>
simt::Span<T> zeroed_device_array(size_t n);

/// Sets bytes of device memory from the host, as cudaMemset does.
void device_memset(void* to, int value, size_t bytes);

template <class T>
simt::Span<T> zeroed_device_array(size_t n) {
  simt::Span<T> array = device_array<T>(n);
  device_memset(array.data, 0, n * sizeof(T));
  return array;
}

/// What the function under judgement is given. All arrays are in device memory.
struct Arguments {
  Launcher& launcher;
  simt::Span<const uint32_t> in;  ///< [n], items of 32 bits
  simt::Span<uint32_t> out;       ///< [n]; of a reduction [1]
  simt::Span<uint32_t> count;     ///< [1], of a select

  uint32_t n() const { return uint32_t(in.size); }
  /// Writes the number of selected items where the function returns it instead of storing it.
  void set_count(uint32_t selected) const {
    device_memset(count.data, 0, sizeof(uint32_t));
    count[0] = selected;
  }
};

/// The main function of the program that `compaction-judge` builds: judges `function` as the
/// options say and prints the verdict. Returns the exit status.
int judge_student(int argc, char** argv, void (*function)(const Arguments&));

}  // namespace compaction::judge
