// SPDX-License-Identifier: MIT
#include "denoise/denoiser.h"

#include <fmt/core.h>

#include <type_traits>

#include "base/error.h"
#include "base/one_line.h"
#include "denoise/oidn_library.h"

namespace winnow {
namespace {

/// Returns "2.3.1" for 20301.
std::string version_text_of(int version) {
  constexpr int kMajor = 10'000, kMinor = 100;
  return fmt::format("{}.{}.{}", version / kMajor, version / kMinor % kMinor, version % kMinor);
}

/// Owner of a handle, which its function releases.
template <class Handle>
using OidnOwner = std::unique_ptr<std::remove_pointer_t<Handle>, void (*)(Handle)>;

size_t pixel_bytes(const Image& image) {
  return image.pixels.size() * sizeof(image.pixels[0]);
}

}  // namespace

/// The library and an open device.
class Denoiser::Session {
 public:
  explicit Session(const DenoiseDevice& device)
      : library_(load_oidn()), device_(nullptr, library_.api.ReleaseDevice) {
    is_cuda_ = device.cuda && api().IsCUDADeviceSupported(*device.cuda);
    void* const stream = nullptr;
    device_.reset(is_cuda_ ? api().NewCUDADevice(&*device.cuda, &stream, 1)
                           : api().NewDevice(kOidnCpu));
    check("opening its device");
    if (!device_) throw Error(fmt::format("{}: it supports no device here", file()));
    if (!is_cuda_) {
      // Threads of the renderer stay free to move between processors.
      api().SetDeviceBool(device_.get(), "setAffinity", false);
      api().SetDeviceInt(device_.get(), "numThreads", int(device.threads));
    }
    api().CommitDevice(device_.get());
    check("opening its device");
    version_ = api().GetDeviceInt(device_.get(), "version");
    constexpr int kMin = 20'000, kMax = 30'000;
    if (version_ < kMin || version_ >= kMax)
      throw Error(fmt::format("{}: is Open Image Denoise {}; expected version 2", file(),
                              version_text_of(version_)));
  }

  OidnOwner<OidnBuffer> upload(const Image& image) const {
    OidnOwner<OidnBuffer> buffer(api().NewBuffer(device_.get(), pixel_bytes(image)),
                                 api().ReleaseBuffer);
    check("allocating memory");
    api().WriteBuffer(buffer.get(), 0, pixel_bytes(image), image.pixels.data());
    check("copying an image");
    return buffer;
  }

  void download(const OidnOwner<OidnBuffer>& buffer, Image& image) const {
    api().ReadBuffer(buffer.get(), 0, pixel_bytes(image), image.pixels.data());
    check("copying the image");
  }

  /// A filter for images of one size.
  class Filter {
   public:
    Filter(const Session& session, uint32_t width, uint32_t height)
        : session_(session),
          width_(width),
          height_(height),
          filter_(session.api().NewFilter(session.device_.get(), "RT"),
                  session.api().ReleaseFilter) {
      session.check("making its filter");
    }
    void set(const char* name, const OidnOwner<OidnBuffer>& buffer) {
      session_.api().SetFilterImage(filter_.get(), name, buffer.get(), kOidnFloat3, width_, height_,
                                    0, 0, 0);
    }
    void set(const char* name, bool value) {
      session_.api().SetFilterBool(filter_.get(), name, value);
    }
    void run() {
      session_.api().CommitFilter(filter_.get());
      session_.check("preparing its filter");
      session_.api().ExecuteFilter(filter_.get());
      session_.check("denoising");
    }

   private:
    const Session& session_;
    size_t width_, height_;
    OidnOwner<OidnFilter> filter_;
  };

  /// Returns a guide on the device, with its noise removed; null if the guide is missing.
  OidnOwner<OidnBuffer> clean_guide(const char* name, const Image& image) const {
    if (image.pixels.empty()) return {nullptr, api().ReleaseBuffer};
    OidnOwner<OidnBuffer> buffer = upload(image);
    Filter filter(*this, image.width, image.height);
    filter.set(name, buffer);
    filter.set("output", buffer);
    filter.run();
    return buffer;
  }

  std::string library() const { return "Open Image Denoise " + version_text_of(version_); }
  std::string device_name() const { return is_cuda_ ? "CUDA" : "CPU"; }

 private:
  const OidnApi& api() const { return library_.api; }
  std::string file() const { return library_.file.string(); }

  /// Throws Error if a call since the last check failed.
  void check(const char* doing) const {
    const char* message = nullptr;
    if (api().GetDeviceError(device_.get(), &message) == kOidnNoError) return;
    throw Error(fmt::format("{}: failed while {}: {}", file(), doing,
                            one_line(message ? message : "", kMaxPathLength)));
  }

  OidnLibrary library_;
  OidnOwner<OidnDevice> device_;
  bool is_cuda_ = false;
  int version_ = 0;
};

Denoiser::Denoiser(const DenoiseDevice& device) : session_(std::make_unique<Session>(device)) {}
Denoiser::Denoiser(Denoiser&&) noexcept = default;
Denoiser& Denoiser::operator=(Denoiser&&) noexcept = default;
Denoiser::~Denoiser() = default;

std::string Denoiser::library() const {
  return session_->library();
}

std::string Denoiser::device_name() const {
  return session_->device_name();
}

Image Denoiser::denoise(const Image& noisy, const DenoiseGuides& guides) const {
  const bool has_albedo = !guides.albedo.pixels.empty();
  const bool has_normal = has_albedo && !guides.normal.pixels.empty();
  const auto albedo = session_->clean_guide("albedo", guides.albedo);
  const Image none;
  const auto normal = session_->clean_guide("normal", has_normal ? guides.normal : none);
  const auto color = session_->upload(noisy);

  Session::Filter filter(*session_, noisy.width, noisy.height);
  filter.set("color", color);
  filter.set("output", color);
  filter.set("hdr", true);
  if (has_albedo) filter.set("albedo", albedo);
  if (has_normal) filter.set("normal", normal);
  if (has_albedo) filter.set("cleanAux", true);
  filter.run();
  Image clean = noisy;
  session_->download(color, clean);
  return clean;
}

}  // namespace winnow
