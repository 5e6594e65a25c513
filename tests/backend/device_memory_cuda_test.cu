// SPDX-License-Identifier: MIT
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "backend/cuda/cuda_memory.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"

// Tests that renders free their GPU memory. tests/backend/concurrency_test.cpp tests host memory.

namespace winnow {
namespace {

class DeviceMemory : public OnDevice {
 protected:
  static constexpr uint64_t kAllowed = uint64_t(32) << 20;  ///< bytes: 32 KB of each render

  static uint64_t used() {
    size_t free = 0, total = 0;
    check_cuda(cudaDeviceSynchronize(), "waiting");
    check_cuda(cudaMemGetInfo(&free, &total), "querying free memory");
    return total - free;
  }

  /// Calls `work`, after which the device has no more memory in use than before. Other processes
  /// may use the GPU meanwhile: only what grows with each call, also after pauses, is a leak.
  template <class Work>
  static void expect_no_growth(Work work) {
    constexpr int kAttempts = 5;
    constexpr std::chrono::milliseconds kPause(500);
    uint64_t before = 0, after = 0;
    for (int attempt = 0; attempt < kAttempts && (attempt == 0 || after >= before + kAllowed);
         ++attempt) {
      if (attempt > 0) std::this_thread::sleep_for(kPause);
      before = used();
      work();
      after = used();
    }
    EXPECT_LT(after, before + kAllowed);
  }

  /// Makes a renderer for each of a few small images, in all culling modes in turn.
  static void render_often(uint32_t count) {
    constexpr Cull kCulls[] = {Cull::kAppend, Cull::kScan, Cull::kLookAhead, Cull::kNone};
    const HostScene scene = mixed_scene_with_instances();
    RenderSettings settings{.width = 4, .height = 4, .max_bounces = 2};
    settings.wave_size = 64;
    for (uint32_t index = 0; index < count; ++index) {
      settings.seed = index;
      settings.cull = kCulls[index % std::size(kCulls)];
      render(scene, settings, 1);
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Gpu, DeviceMemory, testing::Values(Device::kCuda), device_name);

TEST_P(DeviceMemory, IsFreedByEachOfAThousandRenders) {
  constexpr uint32_t kWarmUp = 100, kRenders = 1000;
  render_often(kWarmUp);
  expect_no_growth([] { render_often(kRenders); });
}

TEST_P(DeviceMemory, IsGivenAgainInTheSameOrder) {
  CudaMemory memory;
  const auto allocate = [&](size_t count) { return memory.allocate<uint32_t>(count); };
  const Span<uint32_t> first = allocate(1000);
  allocate(500);
  allocate(200);
  check_cuda(cudaMemset(first.data, 0xFF, first.size * sizeof(uint32_t)), "filling memory");

  memory.reuse();
  const Span<uint32_t> again = allocate(1000);
  EXPECT_EQ(again.data, first.data);
  EXPECT_THAT(download(again), testing::Each(0u));
  allocate(600);  // another size than before: it and all later memory is freed
  EXPECT_EQ(memory.bytes(), 1600 * sizeof(uint32_t));

  memory.reuse();
  allocate(1000);
  memory.free_unused();
  EXPECT_EQ(memory.bytes(), 1000 * sizeof(uint32_t));
}

TEST_P(DeviceMemory, IsTheSameAfterManyMovesOfTheCamera) {
  const HostScene scene = mixed_scene_with_instances();
  const std::unique_ptr<Renderer> renderer =
      make_cuda_renderer(scene, {.width = 64, .height = 64, .max_bounces = 2}, 0);
  renderer->set_camera(scene.camera);
  expect_no_growth([&] {
    constexpr int kMoves = 50;
    for (int move = 0; move < kMoves; ++move) renderer->set_camera(scene.camera);
  });
}

}  // namespace
}  // namespace winnow
