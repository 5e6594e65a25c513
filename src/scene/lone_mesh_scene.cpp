#include "scene/lone_mesh_scene.h"

#include <algorithm>
#include <glm/mat4x4.hpp>

#include "scene/frame_scene.h"

namespace winnow {

void complete_lone_mesh_scene(HostScene& scene, const Mesh& mesh) {
  constexpr uint32_t kSize = 768;  // pixels
  scene.width = scene.height = kSize;
  add_mesh(scene, mesh, glm::mat4(1.0f), 0);
  frame_scene(scene);
  if (std::none_of(scene.materials.begin(), scene.materials.end(), emits)) scene.sky = soft_sky();
}

}  // namespace winnow
