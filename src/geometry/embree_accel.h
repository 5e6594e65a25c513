#pragma once

#include <cstdint>
#include <memory>

#include "geometry/ray.h"
#include "scene/host_scene.h"

struct RTCDeviceTy;
struct RTCSceneTy;

namespace winnow {

/// An Accel on Embree's tree.
struct EmbreeAccel {
  RTCSceneTy* scene;
  uint32_t triangle_count;

  Hit intersect(const Ray& ray) const;
  bool occluded(const Ray& ray) const;
};

/// Embree's acceleration structure over a scene, which must outlive it: its vertices are not
/// copied.
class EmbreeScene {
 public:
  /// Builds with all of oneTBB's threads. Throws Error.
  explicit EmbreeScene(const HostScene& scene);
  EmbreeAccel accel() const { return {scene_.get(), triangle_count_}; }

 private:
  std::unique_ptr<RTCDeviceTy, void (*)(RTCDeviceTy*)> device_;
  std::unique_ptr<RTCSceneTy, void (*)(RTCSceneTy*)> scene_;
  uint32_t triangle_count_;
};

}  // namespace winnow
