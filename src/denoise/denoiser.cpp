// SPDX-License-Identifier: MIT
#include "denoise/denoiser.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace winnow {
namespace {

/// Returns "2.3.1" for 20301.
std::string version_text_of(int version) {
  constexpr int kMajor = 10'000, kMinor = 100;
  return fmt::format("{}.{}.{}", version / kMajor, version / kMinor % kMinor, version % kMinor);
}

int oidn_quality_of(DenoiseQuality quality) {
  switch (quality) {
    case DenoiseQuality::kFast:
      return kOidnFast;
    case DenoiseQuality::kBalanced:
      return kOidnBalanced;
    case DenoiseQuality::kHigh:
      break;
  }
  return kOidnHigh;
}

size_t pixel_bytes(const Image& image) {
  return image.pixels.size() * sizeof(image.pixels[0]);
}

/// The library darkens pixels near the edges, by up to 80 % in the smallest images. Images with a
/// shorter side than this get a border.
constexpr uint32_t kMinSide = 32, kBorder = 16;  // pixels

/// Returns the position in [0, size) that a position outside mirrors.
uint32_t mirrored(int64_t at, int64_t size) {
  if (size == 1) return 0;
  const int64_t period = 2 * (size - 1);
  const int64_t within = (at % period + period) % period;
  return uint32_t(std::min(within, period - within));
}

/// Returns an image with a border in which it is mirrored. An image without pixels has none.
Image with_border(const Image& image) {
  if (image.pixels.empty()) return {};
  Image wide{image.width + 2 * kBorder, image.height + 2 * kBorder, {}};
  for (uint32_t y = 0; y < wide.height; ++y)
    for (uint32_t x = 0; x < wide.width; ++x)
      wide.pixels.push_back(
          image.pixels[size_t{mirrored(int64_t{y} - kBorder, image.height)} * image.width +
                       mirrored(int64_t{x} - kBorder, image.width)]);
  return wide;
}

}  // namespace

Denoiser::Denoiser(const DenoiserSettings& settings)
    : oidn_(load_oidn()),
      device_(nullptr, oidn_.ReleaseDevice),
      kept_(nullptr, oidn_.ReleaseFilter),
      settings_(settings) {
  is_cuda_ = settings.cuda && oidn_.IsCUDADeviceSupported(*settings.cuda);
  void* const stream = nullptr;
  device_.reset(is_cuda_ ? oidn_.NewCUDADevice(&*settings.cuda, &stream, 1)
                         : oidn_.NewDevice(kOidnCpu));
  check("opening its device");
  if (!device_) throw Error(fmt::format("{}: it supports no device here", oidn_.file.string()));
  if (!is_cuda_) {
    // Threads of the renderer stay free to move between processors.
    oidn_.SetDeviceBool(device_.get(), "setAffinity", false);
    oidn_.SetDeviceInt(device_.get(), "numThreads", int(settings.threads));
  }
  oidn_.CommitDevice(device_.get());
  check("opening its device");
  version_ = oidn_.GetDeviceInt(device_.get(), "version");
  constexpr int kMin = 20'000, kMax = 30'000;
  if (version_ < kMin || version_ >= kMax)
    throw Error(fmt::format("{}: is Open Image Denoise {}; expected version 2", oidn_.file.string(),
                            version_text_of(version_)));
  constexpr int kMinForFast = 20'300;
  if (settings.quality == DenoiseQuality::kFast && version_ < kMinForFast)
    throw Error(fmt::format("{}: is Open Image Denoise {}; the quality fast needs version {}",
                            oidn_.file.string(), version_text_of(version_),
                            version_text_of(kMinForFast)));
}

Image Denoiser::denoise(Image image, const DenoiseGuides& guides, BrightPixels* bright) const {
  const BrightPixels found = fill_bright_pixels(image);
  if (std::min(image.width, image.height) >= kMinSide) {
    filter(image, guides);
  } else {
    Image wide = with_border(image);
    filter(wide, {.albedo = with_border(guides.albedo),
                  .normal = with_border(guides.normal),
                  .has_no_noise = guides.has_no_noise});
    for (uint32_t y = 0; y < image.height; ++y)
      std::copy_n(&wide.pixels[size_t{y + kBorder} * wide.width + kBorder], image.width,
                  &image.pixels[size_t{y} * image.width]);
  }
  restore_areas(found, image);
  if (bright) *bright = found;
  return image;
}

void Denoiser::filter(Image& image, const DenoiseGuides& guides) const {
  const auto albedo = clean_guide("albedo", guides.albedo, guides.has_no_noise);
  const Image none;
  const auto normal = clean_guide("normal", albedo ? guides.normal : none, guides.has_no_noise);
  const auto color = upload(image);
  std::vector<const char*> flags = {"hdr"};
  if (albedo) flags.push_back("cleanAux");
  const BufferByName images = {{"color", color.get()},
                               {"output", color.get()},
                               {"albedo", albedo.get()},
                               {"normal", normal.get()}};
  keep_memory(images, flags);
  run_filter(image, images, flags);
  oidn_.ReadBuffer(color.get(), 0, pixel_bytes(image), image.pixels.data());
  check("copying the image");
}

std::string Denoiser::library() const {
  return "Open Image Denoise " + version_text_of(version_);
}

void Denoiser::keep_memory(BufferByName images, const std::vector<const char*>& flags) const {
  const uint32_t width = settings_.kept_width, height = settings_.kept_height;
  if (kept_ || width == 0) return;
  const Owner<OidnBuffer> blank(
      oidn_.NewBuffer(device_.get(), size_t{width} * height * sizeof(glm::vec3)),
      oidn_.ReleaseBuffer);
  check("allocating memory");
  for (auto& [name, buffer] : images)
    if (buffer) buffer = blank.get();
  kept_ = make_filter(width, height, images, flags);
}

Denoiser::Owner<OidnBuffer> Denoiser::upload(const Image& image) const {
  Owner<OidnBuffer> buffer(oidn_.NewBuffer(device_.get(), pixel_bytes(image)), oidn_.ReleaseBuffer);
  check("allocating memory");
  oidn_.WriteBuffer(buffer.get(), 0, pixel_bytes(image), image.pixels.data());
  check("copying an image");
  return buffer;
}

Denoiser::Owner<OidnBuffer> Denoiser::clean_guide(const char* name, const Image& image,
                                                  bool has_no_noise) const {
  if (image.pixels.empty()) return {nullptr, oidn_.ReleaseBuffer};
  Owner<OidnBuffer> buffer = upload(image);
  if (!has_no_noise) run_filter(image, {{name, buffer.get()}, {"output", buffer.get()}}, {});
  return buffer;
}

Denoiser::Owner<OidnFilter> Denoiser::make_filter(uint32_t width, uint32_t height,
                                                  const BufferByName& images,
                                                  const std::vector<const char*>& flags) const {
  Owner<OidnFilter> filter(oidn_.NewFilter(device_.get(), "RT"), oidn_.ReleaseFilter);
  check("making its filter");
  for (const auto& [name, buffer] : images)
    if (buffer)
      oidn_.SetFilterImage(filter.get(), name.c_str(), buffer, kOidnFloat3, width, height, 0, 0, 0);
  for (const char* flag : flags) oidn_.SetFilterBool(filter.get(), flag, true);
  oidn_.SetFilterInt(filter.get(), "quality", oidn_quality_of(settings_.quality));
  oidn_.CommitFilter(filter.get());
  check("preparing its filter");
  return filter;
}

void Denoiser::run_filter(const Image& image, const BufferByName& images,
                          const std::vector<const char*>& flags) const {
  const Owner<OidnFilter> filter = make_filter(image.width, image.height, images, flags);
  oidn_.ExecuteFilter(filter.get());
  check("denoising");
}

void Denoiser::check(const char* doing) const {
  const char* message = nullptr;
  if (oidn_.GetDeviceError(device_.get(), &message) == kOidnNoError) return;
  throw Error(fmt::format("{}: failed while {}: {}", oidn_.file.string(), doing,
                          one_line(message ? message : "", kMaxPathLength)));
}

}  // namespace winnow
