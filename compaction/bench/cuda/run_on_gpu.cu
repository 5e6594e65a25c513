// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>

#include <cstdio>
#include <cub/version.cuh>
#include <stdexcept>
#include <string>
#include <vector>

#include "compaction/bench/cuda/device_array.cuh"
#include "compaction/bench/cuda/race.cuh"
#include "compaction/bench/options.h"
#include "compaction/bench/report.h"
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

struct Suite {
  const char* name;
  void (*run)(Session&);
};

constexpr Suite kSuites[] = {
    {"select", bench_select},
    {"partition", bench_partition},
    {"records", bench_records},
    {"split", bench_split},
    {"runs", bench_runs},
    {"scan", bench_scan},
    {"reduce", bench_reduce},
    {"floats", bench_floats},
    {"soa", bench_columns},
    {"append", bench_append},
    {"ladder", bench_ladder_reduce},
    {"ladder", bench_ladder_scan},
    {"ladder", bench_ladder_select},
};

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
        if (suite.name == name) {
          suite.run(session);
          session.save();
        }
    if (!options.masks_path.empty()) {
      bench_masks(session, masks);
      session.save();
    }
    std::printf("\n%s", losses_text(session.races()).c_str());
  }
  check(cudaStreamDestroy(stream));
  return 0;
}

}  // namespace compaction::bench
