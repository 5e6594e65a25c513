// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "image/image.h"

namespace winnow {

/// What helps to tell texture and edges from noise. Images without pixels are missing; a normal
/// counts only beside an albedo.
struct DenoiseGuides {
  Image albedo = {};  ///< [0, 1]
  Image normal = {};  ///< [-1, 1], in any space
};

/// Where a Denoiser runs.
struct DenoiseDevice {
  std::optional<int> cuda = {};  ///< CUDA's device index, used if the library can; else the CPU
  uint32_t threads = 0;          ///< of the CPU; 0: all
};

/// Removes noise from images with Open Image Denoise, a library that is found at run time.
class Denoiser {
 public:
  /// Loads the library and opens the device. Throws Error in one line if either fails.
  explicit Denoiser(const DenoiseDevice& device);
  Denoiser(Denoiser&&) noexcept;
  Denoiser& operator=(Denoiser&&) noexcept;
  ~Denoiser();

  /// The image without noise, linear and of any brightness as `noisy`.
  ///
  /// @param guides  of the size of `noisy`; noise in them is removed first
  /// Needs memory for three copies of each image. Throws Error if the library fails.
  Image denoise(const Image& noisy, const DenoiseGuides& guides) const;

  std::string library() const;      ///< "Open Image Denoise 2.3.1"
  std::string device_name() const;  ///< "CPU" or "CUDA"

 private:
  class Session;
  std::unique_ptr<Session> session_;
};

}  // namespace winnow
