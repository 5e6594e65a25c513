// SPDX-License-Identifier: MIT
#include "app/dataset/view_images.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

namespace winnow {
namespace {

TEST(ObjectIds, NumberPlacedMeshesThenInstancesThenSpheres) {
  HostScene scene;
  scene.triangles.resize(5);
  scene.object_starts = {1, 3};  // triangle 0 is of no placed mesh: an object of its own
  scene.instances.resize(2);
  scene.spheres.resize(1);
  const ObjectIds objects(scene);
  EXPECT_EQ(objects.of({}), 0u);
  EXPECT_EQ(objects.of({.primitive = 1}), 1u);
  EXPECT_EQ(objects.of({.primitive = 2}), 2u);
  EXPECT_EQ(objects.of({.primitive = 3}), 2u);
  EXPECT_EQ(objects.of({.primitive = 5}), 3u);
  EXPECT_EQ(objects.of({.primitive = 7, .instance = 1}), 4u);
  EXPECT_EQ(objects.of({.primitive = 9, .instance = 2}), 5u);
  EXPECT_EQ(objects.of({.primitive = 6}), 6u) << "the sphere";
  EXPECT_EQ(objects.count(), 6u);
}

TEST(CenterImages, AreZeroWhereThereIsNothing) {
  HostFilm film{.width = 2, .height = 1};
  film.first_hits = {{}, {.depth = 2.0f, .material = 3, .primitive = 1}};
  film.normal = {glm::dvec3(0.0), {0.0, 0.0, 0.5}};
  HostScene scene;
  scene.triangles.resize(1);
  DataCamera camera = centered_camera({2, 1}, 90.0);
  camera.axes = {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}};  // looks along -x
  ViewImages images;
  add_center_images(film, {DataOutput::kDepth, DataOutput::kNormal, DataOutput::kIds}, camera,
                    {2, 1}, 10.0, DepthKind::kDistance, NormalSpace::kCamera, ObjectIds(scene),
                    images);
  EXPECT_EQ(images.depth[0], 0.0f);
  EXPECT_NEAR(images.depth[1], 20.0 * std::sqrt(2.0), 1e-5);  // half a pixel is as long as depth
  EXPECT_EQ(images.normal[0], glm::vec3(0.0f));
  EXPECT_NEAR(glm::distance(images.normal[1], glm::vec3(-1, 0, 0)), 0.0f, 1e-6f);
  EXPECT_EQ(images.object_ids, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(images.material_ids, (std::vector<uint32_t>{0, 3}));
}

TEST(AlbedoImage, IsMultipliedByCoverage) {
  HostFilm film{.width = 1, .height = 1};
  film.sum = {glm::dvec3(3.0)};
  film.samples = {4};
  film.albedo = {glm::dvec3(1.0, 2.0, 3.0)};
  film.background = {{1, 1, 1, 1}};
  const Image image = mean_albedo(film);
  EXPECT_EQ(image.pixels[0], glm::vec3(0.25f, 0.5f, 0.75f));
  EXPECT_EQ(image.alpha[0], 0.75f);
}

}  // namespace
}  // namespace winnow
