#pragma once

#include <type_traits>

#include "geometry/instance_table.h"
#include "scene/device_scene.h"

namespace winnow {

/// A scene with instances, as stages read it. A type of its own: what shades a scene without them
/// knows nothing of them.
struct InstancedScene : DeviceScene {
  Span<const glm::vec3> shared_positions;          ///< [vertex], m, in the space of its mesh
  Span<const glm::vec3> shared_normals;            ///< [vertex], unit length; zero where flat
  Span<const glm::uvec3> shared_triangles;         ///< [triangle], vertices
  Span<const uint32_t> shared_triangle_materials;  ///< [triangle]
  Span<const Instance> instances;                  ///< [instance]
  Span<const uint32_t> first_primitives;           ///< [instance], rising

  /// Whether a primitive belongs to an instance. The numbers of these come last.
  SIMT_HOST_DEVICE bool is_instanced(uint32_t primitive) const {
    return primitive >= triangles.size + spheres.size && primitive != kNoPrimitive;
  }

  /// The instance that an instanced primitive belongs to.
  SIMT_HOST_DEVICE uint32_t instance_of(uint32_t primitive) const {
    uint32_t first = 0, count = uint32_t(instances.size);  // it is one of these
    while (count > 1) {
      const uint32_t half = count / 2;
      const bool later = first_primitives[first + half] <= primitive;
      first += later ? half : 0;
      count = later ? count - half : half;
    }
    return first;
  }
};

/// Describes `scene` with every array passed through `upload`, as make_device_scene does.
/// @tparam Scene  DeviceScene where there are no instances, else InstancedScene
template <class Scene, class Upload>
Scene make_scene(const HostScene& scene, const LightTable& lights, const InstanceTable& table,
                 uint32_t width, uint32_t height, Upload upload) {
  DeviceScene own = make_device_scene(scene, lights, width, height, upload);
  if constexpr (std::is_same_v<Scene, DeviceScene>)
    return own;
  else
    return {own,
            upload(scene.shared.positions),
            upload(scene.shared.normals),
            upload(scene.shared.triangles),
            upload(scene.shared.triangle_materials),
            upload(table.instances),
            upload(table.first_primitives)};
}

}  // namespace winnow
