// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "image/compare.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"

// Many renders in one process: at the same time, and one after the other.

namespace winnow {
namespace {

using ManyRenders = OnDevice;
INSTANTIATE_TEST_SUITE_P(Cpu, ManyRenders, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, ManyRenders, testing::Values(Device::kCuda), device_name);

/// Settings of the renders of a test: of each scene several, all different.
RenderSettings settings_of(uint32_t index) {
  constexpr Cull kCulls[] = {Cull::kAppend, Cull::kScan, Cull::kLookAhead, Cull::kNone};
  RenderSettings settings = kSmall;
  settings.seed = index;
  settings.cull = kCulls[index % std::size(kCulls)];
  settings.threads = 2;
  settings.map_terminations = index % 2;
  return settings;
}

TEST_P(ManyRenders, AtTheSameTimeGiveTheBitsOfEachAlone) {
  constexpr uint32_t kThreads = 6, kRounds = 2;
  const HostScene scenes[] = {mixed_scene(), mixed_scene_with_instances()};
  auto hash_of = [&](uint32_t index) {
    const HostScene& scene = scenes[index % std::size(scenes)];
    return image_hash(render(scene, settings_of(index), kSpp));
  };
  std::vector<std::string> expected;
  for (uint32_t index = 0; index < kThreads; ++index) expected.push_back(hash_of(index));

  std::vector<std::vector<std::string>> hashes(kThreads);
  std::vector<std::jthread> threads;
  for (uint32_t index = 0; index < kThreads; ++index)
    threads.emplace_back([&, index] {
      for (uint32_t round = 0; round < kRounds; ++round) hashes[index].push_back(hash_of(index));
    });
  threads.clear();  // waits for them
  for (uint32_t index = 0; index < kThreads; ++index)
    EXPECT_EQ(hashes[index], std::vector<std::string>(kRounds, expected[index])) << index;
}

/// Bytes of this process in memory.
uint64_t resident_memory() {
  uint64_t total = 0, resident = 0;
  malloc_trim(0);
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * uint64_t(sysconf(_SC_PAGESIZE));
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kKeepsFreedMemory = true;  // AddressSanitizer keeps it, and finds leaks itself
#else
constexpr bool kKeepsFreedMemory = false;
#endif

TEST_P(ManyRenders, OneAfterTheOtherLeakNothing) {
  constexpr uint32_t kWarmUp = kKeepsFreedMemory ? 0 : 100;
  constexpr uint32_t kRenders = kKeepsFreedMemory ? 60 : 200;
  constexpr uint64_t kAllowed = uint64_t(3) << 20;  // bytes: 15 KB of each render
  const HostScene scene = mixed_scene_with_instances();
  uint64_t before = 0;
  for (uint32_t index = 0; index < kWarmUp + kRenders; ++index) {
    if (index == kWarmUp) before = resident_memory();
    RenderSettings settings = settings_of(index);
    settings.width = settings.height = 4;
    settings.max_bounces = 1;
    settings.wave_size = 64;
    render(scene, settings, 1);
  }
  if (kKeepsFreedMemory) return;
  EXPECT_LT(resident_memory(), before + kAllowed);
}

}  // namespace
}  // namespace winnow
