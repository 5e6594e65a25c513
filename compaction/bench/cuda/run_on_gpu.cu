// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cub/version.cuh>
#include <stdexcept>
#include <string>
#include <vector>

#include "compaction/bench/cuda/device_array.cuh"
#include "compaction/bench/cuda/race.cuh"
#include "compaction/bench/cuda/suites.cuh"
#include "compaction/bench/options.h"
#include "compaction/bench/random_items.h"
#include "compaction/bench/table.h"
#include "compaction/tools/mask_file.h"

namespace compaction::bench {
namespace {

DeviceInfo device_info() {
  int device = 0, driver = 0, runtime = 0;
  check(cudaGetDevice(&device));
  check(cudaDriverGetVersion(&driver));
  check(cudaRuntimeGetVersion(&runtime));
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device));
  auto mhz = [&](cudaDeviceAttr attribute) {
    constexpr int kKhzPerMhz = 1000;
    int khz = 0;
    check(cudaDeviceGetAttribute(&khz, attribute, device));
    return khz / kKhzPerMhz;
  };
  auto version = [](int code) {  // 13020 is 13.2
    constexpr int kMajor = 1000, kMinor = 10;
    return std::to_string(code / kMajor) + "." + std::to_string(code % kMajor / kMinor);
  };
  DeviceInfo info{.name = properties.name,
                  .sms = properties.multiProcessorCount,
                  .l2_bytes = size_t(properties.l2CacheSize),
                  .sm_mhz = mhz(cudaDevAttrClockRate),
                  .memory_mhz = mhz(cudaDevAttrMemoryClockRate),
                  .driver = version(driver),
                  .runtime = version(runtime),
                  .cub = std::to_string(CUB_MAJOR_VERSION) + "." +
                         std::to_string(CUB_MINOR_VERSION) + "." +
                         std::to_string(CUB_SUBMINOR_VERSION)};
  check(cudaMemGetInfo(&info.free_bytes, &info.total_bytes));
  return info;
}

/// A suite for items of one size; `item_bytes` is 0 if the suite has no choice of them.
struct Suite {
  const char* name;
  unsigned item_bytes;
  void (*run)(Session&);
};

constexpr Suite kSuites[] = {
    {"select", 1, bench_select<uint8_t>},
    {"select", 4, bench_select<uint32_t>},
    {"select", 8, bench_select<uint64_t>},
    {"select", 16, bench_select<Item16>},
    {"partition", 1, bench_partition<uint8_t>},
    {"partition", 4, bench_partition<uint32_t>},
    {"partition", 8, bench_partition<uint64_t>},
    {"partition", 16, bench_partition<Item16>},
    {"scan", 1, bench_scan<uint8_t>},
    {"scan", 4, bench_scan<uint32_t>},
    {"scan", 8, bench_scan<uint64_t>},
    {"scan", 16, bench_scan<Item16>},
    {"reduce", 1, bench_reduce<uint8_t>},
    {"reduce", 4, bench_reduce<uint32_t>},
    {"reduce", 8, bench_reduce<uint64_t>},
    {"reduce", 16, bench_reduce<Item16>},
    {"soa", 0, bench_columns},
    {"append", 0, bench_append},
    {"ladder", 0, bench_ladder_reduce},
    {"ladder", 0, bench_ladder_scan},
    {"ladder", 0, bench_ladder_select},
};

bool contains(const auto& all, const auto& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

int run(const Options& options) {
  std::vector<Mask> masks;
  if (!options.masks_path.empty()) masks = read_masks(options.masks_path);
  int devices = 0;
  if (cudaError_t status = cudaGetDeviceCount(&devices); status != cudaSuccess || devices == 0)
    throw std::runtime_error(std::string("no CUDA device: ") + cudaGetErrorString(status));
  DeviceInfo device = device_info();
  print_device(device);
  print_header();
  cudaStream_t stream;
  check(cudaStreamCreate(&stream));
  {
    Session session(options, device, stream);
    session.save();  // fails now, not after the measurement, if the file cannot be written
    for (const std::string& name : options.suites)
      for (const Suite& suite : kSuites)
        if (suite.name == name &&
            (suite.item_bytes == 0 || contains(options.item_bytes, suite.item_bytes))) {
          suite.run(session);
          session.save();
        }
    if (!options.masks_path.empty()) {
      bench_masks(session, masks);
      session.save();
    }
  }
  check(cudaStreamDestroy(stream));
  return 0;
}

}  // namespace compaction::bench
