// SPDX-License-Identifier: MIT
#include "load/mitsuba/mitsuba_xml.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec2.hpp>

#include "base/error.h"
#include "base/limits.h"
#include "load/mitsuba/convert.h"
#include "scene/camera_motion.h"
#include "scene/frame_scene.h"
#include "scene/open_edges.h"
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

/// A film, of which only the crop window is rendered.
struct FilmElement {
  glm::vec2 size{768.0f, 576.0f};  ///< pixels; the defaults of Mitsuba
  glm::vec2 crop_offset{0.0f};     ///< pixels from the upper left corner
  glm::vec2 crop_size = size;      ///< pixels

  float aspect() const { return size.x / size.y; }
};

FilmElement read_film(const MitsubaObject& sensor, HostScene& scene) {
  constexpr int kMaxSize = int(kMaxImageSide);
  FilmElement read;
  for (const MitsubaObject& film : sensor.children("film")) {
    const int width = film.integer("width", int(read.size.x)),
              height = film.integer("height", int(read.size.y));
    if (width < 1 || height < 1 || width > kMaxSize || height > kMaxSize)
      film.fail(fmt::format("expected a size from 1x1 to {}x{}, found {}x{}", kMaxSize, kMaxSize,
                            width, height));
    const int x = film.integer("crop_offset_x", 0), y = film.integer("crop_offset_y", 0),
              crop_width = film.integer("crop_width", width),
              crop_height = film.integer("crop_height", height);
    if (x < 0 || y < 0 || crop_width < 1 || crop_height < 1 || crop_width > width - x ||
        crop_height > height - y)
      film.fail("expected a crop window of at least one pixel, inside of the film");
    if (const std::string format = film.text("pixel_format", "rgb");
        format != "rgb" && format != "rgba")
      film.warn(fmt::format("images are RGB; the pixel_format {} is ignored", in_quotes(format)));
    read = {{width, height}, {x, y}, {crop_width, crop_height}};
    for (const MitsubaObject& filter : film.children("rfilter")) read_filter(filter, scene.filter);
  }
  scene.width = uint32_t(read.crop_size.x);
  scene.height = uint32_t(read.crop_size.y);
  return read;
}

/// Returns the lens shift that shows the crop window of a film: from the middle of the film to that
/// of the window, and by the offset of the principal point.
glm::vec2 read_shift(const MitsubaObject& sensor, const FilmElement& film) {
  const glm::vec2 offset{sensor.number("principal_point_offset_x", 0.0f),
                         sensor.number("principal_point_offset_y", 0.0f)};
  const glm::vec2 middle = film.crop_offset + 0.5f * (film.crop_size - film.size);
  const glm::vec2 shift = (middle + offset * film.size) / film.crop_size;
  if (!(std::abs(shift.x) <= float(kMaxCameraShift) && std::abs(shift.y) <= float(kMaxCameraShift)))
    sensor.fail(fmt::format("expected an offset of the principal point within {}, found {}, {}",
                            kMaxCameraShift, offset.x, offset.y));
  return {shift.x, 0.0f - shift.y};  // without negative zeros
}

/// Reads the clipping planes, of which each sensor of Mitsuba has two.
/// @param z_axis  m, length of the z axis of the sensor in the world
void read_clipping(const MitsubaObject& sensor, float z_axis, CameraDescription& camera) {
  constexpr float kNear = 1e-2f, kFar = 1e4f;  // m
  const float near = sensor.number("near_clip", kNear), far = sensor.number("far_clip", kFar);
  if (!(near > 0.0f && far > near))
    sensor.fail(fmt::format("expected a near_clip above 0 and a far_clip above it, found {} and {}",
                            near, far));
  // As in Mitsuba, only the distance of the near plane is scaled.
  camera.near_clip = std::min(near * z_axis, float(kMaxSceneValue));
  camera.far_clip = std::min(camera.near_clip + (far - near), float(kMaxSceneValue));
  if (!(camera.far_clip > camera.near_clip))
    sensor.fail("expected clipping planes that are nearer than 1e9 m");
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
  const FilmElement film = read_film(sensor, scene);
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
  scene.camera_origin = CameraOrigin::kDirection;
  camera.shift = read_shift(sensor, film);
  read_clipping(sensor, is_orthographic ? glm::length(linear[2]) : 1.0f, camera);
  const float crop = film.crop_size.y / film.size.y;
  if (is_orthographic) {
    camera.projection = Projection::kOrthographic;
    const float x = glm::length(linear[0]), y = glm::length(linear[1]);
    camera.view_height = 2.0f * x / film.aspect() * crop;
    constexpr float kRounding = 1e-5f;
    if (std::abs(x - y) <= kRounding * x) return;
    camera.view_height *= y / x;
    camera.pixel_aspect = x / y;
    return;
  }
  const float slope = vertical_slope(sensor, film.aspect()) * crop;
  camera.vertical_fov = glm::degrees(2.0f * std::atan(slope));
  camera.focus_distance = 1.0f;
  if (!is_thin_lens) return;
  camera.lens_radius = sensor.number("aperture_radius", 0.0f);
  camera.focus_distance = sensor.number("focus_distance", camera.far_clip);
  if (!(camera.lens_radius >= 0.0f && camera.lens_radius <= float(kMaxSceneValue)) ||
      !(camera.focus_distance > 0.0f && camera.focus_distance <= float(kMaxSceneValue)))
    sensor.fail("expected an aperture_radius of at least 0 and a focus_distance above 0");
}

/// Reads the maximum number of bounces. Returns the type of the integrator.
std::string read_integrator(const MitsubaObject& integrator, HostScene& scene) {
  constexpr int kUnlimited = 64,
                kMax = 1000;             // Russian roulette terminates nearly all paths earlier
  MitsubaObject innermost = integrator;  // outer integrators record its results
  std::vector<MitsubaObject> inner = integrator.children("integrator");
  for (int depth = 0; !inner.empty(); ++depth) {
    if (depth == kMaxIntegratorDepth) integrator.fail("integrators are nested too deeply");
    innermost = inner[0];
    inner = innermost.children("integrator");
  }
  int depth = innermost.type() == "direct" ? 2 : innermost.integer("max_depth", -1);
  // Mitsuba counts the edges of a path; with 0 it renders black.
  scene.max_bounces = uint32_t(depth < 0 ? kUnlimited : std::clamp(depth - 1, 0, kMax));
  return innermost.type();
}

bool has_type(const HostScene& scene, MaterialType type) {
  return std::ranges::any_of(scene.materials,
                             [&](const Material& material) { return material.type == type; });
}

bool has_masks(const HostScene& scene) {
  return std::ranges::any_of(scene.materials, [](const Material& material) {
    return material.alpha != 1.0f || material.textures.alpha != kNoTexture;
  });
}

/// Warns of light and media that the integrator of a scene treats otherwise than Winnow does.
/// @param type  of the integrator; empty for Mitsuba's default
void warn_about_integrator(const std::string& type, bool has_null_surfaces, const std::string& file,
                           HostScene& scene) {
  constexpr uint32_t kManyBounces = 32;  // after which hardly any light is left
  auto warn = [&](const char* what) {
    scene.warnings.push_back(fmt::format("{}: {}", file, what));
  };
  const bool has_points = std::ranges::any_of(
      scene.delta_lights, [](const DeltaLight& light) { return light.disk_angle == 0.0f; });
  if (type.find("vol") != type.npos) {  // such as volpath: thin panes are null surfaces there
    if (has_points && has_type(scene, MaterialType::kThinDielectric))
      warn(
          "light of points, spots and directions does not pass a thindielectric; in Mitsuba, this "
          "integrator lets it");
    if (scene.max_bounces < kManyBounces && has_type(scene, MaterialType::kThinDielectric))
      warn(
          "passing a thindielectric counts for max_depth; in Mitsuba, this integrator does not "
          "count it");
    return;
  }
  if (!scene.media.empty()) warn("media are rendered; in Mitsuba, this integrator leaves them out");
  const bool is_masked = has_masks(scene);
  const bool passes = is_masked || has_null_surfaces || has_type(scene, MaterialType::kNull);
  if (passes && !type.empty() && scene.max_bounces < kManyBounces)
    warn("where light passes a mask does not count for max_depth, as in Mitsuba it does");
  // Rays to lamps stop at every surface there. Those that hit an area count too little behind
  // masks.
  const bool has_areas = std::ranges::any_of(scene.materials, emits);
  if ((has_points && passes) || (has_areas && is_masked))
    warn(
        "light of lamps passes masks and null surfaces; in Mitsuba, this integrator loses some or "
        "all of it");
}

/// Warns of a far clipping plane that hides what Mitsuba shows.
void warn_about_far_clip(bool has_null_surfaces, const std::string& file, HostScene& scene) {
  const bool passes = has_null_surfaces || has_type(scene, MaterialType::kNull) || has_masks(scene);
  if ((passes || scene.camera_medium != kNoMedium) && may_reach_far_clip(scene))
    scene.warnings.push_back(fmt::format(
        "{}: far_clip hides all that is behind it; in Mitsuba, it does not apply behind "
        "masks and null surfaces, and does not end media",
        file));
}

/// Makes backs black only where paths reach them. There, lights emit only to the front, too.
void finish_backs(HostScene& scene) {
  for (Material& material : scene.materials) {
    const bool is_black =
        material.type == MaterialType::kDiffuse && material.reflectance == glm::vec3(0.0f);
    if (is_black && !emits(material)) material.black_back = false;
  }
  clear_unreached_backs(scene);
  for (Material& material : scene.materials)
    if (material.black_back) material.two_sided_emission = !emits(material);
}

/// Warns about an object of the scene that is not read, unless another object uses it.
void warn_about_unknown(const MitsubaObject& object) {
  const std::set<std::string> kDone = {"alias",      "background", "bsdf",  "emitter",
                                       "integrator", "sensor",     "shape", "texture"};
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
  std::string integrator;
  for (pugi::xml_node node : document.objects()) {
    MitsubaObject object(document, node);
    if (object.tag() == "emitter" || object.tag() == "background") add_mitsuba_emitter(object);
    if (object.tag() == "integrator") integrator = read_integrator(object, scene);
    if (object.tag() == "sensor" && has_sensor) object.warn("only the first sensor is used");
    if (object.tag() == "sensor" && !has_sensor) {
      read_sensor(object, scene);
      scene.camera_medium = read_mitsuba_sensor_medium(object);
      has_sensor = true;
    }
  }
  if (!has_sensor) frame_scene(scene);
  finish_backs(scene);
  warn_about_integrator(integrator, document.has_null_surfaces, document.name(), scene);
  warn_about_far_clip(document.has_null_surfaces, document.name(), scene);
  warn_about_ignored_keys(document);
  for (const std::string& warning : document.warnings()) scene.warnings.push_back(warning);
  if (scene.camera_medium != kNoMedium && summarize(scene).has_sky)
    scene.warnings.push_back(fmt::format(
        "{}: light from infinity reaches a sensor in a medium only from behind far_clip, "
        "where the medium ends; in Mitsuba it comes from a sphere around the scene",
        document.name()));
  if (!summarize(scene).has_light()) {
    scene.sky = soft_sky();
    scene.warnings.push_back(
        fmt::format("{}: the scene has no light; a soft sky is used", document.name()));
  }
  return scene;
}

}  // namespace winnow
