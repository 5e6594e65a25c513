#pragma once

#include "load/mitsuba/bsdf.h"
#include "load/mitsuba/object.h"
#include "load/winnow/read_instances.h"
#include "scene/host_scene.h"

namespace winnow {

/// Adds the <shape>s of a Mitsuba scene to a HostScene.
///
/// Spheres stay exact, unless they are scaled unevenly or shared; cylinders and disks have 128
/// sides. Rectangles and disks that emit get a black back, as in Mitsuba they emit to the front
/// only.
class MitsubaShapes {
 public:
  MitsubaShapes(HostScene& scene, MitsubaMaterials& materials)
      : scene_(scene), materials_(materials) {}

  void add(const MitsubaObject& shape);

  /// Adds what instances share. Called once, after all shapes.
  void place_instances(const std::string& file) { place_meshes(file, groups_, scene_); }

 private:
  void add_group(const MitsubaObject& group);
  void add_instance(const MitsubaObject& instance);
  void add_sphere(const MitsubaObject& shape, Mesh& to, bool is_shared);
  void add_placed(const MitsubaObject& shape, const Mesh& mesh, const glm::mat4& to_world,
                  uint32_t material, Mesh& to);
  void add_shape(const MitsubaObject& shape, Mesh& to, bool is_shared);

  HostScene& scene_;
  MitsubaMaterials& materials_;
  NamedMeshes groups_;  ///< by the place of the group in the file
};

}  // namespace winnow
