// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "backend/cpu/conductor_batch.h"
#include "backend/cpu/principled_batch.h"
#include "backend/cpu/specular_batch.h"
#include "device_scene/device_scene.h"
#include "shading/hit_class.h"

namespace winnow {

/// How paths that hit a surface are shaded in batches.
enum class BatchedHit : uint8_t {
  kNone,      ///< not at all
  kTriangle,  ///< with the other triangles of the batch
  kAny,       ///< with the others once their surface is found
  kSpecular,  ///< with other specular surfaces, which sample no lights
};

enum class BatchedLights {
  kAny,        ///< sampled path by path
  kTriangles,  ///< only triangles, without textures and tree
  kSpheres,    ///< only spheres, without textures and tree
};

/// Tables that determine which paths of a scene are shaded together.
struct BatchTables {
  std::vector<BatchedHit> hits;  ///< [material], kTriangle if triangles need no textures
  std::vector<uint8_t> lobes;    ///< [material], ConductorKind::index(), or one of these:
  static constexpr uint32_t kDiffuseLobe = ConductorKind::kCount;
  static constexpr uint32_t kFirstPrincipled = kDiffuseLobe + 1;  ///< plus a PrincipledKind
  static constexpr uint32_t kFirstSpecular = kFirstPrincipled + kPrincipledKindCount;
  static constexpr uint32_t kOtherLobes = kFirstSpecular + kSpecularKindCount;
  BatchedLights local_lights = BatchedLights::kAny;
  bool has_two_sided_lights_only = true;
  bool has_gradient = false;     ///< the sky has no map and is not black
  bool shows_sky = false;        ///< rays that leave the scene see a sky, and no disks of lights
  bool is_dark_outside = false;  ///< rays that leave the scene see no light

  template <Features kFeatures>
  static BatchTables of(const DeviceScene<kFeatures>& scene) {
    BatchTables tables;
    for (const Material& material : scene.materials) {
      tables.hits.push_back(kFeatures.media ? BatchedHit::kNone : hit_of(material));
      tables.lobes.push_back(uint8_t(lobes_of(material)));
    }
    const auto& lights = scene.lights;
    bool triangles = lights.local.size > 0, spheres = triangles;
    for (const Light& light : lights.local) {
      triangles &= light.kind == LightKind::kTriangle && !light.textured;
      tables.has_two_sided_lights_only &= light.two_sided;
      spheres &= light.kind == LightKind::kSphere && !light.textured;
    }
    bool has_tree = false, has_map = false, has_disks = false;
    if constexpr (kFeatures.extended) {
      has_tree = lights.tree.size > 0;
      has_map = lights.environment.texels.size > 0;
      has_disks = lights.disk_count > 0;
    }
    if (!has_tree && triangles) tables.local_lights = BatchedLights::kTriangles;
    if (!has_tree && spheres) tables.local_lights = BatchedLights::kSpheres;
    tables.has_gradient = !is_black(lights.sky) && !has_map;
    tables.shows_sky = (has_map || tables.has_gradient) && !has_disks;
    tables.is_dark_outside = is_black(lights.sky) && !has_map && !has_disks;
    return tables;
  }

 private:
  static BatchedHit hit_of(Material material) {
    material.black_back = false;  // its back is shaded alone
    const HitClass hit = hit_class_of(material);
    if (hit == HitClass::kPlainDiffuse) return BatchedHit::kTriangle;
    if (has_lobes_alone(material))
      return traits_of(material.type).specular ? BatchedHit::kSpecular : BatchedHit::kTriangle;
    return hit == HitClass::kTexturedDiffuse ? BatchedHit::kAny : BatchedHit::kNone;
  }

  static uint32_t lobes_of(const Material& material) {
    if (material.type == MaterialType::kConductor) return ConductorKind(material).index();
    if (material.type == MaterialType::kPrincipled && has_principled_kind(material))
      return kFirstPrincipled + uint32_t(principled_kind_of(material));
    if (traits_of(material.type).specular)
      return kFirstSpecular + uint32_t(specular_kind_of(material));
    return material.type == MaterialType::kDiffuse ? kDiffuseLobe : kOtherLobes;
  }

  /// Whether shading at a surface differs only by the BSDF from shading at a plain diffuse surface,
  /// or at a specular one: the surface does not emit, is not black, is isotropic, and has neither
  /// vertex colours nor textures other than alpha.
  static bool has_lobes_alone(const Material& material) {
    const bool has_lobes =
        material.type != MaterialType::kDiffuse && material.type != MaterialType::kNull;
    Material plain = material;
    plain.type = MaterialType::kDiffuse;
    return has_lobes && hit_class_of(plain) == HitClass::kPlainDiffuse;
  }
};

}  // namespace winnow
