#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bvh/bvh_box.h"
#include "bvh/instance.h"
#include "math/ray.h"
#include "scene/host_scene.h"

struct RTCDeviceTy;
struct RTCSceneTy;

namespace winnow {

/// A placed mesh, as Embree's callbacks need it.
struct EmbreeInstance {
  ToObject to_object;
  BvhBox box;  ///< in the world
  RTCSceneTy* mesh;
  uint32_t first_primitive;  ///< in the scene
};

/// An Accel on Embree's tree.
struct EmbreeAccel {
  RTCSceneTy* scene;
  uint32_t triangle_count;
  const EmbreeInstance* instances;

  Hit intersect(const Ray& ray) const;
  bool occluded(const Ray& ray) const;
};

/// How Embree tests boxes and triangles.
enum class EmbreeTests {
  kWatertight,  ///< as our own tests are; Embree then splits no triangles in the tree
  kFast,        ///< rays may slip between triangles; for comparison
};

/// How much Embree's builder does for the speed of rays.
enum class EmbreeBuild { kHigh, kMedium };

/// Embree's acceleration structure over a scene, which must outlive it: its vertices are not
/// copied.
///
/// Instances are geometry of ours rather than Embree's, which inverts a transform in floats: rays
/// then come to a mesh as they do on CUDA, and with an error that is known. A hundred thousand of
/// them are one geometry.
class EmbreeScene {
 public:
  /// Builds with all of oneTBB's threads. Throws Error.
  explicit EmbreeScene(const HostScene& scene, EmbreeTests tests = EmbreeTests::kWatertight,
                       EmbreeBuild build = EmbreeBuild::kHigh);
  EmbreeAccel accel() const { return {scene_.get(), triangle_count_, instances_.data()}; }

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
};

}  // namespace winnow
