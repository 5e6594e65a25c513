#pragma once

#include <map>
#include <optional>
#include <string>

#include "scene/host_scene.h"
#include "scene/mitsuba_object.h"
#include "scene/texture_library.h"

namespace winnow {

/// Turns the <bsdf>s of a Mitsuba scene into materials. What Winnow lacks becomes the nearest thing
/// that it has, with a warning that says what is lost.
class MitsubaMaterials {
 public:
  explicit MitsubaMaterials(HostScene& scene) : scene_(scene), textures_(scene) {}

  /// The material of a shape, in HostScene::materials; nothing if light passes it unchanged.
  std::optional<uint32_t> of_shape(const MitsubaObject& shape, glm::vec3 emission);

  /// A black surface.
  uint32_t black();

  uint32_t add(const Material& material, const std::string& name);

 private:
  HostScene& scene_;
  TextureLibrary textures_;
  std::map<const void*, std::optional<uint32_t>> known_;  ///< of XML nodes
  std::optional<uint32_t> plain_, black_;
};

}  // namespace winnow
