// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "math/constants.h"
#include "scene/camera_motion.h"
#include "scene/open_edges.h"
#include "scene/scene_bounds.h"

namespace winnow {
namespace {

/// Objects of more triangles are not examined, for the sake of time and memory.
constexpr size_t kMaxExamined = 1 << 20;

struct CameraBall {
  glm::vec3 center;  ///< m
  float radius;      ///< m

  bool meets(const Bounds& box) const {
    const glm::vec3 nearest = glm::clamp(center, box.min, box.max);
    return glm::distance(nearest, center) <= radius;
  }
};

/// Returns a ball from which all camera rays start.
CameraBall camera_ball(const HostScene& scene) {
  const float radius = ray_start_radius(scene.camera, float(scene.width) / float(scene.height),
                                        scene.filter.radius / float(scene.height));
  if (scene.camera.motion.empty()) return {scene.camera.position, radius};
  const Bounds positions = camera_positions(scene.camera);
  return {positions.center(), radius + 0.5f * glm::length(positions.size())};
}

/// Triangles of an object that are connected.
struct ConnectedPart {
  EdgeBalance edges;
  Bounds bounds;
  double volume = 0.0;      ///< m^3, six times that of a closed part; negative if it is inside out
  double seen = 0.0;        ///< sr, fronts that the camera sees through everything, less backs
  bool has_holes = false;   ///< alpha
  bool is_reached = false;  ///< whether paths reach the backs
};

/// Sets of numbers that are joined.
class JoinedNumbers {
 public:
  explicit JoinedNumbers(size_t count) : parents_(count) {
    std::iota(parents_.begin(), parents_.end(), 0u);
  }
  uint32_t of(uint32_t i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }
  void join(uint32_t a, uint32_t b) { parents_[of(a)] = of(b); }

 private:
  std::vector<uint32_t> parents_;
};

/// Numbers the positions of an object, rounded to a grid: both sides of a seam may differ in their
/// last digits.
class PositionGrid {
 public:
  /// @param offset  in cells
  PositionGrid(const Bounds& bounds, float offset) : least_(bounds.min), offset_(offset) {
    constexpr float kCells = 1 << 16, kDigits = 1e-6f;
    const glm::vec3 far = glm::max(glm::abs(bounds.min), glm::abs(bounds.max)),
                    size = bounds.size();
    const float cell = std::max(glm::max(size.x, glm::max(size.y, size.z)) / kCells,
                                kDigits * glm::max(far.x, glm::max(far.y, far.z)));
    per_meter_ = cell > 0.0f ? 1.0f / cell : 0.0f;
  }
  glm::vec3 cell_of(glm::vec3 p) const { return glm::floor((p - least_) * per_meter_ + offset_); }

  uint32_t number_of(glm::vec3 cell) {
    return numbers_.try_emplace(cell, uint32_t(numbers_.size())).first->second;
  }

 private:
  struct Hash {
    size_t operator()(glm::vec3 cell) const {
      constexpr uint64_t kPrime = 0x9e3779b97f4a7c15u;
      uint64_t hash = 0;
      for (int axis = 0; axis < 3; ++axis)
        hash = (hash ^ std::bit_cast<uint32_t>(cell[axis] + 0.0f)) * kPrime;
      return hash ^ hash >> 32;
    }
  };
  glm::vec3 least_;
  float offset_, per_meter_;
  std::unordered_map<glm::vec3, uint32_t, Hash> numbers_;
};

/// Returns the solid angle of a triangle, positive if its front is seen. Van Oosterom & Strackee,
/// "The Solid Angle of a Plane Triangle", 1983.
/// @param a, b, c  corners, from the eye
double solid_angle(glm::dvec3 a, glm::dvec3 b, glm::dvec3 c) {
  const double la = glm::length(a), lb = glm::length(b), lc = glm::length(c);
  const double below =
      la * lb * lc + glm::dot(a, b) * lc + glm::dot(b, c) * la + glm::dot(c, a) * lb;
  return -2.0 * std::atan2(glm::dot(a, glm::cross(b, c)), below);
}

class ReachedBacks {
 public:
  explicit ReachedBacks(HostScene& scene)
      : scene_(scene),
        camera_(camera_ball(scene)),
        bounds_(scene_bounds(scene)),
        is_reached_(scene.materials.size()) {}

  /// Returns the materials whose backs paths reach: [material].
  std::vector<bool> find() {
    std::vector<uint32_t> starts = scene_.object_starts;
    starts.insert(starts.begin(), 0);
    starts.push_back(uint32_t(scene_.triangles.size()));
    for (size_t i = 1; i < starts.size(); ++i)
      examine(scene_, starts[i - 1], starts[i], Place::kWorld);
    for (const Sphere& sphere : scene_.spheres) {
      const float distance = glm::distance(camera_.center, sphere.center);
      if (has_holes(sphere.material) || distance <= sphere.radius + camera_.radius)
        is_reached_[sphere.material] = true;
    }
    const std::vector<Bounds> boxes = shared_mesh_bounds(scene_);
    std::vector<Place> places(boxes.size(), Place::kShared);
    for (const MeshInstance& instance : scene_.instances) {
      Bounds box;
      for (glm::vec3 corner : placed_corners(boxes[instance.mesh], instance.to_world))
        box.extend(corner);
      if (camera_.meets(box)) places[instance.mesh] = Place::kSharedAtCamera;
      if (instance.material != MeshInstance::kOwnMaterials) is_reached_[instance.material] = true;
    }
    for (size_t i = 0; i < places.size(); ++i) {
      const SharedMesh& mesh = scene_.meshes[i];
      examine(scene_.shared, mesh.first_triangle, mesh.first_triangle + mesh.triangle_count,
              places[i]);
    }
    return is_reached_;
  }

 private:
  enum class Place { kWorld, kShared, kSharedAtCamera };

  bool has_holes(uint32_t material) const { return has_alpha_cutouts(scene_.materials[material]); }

  /// Examines the triangles [first, end) of a mesh, which are an object.
  void examine(const Mesh& mesh, size_t first, size_t end, Place place) {
    std::vector<uint32_t> triangles;
    Bounds bounds;
    bool is_undecided = false;
    for (size_t i = first; i < end; ++i) {
      const uint32_t material = mesh.triangle_materials[i];
      if (!scene_.materials[material].black_back) continue;
      triangles.push_back(uint32_t(i));
      is_undecided = is_undecided || !is_reached_[material];
      for (int k = 0; k < 3; ++k) bounds.extend(mesh.positions[mesh.triangles[i][k]]);
    }
    if (!is_undecided) return;
    auto reach = [&](uint32_t i) { is_reached_[mesh.triangle_materials[i]] = true; };
    if (triangles.size() > kMaxExamined || place == Place::kSharedAtCamera)
      return void(std::ranges::for_each(triangles, reach));
    std::vector<uint32_t> parts(triangles.size());
    std::vector<ConnectedPart> found;
    for (float offset : {0.0f, 0.5f}) {
      found = parts_of(mesh, triangles, PositionGrid(bounds, offset), parts);
      if (std::ranges::all_of(found,
                              [](const ConnectedPart& part) { return part.edges.is_closed(); }))
        break;
    }
    for (ConnectedPart& part : found)
      part.is_reached = part.has_holes || (part.edges.is_closed() && is_reached(part, place));
    for (size_t i = 0; i < triangles.size(); ++i) {
      const ConnectedPart& part = found[parts[i]];
      if (part.is_reached ||
          (!part.edges.is_closed() && (place != Place::kWorld || !is_wall(mesh, triangles[i]))))
        reach(triangles[i]);
    }
  }

  /// @param parts  receives indices of the result: [triangle]
  std::vector<ConnectedPart> parts_of(const Mesh& mesh, const std::vector<uint32_t>& triangles,
                                      PositionGrid grid, std::vector<uint32_t>& parts) const {
    JoinedNumbers groups(3 * triangles.size());
    for (size_t i = 0; i < triangles.size(); ++i) {
      uint32_t numbers[3];
      for (int k = 0; k < 3; ++k)
        numbers[k] = grid.number_of(grid.cell_of(mesh.positions[mesh.triangles[triangles[i]][k]]));
      groups.join(numbers[0], numbers[1]);
      groups.join(numbers[0], numbers[2]);
      parts[i] = numbers[0];
    }
    std::vector<ConnectedPart> found;
    std::unordered_map<uint32_t, uint32_t> known;
    for (size_t i = 0; i < triangles.size(); ++i) {
      const auto [part, is_new] = known.try_emplace(groups.of(parts[i]), uint32_t(found.size()));
      if (is_new) found.emplace_back();
      parts[i] = part->second;
      glm::vec3 p[3], cells[3];
      for (int k = 0; k < 3; ++k) {
        p[k] = mesh.positions[mesh.triangles[triangles[i]][k]];
        cells[k] = grid.cell_of(p[k]);
      }
      found[parts[i]].has_holes |= has_holes(mesh.triangle_materials[triangles[i]]);
      add(p, cells, found[parts[i]]);
    }
    return found;
  }

  void add(const glm::vec3 (&p)[3], const glm::vec3 (&cells)[3], ConnectedPart& part) const {
    part.edges.add(cells);
    for (glm::vec3 corner : p) part.bounds.extend(corner);
    // The volume of a closed part does not depend on the origin.
    const glm::dvec3 origin(bounds_.min), a(p[0]), b(p[1]), c(p[2]), eye(camera_.center);
    part.volume += glm::dot(a - origin, glm::cross(b - origin, c - origin));
    part.seen += solid_angle(a - eye, b - eye, c - eye);
  }

  /// Returns whether paths reach the backs of a closed part without holes.
  bool is_reached(const ConnectedPart& part, Place place) const {
    if (place == Place::kWorld && camera_.meets(part.bounds)) {
      constexpr float kNear = 0.05f;  // rays that start farther off may start in the part
      const glm::vec3 size = part.bounds.size();
      if (camera_.radius > kNear * glm::min(size.x, glm::min(size.y, size.z))) return true;
      if (std::abs(part.seen) > 2.0 * kPi) return part.seen < 0.0;  // the camera is in it
    }
    return part.volume < 0.0;
  }

  /// Returns whether the whole scene and the camera are in front of a triangle, so that no path is
  /// ever behind it.
  bool is_wall(const Mesh& mesh, uint32_t triangle) const {
    if (scene_.camera_medium != kNoMedium) return false;  // paths scatter anywhere
    constexpr float kThin = 1e-4f;                        // fraction of the size of the scene
    const glm::uvec3 corners = mesh.triangles[triangle];
    const glm::vec3 p = mesh.positions[corners.x];
    const glm::vec3 n =
        glm::normalize(glm::cross(mesh.positions[corners.y] - p, mesh.positions[corners.z] - p));
    const float least =
        glm::dot(n, bounds_.center() - p) - 0.5f * glm::dot(glm::abs(n), bounds_.size());
    const bool has_camera = glm::dot(n, camera_.center - p) >= camera_.radius;
    return has_camera && least >= -kThin * glm::length(bounds_.size());
  }

  HostScene& scene_;
  CameraBall camera_;
  Bounds bounds_;
  std::vector<bool> is_reached_;  ///< [material]
};

}  // namespace

void clear_unreached_backs(HostScene& scene) {
  auto has_black_back = [](const Material& material) { return material.black_back; };
  if (std::ranges::none_of(scene.materials, has_black_back)) return;
  const std::vector<bool> is_reached = ReachedBacks(scene).find();
  for (size_t i = 0; i < is_reached.size(); ++i)
    scene.materials[i].black_back = scene.materials[i].black_back && is_reached[i];
}

}  // namespace winnow
