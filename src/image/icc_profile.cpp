// SPDX-License-Identifier: MIT
#include "image/icc_profile.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "base/error.h"
#include "image/srgb.h"

namespace winnow {
namespace {

/// Big-endian numbers in a profile. What lies outside of it is 0 or empty.
class IccProfile {
 public:
  explicit IccProfile(std::string_view bytes) : bytes_(bytes) {}

  std::string_view part(size_t at, size_t size) const {
    return at > bytes_.size() ? std::string_view() : bytes_.substr(at, size);
  }
  uint32_t number(size_t at, size_t size) const {
    const std::string_view bytes = part(at, size);
    uint32_t value = 0;
    if (bytes.size() == size)
      for (const char byte : bytes) value = value << 8 | uint8_t(byte);
    return value;
  }
  double fixed(size_t at) const {  // s15Fixed16Number
    constexpr double kOne = 65536.0;
    return int32_t(number(at, 4)) / kOne;
  }

  /// Returns the data of a tag, empty if there is none.
  IccProfile tag(std::string_view name) const {
    constexpr size_t kCount = 128, kTags = 132, kTagBytes = 12, kMaxTags = 200;
    const size_t count = std::min<size_t>(number(kCount, 4), kMaxTags);
    for (size_t i = 0; i < count; ++i)
      if (const size_t at = kTags + i * kTagBytes; part(at, 4) == name)
        return IccProfile(part(number(at + 4, 4), number(at + 8, 4)));
    return IccProfile({});
  }

  bool is_empty() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

/// Returns the text of a description, in ASCII.
std::string icc_text(const IccProfile& description) {
  constexpr size_t kText = 12, kMaxText = 60, kMluc = 16;
  std::string text;
  if (description.part(0, 4) == "desc") {
    text = description.part(kText, std::min<size_t>(description.number(8, 4), kMaxText));
  } else if (description.part(0, 4) == "mluc") {
    const size_t size = std::min<size_t>(description.number(kMluc + 4, 4), 2 * kMaxText);
    for (const char c : description.part(description.number(kMluc + 8, 4), size))
      if (c != '\0') text += c;  // UTF-16
  }
  return text.substr(0, text.find('\0'));
}

/// Returns a tone curve at `x`; nothing if it is of a kind that is not known.
std::optional<double> icc_curve_at(const IccProfile& curve, double x) {
  if (curve.part(0, 4) == "curv") {
    constexpr size_t kValues = 12;
    const uint32_t count = curve.number(8, 4);
    if (count == 0) return x;
    if (count == 1) return std::pow(x, curve.number(kValues, 2) / 256.0);
    const auto index = size_t(std::lround(x * (count - 1)));
    return curve.number(kValues + 2 * index, 2) / 65535.0;
  }
  if (curve.part(0, 4) != "para") return {};
  constexpr size_t kParameters = 12;
  std::array<double, 7> p{};  // g a b c d e f
  for (size_t i = 0; i < p.size(); ++i) p[i] = curve.fixed(kParameters + 4 * i);
  const auto& [g, a, b, c, d, e, f] = p;
  switch (curve.number(8, 2)) {
    case 0:
      return std::pow(x, g);
    case 1:
      return x >= -b / a ? std::pow(a * x + b, g) : 0.0;
    case 2:
      return x >= -b / a ? std::pow(a * x + b, g) + c : c;
    case 3:
      return x >= d ? std::pow(a * x + b, g) : c * x;
    case 4:
      return x >= d ? std::pow(a * x + b, g) + e : c * x + f;
    default:
      return {};
  }
}

bool is_srgb_curve(const IccProfile& curve) {
  constexpr double kTolerance = 0.015;
  for (const double x : {0.25, 0.5, 0.75}) {
    const std::optional<double> y = icc_curve_at(curve, x);
    if (!y || !(std::abs(*y - linear_from_srgb(float(x))) <= kTolerance)) return false;
  }
  return true;
}

bool is_srgb(const IccProfile& profile) {
  constexpr size_t kSpace = 16;  // offset of the colour space
  if (profile.part(kSpace, 4) == "GRAY") return is_srgb_curve(profile.tag("kTRC"));
  if (profile.part(kSpace, 4) != "RGB ") return false;
  // Columns of the matrix to XYZ under D50. IEC 61966-2-1, adapted by the method of Bradford.
  constexpr struct {
    const char *column, *curve;
    double xyz[3];
  } kChannels[] = {{"rXYZ", "rTRC", {0.4361, 0.2225, 0.0139}},
                   {"gXYZ", "gTRC", {0.3851, 0.7169, 0.0971}},
                   {"bXYZ", "bTRC", {0.1431, 0.0606, 0.7141}}};
  constexpr double kTolerance = 0.01;
  constexpr size_t kXyz = 8;
  for (const auto& channel : kChannels) {
    const IccProfile column = profile.tag(channel.column);
    if (column.is_empty())  // a profile of tables
      return icc_text(profile.tag("desc")).find("sRGB") != std::string::npos;
    for (size_t i = 0; i < 3; ++i)
      if (!(std::abs(column.fixed(kXyz + 4 * i) - channel.xyz[i]) <= kTolerance)) return false;
    if (!is_srgb_curve(profile.tag(channel.curve))) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> warn_of_profile(std::string_view icc) {
  const IccProfile profile(icc);
  if (is_srgb(profile)) return {};
  const std::string name = icc_text(profile.tag("desc"));
  return fmt::format("its colour profile{} is ignored: its colours are taken as sRGB",
                     name.empty() ? "" : " " + in_quotes(name));
}

}  // namespace winnow
