// SPDX-License-Identifier: MIT
#include "load/mitsuba/mitsuba_xml.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "base/error.h"
#include "base/one_line.h"
#include "load/mitsuba/convert.h"
#include "load/mitsuba/document.h"
#include "load/mitsuba/object.h"
#include "scene/frame_scene.h"
#include "scene/scene_summary.h"
#include "scene/soft_sky.h"

namespace winnow {

namespace {

/// Throws Error that says which shapes are left out and why.
[[noreturn]] void fail_without_geometry(const MitsubaDocument& document) {
  constexpr size_t kMaxReasons = 3;
  std::vector<std::string> reasons = document.shapes_left_out();
  if (reasons.size() > kMaxReasons) reasons.resize(kMaxReasons);
  throw Error(
      reasons.empty()
          ? fmt::format("{}: has no geometry; expected at least one shape of a supported type",
                        document.name())
          : fmt::format("{}: has no geometry; {}", document.name(), fmt::join(reasons, "; ")));
}

/// Warns about an object of the scene that is not read, unless another object uses it.
void warn_about_unknown(const MitsubaObject& object) {
  const std::set<std::string> kDone = {"bsdf",    "texture", "sensor",    "integrator",
                                       "emitter", "shape",   "background"};
  if (!kDone.contains(object.tag()) && !object.document().is_referred_to(object.node()))
    object.warn(fmt::format("<{}> is ignored", one_line(object.tag())));
}

}  // namespace

HostScene load_mitsuba_xml(const std::filesystem::path& file, const MitsubaParameters& parameters) {
  MitsubaDocument document(file, parameters);
  HostScene scene;
  MitsubaMedia media(scene);
  MitsubaMaterials materials(scene, media);
  MitsubaShapes shapes(scene, materials);
  for (pugi::xml_node node : document.objects()) {
    MitsubaObject object(document, node);
    if (object.tag() == "shape") shapes.add(object);
    warn_about_unknown(object);
  }
  shapes.place_instances(document.name());
  if (!summarize(scene).has_geometry()) fail_without_geometry(document);

  bool has_sensor = false;
  for (pugi::xml_node node : document.objects()) {
    MitsubaObject object(document, node);
    if (object.tag() == "emitter" || object.tag() == "background")
      add_mitsuba_emitter(object, scene);
    if (object.tag() == "integrator") read_mitsuba_integrator(object, scene);
    if (object.tag() == "sensor" && has_sensor) object.warn("only the first sensor is used");
    if (object.tag() == "sensor" && !has_sensor) {
      read_mitsuba_sensor(object, scene);
      scene.camera_medium = media.of_sensor(object);
      has_sensor = true;
    }
  }
  if (!has_sensor) frame_scene(scene);
  scene.warnings = document.warnings();
  if (!summarize(scene).has_light()) {
    scene.sky = soft_sky();
    scene.warnings.push_back(
        fmt::format("{}: the scene has no light; a soft sky is used", document.name()));
  }
  return scene;
}

}  // namespace winnow
