// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "image/image.h"

namespace winnow {

/// Images that help to distinguish texture and edges from noise. An image without pixels is
/// missing; a normal is used only together with an albedo.
struct DenoiseGuides {
  Image albedo = {};  ///< [0, 1]
  Image normal = {};  ///< [-1, 1], in any space
};

/// Device on which a Denoiser runs.
struct DenoiseDevice {
  std::optional<int> cuda = {};  ///< CUDA device index, used if the library supports it;
                                 ///< else the CPU
  uint32_t threads = 0;          ///< CPU threads; 0: all
};

/// Removes noise from images with Open Image Denoise, which is loaded at run time.
class Denoiser {
 public:
  /// Loads the library and opens the device. Throws Error in one line if either fails.
  explicit Denoiser(const DenoiseDevice& device);
  Denoiser(Denoiser&&) noexcept;
  Denoiser& operator=(Denoiser&&) noexcept;
  ~Denoiser();

  /// Returns the image without noise. Both are linear and of any brightness.
  ///
  /// @param guides  images of the size of `noisy`, whose noise is removed first
  /// Needs memory for three copies of each image. Throws Error if the library fails.
  Image denoise(const Image& noisy, const DenoiseGuides& guides) const;

  std::string library() const;      ///< "Open Image Denoise 2.3.1"
  std::string device_name() const;  ///< "CPU" or "CUDA"

 private:
  class Session;
  std::unique_ptr<Session> session_;
};

}  // namespace winnow
