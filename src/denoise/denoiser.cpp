// SPDX-License-Identifier: MIT
#include "denoise/denoiser.h"

#include <fmt/core.h>

#include "base/error.h"

namespace winnow {
namespace {

/// Returns "2.3.1" for 20301.
std::string version_text_of(int version) {
  constexpr int kMajor = 10'000, kMinor = 100;
  return fmt::format("{}.{}.{}", version / kMajor, version / kMinor % kMinor, version % kMinor);
}

size_t pixel_bytes(const Image& image) {
  return image.pixels.size() * sizeof(image.pixels[0]);
}

}  // namespace

Denoiser::Denoiser(const DenoiseDevice& device)
    : oidn_(load_oidn()), device_(nullptr, oidn_.ReleaseDevice) {
  is_cuda_ = device.cuda && oidn_.IsCUDADeviceSupported(*device.cuda);
  void* const stream = nullptr;
  device_.reset(is_cuda_ ? oidn_.NewCUDADevice(&*device.cuda, &stream, 1)
                         : oidn_.NewDevice(kOidnCpu));
  check("opening its device");
  if (!device_) throw Error(fmt::format("{}: it supports no device here", oidn_.file.string()));
  if (!is_cuda_) {
    // Threads of the renderer stay free to move between processors.
    oidn_.SetDeviceBool(device_.get(), "setAffinity", false);
    oidn_.SetDeviceInt(device_.get(), "numThreads", int(device.threads));
  }
  oidn_.CommitDevice(device_.get());
  check("opening its device");
  version_ = oidn_.GetDeviceInt(device_.get(), "version");
  constexpr int kMin = 20'000, kMax = 30'000;
  if (version_ < kMin || version_ >= kMax)
    throw Error(fmt::format("{}: is Open Image Denoise {}; expected version 2", oidn_.file.string(),
                            version_text_of(version_)));
}

Image Denoiser::denoise(const Image& noisy, const DenoiseGuides& guides) const {
  const auto albedo = clean_guide("albedo", guides.albedo);
  const Image none;
  const auto normal = clean_guide("normal", albedo ? guides.normal : none);
  const auto color = upload(noisy);
  std::vector<const char*> flags = {"hdr"};
  if (albedo) flags.push_back("cleanAux");
  run_filter(noisy,
             {{"color", color.get()},
              {"output", color.get()},
              {"albedo", albedo.get()},
              {"normal", normal.get()}},
             flags);
  Image clean = noisy;
  oidn_.ReadBuffer(color.get(), 0, pixel_bytes(clean), clean.pixels.data());
  check("copying the image");
  return clean;
}

std::string Denoiser::library() const {
  return "Open Image Denoise " + version_text_of(version_);
}

Denoiser::Owner<OidnBuffer> Denoiser::upload(const Image& image) const {
  Owner<OidnBuffer> buffer(oidn_.NewBuffer(device_.get(), pixel_bytes(image)), oidn_.ReleaseBuffer);
  check("allocating memory");
  oidn_.WriteBuffer(buffer.get(), 0, pixel_bytes(image), image.pixels.data());
  check("copying an image");
  return buffer;
}

Denoiser::Owner<OidnBuffer> Denoiser::clean_guide(const char* name, const Image& image) const {
  if (image.pixels.empty()) return {nullptr, oidn_.ReleaseBuffer};
  Owner<OidnBuffer> buffer = upload(image);
  run_filter(image, {{name, buffer.get()}, {"output", buffer.get()}}, {});
  return buffer;
}

void Denoiser::run_filter(const Image& image, const std::map<std::string, OidnBuffer>& images,
                          const std::vector<const char*>& flags) const {
  const Owner<OidnFilter> filter(oidn_.NewFilter(device_.get(), "RT"), oidn_.ReleaseFilter);
  check("making its filter");
  for (const auto& [name, buffer] : images)
    if (buffer)
      oidn_.SetFilterImage(filter.get(), name.c_str(), buffer, kOidnFloat3, image.width,
                           image.height, 0, 0, 0);
  for (const char* flag : flags) oidn_.SetFilterBool(filter.get(), flag, true);
  oidn_.CommitFilter(filter.get());
  check("preparing its filter");
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
