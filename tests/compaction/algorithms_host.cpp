#include <cstring>

#include "compaction/simt/host/executor.h"
#include "tests/compaction/algorithms_on.h"

namespace {

using simt::host::Order;
using simt::host::Schedule;

class HostDevice {
 public:
  explicit HostDevice(Schedule schedule) : executor_(schedule) {}

  simt::host::Executor& launcher() { return executor_; }
  void* allocate(size_t bytes) { return ::operator new(bytes); }
  void free(void* memory) { ::operator delete(memory); }
  void write(void* to, const void* from, size_t bytes) { copy(to, from, bytes); }
  void read(void* to, const void* from, size_t bytes) { copy(to, from, bytes); }
  void finish() {}

 private:
  static void copy(void* to, const void* from, size_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }

  simt::host::Executor executor_;
};

Backend backend(std::string name, Schedule schedule) {
  return {.name = std::move(name),
          .why_unavailable = [] { return std::string(); },
          .make = [schedule] { return std::make_unique<AlgorithmsOn<HostDevice>>(schedule); }};
}

}  // namespace

std::vector<Backend> host_backends() {
  return {
      backend("forward", {.order = Order::kForward}),
      backend("reverse_3_blocks", {.order = Order::kReverse, .resident_blocks = 3}),
      backend("shuffled_1_block", {.order = Order::kShuffled, .seed = 1}),
      backend("shuffled_5_blocks", {.order = Order::kShuffled, .seed = 2, .resident_blocks = 5})};
}
