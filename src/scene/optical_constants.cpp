// SPDX-License-Identifier: MIT
#include "scene/optical_constants.h"

#include <array>

namespace winnow {
namespace {

struct Metal {
  std::string_view symbol, name;
  ComplexIor ior;
};

// Weighted over the bands of Rec.709 from the measurements that refractiveindex.info collects
// (Johnson & Christy 1972 for the noble metals and copper). Brass is CuZn.
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

glm::vec3 normal_reflectance(const ComplexIor& ior) {
  glm::vec3 k2 = ior.k * ior.k, below = ior.n - 1.0f, above = ior.n + 1.0f;
  return (below * below + k2) / (above * above + k2);
}

}  // namespace winnow
