#pragma once

#include <map>
#include <string>

#include "load/json/json_reader.h"
#include "load/winnow/read_textures.h"
#include "scene/host_scene.h"

namespace winnow {

/// Index in HostScene::materials of each name that the file defines.
using MaterialIds = std::map<std::string, uint32_t>;

/// Adds the members of "materials" to `scene`.
MaterialIds read_materials(const JsonReader& materials, NamedTextures& textures, HostScene& scene);

/// The material that a shape names.
uint32_t read_material_name(const JsonReader& name, const MaterialIds& materials);

}  // namespace winnow
