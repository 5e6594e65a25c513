// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bvh/instances.h"
#include "compaction/simt/span.h"
#include "math/bounds.h"
#include "math/ray.h"
#include "scene/host_scene.h"

struct RTCDeviceTy;
struct RTCSceneTy;

namespace winnow {

/// A placed mesh, for Embree's callbacks.
struct EmbreeInstance {
  ToObject to_object;
  Bounds box;  ///< m, world space
  RTCSceneTy* mesh;
  uint32_t first_primitive;  ///< index of its triangle 0 in the scene
};

/// Up to 16 rays that are traced together, in columns.
struct alignas(64) RayPacket {
  static constexpr uint32_t kSize = 16;
  float origin[3][kSize] = {}, direction[3][kSize] = {};  ///< [axis][ray]
  float t_max[kSize] = {};
  uint32_t id[kSize];  ///< index of the ray's hit; the caller chooses it
  uint32_t count = 0;

  /// Adds a ray to less than kSize others.
  [[gnu::always_inline]] void add(uint32_t ray_id, const Ray& ray) {
    for (int axis = 0; axis < 3; ++axis) {
      origin[axis][count] = ray.origin[axis];
      direction[axis][count] = ray.direction[axis];
    }
    t_max[count] = ray.t_max;
    id[count++] = ray_id;
  }
  Ray operator[](uint32_t i) const {
    return {.origin = {origin[0][i], origin[1][i], origin[2][i]},
            .direction = {direction[0][i], direction[1][i], direction[2][i]},
            .t_max = t_max[i]};
  }
};

/// An Accel that uses Embree.
struct EmbreeAccel {
  RTCSceneTy* scene;
  uint32_t triangle_count;
  const EmbreeInstance* instances;

  /// Whether occluded() accepts packets, and is faster with them: the scene has only triangles, and
  /// few of them. Packets take half of the time in a room of 30 triangles, 5 % less with 260,000,
  /// and a tenth more with a million.
  bool has_packets = false;

  /// Whether intersect() accepts packets, and is faster with them: the scene has only triangles,
  /// and the processor has AVX-512. With rays of one pixel, packets take a third of the time with
  /// 1,000 triangles, and two thirds with a million.
  bool has_closest_packets = false;

  Hit intersect(const Ray& ray) const;
  bool occluded(const Ray& ray) const;

  /// Finds the closest hits of several rays together, with the same results as one by one. Faster
  /// if the rays stay close together.
  ///
  /// @param hits  [RayPacket::id]
  void intersect(const RayPacket& rays, simt::Span<Hit> hits) const;

  /// Tests several rays together, with the same results as one by one. Faster if they end close
  /// together.
  ///
  /// @return  bit i: whether ray i is occluded
  uint32_t occluded(const RayPacket& rays) const;
};

/// Returns how Embree rounds on this processor, for example "Embree 3.13.5 with AVX2, a2c4e6f8":
/// Embree chooses its code by the processor's instructions, and t, u and v of a ray's hit differ
/// between these in their last bits. The number is a hash of the bits of hits of fixed rays.
std::string embree_rounding();

/// How Embree tests boxes and triangles.
enum class EmbreeTests {
  kWatertight,  ///< like our own tests; Embree then does not build spatial splits
  kFast,        ///< rays may pass between adjacent triangles; for comparison
};

enum class EmbreeBuild { kHigh, kMedium };

/// Embree's acceleration structure over a scene, which must outlive it.
///
/// Instances are a user geometry rather than Embree's instances, which invert transforms in single
/// precision: rays are transformed to a mesh exactly as on CUDA, with a known error bound. All
/// instances are one geometry.
class EmbreeScene {
 public:
  /// Builds with all threads of oneTBB. Throws Error.
  explicit EmbreeScene(const HostScene& scene, EmbreeTests tests = EmbreeTests::kWatertight,
                       EmbreeBuild build = EmbreeBuild::kHigh);
  EmbreeAccel accel() const {
    return {scene_.get(), triangle_count_, instances_.data(), has_packets_, has_closest_packets_};
  }

  /// Returns the version of Embree and the instruction set that it chose.
  std::string version() const;

 private:
  using ScenePointer = std::unique_ptr<RTCSceneTy, void (*)(RTCSceneTy*)>;

  ScenePointer new_scene(EmbreeTests tests) const;
  void commit(RTCSceneTy* scene) const;
  void build_instances(const HostScene& scene, EmbreeTests tests);

  EmbreeBuild build_;
  std::unique_ptr<RTCDeviceTy, void (*)(RTCDeviceTy*)> device_;
  ScenePointer scene_;
  std::vector<ScenePointer> meshes_;
  std::vector<EmbreeInstance> instances_;
  uint32_t triangle_count_;
  bool has_packets_, has_closest_packets_;
};

}  // namespace winnow
