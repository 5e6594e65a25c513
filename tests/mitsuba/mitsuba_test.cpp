// SPDX-License-Identifier: MIT
// Small scenes that Mitsuba 3 has rendered: see make-references.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "load/load_scene.h"
#include "tests/image/support/exr_files.h"
#include "tests/support/stems.h"
#include "tests/support/test_names.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/pixel_statistics.h"

namespace winnow {
namespace {

constexpr double kReferenceSpp = 64 * 128;  ///< samples per pixel, as in make-references

const std::filesystem::path kMitsubaFolder = WINNOW_MITSUBA_DIR;

/// Reads Mitsuba's mean and its variance for red, green and blue.
std::array<PixelStatistics, 3> read_reference(const std::string& name) {
  std::ifstream stream(kMitsubaFolder / "references" / (name + ".exr"), std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  std::array<PixelStatistics, 3> reference;
  const auto parts = read_exr_parts(bytes);
  for (const auto& [channel, read] : parts.at(0).channels) {
    PixelStatistics& color = reference[std::string("RGB").find(channel.back())];
    std::vector<double>& values = channel.size() == 1 ? color.mean : color.variance_of_mean;
    values = read.values;
  }
  return reference;
}

/// Scene by scene, on either device.
class Mitsuba : public testing::TestWithParam<std::tuple<Device, std::string>> {
  void SetUp() override { skip_without(std::get<Device>(GetParam())); }
};

std::string name_of_reference(const testing::TestParamInfo<Mitsuba::ParamType>& info) {
  return test_name(std::get<1>(info.param));
}
auto references_on(Device device) {
  return testing::Combine(testing::Values(device),
                          testing::ValuesIn(stems_of(kMitsubaFolder / "scenes", ".xml")));
}
INSTANTIATE_TEST_SUITE_P(Cpu, Mitsuba, references_on(Device::kCpu), name_of_reference);
INSTANTIATE_TEST_SUITE_P(Gpu, Mitsuba, references_on(Device::kCuda), name_of_reference);

TEST_P(Mitsuba, HasRenderedTheSameImage) {
  const auto& [device, name] = GetParam();
  HostScene scene = load_scene(kMitsubaFolder / "scenes" / (name + ".xml"));
  // What these warn of is too rare in these scenes to be seen: paths through a mask that are longer
  // than max_depth, areas that are seen through a mask, light from behind the faces of small balls.
  std::erase_if(scene.warnings, [](const std::string& warning) {
    for (const char* rare : {"does not count for max_depth", "loses some or all of it",
                             "a coarse mesh with smooth normals"})
      if (warning.find(rare) != warning.npos) return true;
    return false;
  });
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
  RenderSettings settings{
      .width = scene.width, .height = scene.height, .max_bounces = scene.max_bounces};
  settings.sampler = SamplerType::kHash;
  settings.roulette = false;
  std::array<PixelStatistics, 4> ours =
      measure_channels(0, settings, [&scene, device = device](const RenderSettings& s) {
        return make_renderer(device, scene, s);
      });
  const std::array<PixelStatistics, 3> theirs = read_reference(name);
  for (size_t channel = 0; channel < theirs.size(); ++channel) {
    SCOPED_TRACE("RGB"[channel]);
    // Our noise is at least what the reference's many samples tell: where few paths are bright, a
    // mean and a variance that lack them are small together, and would look too sure.
    for (size_t i = 0; i < ours[channel].mean.size(); ++i) {
      double& variance = ours[channel].variance_of_mean[i];
      variance = std::max(
          variance, theirs[channel].variance_of_mean[i] * kReferenceSpp / (kRuns * run_spp()));
    }
    expect_same_image(ours[channel], theirs[channel]);
  }
}

}  // namespace
}  // namespace winnow
