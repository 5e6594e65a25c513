// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "scene/medium.h"

namespace winnow {

/// Complex index of refraction n + i k, for red, green and blue.
struct ComplexIor {
  glm::vec3 n{1.0f}, k{0.0f};
};

/// The measured index of a metal, by its chemical symbol or its name ("Au", "gold", ...).
std::optional<ComplexIor> find_metal(std::string_view name);

/// The index of refraction of a clear material ("bk7", "water", ...).
std::optional<float> find_ior(std::string_view name);

/// A medium by its name ("marble", "wholemilk", ...), in mm^-1: it absorbs and, isotropically,
/// scatters.
std::optional<Medium> find_medium(std::string name);

/// Reflectance of a metal at normal incidence, in air.
glm::vec3 normal_reflectance(const ComplexIor& ior);

}  // namespace winnow
