// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/vec3.hpp>
#include <nlohmann/json.hpp>
#include <set>
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

  /// Appends an item to a top-level array. Returns its index.
  uint32_t add(const char* array, Json item);

  /// Appends bytes as a buffer view. Returns its index.
  uint32_t add_view(std::string_view bytes);

  /// Appends an accessor of indices or of vectors of floats. Returns its index.
  template <class Item>
  uint32_t add_items(const std::vector<Item>& items) {
    const std::string_view bytes(reinterpret_cast<const char*>(items.data()),
                                 items.size() * sizeof(Item));
    return add_accessor(bytes, items.size(), sizeof(Item) / sizeof(float));
  }

  /// Appends an accessor of positions with their bounds, as glTF requires.
  uint32_t add_positions(const std::vector<glm::vec3>& positions);

  void use(const char* extension) { extensions_.insert(extension); }

  /// Records something that glTF cannot represent; each text once.
  void leave_out(const std::string& what) { left_out_.insert(what); }
  std::vector<std::string> left_out() const { return {left_out_.begin(), left_out_.end()}; }
  void write(const std::filesystem::path& file);

 private:
  /// @param components  numbers of an item; 1 for indices
  uint32_t add_accessor(std::string_view bytes, size_t count, size_t components);

  std::string bytes_;
  std::set<std::string> extensions_, left_out_;
};

/// Adds the materials of `scene` in their order, and the textures that they use.
void add_glb_materials(const HostScene& scene, GlbDocument& document);

/// Returns whether surfaces of a material are written with reversed normals: glTF has no index of
/// refraction below 1, but the boundary of a bubble in glass is that of a ball turned inside out.
bool is_reversed_in_glb(const Material& material);

}  // namespace winnow
