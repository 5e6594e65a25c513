// SPDX-License-Identifier: MIT
#include "tests/rendering/support/own_tree.h"

#include <vector>

#include "backend/cpu/cpu_backend.h"
#include "bvh/build/build_instanced_bvh.h"
#include "device_scene/device_scene.h"
#include "shading/bsdf/bsdf_by_type.h"
#include "shading/texture/texture.h"
#include "wavefront/integrator.h"

namespace winnow {
namespace {

template <class Scene, class Accel>
HostFilm film_with(const HostScene& scene, const RenderSettings& settings, uint32_t sample_count,
                   Accel accel, const InstanceTable& instances) {
  const TextureTable textures = build_texture_table(scene);
  const LightTable lights =
      build_light_table(scene, textures.textures, settings.lights, Scene::kFeatures);
  const std::vector<HitClass> classes = hit_classes_of(scene.materials);
  const Scene device_scene = make_device_scene<Scene::kFeatures>(
      scene, {lights, instances, textures.textures, classes, &textures.materials}, settings.width,
      settings.height);
  HostFilm film = make_host_film(settings.width, settings.height, settings.film_features());
  CpuBackend backend(settings);
  const uint32_t pixels = settings.width * settings.height, paths = pixels * sample_count;
  Integrator<CpuBackend, Accel, Scene> integrator(backend, device_scene, accel, settings,
                                                  view_of(film), {paths, paths});
  integrator.trace({.width = settings.width,
                    .height = settings.height,
                    .first_pixel = 0,
                    .pixel_count = pixels,
                    .first_sample = 0,
                    .sample_count = sample_count,
                    .pixels = nullptr});
  return film;
}

}  // namespace

HostFilm film_of_own_tree(const HostScene& scene, const RenderSettings& settings,
                          uint32_t sample_count, Features set) {
  const InstanceTable table = build_instance_table(scene);
  if (!set.extended) {
    const WideBvhArrays bvh = build_wide_bvh(scene);
    return film_with<DeviceScene<kBasic>>(scene, settings, sample_count, bvh.view(), table);
  }
  const InstancedBvhArrays bvh = build_instanced_bvh(scene, table);
  if (set.media)
    return film_with<DeviceScene<kMedia>>(scene, settings, sample_count, bvh.view(), table);
  return film_with<DeviceScene<kLayered>>(scene, settings, sample_count, bvh.view(), table);
}

}  // namespace winnow
