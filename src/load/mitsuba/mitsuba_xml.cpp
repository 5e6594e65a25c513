// SPDX-License-Identifier: MIT
#include "load/mitsuba/mitsuba_xml.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include "base/error.h"
#include "base/limits.h"
#include "load/mitsuba/convert.h"
#include "scene/frame_scene.h"
#include "scene/scene_summary.h"
#include "scene/soft_sky.h"

namespace winnow {
namespace {

void read_filter(const MitsubaObject& filter, FilterDescription& to) {
  const std::string type = filter.type();
  if (type == "box") {
    to = {FilterType::kBox, filter.number("radius", 0.5f)};
  } else if (type == "tent") {
    to = {FilterType::kTent, filter.number("radius", 1.0f)};
  } else if (type == "gaussian") {
    constexpr float kDeviations = 3.0f;  // Winnow truncates here, Mitsuba at 4
    to = {FilterType::kGaussian, kDeviations * filter.number("stddev", 0.5f)};
  } else {
    constexpr float kThreeDeviationsOfHalfAPixel = 1.5f;
    to = {FilterType::kGaussian, kThreeDeviationsOfHalfAPixel};
    filter.warn(
        fmt::format("the filter {} becomes gaussian: Winnow has no filters with negative values",
                    in_quotes(type)));
  }
  if (!(to.radius > 0.0f && to.radius <= kMaxFilterRadius))
    filter.fail(fmt::format("expected a radius above 0, and at most {} pixels", kMaxFilterRadius));
}

void read_film(const MitsubaObject& sensor, HostScene& scene) {
  constexpr int kDefaultWidth = 768, kDefaultHeight = 576, kMaxSize = 32768;  // pixels
  scene.width = kDefaultWidth;
  scene.height = kDefaultHeight;
  for (const MitsubaObject& film : sensor.children("film")) {
    int width = film.integer("width", kDefaultWidth),
        height = film.integer("height", kDefaultHeight);
    if (width < 1 || height < 1 || width > kMaxSize || height > kMaxSize)
      film.fail(fmt::format("expected a size from 1x1 to {}x{}, found {}x{}", kMaxSize, kMaxSize,
                            width, height));
    scene.width = uint32_t(width);
    scene.height = uint32_t(height);
    if (film.has("crop_width") || film.has("crop_height"))
      film.warn("the crop window is ignored: the whole film is rendered");
    for (const MitsubaObject& filter : film.children("rfilter")) read_filter(filter, scene.filter);
  }
}

/// Returns the tangent of half the vertical field of view.
/// @param aspect  width / height
float vertical_slope(const MitsubaObject& sensor, float aspect) {
  if (!sensor.has("fov")) {
    // Focal length of a lens on 35 mm film, for the field of view along the diagonal.
    constexpr float kFilmWidth = 36.0f, kFilmHeight = 24.0f, kDefaultLength = 50.0f;  // mm
    std::string length = sensor.text("focal_length", "50mm");
    if (length.size() > 2 && length.substr(length.size() - 2) == "mm")
      length.resize(length.size() - 2);
    std::vector<float> numbers = sensor.numbers_of(length);
    float mm = numbers.size() == 1 && numbers[0] > 0.0f ? numbers[0] : kDefaultLength;
    return 0.5f * std::hypot(kFilmWidth, kFilmHeight) / mm / std::hypot(aspect, 1.0f);
  }
  constexpr float kMaxFov = 180.0f;  // degrees
  float fov = sensor.number("fov", 0.0f);
  if (!(fov > 0.0f && fov < kMaxFov))
    sensor.fail(fmt::format("expected a field of view in (0, 180) degrees, found {}", fov));
  float slope = std::tan(glm::radians(0.5f * fov));
  std::string axis = sensor.text("fov_axis", "x");
  if (axis == "diagonal") return slope / std::hypot(aspect, 1.0f);
  bool is_y =
      axis == "y" || (axis == "smaller" && aspect > 1.0f) || (axis == "larger" && aspect <= 1.0f);
  if (!is_y && axis != "x" && axis != "smaller" && axis != "larger")
    sensor.fail(fmt::format("expected the axis x, y, diagonal, smaller or larger, found {}",
                            in_quotes(axis)));
  return is_y ? slope : slope / aspect;
}

uint32_t read_sample_count(const MitsubaObject& sampler, uint32_t fallback) {
  constexpr float kMaxSamples = float(1 << 24);
  const float count = sampler.number("sample_count", float(fallback));
  const float used = std::clamp(std::round(count), 1.0f, kMaxSamples);
  if (used != count)
    sampler.warn(fmt::format("a sample_count of {} becomes {}", count, uint32_t(used)));
  return uint32_t(used);
}

/// Reads the camera, the film and the sample count of a <sensor> into `scene`.
void read_sensor(const MitsubaObject& sensor, HostScene& scene) {
  const std::string type = sensor.type();
  read_film(sensor, scene);
  for (const MitsubaObject& sampler : sensor.children("sampler"))
    scene.spp = read_sample_count(sampler, scene.spp);
  const bool is_thin_lens = type == "thinlens", is_orthographic = type == "orthographic";
  if (type != "perspective" && !is_thin_lens && !is_orthographic)
    sensor.warn(fmt::format("a sensor of the type {} becomes perspective", in_quotes(type)));

  glm::mat4 to_world = sensor.transform("to_world");
  glm::mat3 linear(to_world);
  if (!(std::abs(glm::determinant(linear)) > 0.0f) || !is_near(glm::vec3(to_world[3])))
    sensor.fail("the camera needs a finite position and a direction");
  if (glm::determinant(linear) < 0.0f)
    sensor.warn("the mirroring of the sensor's transform is ignored");
  CameraDescription& camera = scene.camera;
  camera.position = glm::vec3(to_world[3]);
  glm::vec3 forward = glm::normalize(linear[2]);
  // A target as far away as the origin keeps rounding from changing the direction.
  camera.look_at = camera.position + std::max(glm::length(camera.position), 1.0f) * forward;
  camera.up = glm::normalize(linear[1]);
  const float aspect = float(scene.width) / float(scene.height);
  if (is_orthographic) {
    camera.projection = Projection::kOrthographic;
    camera.view_height = 2.0f * glm::length(linear[0]) / aspect;
    return;
  }
  float slope = vertical_slope(sensor, aspect);
  camera.vertical_fov = glm::degrees(2.0f * std::atan(slope));
  camera.focus_distance = 1.0f;
  if (!is_thin_lens) return;
  camera.lens_radius = sensor.number("aperture_radius", 0.0f);
  camera.focus_distance = sensor.number("focus_distance", 1.0f);
  if (!(camera.lens_radius >= 0.0f && camera.lens_radius <= float(kMaxSceneValue)) ||
      !(camera.focus_distance > 0.0f && camera.focus_distance <= float(kMaxSceneValue)))
    sensor.fail("expected an aperture_radius of at least 0 and a focus_distance above 0");
}

/// Reads the maximum number of bounces.
void read_integrator(const MitsubaObject& integrator, HostScene& scene) {
  constexpr int kUnlimited = 64,
                kMax = 1000;             // Russian roulette terminates nearly all paths earlier
  MitsubaObject innermost = integrator;  // outer integrators record its results
  std::vector<MitsubaObject> inner = integrator.children("integrator");
  for (int depth = 0; !inner.empty(); ++depth) {
    if (depth == kMaxIntegratorDepth) integrator.fail("integrators are nested too deeply");
    innermost = inner[0];
    inner = innermost.children("integrator");
  }
  if (innermost.boolean("hide_emitters", false))
    innermost.warn("hide_emitters is ignored: the camera sees the lights");
  int depth = innermost.type() == "direct" ? 2 : innermost.integer("max_depth", -1);
  // Mitsuba counts the edges of a path; with 0 it renders black.
  scene.max_bounces = uint32_t(depth < 0 ? kUnlimited : std::clamp(depth - 1, 0, kMax));
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
  HostScene scene;
  MitsubaDocument document(file, parameters, scene);
  MitsubaShapes shapes(document);
  for (pugi::xml_node node : document.objects()) {
    MitsubaObject object(document, node);
    if (object.tag() == "shape") shapes.add(object);
    warn_about_unknown(object);
  }
  shapes.place_instances(document.name());
  if (!summarize(scene).has_geometry())
    throw Error(
        fmt::format("{}: has no geometry; {}", document.name(),
                    document.shapes_left_out("expected at least one shape of a supported type")));

  bool has_sensor = false;
  for (pugi::xml_node node : document.objects()) {
    MitsubaObject object(document, node);
    if (object.tag() == "emitter" || object.tag() == "background") add_mitsuba_emitter(object);
    if (object.tag() == "integrator") read_integrator(object, scene);
    if (object.tag() == "sensor" && has_sensor) object.warn("only the first sensor is used");
    if (object.tag() == "sensor" && !has_sensor) {
      read_sensor(object, scene);
      scene.camera_medium = read_mitsuba_sensor_medium(object);
      has_sensor = true;
    }
  }
  if (!has_sensor) frame_scene(scene);
  for (const std::string& warning : document.warnings()) scene.warnings.push_back(warning);
  if (!summarize(scene).has_light()) {
    scene.sky = soft_sky();
    scene.warnings.push_back(
        fmt::format("{}: the scene has no light; a soft sky is used", document.name()));
  }
  return scene;
}

}  // namespace winnow
