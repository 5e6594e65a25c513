// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scene/host_scene.h"

namespace winnow {

/// A glTF file being written: its JSON and the bytes of its only buffer.
class GlbDocument {
 public:
  using Json = nlohmann::ordered_json;

  GlbDocument();

  Json root;

  /// Appends an item to a top-level array.
  /// @return  index of the item
  uint32_t add(const char* array, Json item);

  /// Appends bytes as a buffer view.
  /// @return  index of the view
  uint32_t add_view(std::string_view bytes);

  // These functions append an accessor and return its index.
  uint32_t add_indices(std::span<const uint32_t> indices);
  uint32_t add_vectors(std::span<const glm::vec3> vectors, bool has_bounds);
  uint32_t add_uvs(std::span<const glm::vec2> uvs);
  uint32_t add_colors(std::span<const glm::vec4> colors);

  /// Records an extension that the file uses.
  void use(const char* extension) { extensions_.insert(extension); }

  /// Records something that glTF cannot represent; each text once.
  void leave_out(const std::string& what) { left_out_.insert(what); }
  std::vector<std::string> left_out() const { return {left_out_.begin(), left_out_.end()}; }

  void write(const std::filesystem::path& file);

 private:
  uint32_t add_accessor(std::string_view bytes, size_t count, int component, const char* type);

  std::string bytes_;
  std::set<std::string> extensions_, left_out_;
};

/// Adds the materials of `scene` in their order, and the textures that they use.
void add_glb_materials(const HostScene& scene, GlbDocument& document);

}  // namespace winnow
