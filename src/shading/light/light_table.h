// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "math/cdf_table.h"
#include "scene/host_scene.h"
#include "shading/features.h"
#include "shading/light/light.h"
#include "shading/light_choice.h"
#include "shading/texture/texture.h"

namespace winnow {

/// The contents of Lights in host memory, with the same names.
struct LightTable {
  std::vector<Light> local;
  std::vector<CdfEntry> choices;
  std::vector<LightNode> tree;
  std::vector<uint32_t> light_of;
  std::vector<DistantLight> distant;
  uint32_t disk_count = 0;
  bool by_distance = false;
  EnvironmentTable environment;
  float sky_floor = 0.0f;       ///< luminance of a sky without a map that is left to BSDF sampling
  SkyGuideTable guide;          ///< filled by build_sky_guide(), not by build_light_table()
  LightGuideTable light_guide;  ///< filled by build_light_guide()
  float total_power = 0.0f;
  std::vector<float> local_pmfs;   ///< probabilities of `choices` among the local lights
  std::array<double, 3> powers{};  ///< W of luminance: of local lights, the sky, distant lights
  bool by_power = false;           ///< whether `local_pmfs` are those of each light, by power
  double equal_share = 1.0;        ///< share of the samples that these kinds divide equally
  /// Probabilities of the kinds of lights. build_light_guide() makes the first that of MIS weights.
  float local_probability = 0.0f, sky_probability = 0.0f, distant_probability = 0.0f;
};

/// Collects all lights of a scene except those without power or area. Takes O(n) for n primitives,
/// and O(m log m) for a tree of m lights.
///
/// @param textures  textures of the scene, in host memory
/// @param features  feature set that shades the scene, see required_features()
LightTable build_light_table(const HostScene& scene, const std::vector<Texture>& textures,
                             LightChoice by, Features features);

/// Leaves a part of a sky without a guide to BSDF sampling, which samples it as well. If the sky is
/// a map with bright parts, this is the radiance up to the mean. Any other sky is left whole if it
/// is a map or nearly even, else up to its darkest luminance, but only if there is no other light
/// nor a medium. Beside other lights, light samples of such a sky pay at 64 per pixel and more.
void leave_smooth_sky(const HostScene& scene, LightTable& table);

/// Returns a sky with the luminance of `sky` above a floor; `sky` itself if that is 0.
Sky sky_above(const Sky& sky, float floor);

/// Builds the device's description of the lights. Every array passes through `upload`, which copies
/// a vector to the device and returns its span there.
template <Features kFeatures, class Upload>
Lights<kFeatures> make_lights(const HostScene& scene, const LightTable& table, Upload upload) {
  Lights<kFeatures> lights{.local = upload(table.local),
                           .choices = upload(table.choices),
                           .total_power = table.total_power,
                           .local_probability = table.local_probability,
                           .sky_probability = table.sky_probability,
                           .sky = scene.sky,
                           .sampled_sky = sky_above(scene.sky, table.sky_floor),
                           .guide = make_sky_guide(table.guide, upload),
                           .light_guide = make_light_guide(table.light_guide, upload)};
  if constexpr (kFeatures.extended) {
    lights.distant_probability = table.distant_probability;
    lights.tree = upload(table.tree);
    lights.by_distance = table.by_distance;
    lights.light_of = upload(table.light_of);
    lights.distant = upload(table.distant);
    lights.disk_count = table.disk_count;
    lights.environment = make_environment(scene.environment, table.environment, upload);
  }
  return lights;
}

}  // namespace winnow
