#pragma once

#include <vector>

#include "math/alias_table.h"
#include "scene/host_scene.h"
#include "shading/light/environment_table.h"
#include "shading/light/full_lights.h"
#include "shading/light/light_choice.h"
#include "shading/texture/texture.h"

namespace winnow {

/// What `FullLights` reads, in host memory.
struct FullLightTable {
  std::vector<LocalLight> local;
  std::vector<AliasEntry> local_table;
  std::vector<LightNode> tree;
  std::vector<uint32_t> light_of;
  std::vector<DistantLight> distant;
  std::vector<AliasEntry> distant_table;
  uint32_t disk_count = 0;
  EnvironmentTable environment;
  float local_chance = 0.0f, sky_chance = 0.0f, distant_chance = 0.0f;
};

/// Gathers all lights of a scene. Those that send out nothing are left out.
///
/// @param textures  of the scene, on the CPU
FullLightTable build_full_light_table(const HostScene& scene, const std::vector<Texture>& textures,
                                      LightChoice by);

/// Describes the lights with every array passed through `upload`.
template <class Upload>
FullLights make_full_lights(const HostScene& scene, const FullLightTable& table, Upload upload) {
  return {.local = upload(table.local),
          .local_table = upload(table.local_table),
          .tree = upload(table.tree),
          .light_of = upload(table.light_of),
          .distant = upload(table.distant),
          .distant_table = upload(table.distant_table),
          .disk_count = table.disk_count,
          .environment = make_environment(scene.environment, table.environment, upload),
          .local_chance = table.local_chance,
          .sky_chance = table.sky_chance,
          .distant_chance = table.distant_chance};
}

}  // namespace winnow
