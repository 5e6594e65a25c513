#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "load/mitsuba/object.h"
#include "load/mitsuba/texture.h"
#include "load/textures/texture_library.h"
#include "scene/host_scene.h"

namespace winnow {

/// Turns the <bsdf>s of a Mitsuba scene into materials. What Winnow lacks becomes the nearest thing
/// that it has, with a warning that says what is lost.
class MitsubaMaterials {
 public:
  explicit MitsubaMaterials(HostScene& scene) : scene_(scene), textures_(scene) {}

  /// What a shape emits.
  MitsubaTextured emission_of(const MitsubaObject& shape);

  /// The material of a shape, in HostScene::materials; nothing if light passes it unchanged.
  ///
  /// @param v_is_left  of u, seen from outside, in the texture coordinates of the shape. Green of a
  ///                   normal map leans to the left of u in Mitsuba, against v in Winnow.
  std::optional<uint32_t> of_shape(const MitsubaObject& shape, const MitsubaTextured& emission,
                                   bool v_is_left);

  /// A black surface.
  uint32_t black();

  uint32_t add(const Material& material, const std::string& name);

 private:
  HostScene& scene_;
  TextureLibrary textures_;
  /// Of XML nodes, for shapes whose v is left of u and others.
  std::map<std::pair<const void*, bool>, std::optional<uint32_t>> known_;
  std::optional<uint32_t> plain_, black_;
};

}  // namespace winnow
