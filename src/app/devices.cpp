#include "app/devices.h"

#include <fmt/core.h>

#include <thread>

#include "backend/renderer.h"

namespace winnow {

void print_devices() {
  constexpr double kGibi = 1024.0 * 1024.0 * 1024.0;
  unsigned threads = std::thread::hardware_concurrency();
  fmt::print("{:<8}{} hardware {}\n", "cpu", threads, threads == 1 ? "thread" : "threads");

  CudaDevices cuda = list_cuda_devices();
  if (cuda.devices.empty()) fmt::print("{:<8}none: {}\n", "cuda", cuda.why_none);
  for (const CudaDevice& gpu : cuda.devices)
    fmt::print("{:<8}{}, {:.1f} GiB, {} multiprocessors, compute capability {}.{}\n",
               fmt::format("cuda:{}", gpu.number), gpu.name, double(gpu.memory) / kGibi,
               gpu.multiprocessors, gpu.major, gpu.minor);
}

}  // namespace winnow
