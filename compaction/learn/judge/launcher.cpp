// SPDX-License-Identifier: MIT
#include "compaction/learn/judge/launcher.h"

#include <cstring>

#include "compaction/learn/judge/current.h"
#include "compaction/learn/judge/watcher.h"
#include "compaction/simt/host/recorder.h"

namespace compaction::judge {

void Launcher::run(simt::host::Executor::Launch launch) {
  constexpr size_t kGuard = 1024;  // bytes after shared memory in which a wrong index is detected
  Watcher::instance().set_shared_bytes(launch.shared_size);
  launch.shared_size += kGuard;
  current_executor().run(launch);
  end_call_on_violation();
}

unsigned Launcher::multiprocessors() const {
  return current_executor().multiprocessors();
}
size_t Launcher::max_shared_bytes() const {
  return current_executor().max_shared_bytes();
}
size_t Launcher::shared_bytes_per_multiprocessor() const {
  return current_executor().shared_bytes_per_multiprocessor();
}

void* device_bytes(size_t bytes) {
  DeviceMemory& memory = Watcher::instance().memory;
  void* array = memory.allocate(bytes, "");
  if (simt::host::Recorder* recorder = current_recorder())
    recorder->watch(memory.find(reinterpret_cast<uintptr_t>(array))->name, array, bytes,
                    simt::host::Cells::kU32);
  return array;
}

void device_memset(void* to, int value, size_t bytes) {
  std::memset(to, value, bytes);
  Watcher::instance().memory.set_written(to, bytes);
}

}  // namespace compaction::judge
