// SPDX-License-Identifier: MIT
#include "scene/shapes.h"

#include <fmt/format.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "base/limits.h"
#include "load/pbrt/convert.h"
#include "scene/scene_bounds.h"
#include "tests/load/pbrt/support/pbrt_scenes.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

class PbrtShapesOf : public PbrtScenes {
 protected:
  /// The sum of the areas of all triangles times their normals.
  static glm::vec3 total_area_vector(const Mesh& mesh) {
    glm::vec3 sum(0.0f);
    for (glm::uvec3 triangle : mesh.triangles) sum += area_vector(mesh, triangle);
    return sum;
  }
  static float total_area(const Mesh& mesh) {
    float sum = 0.0f;
    for (glm::uvec3 triangle : mesh.triangles) sum += glm::length(area_vector(mesh, triangle));
    return sum;
  }
  /// Whether all triangles face away from a point, and their normals as well.
  static void expect_outward(const Mesh& mesh, glm::vec3 center) {
    for (glm::uvec3 triangle : mesh.triangles) {
      const glm::vec3 n = area_vector(mesh, triangle);
      EXPECT_GT(glm::dot(n, mesh.positions[triangle.x] - center), 0.0f);
      if (mesh.normals.empty() || mesh.normals[triangle.x] == glm::vec3(0.0f)) continue;
      EXPECT_GT(glm::dot(n, mesh.normals[triangle.x]), 0.0f);
    }
  }
};

constexpr float kPiHere = 3.14159265f;

TEST_F(PbrtShapesOf, TrianglesFaceTheCrossProductOfTheirEdges) {
  const std::string kTriangle = "Shape \"trianglemesh\" \"point3 P\" [0 0 0  1 0 0  0 1 0]";
  auto normal = [&](const std::string& world) {
    return glm::normalize(total_area_vector(load_lit(world)));
  };
  expect_near(normal(kTriangle), {0, 0, 1});
  expect_near(normal("ReverseOrientation " + kTriangle), {0, 0, -1});
  // Mirroring does not turn a surface inside out.
  expect_near(normal("Scale -1 1 1 " + kTriangle), {0, 0, 1});
  expect_near(normal("Scale 1 1 -1 " + kTriangle), {0, 0, -1});
  // The side of given normals wins.
  expect_near(normal(kTriangle + "\"normal N\" [0 0 -1 0 0 -1 0 0 -1]"), {0, 0, -1});
  expect_near(normal("ReverseOrientation " + kTriangle + "\"normal N\" [0 0 -1 0 0 -1 0 0 -1]"),
              {0, 0, 1});
}

TEST_F(PbrtShapesOf, AReversedSphereOfGlassStaysExact) {
  const HostScene scene = load_lit(R"(Material "dielectric" "float eta" 1.5 Shape "sphere"
    ReverseOrientation Shape "sphere" Shape "sphere"
    AreaLightSource "diffuse" "rgb L" [1 1 1] Shape "sphere")");
  ASSERT_EQ(scene.spheres.size(), 3u);
  EXPECT_EQ(scene.materials[scene.spheres[0].material].ior, 1.5f);
  EXPECT_EQ(scene.materials[scene.spheres[1].material].ior, 1.0f / 1.5f);
  EXPECT_EQ(scene.spheres[2].material, scene.spheres[1].material);
  EXPECT_FALSE(scene.triangles.empty()) << "a light that shines inwards";
}

TEST_F(PbrtShapesOf, AMirroredWorldKeepsItsOutside) {
  const HostScene scene = load_world("Scale 2 1 1 Shape \"cylinder\" \"float zmin\" 0");
  expect_outward(scene, {0, 0, 0.5f});
}

TEST_F(PbrtShapesOf, QuadricsFaceOutwardAndHaveTheirAreas) {
  struct Case {
    const char* shape;
    float area;
    glm::vec3 center;
  };
  const Case kCases[] = {
      {R"("sphere" "float radius" 2 "float zmin" 0)", 8 * kPiHere, {0, 0, 0}},
      {R"("sphere" "float phimax" 180)", 2 * kPiHere, {0, 0, 0}},
      {R"("cylinder" "float radius" 0.5 "float zmin" -1 "float zmax" 2)", 3 * kPiHere, {0, 0, 0}},
      {R"("disk" "float height" 1 "float innerradius" 0.5)", 0.75f * kPiHere, {0, 0, 0}},
      {R"("cone" "float height" 1)", std::sqrt(2.0f) * kPiHere, {0, 0, 0.1f}},
      {R"("paraboloid" "float zmax" 1)", kPiHere * (std::pow(5.0f, 1.5f) - 1) / 6, {0, 0, 2}},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.shape);
    HostScene scene = load_lit(fmt::format("Shape {}", c.shape));
    EXPECT_NEAR(total_area(scene), c.area, 2e-3f * c.area);
    if (std::string(c.shape).starts_with("\"paraboloid\"")) {
      // A bowl: the cross product of u and v points down and out.
      for (glm::uvec3 triangle : scene.triangles) EXPECT_LT(area_vector(scene, triangle).z, 0.0f);
    } else {
      expect_outward(scene, c.center);
    }
  }
}

TEST_F(PbrtShapesOf, ATurnedSphereWithATextureStaysTurned) {
  const HostScene scene = load_lit(R"(
    Texture "squares" "spectrum" "checkerboard"
    Rotate 90 1 0 0 Material "diffuse" "texture reflectance" "squares" Shape "sphere")");
  EXPECT_TRUE(scene.spheres.empty());
  // v grows along z of the shape, which becomes -y. In Winnow v is down.
  for (size_t i = 0; i < scene.positions.size(); ++i)
    if (scene.uvs[i].y == 0.0f) expect_near(scene.positions[i], {0, -1, 0}, 1e-4f);
}

TEST_F(PbrtShapesOf, BilinearPatchesAreCurved) {
  const HostScene flat =
      load_lit(R"(Shape "bilinearmesh" "point3 P" [0 0 0  2 0 0  0 1 0  2 1 0])");
  EXPECT_EQ(flat.triangles.size(), 2u);
  expect_near(total_area_vector(flat), {0, 0, 2});
  const HostScene curved =
      load_lit(R"(Shape "bilinearmesh" "point3 P" [0 0 0  1 0 0  0 1 0  1 1 1])");
  EXPECT_GT(curved.triangles.size(), 32u);
  const Bounds bounds = scene_bounds(curved);
  expect_near(bounds.max, {1, 1, 1});
  for (size_t i = 0; i < curved.positions.size(); ++i)
    EXPECT_NEAR(curved.positions[i].z, curved.positions[i].x * curved.positions[i].y, 1e-5f);
}

TEST_F(PbrtShapesOf, TrianglesWithoutTextureCoordinatesHaveThoseOfPbrt) {
  const HostScene scene = load_lit(R"(
    Texture "squares" "spectrum" "checkerboard"
    Material "diffuse" "texture reflectance" "squares"
    Shape "trianglemesh" "point3 P" [0 0 0  1 0 0  1 1 0  0 1 0] "integer indices" [0 1 2 0 2 3])");
  ASSERT_EQ(scene.uvs.size(), 6u);
  EXPECT_EQ(scene.uvs[0], glm::vec2(0, 1));
  EXPECT_EQ(scene.uvs[1], glm::vec2(1, 1));
  EXPECT_EQ(scene.uvs[5], glm::vec2(1, 0));
}

TEST_F(PbrtShapesOf, TurnedTrianglesKeepTheTextureCoordinatesOfTheirCorners) {
  const std::string texture = R"(
    Texture "squares" "spectrum" "checkerboard"
    Material "diffuse" "texture reflectance" "squares" )";
  const std::string triangle = R"(Shape "trianglemesh" "point3 P" [0 0 0  1 0 0  1 1 0] )";
  for (const std::string& world : {texture + "ReverseOrientation " + triangle,
                                   texture + triangle + "\"normal N\" [0 0 -1  0 0 -1  0 0 -1]"}) {
    const HostScene scene = load_lit(world);
    ASSERT_EQ(scene.uvs.size(), 3u);
    EXPECT_LT(total_area_vector(scene).z, 0.0f);
    for (size_t i = 0; i < 3; ++i)
      EXPECT_EQ(scene.uvs[i], glm::vec2(scene.positions[i].x, 1.0f - scene.positions[i].y));
  }
}

TEST_F(PbrtShapesOf, BrokenMeshesAreLeftOut) {
  const HostScene scene = load_lit(R"(
    Shape "sphere"
    Shape "trianglemesh" "point3 P" [0 0 0  1 0 0  1 1 0] "integer indices" [0 1 3]
    Shape "trianglemesh" "point3 P" [0 0 0  1 0 0  1 1 0] "integer indices" [0 1 -1]
    Shape "trianglemesh" "point3 P" [0 0 0  1 0 0  nan 1 0] "integer indices" [0 1 2]
    Shape "trianglemesh" "point3 P" [0 0 0  1 0 0  1 1 0] "point2 uv" [0 0]
    Shape "trianglemesh" "point3 P" [0 0 0  1 0 0  1 1 0] "integer indices" [0 1 2 0]
    Shape "plymesh" "string filename" "absent.ply"
    Shape "heightfield" "integer nu" 2 "integer nv" 2 "float Pz" [0 0 0])");
  EXPECT_EQ(scene.triangles.size(), 2u);
  expect_warnings(scene, {"a trianglemesh without valid indices is left out (2 times)",
                          "a shape without area, or farther away than 1e9 m, is left out",
                          "the texture coordinates of a mesh are ignored",
                          "the indices of a trianglemesh after its last whole face are ignored",
                          "the file absent.ply does not exist; its shape is left out",
                          "a heightfield without its nu times nv heights is left out"});
}

TEST_F(PbrtShapesOf, CurvesAreTubes) {
  const HostScene scene = load_lit(R"(
    Shape "curve" "point3 P" [0 0 0  1 0 0  2 0 0  3 0 0] "float width0" 0.4 "float width1" 0.2)");
  expect_warnings(scene, {"a curve becomes a tube of four sides"});
  ASSERT_EQ(scene.triangles.size(), 8u);  // straight
  const Bounds bounds = scene_bounds(scene);
  EXPECT_NEAR(bounds.min.x, 0.0f, 1e-6f);
  EXPECT_NEAR(bounds.max.x, 3.0f, 1e-6f);
  for (size_t i = 0; i < scene.positions.size(); ++i) {
    const glm::vec3 p = scene.positions[i];
    EXPECT_NEAR(std::hypot(p.y, p.z), 0.2f - 0.1f * p.x / 3.0f, 1e-5f);
    expect_near(scene.normals[i], glm::normalize(glm::vec3(0, p.y, p.z)));
  }
  for (glm::uvec3 triangle : scene.triangles)
    EXPECT_GT(glm::dot(area_vector(scene, triangle), scene.normals[triangle.x]), 0.0f);
}

TEST_F(PbrtShapesOf, CurvesEndWhereTheirBasisHasThem) {
  const std::string kPoints = "\"point3 P\" [0 0 0  1 1 0  2 1 0  3 0 0  4 0 0  5 1 0  6 1 0]";
  auto ends = [&](const std::string& more) {
    const HostScene scene = load_lit("Shape \"curve\" \"float width\" 0.001 " + kPoints + more);
    const Bounds bounds = scene_bounds(scene);
    return glm::vec2(bounds.min.x, bounds.max.x);
  };
  EXPECT_LT(glm::length(ends("") - glm::vec2(0, 6)), 0.002f);
  EXPECT_LT(glm::length(ends("\"integer degree\" 2") - glm::vec2(0, 6)), 0.002f);
  EXPECT_LT(glm::length(ends("\"string basis\" \"bspline\"") - glm::vec2(1, 5)), 0.002f);
  EXPECT_LT(glm::length(ends("\"string basis\" \"bspline\" \"integer degree\" 2") -
                        glm::vec2(0.5f, 5.5f)),
            0.002f);
}

TEST_F(PbrtShapesOf, CurvesOfASceneAreNoMoreThanMemoryHolds) {
  PbrtStatements statements(
      folder_ / "s.pbrt",
      std::make_shared<const std::string>(
          "Shape \"curve\" \"point3 P\" [0 0 0  1 0 0  2 0 0  3 0 0] \"float width\" 0.4"));
  const PbrtStatement statement = *statements.next();
  HostScene scene;
  PbrtContext context{scene, statements.folder(), false};
  const PbrtObject curve{statement.parameters, "curve", "", statement.place, &context};
  constexpr size_t kTube = 8;  // triangles
  context.curve_triangles = kMaxCurveTriangles - kTube;
  ASSERT_TRUE(make_pbrt_curve(curve));
  EXPECT_EQ(context.curve_triangles, kMaxCurveTriangles);
  EXPECT_FALSE(make_pbrt_curve(curve));
}

TEST_F(PbrtShapesOf, RoundShapesOfASceneAreNoMoreThanMemoryHolds) {
  PbrtStatements statements(folder_ / "s.pbrt",
                            std::make_shared<const std::string>("Shape \"disk\""));
  const PbrtStatement statement = *statements.next();
  HostScene scene;
  PbrtContext context{scene, statements.folder(), false};
  const PbrtObject disk{statement.parameters, "disk", "", statement.place, &context};
  auto triangles_after = [&](size_t before) {
    context.round_triangles = before;
    size_t quadrilaterals = 0;
    const std::optional<Mesh> mesh = read_pbrt_mesh(disk, quadrilaterals);
    EXPECT_EQ(context.round_triangles, before + (mesh ? mesh->triangles.size() : 0));
    return mesh ? mesh->triangles.size() : 0;
  };
  EXPECT_EQ(triangles_after(0), 2 * kCircleSides);
  EXPECT_TRUE(context.warnings.lines().empty());
  EXPECT_EQ(triangles_after(kMaxRoundTriangles - 1), 16u);
  EXPECT_EQ(triangles_after(kMaxRoundTriangles), 0u);
  EXPECT_EQ(context.warnings.lines().size(), 2u);
}

TEST_F(PbrtShapesOf, MeshesAreSubdividedLessOftenThanMemoryEnds) {
  EXPECT_EQ(subdivision_levels(4, -1), 0);
  EXPECT_EQ(subdivision_levels(4, 100), 8);
  EXPECT_EQ(subdivision_levels(kMaxSubdividedTriangles >> 4, 3), 2);
  EXPECT_EQ(subdivision_levels((kMaxSubdividedTriangles >> 4) + 1, 3), 1);
  EXPECT_EQ(subdivision_levels(kMaxSubdividedTriangles, 3), 0);
}

TEST_F(PbrtShapesOf, ASubdividedTetrahedronIsRound) {
  Mesh tetrahedron;
  tetrahedron.positions = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  tetrahedron.triangles = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  const Mesh smooth = *subdivide_loop(tetrahedron, 4);
  EXPECT_EQ(smooth.triangles.size(), 4u * 256u);
  EXPECT_EQ(smooth.positions.size(), 514u);  // Euler: half of the triangles, and two
  expect_outward(smooth, glm::vec3(0.0f));
  // The limit of a vertex of three neighbours, whose sum is its opposite.
  const float weight = 1.0f / (3.0f + 2.0f);
  expect_near(smooth.positions[0], ((1 - 3 * weight) - weight) * glm::vec3(1.0f) / 1.0f, 1e-4f);
}

TEST_F(PbrtShapesOf, SubdivisionKeepsTheBoundaryAndTheLevels) {
  Mesh square;
  square.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  square.triangles = {{0, 1, 2}, {0, 2, 3}};
  const Mesh smooth = *subdivide_loop(square, 2);
  EXPECT_EQ(smooth.triangles.size(), 32u);
  for (glm::vec3 p : smooth.positions) EXPECT_EQ(p.z, 0.0f);
  for (glm::vec3 n : smooth.normals) expect_near(n, {0, 0, 1});
  // Three triangles at one edge are no surface.
  square.positions.push_back({0.5f, 0.5f, 1});
  square.triangles.push_back({0, 2, 4});
  EXPECT_FALSE(subdivide_loop(square, 1));
}

}  // namespace
}  // namespace winnow
