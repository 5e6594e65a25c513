// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec2.hpp>
#include <utility>

#include "load/pbrt/shapes.h"
#include "math/constants.h"

namespace winnow {
namespace {

constexpr float kFullTurn = 360.0f;  // degrees

/// Profile of a surface of revolution about the z axis: radius and z at v in [0, 1].
using Profile = std::function<glm::vec2(float v)>;

/// Returns a tangent of the profile, of any length.
glm::vec2 tangent_of(const Profile& profile, float v) {
  constexpr float kStep = 1e-3f;
  return profile(std::min(v + kStep, 1.0f)) - profile(std::max(v - kStep, 0.0f));
}

/// Returns a surface of revolution with u around the axis. It faces the cross product of u and v.
/// @param steps          steps along the profile
/// @param sides_of_turn  sides of a full turn
Mesh revolve(const Profile& profile, float phi_max, uint32_t steps, uint32_t sides_of_turn) {
  phi_max = std::clamp(phi_max, 0.0f, kFullTurn);
  const uint32_t sides =
      std::max(3u, uint32_t(std::ceil(float(sides_of_turn) * phi_max / kFullTurn)));
  Mesh mesh;
  for (uint32_t step = 0; step <= steps; ++step) {
    const float v = float(step) / float(steps);
    const glm::vec2 point = profile(v), along = tangent_of(profile, v);
    for (uint32_t side = 0; side <= sides; ++side) {
      const float u = float(side) / float(sides), phi = u * glm::radians(phi_max);
      const float cosine = std::cos(phi), sine = std::sin(phi);
      mesh.positions.emplace_back(point.x * cosine, point.x * sine, point.y);
      mesh.normals.push_back(glm::normalize(glm::vec3(along.y * cosine, along.y * sine, -along.x)));
      mesh.uvs.emplace_back(u, 1.0f - v);
      if (side == sides || step == steps) continue;
      const uint32_t a = step * (sides + 1) + side, b = a + 1, c = b + sides + 1, d = c - 1;
      // At an end on the axis, one of the two has no area.
      mesh.triangles.emplace_back(a, b, c);
      mesh.triangles.emplace_back(a, c, d);
    }
  }
  return mesh;
}

Profile sphere_profile(const PbrtParameters& parameters) {
  const float radius = parameters.number("radius", 1.0f);
  const float a = std::clamp(parameters.number("zmin", -radius), -radius, radius),
              b = std::clamp(parameters.number("zmax", radius), -radius, radius);
  const float first = std::acos(glm::clamp(std::min(a, b) / radius, -1.0f, 1.0f)),
              last = std::acos(glm::clamp(std::max(a, b) / radius, -1.0f, 1.0f));
  return [=](float v) {
    const float theta = glm::mix(first, last, v);
    constexpr float kPole = 1e-6f;  // the rounded sine of pi is not 0
    const float sine = std::sin(theta);
    return radius * glm::vec2(std::abs(sine) < kPole ? 0.0f : sine, std::cos(theta));
  };
}

Profile straight_profile(glm::vec2 first, glm::vec2 last) {
  return [=](float v) { return glm::mix(first, last, v); };
}

Profile paraboloid_profile(const PbrtParameters& parameters) {
  const float radius = parameters.number("radius", 1.0f), low = parameters.number("zmin", 0.0f),
              high = parameters.number("zmax", 1.0f);
  const float top = std::max(low, high), bottom = std::max(std::min(low, high), 0.0f);
  return [=](float v) {
    const float z = glm::mix(bottom, top, v);
    return glm::vec2(top > 0.0f ? radius * std::sqrt(std::max(z / top, 0.0f)) : 0.0f, z);
  };
}

Profile hyperboloid_profile(const PbrtParameters& parameters) {
  const glm::vec3 first = parameters.point("p1", glm::vec3(0.0f)),
                  last = parameters.point("p2", glm::vec3(1.0f));
  return [=](float v) {
    const glm::vec3 point = glm::mix(first, last, v);
    return glm::vec2(std::hypot(point.x, point.y), point.z);
  };
}

}  // namespace

std::optional<Mesh> make_pbrt_quadric(const PbrtObject& shape, uint32_t sides) {
  const PbrtParameters& parameters = shape.parameters;
  const float phi_max = parameters.number("phimax", kFullTurn);
  const float radius = parameters.number("radius", 1.0f);
  const std::string& type = shape.type;
  if (type == "sphere") {
    if (!(radius > 0.0f)) return Mesh{};
    return revolve(sphere_profile(parameters), phi_max, sides / 2, sides);
  }
  if (type == "disk") {
    const float height = parameters.number("height", 0.0f);
    return revolve(
        straight_profile({radius, height}, {parameters.number("innerradius", 0.0f), height}),
        phi_max, 1, sides);
  }
  if (type == "cylinder") {
    const float a = parameters.number("zmin", -1.0f), b = parameters.number("zmax", 1.0f);
    return revolve(straight_profile({radius, std::min(a, b)}, {radius, std::max(a, b)}), phi_max, 1,
                   sides);
  }
  if (type == "cone")
    return revolve(straight_profile({radius, 0.0f}, {0.0f, parameters.number("height", 1.0f)}),
                   phi_max, 1, sides);
  if (type == "paraboloid")
    return revolve(paraboloid_profile(parameters), phi_max, sides / 2, sides);
  if (type == "hyperboloid")
    return revolve(hyperboloid_profile(parameters), phi_max, sides / 2, sides);
  return {};
}

}  // namespace winnow
