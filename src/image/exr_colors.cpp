// SPDX-License-Identifier: MIT
#include "image/exr_colors.h"

#include <OpenEXR/ImfIntAttribute.h>
#include <OpenEXR/ImfStandardAttributes.h>
#include <OpenEXR/ImfStringAttribute.h>
#include <fmt/format.h>

#include <cmath>
#include <glm/matrix.hpp>
#include <glm/vec2.hpp>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "image/primaries.h"

namespace winnow {
namespace {

constexpr glm::dvec2 kD65 = kRec709.white, kD60(0.32168, 0.33767);
constexpr Primaries kAp0 = {{0.7347, 0.2653}, {0.0, 1.0}, {0.0001, -0.077}, kD60};

struct ColorSpaceName {
  std::string_view name;  ///< second word of an ID for Color Interop
  Primaries primaries;
  glm::dvec2 neutral = primaries.white;  ///< chromaticity that becomes white
};
constexpr ColorSpaceName kSpaces[] = {
    {"rec709", kRec709},
    {"rec2020", {{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}, kD65}},
    {"p3d65", {{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}, kD65}},
    {"ap0", kAp0},
    {"ap1", {{0.713, 0.293}, {0.165, 0.830}, {0.128, 0.044}, kD60}},
    {"adobergb", {{0.64, 0.33}, {0.21, 0.71}, {0.15, 0.06}, kD65}},
    {"ciexyzd65", {{1.0, 0.0}, {0.0, 1.0}, {0.0, 0.0}, {1.0 / 3.0, 1.0 / 3.0}}, kD65}};

template <int kTenths>
float decode_gamma(float value) {
  return std::copysign(std::pow(std::abs(value), 0.1f * float(kTenths)), value);
}

/// IEC 61966-2-1, mirrored below 0.
float decode_srgb(float value) {
  constexpr float kLinearEnd = 0.04045f;
  const float size = std::abs(value);
  const float linear =
      size <= kLinearEnd ? size / 12.92f : std::pow((size + 0.055f) / 1.055f, 2.4f);
  return std::copysign(linear, value);
}

struct EncodingName {
  std::string_view name;  ///< first word of an ID for Color Interop
  float (*decode)(float);
};
constexpr EncodingName kEncodings[] = {{"lin", nullptr},          {"srgb", decode_srgb},
                                       {"g18", decode_gamma<18>}, {"g22", decode_gamma<22>},
                                       {"g24", decode_gamma<24>}, {"g26", decode_gamma<26>}};

/// An ID for Color Interop, such as "lin_ap1_scene".
struct InteropColors {
  float (*decode)(float);
  const ColorSpaceName* space;
};

std::optional<InteropColors> parse_interop_id(std::string_view id) {
  const size_t first = id.find('_'), last = id.rfind('_');
  if (first == last) return std::nullopt;
  const std::string_view encoding = id.substr(0, first), state = id.substr(last + 1),
                         space = id.substr(first + 1, last - first - 1);
  if (state != "scene" && state != "display") return std::nullopt;
  for (const auto& [encoding_name, decode] : kEncodings)
    for (const ColorSpaceName& known : kSpaces)
      if (encoding == encoding_name && space == known.name) return InteropColors{decode, &known};
  return std::nullopt;
}

glm::dvec2 to_glm(const Imath::V2f& xy) {
  return {xy.x, xy.y};
}

std::optional<Primaries> read_chromaticities(const Imf::Header& header) {
  if (Imf::hasChromaticities(header)) {
    const Imf::Chromaticities& read = Imf::chromaticities(header);
    return Primaries{to_glm(read.red), to_glm(read.green), to_glm(read.blue), to_glm(read.white)};
  }
  const auto* flag = header.findTypedAttribute<Imf::IntAttribute>("acesImageContainerFlag");
  if (flag && flag->value() == 1) return kAp0;
  return std::nullopt;
}

/// True if coordinates agree within the digits that files give.
bool are_near(glm::dvec2 a, glm::dvec2 b) {
  constexpr double kTolerance = 1e-3;  // as in OpenEXR's chromaticitiesToColorInteropID()
  return std::abs(a.x - b.x) < kTolerance && std::abs(a.y - b.y) < kTolerance;
}

/// True if all chromaticities agree.
bool are_near(const Primaries& a, const Primaries& b) {
  return are_near(a.red, b.red) && are_near(a.green, b.green) && are_near(a.blue, b.blue) &&
         are_near(a.white, b.white);
}

/// True for the colour spaces that pbrt supports: RGBColorSpace::Lookup() of pbrt-v4.
bool is_known_to_pbrt(const Primaries& primaries) {
  for (const ColorSpaceName& known : kSpaces)
    for (const std::string_view name : {"rec709", "rec2020", "p3d65", "ap0"})
      if (known.name == name && are_near(primaries, known.primaries)) return true;
  return false;
}

/// Returns the matrix to linear Rec.709. Its values are not finite if the primaries have no plane.
glm::dmat3 matrix_to_rec709(const Primaries& from, std::optional<glm::dvec2> adapted_white) {
  glm::dmat3 matrix = to_xyz(from);
  if (adapted_white) matrix = adaptation(*adapted_white, kD65) * matrix;
  return glm::inverse(to_xyz(kRec709)) * matrix;
}

bool is_usable(const glm::dmat3& matrix) {
  constexpr double kMost = 1e3;
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 3; ++row)
      if (!(std::abs(matrix[column][row]) < kMost)) return false;
  return true;
}

}  // namespace

ExrColors read_exr_colors(const Imf::Header& header, ImageRules rules,
                          std::vector<std::string>& warnings) {
  const bool adapts = rules != ImageRules::kMitsuba, has_ids = adapts && rules != ImageRules::kPbrt;
  std::optional<Primaries> from = read_chromaticities(header);
  std::optional<glm::dvec2> neutral;
  ExrColors colors;
  if (const auto* id = header.findTypedAttribute<Imf::StringAttribute>("colorInteropID")) {
    if (id->value() == "data") return {};
    const auto named = parse_interop_id(id->value());
    if (named && has_ids) {
      from = named->space->primaries;
      neutral = named->space->neutral;
      colors.decode = named->decode;
    } else if (id->value() != "unknown" && !id->value().empty() &&
               !(named && !named->decode && named->space->name == "rec709")) {
      warnings.push_back(fmt::format("its colorInteropID {} is ignored", in_quotes(id->value())));
    }
  }
  if (has_ids && Imf::hasAdoptedNeutral(header)) neutral = to_glm(Imf::adoptedNeutral(header));
  if (!from) from = kRec709;
  const glm::dvec2 white = neutral.value_or(from->white);
  if (are_near(*from, kRec709) && are_near(white, kD65)) return colors;
  if (rules == ImageRules::kPbrt && !is_known_to_pbrt(*from)) {
    warnings.push_back("pbrt does not know its chromaticities; Rec.709 is used, as there");
    return colors;
  }
  const glm::dmat3 matrix = matrix_to_rec709(*from, adapts ? std::optional(white) : std::nullopt);
  if (is_usable(matrix))
    colors.to_rec709 = matrix;
  else
    warnings.push_back("its chromaticities or its adoptedNeutral are no colours; Rec.709 is used");
  return colors;
}

ExrColors exr_xyz_colors() {
  return {.to_rec709 = glm::inverse(to_xyz(kRec709))};
}

void convert_to_rec709(const ExrColors& colors, Image& image) {
  if (!colors.decode && colors.to_rec709 == glm::dmat3(1.0)) return;
  for (glm::vec3& pixel : image.pixels) {
    if (colors.decode)
      pixel = {colors.decode(pixel.x), colors.decode(pixel.y), colors.decode(pixel.z)};
    pixel = glm::vec3(colors.to_rec709 * glm::dvec3(pixel));
  }
}

}  // namespace winnow
