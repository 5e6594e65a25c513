// SPDX-License-Identifier: MIT
#include "scene/optical_constants.h"

#include <array>
#include <cctype>

namespace winnow {
namespace {

struct Metal {
  std::string_view symbol, name;
  ComplexIor ior;
};

// Measurements collected by refractiveindex.info (Johnson & Christy 1972 for the noble metals and
// copper), averaged with weights over the bands of Rec.709. Brass is CuZn.
const std::array<Metal, 10> kMetals = {{
    {"Ag", "silver", {{0.1553f, 0.1167f, 0.1384f}, {4.8283f, 3.1222f, 2.1470f}}},
    {"Al", "aluminium", {{1.6575f, 0.8804f, 0.5212f}, {9.2239f, 6.2695f, 4.8370f}}},
    {"Au", "gold", {{0.1431f, 0.3750f, 1.4425f}, {3.9832f, 2.3857f, 1.6032f}}},
    {"Cr", "chromium", {{4.3697f, 2.9167f, 1.6547f}, {5.2064f, 4.2314f, 3.7549f}}},
    {"Cu", "copper", {{0.2004f, 0.9240f, 1.1022f}, {3.9129f, 2.4528f, 2.1422f}}},
    {"CuZn", "brass", {{0.4440f, 0.5270f, 1.0940f}, {3.6950f, 2.7650f, 1.8290f}}},
    {"Hg", "mercury", {{2.3989f, 1.4400f, 0.9096f}, {6.3276f, 4.3719f, 3.4218f}}},
    {"Ni", "nickel", {{2.3673f, 1.6634f, 1.4671f}, {4.4988f, 3.0502f, 2.3454f}}},
    {"W", "tungsten", {{4.3707f, 3.3002f, 2.9983f}, {3.5007f, 2.6049f, 2.2731f}}},
    {"none", "none", {{0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}}},  // reflects everything
}};

struct Clear {
  std::string_view name;
  float ior;
};

constexpr std::array<Clear, 23> kClear = {{
    {"vacuum", 1.0f},
    {"helium", 1.000036f},
    {"hydrogen", 1.000132f},
    {"air", 1.000277f},
    {"carbon dioxide", 1.00045f},
    {"water ice", 1.31f},
    {"water", 1.333f},
    {"acetone", 1.36f},
    {"ethanol", 1.361f},
    {"fused quartz", 1.458f},
    {"carbon tetrachloride", 1.461f},
    {"pyrex", 1.47f},
    {"glycerol", 1.4729f},
    {"acrylic glass", 1.49f},
    {"polypropylene", 1.49f},
    {"benzene", 1.501f},
    {"bk7", 1.5046f},
    {"silicone oil", 1.52045f},
    {"sodium chloride", 1.544f},
    {"amber", 1.55f},
    {"pet", 1.575f},
    {"bromine", 1.661f},
    {"diamond", 2.419f},
}};

struct NamedMedium {
  std::string_view name;
  Medium medium;  ///< mm^-1
};

// Measured by Jensen, Marschner, Levoy & Hanrahan, "A Practical Model for Subsurface Light
// Transport", 2001, figure 5. Scattering is the reduced coefficient, for isotropic scattering.
const std::array<NamedMedium, 12> kNamedMedia = {{
    {"apple", {{0.0030f, 0.0034f, 0.046f}, {2.29f, 2.39f, 1.97f}}},
    {"chicken1", {{0.015f, 0.077f, 0.19f}, {0.15f, 0.21f, 0.38f}}},
    {"chicken2", {{0.018f, 0.088f, 0.20f}, {0.19f, 0.25f, 0.32f}}},
    {"cream", {{0.0002f, 0.0028f, 0.0163f}, {7.38f, 5.47f, 3.15f}}},
    {"ketchup", {{0.061f, 0.97f, 1.45f}, {0.18f, 0.07f, 0.03f}}},
    {"marble", {{0.0021f, 0.0041f, 0.0071f}, {2.19f, 2.62f, 3.00f}}},
    {"potato", {{0.0024f, 0.0090f, 0.12f}, {0.68f, 0.70f, 0.55f}}},
    {"skimmilk", {{0.0014f, 0.0025f, 0.0142f}, {0.70f, 1.22f, 1.90f}}},
    {"skin1", {{0.032f, 0.17f, 0.48f}, {0.74f, 0.88f, 1.01f}}},
    {"skin2", {{0.013f, 0.070f, 0.145f}, {1.09f, 1.59f, 1.79f}}},
    {"spectralon", {{0.0f, 0.0f, 0.0f}, {11.6f, 20.4f, 14.9f}}},
    {"wholemilk", {{0.0011f, 0.0024f, 0.014f}, {2.55f, 3.21f, 3.77f}}},
}};

}  // namespace

std::optional<ComplexIor> find_metal(std::string_view name) {
  for (const Metal& metal : kMetals)
    if (metal.symbol == name || metal.name == name) return metal.ior;
  return std::nullopt;
}

std::optional<float> find_ior(std::string_view name) {
  for (const Clear& clear : kClear)
    if (clear.name == name) return clear.ior;
  return std::nullopt;
}

std::optional<Medium> find_medium(std::string name) {
  for (char& c : name) c = char(std::tolower(static_cast<unsigned char>(c)));
  for (const NamedMedium& known : kNamedMedia)
    if (known.name == name) return known.medium;
  return std::nullopt;
}

glm::vec3 normal_reflectance(const ComplexIor& ior) {
  glm::vec3 k2 = ior.k * ior.k, below = ior.n - 1.0f, above = ior.n + 1.0f;
  return (below * below + k2) / (above * above + k2);
}

}  // namespace winnow
