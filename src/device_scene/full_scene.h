#pragma once

#include <algorithm>
#include <type_traits>

#include "bvh/instance_table.h"
#include "device_scene/device_scene.h"
#include "shading/bsdf/all_lobes.h"
#include "shading/light/full_light_table.h"
#include "shading/texture/texture.h"

namespace winnow {

/// A scene with all that Winnow knows, as stages read it. A type of its own: what shades a plain
/// scene knows nothing of the rest, and pays nothing for it.
struct FullScene : DeviceScene {
  AllLobes lobes;
  FullLights full_lights;
  Span<const glm::vec2> uvs;       ///< [vertex], or empty
  Span<const Texture> textures;    ///< [texture]
  bool has_alpha_cutouts = false;  ///< whether the alpha of any material is below 1

  Span<const glm::vec3> shared_positions;          ///< [vertex], m, in the space of its mesh
  Span<const glm::vec3> shared_normals;            ///< [vertex], unit length; zero where flat
  Span<const glm::vec2> shared_uvs;                ///< [vertex], or empty
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

/// Whether `scene` has anything that a DeviceScene has not, or is to choose lights as that cannot.
inline bool needs_full_scene(const HostScene& scene, LightChoice lights) {
  return !scene.instances.empty() || !scene.environment.image.pixels.empty() ||
         !scene.delta_lights.empty() || needs_full_lights(scene, lights) ||
         !std::all_of(scene.materials.begin(), scene.materials.end(), is_plain);
}

/// What a scene is described from beside the HostScene itself.
struct SceneTables {
  const LightTable& lights;
  const InstanceTable& instances;
  const std::vector<Texture>& textures;  ///< as the device sees them
  const FullLightTable& full_lights;     ///< of a FullScene; else empty
};

/// Describes `scene` with every array passed through `upload`, as make_device_scene does.
/// @tparam Scene  DeviceScene for a plain scene, else FullScene
template <class Scene, class Upload>
Scene make_scene(const HostScene& scene, const SceneTables& tables, uint32_t width, uint32_t height,
                 Upload upload) {
  DeviceScene plain = make_device_scene(scene, tables.lights, width, height, upload);
  if constexpr (std::is_same_v<Scene, DeviceScene>) {
    return plain;
  } else {
    FullScene full;
    static_cast<DeviceScene&>(full) = plain;
    full.full_lights = make_full_lights(scene, tables.full_lights, upload);
    full.lobes.tables = make_lobe_tables(lobe_needs(scene.materials), upload);
    full.uvs = upload(scene.uvs);
    full.textures = upload(tables.textures);
    full.has_alpha_cutouts =
        std::any_of(scene.materials.begin(), scene.materials.end(), has_alpha_cutouts);
    full.shared_positions = upload(scene.shared.positions);
    full.shared_normals = upload(scene.shared.normals);
    full.shared_uvs = upload(scene.shared.uvs);
    full.shared_triangles = upload(scene.shared.triangles);
    full.shared_triangle_materials = upload(scene.shared.triangle_materials);
    full.instances = upload(tables.instances.instances);
    full.first_primitives = upload(tables.instances.first_primitives);
    return full;
  }
}

}  // namespace winnow
