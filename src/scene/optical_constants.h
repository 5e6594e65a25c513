// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "scene/material.h"

namespace winnow {

/// Complex index of refraction n + i k for red, green and blue.
struct ComplexIor {
  glm::vec3 n{1.0f}, k{0.0f};
};

/// Replaces an index of 0 by a tiny one where k is 0, too. The Fresnel term of 0 + 0i is 0 / 0; its
/// limit is 1.
ComplexIor with_fresnel_term(ComplexIor ior);

/// Returns the measured index of a metal by its chemical symbol or name ("Au", "gold", ...).
std::optional<ComplexIor> find_metal(std::string_view name);

/// Returns the index of refraction of a clear material by its name ("bk7", "water", ...).
std::optional<float> find_ior(std::string_view name);

/// Returns an isotropically scattering medium by its name ("marble", "wholemilk", ...), in mm^-1.
std::optional<Medium> find_medium(std::string name);

/// Returns the reflectance of a metal in air at normal incidence.
glm::vec3 normal_reflectance(const ComplexIor& ior);

}  // namespace winnow
