// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/names.h"
#include "base/render_defaults.h"
#include "scene/pixel_filter.h"

namespace winnow {

inline constexpr uint64_t kMaxThreads = 1024;
inline constexpr uint64_t kMaxWaveSize = uint64_t(1) << 30;
inline constexpr uint64_t kMaxRepeat = 1000;

/// Returns the parts of `text` between separators: at least one, which may be empty.
std::vector<std::string> split(const std::string& text, char separator);

// Each parse function returns the value of the text given for `option`, whose form its comment
// states. It throws UsageError, which names the option and that form, for any other text.

/// Form: any but "-", which would be a file of that name where many programs mean a standard
/// stream.
std::string parse_path(const std::string& option, const std::string& text);

/// Form: decimal digits, in [min, max].
uint64_t parse_whole_number(const std::string& option, const std::string& text, uint64_t min,
                            uint64_t max);

/// Form: a positive, finite number of seconds, at most 10^9.
double parse_seconds(const std::string& option, const std::string& text);

/// Form: a finite number of seconds, positive or negative.
double parse_moment(const std::string& option, const std::string& text);

/// Form: a relative error, above 0 and at most 1.
double parse_noise(const std::string& option, const std::string& text);

/// Form: a positive, finite radiance in W sr^-1 m^-2.
float parse_radiance(const std::string& option, const std::string& text);

/// The exposure of 8-bit images.
struct Exposure {
  bool is_automatic = false;  ///< auto_exposure() of the image chooses the stops
  float stops = 0.0f;         ///< if automatic, unknown until there is an image
};

/// Form: auto, or a number of stops from -kMaxStops to kMaxStops; a plus sign is allowed.
Exposure parse_exposure(const std::string& option, const std::string& text);

/// Form: NAME or NAME:RADIUS in pixels; NAME alone takes the filter's default radius.
FilterDescription parse_filter(const std::string& option, const std::string& text);

/// Form: `count` finite numbers, separated by commas, with any spaces around them; messages call
/// them `names`, as in X,Y,Z.
std::vector<float> parse_numbers(const std::string& option, const std::string& text,
                                 const char* names, size_t count);

struct Size {
  uint32_t width = 0, height = 0;  ///< pixels, [1, kMaxImageSide]
};

/// Form: WIDTHxHEIGHT, as in 1920x1080.
Size parse_size(const std::string& option, const std::string& text);

/// Returns "a, b or c".
std::string alternatives(const std::vector<std::string>& names);

/// Returns the index of `text` in `names`.
size_t parse_choice(const std::string& option, const std::string& text,
                    const std::vector<std::string>& names);

/// Returns the indices in `names` of the comma-separated words of `text`, in the order of the
/// words: at least one, none twice.
std::vector<size_t> parse_choices(const std::string& option, const std::string& text,
                                  const std::vector<std::string>& names);

/// Form: the name of a value of `Enum`.
template <class Enum>
Enum parse_enum(const std::string& option, const std::string& text) {
  return Enum(parse_choice(option, text, enum_names<Enum>()));
}

/// A value of --device or --devices.
struct DeviceRequest {
  enum class Kind { kAuto, kCpu, kCuda, kAllCuda };

  Kind kind = Kind::kAuto;
  std::vector<int> indices = {};  ///< CUDA's device indices; empty: the first device
};

/// Form: auto, cpu, cuda (the first GPU) or cuda:K.
DeviceRequest parse_device(const std::string& option, const std::string& text);

/// Form: all, or a list of GPUs as in "0,2" or "cuda:0,cuda:2".
DeviceRequest parse_devices(const std::string& option, const std::string& text);

}  // namespace winnow
