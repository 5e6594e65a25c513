// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/names.h"
#include "denoise/bright_pixels.h"
#include "denoise/oidn_library.h"
#include "image/image.h"

namespace winnow {

/// Images that help to distinguish texture and edges from noise. An image without pixels is
/// missing; a normal is used only together with an albedo.
struct DenoiseGuides {
  Image albedo = {};          ///< [0, 1]
  Image normal = {};          ///< [-1, 1], in any space
  bool has_no_noise = false;  ///< the noise of the images need not be removed first
};

/// Filters of the library. Those of a higher quality have larger networks, which take longer.
enum class DenoiseQuality { kHigh, kBalanced, kFast };
template <>
inline constexpr std::array<const char*, 3> kEnumNames<DenoiseQuality> = {"high", "balanced",
                                                                          "fast"};

struct DenoiserSettings {
  std::optional<int> cuda = {};  ///< CUDA device index, used if the library supports it;
                                 ///< else the CPU
  uint32_t threads = 0;          ///< CPU threads; 0: all
  /// For many images: keeps the memory for an image of this size between images, which are not
  /// larger; 0: none.
  uint32_t kept_width = 0, kept_height = 0;
  DenoiseQuality quality = DenoiseQuality::kHigh;
};

/// Removes noise from images with Open Image Denoise, which is loaded at run time.
class Denoiser {
 public:
  /// Loads the library and opens the device. Throws Error in one line if either fails, or if the
  /// library is older than the quality.
  explicit Denoiser(const DenoiserSettings& settings);

  /// Returns the image without noise. Both are linear and of any brightness. Infinite pixels do not
  /// spoil others; see fill_bright_pixels().
  /// @param guides  images of the size of `noisy`, whose noise is removed first unless they have
  /// none
  /// @param bright  receives the bright pixels; may be null
  /// Needs memory for three copies of each image. Throws Error if the library fails.
  Image denoise(Image noisy, const DenoiseGuides& guides, BrightPixels* bright = nullptr) const;

  std::string library() const;  ///< "Open Image Denoise 2.3.1"
  std::string device_name() const { return is_cuda_ ? "CUDA" : "CPU"; }

 private:
  template <class Handle>
  using Owner = std::unique_ptr<std::remove_pointer_t<Handle>, void (*)(Handle)>;

  /// Removes the noise of an image in place.
  void filter(Image& image, const DenoiseGuides& guides) const;

  Owner<OidnBuffer> upload(const Image& image) const;

  /// Returns a guide on the device, without noise; null if the guide is missing.
  Owner<OidnBuffer> clean_guide(const char* name, const Image& image, bool has_no_noise) const;

  using BufferByName = std::map<std::string, OidnBuffer>;

  /// Makes a filter with these flags for images of a size; null ones are missing.
  Owner<OidnFilter> make_filter(uint32_t width, uint32_t height, const BufferByName& images,
                                const std::vector<const char*>& flags) const;

  /// Makes the filter that is kept, if it is missing, for these kinds of images.
  void keep_memory(BufferByName images, const std::vector<const char*>& flags) const;

  /// Runs a filter with these flags on images of the size of `image`; null ones are missing.
  void run_filter(const Image& image, const BufferByName& images,
                  const std::vector<const char*>& flags) const;

  /// Throws Error if a call since the last check failed.
  void check(const char* doing) const;

  OidnLibrary oidn_;
  Owner<OidnDevice> device_;
  /// A filter of the size of the settings, if memory is kept, which never runs: the library frees
  /// the memory in which filters work when the last of them is released, and makes it anew for each
  /// larger one.
  mutable Owner<OidnFilter> kept_;
  DenoiserSettings settings_;
  bool is_cuda_ = false;
  int version_ = 0;
};

}  // namespace winnow
