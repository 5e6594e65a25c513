// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "backend/cpu/conductor_batch.h"
#include "device_scene/device_scene.h"
#include "shading/hit_class.h"

namespace winnow {

/// How paths that hit a surface are shaded in batches.
enum class BatchedHit : uint8_t {
  kNone,      ///< not at all
  kTriangle,  ///< with the other triangles of the batch
  kAny,       ///< with the others once their surface is found
};

/// What decides which paths of a scene are shaded together.
struct BatchTables {
  std::vector<BatchedHit> hits;  ///< [material], kTriangle if triangles need no textures
  std::vector<uint8_t> lobes;    ///< [material], ConductorKind::index(), or one of these:
  static constexpr uint32_t kDiffuseLobe = ConductorKind::kCount, kOtherLobes = kDiffuseLobe + 1;
  bool has_triangle_lights = false;  ///< these alone, without textures and tree
  bool has_sphere_lights = false;    ///< all local lights, without textures and tree
  bool shows_map = false;            ///< an environment map, without disks of distant lights
  bool is_dark_outside = false;      ///< rays that leave the scene see no light

  template <Features kFeatures>
  static BatchTables of(const DeviceScene<kFeatures>& scene) {
    BatchTables tables;
    for (const Material& material : scene.materials) {
      tables.hits.push_back(kFeatures.media ? BatchedHit::kNone : hit_of(material));
      tables.lobes.push_back(uint8_t(lobes_of(material)));
    }
    const Lights<kFeatures>& lights = scene.lights;
    bool triangles = lights.local_probability == 1.0f, spheres = lights.local.size > 0;
    for (const Light& light : lights.local) {
      triangles &= light.kind == LightKind::kTriangle && !light.textured && light.two_sided;
      spheres &= light.kind == LightKind::kSphere && !light.textured;
    }
    if constexpr (kFeatures.extended) {
      triangles &= lights.tree.size == 0;
      spheres &= lights.tree.size == 0;
      tables.shows_map = lights.environment.texels.size > 0 && lights.disk_count == 0;
    }
    tables.is_dark_outside = is_black(lights.sky);
    if constexpr (kFeatures.extended)
      tables.is_dark_outside &= lights.environment.texels.size == 0 && lights.disk_count == 0;
    tables.has_triangle_lights = triangles;
    tables.has_sphere_lights = spheres;
    return tables;
  }

 private:
  static BatchedHit hit_of(const Material& material) {
    const HitClass hit = hit_class_of(material);
    if (hit == HitClass::kPlainDiffuse || has_lobes_alone(material)) return BatchedHit::kTriangle;
    return hit == HitClass::kTexturedDiffuse ? BatchedHit::kAny : BatchedHit::kNone;
  }

  static uint32_t lobes_of(const Material& material) {
    if (material.type == MaterialType::kConductor) return ConductorKind(material).index();
    return material.type == MaterialType::kDiffuse ? kDiffuseLobe : kOtherLobes;
  }

  /// Whether only the BSDF tells shading at a surface from that at a plain diffuse one: it is no
  /// light, not black, not specular, and the same everywhere and all around its normal.
  static bool has_lobes_alone(const Material& material) {
    const bool has_lobes = material.type == MaterialType::kConductor ||
                           material.type == MaterialType::kRoughDielectric ||
                           material.type == MaterialType::kPlastic ||
                           material.type == MaterialType::kPrincipled;
    Material plain = material;
    plain.type = MaterialType::kDiffuse;
    return has_lobes && hit_class_of(plain) == HitClass::kPlainDiffuse;
  }
};

}  // namespace winnow
