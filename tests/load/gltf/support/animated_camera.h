// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "tests/load/gltf/support/gltf_files.h"

namespace winnow {

/// A triangle, and a camera 4 m before it that moves to the right within two seconds, while the
/// node above it turns.
///
/// @param interpolation  LINEAR, STEP or CUBICSPLINE
inline GltfFile gltf_with_moving_camera(const std::string& interpolation) {
  GltfFile file = GltfFile::triangle();
  file.json["cameras"] = {
      {{"type", "perspective"}, {"perspective", {{"yfov", 0.7}, {"aspectRatio", 1.5}}}}};
  file.json["nodes"] = {{{"mesh", 0}}, {{"camera", 0}}, {{"children", {1}}}};
  const std::vector<float> positions = {0, 0, 4, 1, 0, 4}, turns = {0, 0, 0, 1, 0, 0.1f, 0, 0.995f};
  // A key of a cubic spline is in-tangent, value, out-tangent.
  auto with_tangents = [&](const std::vector<float>& values, size_t size) {
    if (interpolation != "CUBICSPLINE") return values;
    std::vector<float> all;
    for (size_t key = 0; key < values.size(); key += size) {
      all.insert(all.end(), size, 0.0f);
      all.insert(all.end(), values.begin() + long(key), values.begin() + long(key + size));
      all.insert(all.end(), size, 0.1f);
    }
    return all;
  };
  const int input = file.add_floats({0, 2}, "SCALAR");
  const int translation = file.add_floats(with_tangents(positions, 3), "VEC3");
  const int rotation = file.add_floats(with_tangents(turns, 4), "VEC4");
  nlohmann::json& animation = file.json["animations"][0];
  animation["samplers"] = {
      {{"input", input}, {"output", translation}, {"interpolation", interpolation}},
      {{"input", input}, {"output", rotation}, {"interpolation", interpolation}}};
  animation["channels"] = {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "translation"}}}},
                           {{"sampler", 1}, {"target", {{"node", 2}, {"path", "rotation"}}}}};
  return file;
}

}  // namespace winnow
