// SPDX-License-Identifier: MIT
#include "load/pbrt/measured_media.h"

namespace winnow {
namespace {

struct MeasuredMedium {
  std::string_view name;
  glm::vec3 scattering, absorption;  ///< mm^-1; scattering is the reduced coefficient
};

// Jensen, Marschner, Levoy & Hanrahan, "A Practical Model for Subsurface Light Transport", 2001.
constexpr MeasuredMedium kMeasuredMedia[] = {
    {"Apple", {2.29f, 2.39f, 1.97f}, {0.0030f, 0.0034f, 0.046f}},
    {"Chicken1", {0.15f, 0.21f, 0.38f}, {0.015f, 0.077f, 0.19f}},
    {"Chicken2", {0.19f, 0.25f, 0.32f}, {0.018f, 0.088f, 0.20f}},
    {"Cream", {7.38f, 5.47f, 3.15f}, {0.0002f, 0.0028f, 0.0163f}},
    {"Ketchup", {0.18f, 0.07f, 0.03f}, {0.061f, 0.97f, 1.45f}},
    {"Marble", {2.19f, 2.62f, 3.00f}, {0.0021f, 0.0041f, 0.0071f}},
    {"Potato", {0.68f, 0.70f, 0.55f}, {0.0024f, 0.0090f, 0.12f}},
    {"Skimmilk", {0.70f, 1.22f, 1.90f}, {0.0014f, 0.0025f, 0.0142f}},
    {"Skin1", {0.74f, 0.88f, 1.01f}, {0.032f, 0.17f, 0.48f}},
    {"Skin2", {1.09f, 1.59f, 1.79f}, {0.013f, 0.070f, 0.145f}},
    {"Spectralon", {11.6f, 20.4f, 14.9f}, {0.0f, 0.0f, 0.0f}},
    {"Wholemilk", {2.55f, 3.21f, 3.77f}, {0.0011f, 0.0024f, 0.014f}},
};

}  // namespace

std::optional<Medium> find_measured_medium(std::string_view name) {
  for (const MeasuredMedium& known : kMeasuredMedia)
    if (name == known.name)
      return Medium{.absorption = known.absorption, .scattering = known.scattering};
  return {};
}

}  // namespace winnow
