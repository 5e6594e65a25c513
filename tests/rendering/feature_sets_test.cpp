// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>

#include "film/film.h"
#include "tests/rendering/support/own_tree.h"
#include "tests/support/scene_files.h"

// A GPU shades scenes of several feature sets with the kernels of a larger one.

namespace winnow {
namespace {

class FeatureSets : public SceneFiles {
 protected:
  /// Layers, alpha cutouts one behind another, a cutout sphere, glass, an instance and many lights.
  HostScene varied_scene() const {
    return load("a.json", R"({
      "camera": {"position": [0, 1, 6], "look_at": [0, 1, 0], "vertical_fov": 45},
      "materials": {
        "floor": {"type": "diffuse", "reflectance": 0.6},
        "leaf": {"type": "diffuse", "reflectance": [0.2, 0.7, 0.2], "alpha": 0.4},
        "glass": {"type": "dielectric"},
        "paint": {"type": "principled", "reflectance": [0.7, 0.2, 0.1], "roughness": 0.4,
                  "coat": 0.5, "iridescence": 0.8, "film_thickness": 400}},
      "meshes": {"tile": {"type": "rectangle", "material": "leaf", "corner": [-1, 0, 0],
                          "edge_u": [2, 0, 0], "edge_v": [0, 2, 0]}},
      "shapes": [
        {"type": "rectangle", "material": "floor", "corner": [-9, 0, 9], "edge_u": [18, 0, 0],
         "edge_v": [0, 0, -18]},
        {"type": "sphere", "material": "leaf", "center": [-1, 1, 1], "radius": 0.6},
        {"type": "sphere", "material": "glass", "center": [1, 0.5, 2], "radius": 0.5},
        {"type": "sphere", "material": "paint", "center": [0.3, 0.8, -1], "radius": 0.8},
        {"type": "instances", "mesh": "tile", "transforms": [
          [{"translate": [0, 0, 2]}], [{"translate": [0.5, 0.2, 1.5]}],
          [{"translate": [-0.5, 0, -2]}]]}],
      "lights": [{"type": "sphere", "center": [2, 3, 1], "radius": 0.3, "radiance": 8},
                 {"type": "point", "position": [-2, 3, 2], "intensity": 5}],
      "sky": {"radiance": 0.3}})");
  }
};

TEST_F(FeatureSets, OfMediaRenderTheFilmsOfOthersWithTheSameBits) {
  HostScene scene = varied_scene();
  for (const Loop loop : {Loop::kWave, Loop::kPath})
    for (const bool cutouts : {true, false}) {
      SCOPED_TRACE(testing::Message() << "loop " << int(loop) << ", cutouts " << cutouts);
      if (!cutouts)
        for (Material& material : scene.materials) material.alpha = 1.0f;
      const RenderSettings settings{
          .width = 32, .height = 24, .max_bounces = 8, .loop = loop, .keep_first_hits = true};
      const HostFilm small = film_of_own_tree(scene, settings, 4, kLayered),
                     large = film_of_own_tree(scene, settings, 4, kMedia);
      EXPECT_EQ(small.sum, large.sum);
      EXPECT_EQ(small.albedo, large.albedo);
    }
}

}  // namespace
}  // namespace winnow
