// SPDX-License-Identifier: MIT
#include "image/agx.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <vector>

namespace winnow {
namespace {

// The formation of the image follows Zhou (Eary Chow), "AgX_LUT_Gen", 2023, after Troy Sobotka's
// AgX. It works in Rec.2020: negative channels are raised, the primaries are moved towards white,
// each channel passes a sigmoid of its logarithm, hues are partly restored, and the primaries are
// moved back.

glm::dmat3 dmat3_of_rows(glm::dvec3 first, glm::dvec3 second, glm::dvec3 third) {
  return glm::transpose(glm::dmat3(first, second, third));
}

/// CIE XYZ of the primaries of FilmLight's E-Gamut, white D65.
const glm::dmat3 kXyzFromEGamut = dmat3_of_rows({0.7053968501, 0.1640413283, 0.08101774865},
                                                {0.2801307241, 0.8202066415, -0.1003373656},
                                                {-0.1037815116, -0.07290725703, 1.265746519});
/// CIE XYZ of the primaries of ITU-R BT.2020, white D65.
const glm::dmat3 kXyzFromRec2020 =
    dmat3_of_rows({0.6369535067850740, 0.1446191846692331, 0.1688558539228734},
                  {0.2626983389565560, 0.6780087657728165, 0.0592928952706273},
                  {0.0, 0.0280731358475570, 1.0608272349505707});
/// CIE XYZ of the primaries of ITU-R BT.709, white D65.
const glm::dmat3 kXyzFromRec709 = dmat3_of_rows({0.4123907993, 0.3575843394, 0.1804807884},
                                                {0.2126390059, 0.7151686788, 0.0721923154},
                                                {0.0193308187, 0.1191947798, 0.9505321522});

/// Moves the primaries towards white and rotates them.
const glm::dmat3 kInset = dmat3_of_rows({0.856627153315983, 0.0951212405381588, 0.0482516061458583},
                                        {0.137318972929847, 0.761241990602591, 0.101439036467562},
                                        {0.11189821299995, 0.0767994186031903, 0.811302368396859});
/// Moves the primaries away from white.
const glm::dmat3 kOutset =
    glm::inverse(dmat3_of_rows({0.899796955911611, 0.0871996192028351, 0.013003424885555},
                               {0.11142098895748, 0.875575586156966, 0.0130034248855548},
                               {0.11142098895748, 0.0871996192028349, 0.801379391839686}));

/// Luminance of the primaries of Rec.2020 by the CIE 2015 functions.
constexpr glm::dvec3 kLuminance(0.2658180370250449, 0.59846986045365, 0.1357121025213052);

constexpr double kDisplayGamma = 2.4;

double min_of(glm::dvec3 color) {
  return std::min({color.x, color.y, color.z});
}

double max_of(glm::dvec3 color) {
  return std::max({color.x, color.y, color.z});
}

/// Adds the same amount to all channels, so that none is negative, and then scales the colour so
/// that it does not become brighter.
template <class Brightness>
glm::dvec3 without_negatives(glm::dvec3 color, Brightness brightness) {
  const double lowest = min_of(color);
  if (lowest >= 0.0) return color;
  const glm::dvec3 raised = color - lowest;
  const double before = brightness(color), after = brightness(raised);
  return after > before ? raised * (before / after) : raised;
}

/// Returns the luminance of a colour in Rec.2020, raised for negative channels by the luminance
/// that the complementary colour lacks.
double brightness_in_rec2020(glm::dvec3 color) {
  return 2.0 * glm::dot(color, kLuminance) - min_of(color);
}

/// As brightness_in_rec2020() for a colour in Rec.709, but raised less the brighter it is.
double brightness_in_rec709(glm::dvec3 color) {
  static const glm::dvec3 kWeights = kLuminance * (glm::inverse(kXyzFromRec2020) * kXyzFromRec709);
  constexpr double kPower = 0.08;
  const double y = glm::dot(color, kWeights);
  const double weight = std::clamp(std::pow(y, kPower), 0.0, 1.0);  // NaN if y is negative
  return y + (1.0 - weight) * (y - min_of(color));
}

/// Returns one arm of the sigmoid: the vertical distance from the pivot at horizontal distance `x`.
/// @param end, rise  point through which the arm passes
double sigmoid_arm(double x, double end, double rise) {
  constexpr double kSlope = 2.4, kPower = 1.5;  // slope at the pivot
  const double scale =
      kSlope * end * std::pow(std::pow(kSlope * end / rise, kPower) - 1.0, -1.0 / kPower);
  const double line = kSlope * x / scale;
  return scale * line / std::pow(1.0 + std::pow(line, kPower), 1.0 / kPower);
}

/// Returns the display-linear value of one channel, above 1 beyond 6.5 stops above grey.
double formed(double radiance) {
  constexpr double kStopsBelowGrey = 10.0, kStopsAboveGrey = 6.5, kTiny = 1e-30;
  constexpr double kPivot = kStopsBelowGrey / (kStopsBelowGrey + kStopsAboveGrey);
  static const double kPivotValue = std::pow(kMiddleGrey, 1.0 / kDisplayGamma);
  const double stops = std::log2(std::max(radiance, kTiny) / kMiddleGrey);
  const double x = std::max((stops + kStopsBelowGrey) / (kStopsBelowGrey + kStopsAboveGrey), 0.0);
  const double encoded = x < kPivot
                             ? kPivotValue - sigmoid_arm(kPivot - x, kPivot, kPivotValue)
                             : kPivotValue + sigmoid_arm(x - kPivot, 1.0 - kPivot, 1 - kPivotValue);
  return std::pow(std::max(encoded, 0.0), kDisplayGamma);
}

/// Returns the hue of the HSV model, in sixths of a turn, [0, 6).
double hue_of(glm::dvec3 color) {
  const double largest = max_of(color), range = largest - min_of(color);
  if (range == 0.0) return 0.0;
  if (color.x == largest) return std::fmod((color.y - color.z) / range + 6.0, 6.0);
  if (color.y == largest) return 2.0 + (color.z - color.x) / range;
  return 4.0 + (color.x - color.y) / range;
}

/// Returns the colour of another hue with the same largest and smallest channel.
glm::dvec3 with_hue(glm::dvec3 color, double hue) {
  auto channel = [&](double peak) {
    double distance = std::abs(hue - peak);
    distance = std::min(distance, 6.0 - distance);
    const double weight = std::clamp(2.0 - distance, 0.0, 1.0);
    return min_of(color) + weight * (max_of(color) - min_of(color));
  };
  return {channel(0.0), channel(2.0), channel(4.0)};
}

/// Interpolates hues along the shorter way.
double mixed_hue(double from, double to, double weight) {
  const double way = std::remainder(to - from, 6.0);
  return std::fmod(from + weight * way + 6.0, 6.0);
}

/// Converts scene-linear to display-linear Rec.2020.
glm::dvec3 form_image(glm::dvec3 color) {
  constexpr double kShiftOfHues = 0.4;  // share of what the sigmoid shifts hues
  const glm::dvec3 inset = kInset * without_negatives(color, brightness_in_rec2020);
  const glm::dvec3 shown(formed(inset.x), formed(inset.y), formed(inset.z));
  return kOutset * with_hue(shown, mixed_hue(hue_of(inset), hue_of(shown), kShiftOfHues));
}

constexpr float kMinExponent = -12.47393f, kMaxExponent = 12.5260688117f;  // range of the axes

/// Returns the value at a node of the table.
glm::vec3 agx_node(glm::uvec3 node) {
  constexpr double kStopsBelowGrey = 10.0, kStops = 25.0;
  static const glm::dmat3 kRec2020FromEGamut = glm::inverse(kXyzFromRec2020) * kXyzFromEGamut;
  static const glm::dmat3 kRec709FromRec2020 = glm::inverse(kXyzFromRec709) * kXyzFromRec2020;
  const glm::dvec3 stops = kStops * glm::dvec3(node) / double(kAgxSize - 1) - kStopsBelowGrey;
  const glm::dvec3 e_gamut = kMiddleGrey * glm::exp2(stops);
  const glm::dvec3 shown = without_negatives(
      kRec709FromRec2020 * form_image(kRec2020FromEGamut * e_gamut), brightness_in_rec709);
  return glm::pow(glm::clamp(shown, 0.0, 1.0), glm::dvec3(1.0 / kDisplayGamma));
}

size_t index_of(glm::uvec3 node) {
  return (size_t(node.x) * kAgxSize + node.y) * kAgxSize + node.z;
}

}  // namespace

std::span<const glm::vec3> agx_table() {
  static const std::vector<glm::vec3> table = [] {
    std::vector<glm::vec3> nodes(size_t{kAgxSize} * kAgxSize * kAgxSize);
    for (uint32_t x = 0; x < kAgxSize; ++x)
      for (uint32_t y = 0; y < kAgxSize; ++y)
        for (uint32_t z = 0; z < kAgxSize; ++z) nodes[index_of({x, y, z})] = agx_node({x, y, z});
    return nodes;
  }();
  return table;
}

glm::vec3 agx_curve(glm::vec3 radiance) {
  static const glm::mat3 kEGamutFromRec709(glm::inverse(kXyzFromEGamut) * kXyzFromRec709);
  constexpr float kTiny = 1e-30f, kCells = float(kAgxSize - 1);
  const std::span<const glm::vec3> table = agx_table();
  const glm::vec3 e_gamut = glm::max(kEGamutFromRec709 * radiance, kTiny);
  const glm::vec3 at = glm::clamp(
      kCells * (glm::log2(e_gamut) - kMinExponent) / (kMaxExponent - kMinExponent), 0.0f, kCells);
  glm::uvec3 node = glm::min(glm::uvec3(at), kAgxSize - 2);
  const glm::vec3 fraction = at - glm::vec3(node);

  // The tetrahedron goes from corner to corner of the cell, along the largest fraction first.
  std::array<int, 3> axes = {0, 1, 2};
  std::sort(axes.begin(), axes.end(), [&](int a, int b) { return fraction[a] > fraction[b]; });
  glm::vec3 encoded = (1.0f - fraction[axes[0]]) * table[index_of(node)];
  for (int i = 0; i < 3; ++i) {
    ++node[axes[size_t(i)]];
    const float next = i < 2 ? fraction[axes[size_t(i) + 1]] : 0.0f;
    encoded += (fraction[axes[size_t(i)]] - next) * table[index_of(node)];
  }
  return glm::pow(glm::max(encoded, 0.0f), glm::vec3(float(kDisplayGamma)));
}

}  // namespace winnow
