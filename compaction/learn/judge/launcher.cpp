// SPDX-License-Identifier: MIT
#include "compaction/learn/judge/launcher.h"

#include <cstring>

#include "compaction/learn/judge/watcher.h"

namespace compaction::judge {

void Launcher::run(simt::host::Executor::Launch launch) {
  constexpr size_t kGuard = 1024;  // bytes after shared memory in which a wrong index is detected
  const size_t shared_bytes = launch.shared_size;
  launch.shared_size += kGuard;
  Watcher::instance().run(launch, shared_bytes);
}

void* device_bytes(size_t bytes) {
  Watcher& watcher = Watcher::instance();
  void* array = watcher.memory.allocate(bytes, "");
  if (watcher.recorder)
    watcher.recorder->watch(watcher.memory.find(array)->name, array, bytes,
                            simt::host::Cells::kU32);
  return array;
}

void device_memset(void* to, int value, size_t bytes) {
  std::memset(to, value, bytes);
  Watcher::instance().memory.set_written(to, bytes);
}

}  // namespace compaction::judge
