// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "load/json/json_reader.h"
#include "load/textures/texture_library.h"
#include "scene/host_scene.h"

namespace winnow {

/// A texture of a material.
struct TextureSlot {
  const char* key;  ///< in "textures" of a material
  uint32_t MaterialTextures::*texture;
  TexelMeaning meaning;
};
const std::array<TextureSlot, 6>& texture_slots();

/// The "textures" of a scene file. An image is read when a material names it, as the use decides
/// whether its bytes are colours.
class NamedTextures {
 public:
  /// @param json    "textures", if the file has it
  /// @param folder  that file names are relative to
  NamedTextures(std::optional<JsonReader> json, const std::filesystem::path& folder,
                HostScene& scene);

  /// Index of the texture that a material names; kNoTexture, with a warning, if its file is
  /// missing.
  uint32_t find(const JsonReader& name, TexelMeaning meaning);

 private:
  std::optional<JsonReader> json_;
  std::filesystem::path folder_;
  TextureLibrary library_;
};

/// Reads the keys scene_keys::kAnyMaterial.
void read_material_textures(const JsonReader& json, NamedTextures& textures, Material& material);

}  // namespace winnow
