// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "backend/device_group.h"
#include "base/cuda_fault.h"
#include "base/error.h"
#include "image/compare.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"

// A GPU that has no memory left, refuses a launch, or is lost.

namespace winnow {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Values of cudaError_t.
constexpr int kOutOfMemory = 2, kInvalidConfiguration = 9, kUnsupportedPtx = 222,
              kLaunchFailure = 719;
constexpr const char *kAllocating = "allocating memory",
                     *kRendering = "rendering; CUDA_LAUNCH_BLOCKING=1 names the stage",
                     *kStarting = "starting the stages";
/// Calls that fail until the test ends.
constexpr int kEveryCall = 1 << 30;

class CudaFaults : public OnDevice {
 protected:
  ~CudaFaults() override { cuda_fault = {}; }

  /// The message of the Error that `work` throws.
  template <class Work>
  static std::string reason_of(Work work) {
    try {
      work();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
};

INSTANTIATE_TEST_SUITE_P(Gpu, CudaFaults, testing::Values(Device::kCuda), device_name);

TEST_P(CudaFaults, WithLessMemoryThanExpectedRendersTheSameInSmallerWaves) {
  const HostScene scene = mixed_scene();
  const std::string expected = image_hash(render(*make(scene, kSmall), kSpp));
  std::unique_ptr<Renderer> renderer = make(scene, kSmall);
  for (const int fails : {1, 2, 4}) {
    RenderSettings settings = kSmall;
    // Waves of another size, as a restart with the same one allocates nothing.
    settings.expected_spp = 1000 * uint32_t(fails);
    cuda_fault = {.doing = kAllocating, .works = 8, .fails = fails, .status = kOutOfMemory};
    renderer->restart(settings);
    EXPECT_LE(cuda_fault.fails, 0) << "no allocation failed";
    cuda_fault = {};
    EXPECT_EQ(image_hash(render(*renderer, kSpp)), expected) << fails;
  }
}

TEST_P(CudaFaults, WithoutMemoryAreRefusedWithNumbersAndLeaveTheRendererUsable) {
  const HostScene scene = mixed_scene();
  const std::string expected = image_hash(render(*make(scene, kSmall), kSpp));
  std::unique_ptr<Renderer> renderer = make(scene, kSmall);
  cuda_fault = {.doing = kAllocating, .works = 0, .fails = kEveryCall, .status = kOutOfMemory};
  const std::string reason = reason_of([&] { renderer->restart(kSmall); });
  EXPECT_THAT(reason, AllOf(HasSubstr("MiB on the GPU"), HasSubstr("are free")));
  EXPECT_EQ(reason.find('\n'), std::string::npos);
  EXPECT_THAT(reason_of([&] { make(scene, kSmall); }), HasSubstr("are free"));
  cuda_fault = {};
  renderer->restart(kSmall);
  EXPECT_EQ(image_hash(render(*renderer, kSpp)), expected);
}

TEST_P(CudaFaults, OfADriverThatIsTooOldForTheCodeEndTheRenderBeforeItsFirstWave) {
  cuda_fault = {.doing = "loading the kernels", .works = 0, .fails = 1, .status = kUnsupportedPtx};
  const std::string reason = reason_of([] { make(mixed_scene(), kSmall); });
  EXPECT_THAT(reason, AllOf(HasSubstr("needs a newer driver"), HasSubstr("winnow --version")));
  EXPECT_EQ(reason.find('\n'), std::string::npos);
}

TEST_P(CudaFaults, OfALaunchOrOfTheDeviceNameTheStage) {
  const HostScene scene = mixed_scene();
  for (const auto& [doing, status] :
       {std::pair(kStarting, kInvalidConfiguration), std::pair(kRendering, kLaunchFailure)}) {
    std::unique_ptr<Renderer> renderer = make(scene, kSmall);
    RenderControl control;
    renderer->render_samples(0, 1, control);
    cuda_fault = {.doing = doing, .works = 1, .fails = kEveryCall, .status = status};
    const std::string reason = reason_of([&] {
      for (uint32_t sample = 1; sample < 4; ++sample) renderer->render_samples(sample, 1, control);
    });
    cuda_fault = {};
    EXPECT_THAT(reason, HasSubstr(std::string("CUDA failed while ") + doing));
    EXPECT_EQ(reason.find('\n'), std::string::npos);
  }
}

TEST_P(CudaFaults, OfOneOfTwoDevicesLoseNothing) {
  const HostScene scene = mixed_scene();
  const std::string expected = image_hash(render(*make(scene, kSmall), kSpp));
  std::vector<std::string> failures;
  DeviceGroup group(make_cuda_renderers(scene, kSmall, {0, 0}),
                    [&](const std::string& failure) { failures.push_back(failure); });
  cuda_fault = {.doing = kRendering, .works = 3, .fails = 1, .status = kLaunchFailure};
  EXPECT_EQ(image_hash(render(group, kSpp)), expected);
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_THAT(failures[0], HasSubstr("the others render its part"));
}

}  // namespace
}  // namespace winnow
