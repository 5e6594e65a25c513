// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "backend/renderer.h"
#include "image/compare.h"

// Tests of whole renders, on the CPU and on a GPU.

namespace winnow {

enum class Device { kCpu, kCuda };

inline std::string name_of(Device device) {
  return device == Device::kCpu ? "cpu" : "cuda";
}
inline void PrintTo(Device device, std::ostream* out) {
  *out << name_of(device);
}

inline std::unique_ptr<Renderer> make_renderer(Device device, const HostScene& scene,
                                               const RenderSettings& settings) {
  return device == Device::kCpu ? make_cpu_renderer(scene, settings)
                                : make_cuda_renderer(scene, settings, 0);
}

inline const RenderSettings kSmall{.width = 37, .height = 23, .max_bounces = 8};
inline constexpr uint32_t kSpp = 5;
/// For tests that compare bits in every way. On the CPU, kernels of culling and grouping run on the
/// host executor, where each launch takes about 10 ms. kSpp samples are two waves of kFewPathsWave
/// paths, each of several blocks with a partial warp.
inline const RenderSettings kFewPaths{.width = 17, .height = 13, .max_bounces = 4};
inline constexpr uint32_t kFewPathsWave = 600;

/// Skips a test on a GPU where there is none. For SetUp().
inline void skip_without(Device device) {
  if (device == Device::kCpu) return;
  std::string why_none = list_cuda_devices().why_none;
  if (!why_none.empty()) GTEST_SKIP() << "needs a GPU: " << why_none;
}

/// The mean of the red channel over all pixels.
inline double mean_red(const Image& image) {
  double sum = 0.0;
  for (const glm::vec3& pixel : image.pixels) sum += pixel.x / double(image.pixels.size());
  return sum;
}

/// Tests that hold on either device.
class OnDevice : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override { skip_without(GetParam()); }

  static std::unique_ptr<Renderer> make(const HostScene& scene, const RenderSettings& settings) {
    return make_renderer(GetParam(), scene, settings);
  }
  static Image render(const HostScene& scene, const RenderSettings& settings, uint32_t spp) {
    return render(*make(scene, settings), spp);
  }
  static Image render(Renderer& renderer, uint32_t spp) {
    RenderControl control;
    renderer.render_samples(0, spp, control);
    return renderer.film();
  }
  /// Renders kFewPaths in every way; on the CPU, in representative ones.
  void expect_same_bits_in_every_way(const HostScene& scene, RenderSettings settings = kFewPaths);
};

inline std::string device_name(const testing::TestParamInfo<Device>& info) {
  return name_of(info.param);
}

/// The settings of every loop, culling mode and driver that a device supports.
inline std::vector<RenderSettings> every_way(Device device, RenderSettings settings = kSmall) {
  std::vector<RenderSettings> ways;
  settings.loop = Loop::kPath;
  ways.push_back(settings);
  settings.loop = Loop::kWave;
  std::vector<Driver> drivers = {Driver::kGraph};
  if (device == Device::kCuda) drivers.push_back(Driver::kHost);
  auto add = [&](Cull cull, Group group) {
    for (Driver driver : drivers)
      for (bool regenerate : {false, true}) {
        settings.cull = cull;
        settings.group = group;
        settings.driver = driver;
        settings.regenerate = regenerate;
        ways.push_back(settings);
      }
  };
  for (Cull cull : available_culls(device == Device::kCuda)) add(cull, Group::kAuto);
  for (Cull cull : {Cull::kNone, Cull::kAppend, Cull::kLookBack, Cull::kLookAhead, Cull::kAuto})
    add(cull, Group::kMaterial);
  return ways;
}

/// For features of shading: every way on a GPU. On the CPU, each loop, with and without
/// regeneration and grouping, and one culling mode for each place of the path state after it. The
/// tests of Renderers run the other modes there.
inline std::vector<RenderSettings> representative_ways(Device device,
                                                       RenderSettings settings = kSmall) {
  std::vector<RenderSettings> ways = every_way(device, settings);
  if (device == Device::kCuda) return ways;
  std::erase_if(ways, [](const RenderSettings& way) {
    if (way.group == Group::kMaterial) return way.cull != Cull::kAppend;
    return way.cull == Cull::kScan || way.cull == Cull::kBallot || way.cull == Cull::kLookBack ||
           way.cull == Cull::kAuto;
  });
  return ways;
}

inline std::string name_of(const RenderSettings& settings) {
  return "loop " + std::to_string(int(settings.loop)) + ", cull " +
         std::to_string(int(settings.cull)) + ", driver " + std::to_string(int(settings.driver)) +
         (settings.group == Group::kMaterial ? ", by material" : "") +
         (settings.regenerate ? ", regenerating" : "");
}

inline void OnDevice::expect_same_bits_in_every_way(const HostScene& scene,
                                                    RenderSettings settings) {
  settings.width = kFewPaths.width, settings.height = kFewPaths.height;
  std::unique_ptr<Renderer> renderer = make(scene, settings);
  const std::string expected = image_hash(render(*renderer, kSpp));
  for (RenderSettings way : representative_ways(GetParam(), settings)) {
    SCOPED_TRACE(name_of(way));
    way.wave_size = kFewPathsWave;
    renderer->restart(way);
    EXPECT_EQ(image_hash(render(*renderer, kSpp)), expected);
  }
}

}  // namespace winnow
