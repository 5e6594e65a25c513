// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "bvh/instances.h"
#include "compaction/simt/span.h"
#include "math/ray.h"
#include "scene/host_scene.h"
#include "scene/material.h"
#include "scene/pixel_filter.h"
#include "shading/bsdf/bsdf.h"
#include "shading/camera.h"
#include "shading/features.h"
#include "shading/hit_class.h"
#include "shading/light/light.h"
#include "shading/light/light_table.h"
#include "shading/texture/texture.h"

namespace winnow {

using simt::Span;

struct DeviceMesh {
  Span<const glm::vec3> positions;  ///< [vertex], m
  Span<const glm::vec3> normals;    ///< [vertex], unit length; zero where the surface is flat
  Span<const glm::vec2> uvs = {};   ///< [vertex]; empty if the mesh has none, and in basic scenes
  // Empty if the mesh has none, and without Features::layers.
  Span<const glm::vec2> second_uvs = {};    ///< [vertex]
  Span<const glm::vec4> colors = {};        ///< [vertex], linear rgb and coverage
  Span<const glm::uvec3> triangles;         ///< [triangle], vertices
  Span<const uint32_t> triangle_materials;  ///< [triangle]
};

/// Shared meshes and their instances. Ids of instanced primitives follow those of the scene's own.
struct DeviceInstances {
  DeviceMesh mesh;                        ///< all shared meshes, each in its own space
  Span<const Instance> instances;         ///< [instance]
  Span<const uint32_t> first_primitives;  ///< [instance], ascending

  /// Returns the instance that a primitive belongs to, by binary search.
  SIMT_HOST_DEVICE uint32_t instance_of(uint32_t primitive) const {
    uint32_t first = 0, count = uint32_t(instances.size);
    while (count > 1) {
      const uint32_t half = count / 2;
      const bool later = first_primitives[first + half] <= primitive;
      first += later ? half : 0;
      count = later ? count - half : half;
    }
    return first;
  }
};

/// A scene as stages read it: flat arrays on one device, which it does not own.
template <Features kSceneFeatures>
struct DeviceScene {
  static constexpr Features kFeatures = kSceneFeatures;
  static constexpr Features kLightFeatures{.extended = kFeatures.extended};

  DeviceMesh mesh;                 ///< in world space
  Span<const Sphere> spheres;      ///< [sphere]
  Span<const Material> materials;  ///< [material]
  Lights<kLightFeatures> lights;
  Camera camera;
  PixelFilter filter;
  Bsdfs<kFeatures> bsdfs = {};
  FieldIf<kFeatures.extended, Span<const Texture>> textures = {};  ///< [texture]
  /// Whether any material may have an alpha below 1, or is a null boundary.
  FieldIf<kFeatures.extended, bool> has_alpha_cutouts = {};
  FieldIf<kFeatures.instances, DeviceInstances> instanced = {};
  FieldIf<kFeatures.media, Span<const Medium>> media = {};  ///< [medium]
  FieldIf<kFeatures.media, uint32_t> camera_medium = {};    ///< index in `media`, or kNoMedium
  /// Whether paths may meet media: kernels for media also shade scenes without any.
  FieldIf<kFeatures.media, bool> has_media = {};
  Span<const HitClass> classes;  ///< [material]
  uint32_t class_mask;           ///< bit i is set if hits of class i may occur

  /// Returns whether a primitive, or kNoPrimitive, belongs to an instance.
  SIMT_HOST_DEVICE bool is_instanced(uint32_t primitive) const {
    return kFeatures.instances && primitive >= mesh.triangles.size + spheres.size &&
           primitive != kNoPrimitive;
  }
};

/// Returns the scene for kernels of a larger feature set, with the same arrays.
template <Features kTo, Features kFrom>
DeviceScene<kTo> widened(const DeviceScene<kFrom>& from) {
  if constexpr (includes(kFrom, kTo)) {
    return from;
  } else {
    static_assert(kFrom.instances && !kFrom.media && includes(kTo, kFrom));
    DeviceScene<kTo> to{.mesh = from.mesh,
                        .spheres = from.spheres,
                        .materials = from.materials,
                        .lights = from.lights,
                        .camera = from.camera,
                        .filter = from.filter,
                        .bsdfs = {from.bsdfs.tables},
                        .textures = from.textures,
                        .has_alpha_cutouts = from.has_alpha_cutouts,
                        .instanced = from.instanced,
                        .classes = from.classes,
                        .class_mask = from.class_mask};
    if constexpr (kTo.media) to.camera_medium = kNoMedium;
    return to;
  }
}

/// Returns the features of the kernels of a scene; media only if it has any.
template <Features kFeatures>
Features used_features(const DeviceScene<kFeatures>& scene) {
  Features used = kFeatures;
  if constexpr (kFeatures.media) used.media = scene.has_media;
  return used;
}

/// Tables that describe a scene, in addition to the HostScene.
struct SceneTables {
  const LightTable& lights;
  const InstanceTable& instances;
  const std::vector<Texture>& textures;  ///< on the device
  const std::vector<HitClass>& classes;  ///< [material]
  /// [material], with indices in `textures`; null for those of the scene.
  const std::vector<Material>* materials = nullptr;
};

/// Returns DeviceScene::class_mask for the classes of all materials.
inline uint32_t class_mask(const std::vector<HitClass>& classes, bool has_media) {
  uint32_t mask = 1u << uint32_t(HitClass::kNoSurface);
  for (HitClass hit : classes) mask |= 1u << uint32_t(hit);
  if (has_media) mask |= 1u << uint32_t(kScatteredInMedium);
  return mask;
}

template <Features kFeatures, class Upload>
DeviceMesh make_device_mesh(const Mesh& mesh, Upload upload) {
  DeviceMesh device{.positions = upload(mesh.positions),
                    .normals = upload(mesh.normals),
                    .triangles = upload(mesh.triangles),
                    .triangle_materials = upload(mesh.triangle_materials)};
  if constexpr (kFeatures.extended) device.uvs = upload(mesh.uvs);
  if constexpr (kFeatures.layers) {
    device.second_uvs = upload(mesh.second_uvs);
    device.colors = upload(mesh.colors);
  }
  return device;
}

/// Upload function that leaves the arrays of a scene in host memory.
struct InHostMemory {
  template <class T>
  Span<const T> operator()(const std::vector<T>& items) const {
    return {items.data(), items.size()};
  }
};

/// Builds a DeviceScene. `upload` copies a vector to the device and returns its span there.
/// @param width, height  size of the film in pixels
template <Features kFeatures, class Upload = InHostMemory>
DeviceScene<kFeatures> make_device_scene(const HostScene& scene, const SceneTables& tables,
                                         uint32_t width, uint32_t height, Upload upload = {}) {
  DeviceScene<kFeatures> device{
      .mesh = make_device_mesh<kFeatures>(scene, upload),
      .spheres = upload(scene.spheres),
      .materials = upload(tables.materials ? *tables.materials : scene.materials),
      .lights = make_lights<DeviceScene<kFeatures>::kLightFeatures>(scene, tables.lights, upload),
      .camera = make_camera(scene.camera, width, height, upload),
      .filter = {.type = scene.filter.type,
                 .radius = scene.filter.radius,
                 .nodes = upload(filter_table(scene.filter.type))},
      .classes = upload(tables.classes),
      .class_mask = class_mask(tables.classes, kFeatures.media && has_media(scene))};
  if constexpr (kFeatures.extended) {
    device.bsdfs.tables = make_lobe_tables(lobe_needs(scene.materials), upload);
    device.textures = upload(tables.textures);
    device.has_alpha_cutouts =
        std::any_of(scene.materials.begin(), scene.materials.end(), has_alpha_cutouts);
  }
  if constexpr (kFeatures.instances)
    device.instanced = {.mesh = make_device_mesh<kFeatures>(scene.shared, upload),
                        .instances = upload(tables.instances.instances),
                        .first_primitives = upload(tables.instances.first_primitives)};
  if constexpr (kFeatures.media) {
    device.media = upload(scene.media);
    device.camera_medium = scene.camera_medium;
    device.has_media = has_media(scene);
    device.has_alpha_cutouts |=
        std::any_of(scene.materials.begin(), scene.materials.end(),
                    [](const Material& m) { return m.type == MaterialType::kNull; });
  }
  return device;
}

}  // namespace winnow
