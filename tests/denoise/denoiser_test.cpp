// SPDX-License-Identifier: MIT
#include "denoise/denoiser.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <optional>

#include "base/error.h"
#include "denoise/oidn_library.h"
#include "image/compare.h"
#include "math/constants.h"
#include "math/sampler.h"
#include "tests/denoise/support/fake_oidn.h"
#include "tests/support/folder_test.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Image image_of_value(float value) {
  return {5, 3, std::vector<glm::vec3>(15, glm::vec3(value, 2.0f * value, 0.0f))};
}

std::string open_message() {
  return message_of<Error>([] { Denoiser({}); });
}

class Denoisers : public FolderTest {
 protected:
  const fs::path log_ = folder_ / "log.txt";
  DenoiseEnvironment environment_;
};

TEST_F(Denoisers, FilterGuidesFirstAndThenTheImage) {
  environment_.use_fake(log_);
  const Denoiser denoiser({.threads = 3});
  EXPECT_EQ(denoiser.library(), "Open Image Denoise 2.3.1");
  EXPECT_EQ(denoiser.device_name(), "CPU");
  const Image clean = denoiser.denoise(
      image_of_value(0.25f), {.albedo = image_of_value(0.5f), .normal = image_of_value(1)});
  EXPECT_EQ(image_hash(clean), image_hash(image_of_value(0.5f)));
  EXPECT_THAT(lines_of(log_),
              ElementsAre("device CPU", "numThreads 3", "albedo 37x35", "normal 37x35",
                          "color 37x35 albedo 37x35 normal 37x35 hdr cleanAux"));
}

TEST_F(Denoisers, LeaveGuidesWithoutNoiseAsTheyAre) {
  environment_.use_fake(log_);
  Denoiser({}).denoise(
      image_of_value(1),
      {.albedo = image_of_value(1), .normal = image_of_value(1), .has_no_noise = true});
  EXPECT_THAT(lines_of(log_), ElementsAre("device CPU", "numThreads 0",
                                          "color 37x35 albedo 37x35 normal 37x35 hdr cleanAux"));
}

TEST_F(Denoisers, NeedNoGuidesAndTakeANormalOnlyBesideAnAlbedo) {
  environment_.use_fake(log_);
  const Denoiser denoiser({});
  denoiser.denoise(image_of_value(1), {.albedo = {}, .normal = image_of_value(1)});
  denoiser.denoise(image_of_value(1), {.albedo = image_of_value(1), .normal = {}});
  EXPECT_THAT(lines_of(log_), ElementsAre("device CPU", "numThreads 0", "color 37x35 hdr",
                                          "albedo 37x35", "color 37x35 albedo 37x35 hdr cleanAux"));
}

TEST_F(Denoisers, KeepAFilterOfTheLargestSizeIfTheyKeepMemory) {
  environment_.use_fake(log_);
  environment_.set("FAKE_OIDN_RELEASES", "1");
  auto denoise_sizes = [&](uint32_t kept_width, uint32_t kept_height) {
    fs::remove(log_);
    {
      const Denoiser denoiser({.kept_width = kept_width, .kept_height = kept_height});
      for (const uint32_t side : {40u, 50u, 45u})
        denoiser.denoise({side, side, std::vector<glm::vec3>(side * side)}, {});
    }
    std::vector<std::string> lines = lines_of(log_);
    std::erase_if(lines, [](const std::string& line) { return !line.starts_with("release"); });
    return lines;
  };
  const std::vector<std::string> runs = {"release color 40x40 hdr", "release color 50x50 hdr",
                                         "release color 45x45 hdr"};
  std::vector<std::string> with_kept = runs;
  with_kept.push_back("release color 60x50 hdr");
  EXPECT_EQ(denoise_sizes(60, 50), with_kept);
  EXPECT_EQ(denoise_sizes(0, 0), runs);
}

TEST_F(Denoisers, UseFiltersOfTheirQuality) {
  environment_.use_fake(log_);
  for (const DenoiseQuality quality :
       {DenoiseQuality::kHigh, DenoiseQuality::kBalanced, DenoiseQuality::kFast})
    Denoiser({.quality = quality}).denoise(image_of_value(1), {.albedo = image_of_value(1)});
  std::vector<std::string> lines = lines_of(log_);
  std::erase_if(lines, [](const std::string& line) { return !line.starts_with("color"); });
  const std::string images = "color 37x35 albedo 37x35 hdr cleanAux";
  EXPECT_THAT(lines, ElementsAre(images, images + " balanced", images + " fast"));
}

TEST_F(Denoisers, NameTheVersionThatAQualityNeeds) {
  environment_.use_fake(log_);
  environment_.set("FAKE_OIDN_VERSION", "20201");
  EXPECT_THAT(message_of<Error>([] { Denoiser({.quality = DenoiseQuality::kFast}); }),
              HasSubstr("is Open Image Denoise 2.2.1; the quality fast needs version 2.3.0"));
  EXPECT_NO_THROW(Denoiser({.quality = DenoiseQuality::kBalanced}));
}

TEST_F(Denoisers, RunOnTheGpuOfTheRenderWhereTheLibraryCan) {
  environment_.use_fake(log_);
  EXPECT_EQ(Denoiser({.cuda = 1}).device_name(), "CPU");
  environment_.set("FAKE_OIDN_CUDA", "1");
  EXPECT_EQ(Denoiser({.cuda = 1}).device_name(), "CUDA");
  EXPECT_EQ(Denoiser({}).device_name(), "CPU");
  EXPECT_THAT(lines_of(log_), ElementsAre("device CPU", "numThreads 0", "device CUDA 1",
                                          "device CPU", "numThreads 0"));
}

TEST_F(Denoisers, SayInOneLineWhyTheLibraryCannotBeUsed) {
  environment_.use_fake(log_);
  environment_.set("FAKE_OIDN_VERSION", "30102");
  EXPECT_THAT(open_message(), HasSubstr("is Open Image Denoise 3.1.2; expected version 2"));
  environment_.set("FAKE_OIDN_VERSION", "");
  environment_.set("FAKE_OIDN_FAILS", "device");
  EXPECT_THAT(open_message(),
              HasSubstr("failed while opening its device: the processor is too old"));
  environment_.set("WINNOW_OIDN", fake_oidn("old"));
  EXPECT_THAT(open_message(), AllOf(HasSubstr("is not Open Image Denoise 2: it lacks"),
                                    HasSubstr("pip install pyoidn")));
  environment_.set("WINNOW_OIDN", (folder_ / "nothing.so").string());
  EXPECT_THAT(open_message(), HasSubstr("WINNOW_OIDN: cannot be loaded: "));
  environment_.set("WINNOW_OIDN", folder_.string());
  EXPECT_THAT(open_message(), HasSubstr("holds no libOpenImageDenoise.so.2"));
}

TEST_F(Denoisers, SayInOneLineWhyDenoisingFails) {
  environment_.use_fake(log_);
  const Denoiser denoiser({});
  environment_.set("FAKE_OIDN_FAILS", "denoise");
  EXPECT_THAT(message_of<Error>([&] { denoiser.denoise(image_of_value(1), {}); }),
              HasSubstr("failed while denoising: out of?memory"));
}

TEST_F(Denoisers, FindTheLibraryInAFolderAndInAnEnvironmentOfPython) {
  const fs::path packages = folder_ / "venv/lib/python3.12/site-packages";
  const fs::path file = packages / "pyoidn/oidn/lib/libOpenImageDenoise.so.2";
  fs::create_directories(file.parent_path());
  fs::copy_file(fake_oidn("fake"), file);
  environment_.set("WINNOW_OIDN", (folder_ / "venv").string());
  EXPECT_EQ(load_oidn().file, file);
  environment_.set("WINNOW_OIDN", "");
  environment_.set("VIRTUAL_ENV", (folder_ / "venv").string());
  ASSERT_FALSE(find_oidn_wheels().empty());
  EXPECT_EQ(find_oidn_wheels().front(), file);
  environment_.set("VIRTUAL_ENV", "");
  fs::create_directories(folder_ / "venv/bin");
  std::ofstream(folder_ / "venv/bin/python3") << "#!/bin/sh\n";
  environment_.set("PATH", (folder_ / "venv/bin").string());
  EXPECT_EQ(find_oidn_wheels().front(), file);
}

TEST_F(Denoisers, FindTheLibraryFirstWherePythonFindsPackages) {
  const fs::path file = folder_ / "packages/pyoidn/oidn/lib/libOpenImageDenoise.so.2";
  fs::create_directories(file.parent_path());
  fs::copy_file(fake_oidn("fake"), file);
  environment_.set("VIRTUAL_ENV", (folder_ / "no environment").string());
  set_python_path({folder_ / "python3.zip", folder_ / "packages"});
  const std::vector<fs::path> found = find_oidn_wheels();
  set_python_path({});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(), file);
}

TEST_F(Denoisers, NameTheCommandThatInstallsTheLibrary) {
  environment_.set("PATH", "/nowhere");
  environment_.set("HOME", folder_.string());
  if (!find_oidn_wheels().empty()) GTEST_SKIP() << "pyoidn is installed for the system";
  const std::string message = open_message();
  if (message.empty()) GTEST_SKIP() << "Open Image Denoise is installed for the system";
  EXPECT_THAT(message, HasSubstr("is not installed: run \"pip install pyoidn\""));
}

/// Open Image Denoise itself, where the environment in which the tests run has it.
class RealOidn : public testing::Test {
 protected:
  RealOidn() {
    try {
      denoiser_.emplace(DenoiserSettings{});
    } catch (const Error& error) {
      why_not_ = error.what();
    }
  }
  std::optional<Denoiser> denoiser_;
  std::string why_not_;
};

/// A grey image whose pixels err by up to 80 %.
Image noisy_grey(uint32_t side) {
  Image image{side, side, {}};
  for (uint32_t i = 0; i < side * side; ++i) {
    const glm::uvec4 random = philox({i, 0, 0, 0}, {1, 2});
    image.pixels.emplace_back(0.5f * (0.2f + 1.6f * float(random.x >> 8) * 0x1p-24f));
  }
  return image;
}

TEST_F(RealOidn, ABrightPixelDoesNotSpoilOthers) {
  if (!denoiser_) GTEST_SKIP() << why_not_;
  const Image clean = denoiser_->denoise(noisy_grey(64), {});
  for (const float bright : {kInfinity, 3e38f, 65504.0f, 3e4f, 1e4f, 1e3f}) {
    Image noisy = noisy_grey(64);
    noisy.pixels[32 * 64 + 32] = glm::vec3(bright);
    BrightPixels found;
    const Image other = denoiser_->denoise(noisy, {}, &found);
    EXPECT_EQ(found.filled + found.spots, 1u);
    for (size_t pixel = 0; pixel < clean.pixels.size(); ++pixel)
      EXPECT_NEAR(other.pixels[pixel].x, clean.pixels[pixel].x, 0.05f);
  }
}

TEST_F(RealOidn, DenoisesTheSmallestImages) {
  if (!denoiser_) GTEST_SKIP() << why_not_;
  for (const auto& [width, height] : {std::pair(1u, 1u), std::pair(1u, 7u), std::pair(5u, 1u)}) {
    const Image grey{width, height, std::vector<glm::vec3>(width * height, glm::vec3(0.5f))};
    for (const glm::vec3& pixel : denoiser_->denoise(grey, {.albedo = grey}).pixels)
      EXPECT_NEAR(pixel.x, 0.5f, 0.1f);
  }
}

TEST_F(RealOidn, RemovesNoiseAndKeepsTheMean) {
  if (!denoiser_) GTEST_SKIP() << why_not_;
  const Image noisy = noisy_grey(64),
              grey{64, 64, std::vector<glm::vec3>(64 * 64, glm::vec3(0.5f))};
  Image up = grey;
  for (glm::vec3& normal : up.pixels) normal = {0.0f, 1.0f, 0.0f};
  for (const DenoiseGuides& guides : {DenoiseGuides{}, DenoiseGuides{grey, up}}) {
    const Image clean = denoiser_->denoise(noisy, guides);
    EXPECT_LT(compare(clean, grey).relative_mse, 0.1 * compare(noisy, grey).relative_mse);
    double mean = 0.0;
    for (const glm::vec3& pixel : clean.pixels) mean += pixel.y / double(clean.pixels.size());
    EXPECT_NEAR(mean, 0.5, 0.02);
  }
}

}  // namespace
}  // namespace winnow
