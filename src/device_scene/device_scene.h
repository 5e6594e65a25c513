#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "compaction/simt/span.h"
#include "scene/host_scene.h"
#include "scene/material.h"
#include "scene/pixel_filter.h"
#include "shading/bsdf/bsdf.h"
#include "shading/camera.h"
#include "shading/light/light.h"
#include "shading/light/light_table.h"

namespace winnow {

using simt::Span;

/// A plain scene as stages read it: flat arrays on one device. Does not own them.
struct DeviceScene {
  Span<const glm::vec3> positions;   ///< [vertex], m
  Span<const glm::vec3> normals;     ///< [vertex], unit length; zero where the surface is flat
  Span<const glm::uvec3> triangles;  ///< [triangle], vertices
  Span<const uint32_t> triangle_materials;  ///< [triangle]
  Span<const Sphere> spheres;               ///< [sphere]
  Span<const Material> materials;           ///< [material]
  Lights lights;
  Camera camera;
  PixelFilter filter;
  PlainLobes lobes;
};

/// Describes `scene` with every array passed through `upload`, which returns where the device sees
/// it.
template <class Upload>
DeviceScene make_device_scene(const HostScene& scene, const LightTable& lights, uint32_t width,
                              uint32_t height, Upload upload) {
  return {.positions = upload(scene.positions),
          .normals = upload(scene.normals),
          .triangles = upload(scene.triangles),
          .triangle_materials = upload(scene.triangle_materials),
          .spheres = upload(scene.spheres),
          .materials = upload(scene.materials),
          .lights = {.shapes = upload(lights.shapes),
                     .table = upload(lights.table),
                     .total_power = lights.total_power,
                     .shape_probability = lights.shape_probability,
                     .sky = scene.sky},
          .camera = make_camera(scene.camera, width, height),
          .filter = {.type = scene.filter.type,
                     .radius = scene.filter.radius,
                     .nodes = upload(filter_table(scene.filter.type))},
          .lobes = {}};
}

}  // namespace winnow
