// SPDX-License-Identifier: MIT
#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "app/render/motion.h"
#include "load/load_scene.h"
#include "load/winnow/winnow_json.h"
#include "python/bindings.h"
#include "scene/scene_summary.h"

namespace winnow::python {
namespace {

namespace fs = std::filesystem;

/// An array of a mesh: [item][columns of Item], contiguous, in host memory.
template <class Number, Py_ssize_t kColumns>
using Rows = nb::ndarray<const Number, nb::shape<-1, kColumns>, nb::c_contig, nb::device::cpu>;

template <class Item, class Array>
std::vector<Item> items_of(const Array& rows) {
  static_assert(sizeof(Item) % sizeof(typename Array::Scalar) == 0);
  std::vector<Item> items(rows.shape(0));
  if (!items.empty()) std::memcpy(items.data(), rows.data(), items.size() * sizeof(Item));
  return items;
}

SceneMesh make_mesh(std::string name, std::string material, const Rows<float, 3>& vertices,
                    const Rows<uint32_t, 3>& indices, std::optional<Rows<float, 3>> normals,
                    std::optional<Rows<float, 2>> uvs, std::optional<Rows<float, 4>> colors) {
  SceneMesh mesh{.name = std::move(name), .material = std::move(material), .mesh = {}};
  mesh.mesh.positions = items_of<glm::vec3>(vertices);
  mesh.mesh.triangles = items_of<glm::uvec3>(indices);
  if (normals) mesh.mesh.normals = items_of<glm::vec3>(*normals);
  if (uvs) mesh.mesh.uvs = items_of<glm::vec2>(*uvs);
  if (colors) mesh.mesh.colors = items_of<glm::vec4>(*colors);
  return mesh;
}

SceneHandle load(const fs::path& file, const MitsubaParameters& parameters,
                 std::optional<double> time, const std::string& shutter, bool confine,
                 const std::string& variant, const std::string& camera_name) {
  const WorkWithoutGil work;
  RenderOptions options;
  options.scene = file;
  options.parameters = parameters;
  options.time = time;
  if (!shutter.empty()) options.shutter = parse_shutter("shutter", shutter);
  options.outside = confine ? OutsideFiles::kRefused : OutsideFiles::kAllowed;
  options.choice = {.variant = variant, .camera = camera_name};
  check_shutter(options);
  HostScene scene = load_scene(file, parameters, time, options.outside, options.choice);
  const std::optional<Shutter> open = shutter_of_objects(options, scene.shutter, 0.0);
  blur_camera(options, open, scene);
  SceneHandle handle{nullptr, file};
  if (open && scene.is_animated) handle.scene_at = scenes_of_file(options, scene.shutter, 0.0);
  scene.shutter = open;
  handle.scene = std::make_shared<const HostScene>(std::move(scene));
  return handle;
}

SceneHandle build(const std::string& text, const std::string& name, const fs::path& folder,
                  const std::vector<SceneMesh>& meshes) {
  const WorkWithoutGil work;
  HostScene scene = read_winnow_json(text, name, folder, meshes);
  scene.name = name;
  SceneHandle handle{nullptr, name};
  if (scene.is_animated)
    handle.scene_at = [=](double moment) {
      return read_winnow_json(text, name, folder, meshes, moment);
    };
  handle.scene = std::make_shared<const HostScene>(std::move(scene));
  return handle;
}

void save_scene(const SceneHandle& scene, const fs::path& file) {
  const WorkWithoutGil work;
  write_winnow_json(file, *scene.scene);
}

nb::typed<nb::list, nb::str> warnings(const SceneHandle& scene) {
  nb::typed<nb::list, nb::str> lines;
  for (const std::string& line : scene.scene->warnings) lines.append(file_text(line));
  return lines;
}

nb::dict counts(const SceneHandle& scene) {
  const SceneSummary summary = summarize(*scene.scene);
  nb::dict counts;
  counts["triangles"] = summary.triangles;
  counts["vertices"] = summary.vertices;
  counts["spheres"] = summary.spheres;
  counts["materials"] = summary.materials;
  counts["instances"] = summary.instances;
  counts["instanced_triangles"] = summary.instanced_triangles;
  counts["emissive_triangles"] = summary.emissive_triangles;
  counts["emissive_spheres"] = summary.emissive_spheres;
  counts["delta_lights"] = summary.delta_lights;
  counts["bytes"] = summary.bytes;
  return counts;
}

}  // namespace

void bind_scene(nb::module_& module) {
  nb::class_<SceneMesh>(module, "Mesh", "Arrays of triangles, as build() takes them.")
      .def(nb::new_(&make_mesh), nb::arg("name"), nb::arg("material"), nb::arg("vertices"),
           nb::arg("indices"), nb::arg("normals").none(), nb::arg("uvs").none(),
           nb::arg("colors").none());
  nb::class_<SceneHandle>(module, "Scene", "A scene in host memory, which nothing changes.")
      .def_prop_ro("name", [](const SceneHandle& self) { return file_text(self.scene->name); })
      .def_prop_ro("source",
                   [](const SceneHandle& self) { return file_text(self.source.string()); })
      .def_prop_ro("description", [](const SceneHandle& self) { return self.scene->description; })
      .def_prop_ro(
          "size",
          [](const SceneHandle& self) { return std::pair(self.scene->width, self.scene->height); })
      .def_prop_ro("spp", [](const SceneHandle& self) { return self.scene->spp; })
      .def_prop_ro("max_bounces", [](const SceneHandle& self) { return self.scene->max_bounces; })
      .def_prop_ro("warnings", &warnings)
      .def_prop_ro("cameras", [](const SceneHandle& self) { return self.scene->camera_names; })
      .def_prop_ro("variants", [](const SceneHandle& self) { return self.scene->variant_names; })
      .def_prop_ro("counts", &counts)
      .def("save", &save_scene, nb::arg("file"));
  module.def("load", &load, nb::arg("file"), nb::arg("parameters"), nb::arg("time").none(),
             nb::arg("shutter"), nb::arg("confine"), nb::arg("variant"), nb::arg("camera_name"),
             "Reads a scene file of any format.");
  module.def("build", &build, nb::arg("text"), nb::arg("name"), nb::arg("folder"),
             nb::arg("meshes"), "Reads a scene from text in Winnow's format, and arrays.");
}

}  // namespace winnow::python
