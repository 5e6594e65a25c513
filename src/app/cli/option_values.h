// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "scene/pixel_filter.h"

namespace winnow {

// Upper limits of options and of the same keys in scene files.
inline constexpr uint64_t kMaxSpp = 0x7fffffff;
inline constexpr uint64_t kMaxBounces = 1000;
inline constexpr uint64_t kMaxThreads = 1024;
inline constexpr uint64_t kMaxWaveSize = uint64_t(1) << 30;
inline constexpr uint64_t kMaxRepeat = 1000;

// Each function parses the text given for `option`. It throws UsageError, which names the option
// and the expected form, if the text is anything else.

/// Decimal digits, in [min, max].
uint64_t parse_whole_number(const std::string& option, const std::string& text, uint64_t min,
                            uint64_t max);

/// A positive, finite number of seconds, at most 10^9.
double parse_seconds(const std::string& option, const std::string& text);

/// A finite number of seconds, before or after the start.
double parse_moment(const std::string& option, const std::string& text);

/// A relative error, above 0 and at most 1.
double parse_noise(const std::string& option, const std::string& text);

/// A positive, finite radiance in W sr^-1 m^-2.
float parse_radiance(const std::string& option, const std::string& text);

/// The exposure of 8-bit images.
struct Exposure {
  bool is_automatic = false;  ///< auto_exposure() of the image
  float stops = 0.0f;         ///< of an automatic one: once there is an image
};

/// auto, or a number of stops from -kMaxStops to kMaxStops; a plus sign is allowed.
Exposure parse_exposure(const std::string& option, const std::string& text);

/// NAME or NAME:RADIUS in pixels; NAME alone takes the filter's default radius.
FilterDescription parse_filter(const std::string& option, const std::string& text);

/// `count` finite numbers, separated by commas.
///
/// @param names  for messages, as in X,Y,Z
std::vector<float> parse_numbers(const std::string& option, const std::string& text,
                                 const char* names, size_t count);

struct Size {
  uint32_t width = 0, height = 0;  ///< pixels, [1, kMaxImageSide]
};

/// WIDTHxHEIGHT, as in 1920x1080.
Size parse_size(const std::string& option, const std::string& text);

/// Index of `text` in `names`.
size_t parse_choice(const std::string& option, const std::string& text,
                    const std::vector<std::string>& names);

/// Indices in `names` of the comma-separated words of `text`, in the order of the words: at least
/// one, none twice.
std::vector<size_t> parse_choices(const std::string& option, const std::string& text,
                                  const std::vector<std::string>& names);

/// The value of `Enum` that `text` names.
template <class Enum>
Enum parse_enum(const std::string& option, const std::string& text) {
  return Enum(parse_choice(option, text, enum_names<Enum>()));
}

/// A value of --device or --devices.
struct DeviceRequest {
  enum class Kind { kAuto, kCpu, kCuda, kAllCuda };

  Kind kind = Kind::kAuto;
  std::vector<int> indices = {};  ///< of CUDA devices; without any, the first
};

/// auto, cpu, cuda (the first GPU) or cuda:K.
DeviceRequest parse_device(const std::string& option, const std::string& text);

/// Several GPUs: all, or a list as in "0,2" or "cuda:0,cuda:2".
DeviceRequest parse_devices(const std::string& option, const std::string& text);

}  // namespace winnow
