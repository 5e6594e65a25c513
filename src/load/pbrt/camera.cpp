// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec2.hpp>

#include "base/error.h"
#include "load/pbrt/convert.h"
#include "load/pbrt/pbrt_keys.h"
#include "scene/camera_motion.h"

namespace winnow {
namespace {

/// Part of the image plane that the film shows.
struct ScreenWindow {
  float half_height;      ///< in multiples of half the shorter side of the film
  glm::vec2 shift{0.0f};  ///< shift of its middle, in multiples of its width and height
};

ScreenWindow read_screen_window(const PbrtObject& camera, float aspect) {
  constexpr float kDifferent = 0.01f;
  const float frame = camera.number("frameaspectratio", aspect);
  if (!(std::abs(frame - aspect) <= kDifferent * aspect))
    camera.warn("a frameaspectratio other than that of the film is ignored");
  const std::span<const float> window = camera.numbers("screenwindow");
  if (window.size() != 4) return {.half_height = std::max(1.0f / aspect, 1.0f)};
  const float left = window[0], right = window[1], bottom = window[2], top = window[3];
  const float width = right - left, height = top - bottom;
  if (!(width > 0.0f && height > 0.0f && width <= float(kMaxSceneValue) &&
        height <= float(kMaxSceneValue)))
    camera.fail("expected a screenwindow of left, right, bottom and top that increase");
  if (std::abs(width / height - aspect) > kDifferent * aspect)
    camera.warn("the pixels of a screenwindow become squares");
  return {.half_height = 0.5f * height,
          .shift = {0.5f * (left + right) / width, 0.5f * (bottom + top) / height}};
}

/// Limits a window to a part of the film.
/// @param crop  pixels: x, y, end of x and y
ScreenWindow cropped(const ScreenWindow& window, glm::vec2 film, const glm::ivec4& crop) {
  const glm::vec2 low = glm::vec2(crop.x, crop.y) / film, high = glm::vec2(crop.z, crop.w) / film;
  const glm::vec2 part = high - low, middle = 0.5f * (low + high) - 0.5f;
  return {.half_height = window.half_height * part.y,
          .shift = (window.shift + glm::vec2(middle.x, -middle.y)) / part};
}

/// Reads the pixels that a film renders; nothing if they are all.
std::optional<glm::ivec4> read_crop(const PbrtObject& film, glm::ivec2 size) {
  const std::span<const int32_t> bounds = film.integers("pixelbounds");
  const std::span<const float> window = film.numbers("cropwindow");
  if (bounds.empty() && window.empty()) return {};
  glm::ivec2 low(0), high = size;
  if (window.size() == 4) {
    const glm::vec2 a = glm::clamp(glm::vec2(window[0], window[2]), 0.0f, 1.0f),
                    b = glm::clamp(glm::vec2(window[1], window[3]), 0.0f, 1.0f);
    low = glm::ceil(glm::vec2(size) * glm::min(a, b));
    high = glm::ceil(glm::vec2(size) * glm::max(a, b));
  } else if (window.empty() && bounds.size() == 4) {
    const glm::ivec2 a(bounds[0], bounds[2]), b(bounds[1], bounds[3]);
    low = glm::max(glm::min(a, b), 0);
    high = glm::min(glm::max(a, b), size);
  } else {
    film.fail("expected four numbers of a cropwindow or pixelbounds");
  }
  if (low.x >= high.x || low.y >= high.y) film.fail("the crop window has no pixel");
  return glm::ivec4(low, high);
}

/// Returns the field of view along the shorter side of the film, degrees.
float read_fov(const PbrtObject& camera) {
  constexpr float kDefaultFov = 90.0f, kMaxFov = 180.0f;
  if (camera.type == "realistic") {
    constexpr float kShortSide = 24.0f, kFocalLength = 50.0f;  // mm, of 35 mm film
    camera.warn("a realistic camera becomes a perspective one with a lens of 50 mm");
    return glm::degrees(2.0f * std::atan(0.5f * kShortSide / kFocalLength));
  }
  if (camera.type != "perspective")
    camera.warn(fmt::format("a camera of the type {} becomes perspective", in_quotes(camera.type)));
  float fov = camera.number("fov", kDefaultFov);
  if (camera.has("halffov")) fov = 2.0f * camera.number("halffov", 0.5f * fov);
  if (!(fov > 0.0f && fov < kMaxFov))
    camera.fail(fmt::format("expected a field of view in (0, 180) degrees, found {}", fov));
  return fov;
}

}  // namespace

PbrtOptions::PbrtOptions(PbrtContext& context) : context_(context) {
  HostScene& scene = context.scene;
  scene.width = context.is_old ? 640 : 1280;
  scene.height = context.is_old ? 480 : 720;
  scene.spp = 16;
  scene.max_bounces = 5;
  constexpr float kThreeDeviationsOfHalfAPixel = 1.5f;
  if (!context.is_old) scene.filter = {FilterType::kGaussian, kThreeDeviationsOfHalfAPixel};
}

void PbrtOptions::set_camera(const PbrtObject& camera, const PbrtState& state) {
  constexpr double kFlat = 1e-30;
  const double determinant = glm::determinant(glm::dmat3(state.ctm.start));
  if (!(std::abs(determinant) > kFlat &&
        std::abs(glm::determinant(glm::dmat3(state.ctm.end))) > kFlat))
    camera.fail("the transform of the camera has no inverse");
  camera_ = camera;
  to_world_ = {glm::inverse(state.ctm.start), glm::inverse(state.ctm.end)};
  context_.from_pbrt =
      determinant > 0.0 ? glm::scale(glm::mat4(1.0f), {-1.0f, 1.0f, 1.0f}) : glm::mat4(1.0f);
  // In pbrt, images without an exposure time are black.
  times_ = {camera_->number("shutteropen", 0.0f), camera_->number("shutterclose", 1.0f)};
  if (!(times_.close >= times_.open && std::isfinite(times_.close - times_.open)))
    camera.fail(fmt::format("expected shutteropen up to shutterclose, found {:g} and {:g}",
                            times_.open, times_.close));
  if (times_.close == times_.open) return;
  context_.scene.shutter = times_;
  if (!context_.is_old) shutter_ = float(times_.close - times_.open);
}

void PbrtOptions::set_film(const PbrtObject& film) {
  HostScene& scene = context_.scene;
  const int width = film.integer("xresolution", int(scene.width)),
            height = film.integer("yresolution", int(scene.height));
  const int most = int(kMaxImageSide);
  if (width < 1 || height < 1 || width > most || height > most)
    film.fail(
        fmt::format("expected a size from 1x1 to {}x{}, found {}x{}", most, most, width, height));
  scene.width = uint32_t(width);
  scene.height = uint32_t(height);
  crop_ = read_crop(film, {width, height});
  if (film.has("whitebalance")) film.warn("the white balance of the sensor is ignored");
  film.ignore({"whitebalance"});
  if (film.text("sensor", "cie1931") != "cie1931")
    film.warn("the sensor becomes the CIE observer of 1931");
  iso_ = film.number("iso", iso_);
  film_time_.reset();
  if (film.has("exposuretime")) film_time_ = film.number("exposuretime", shutter_);
  // Version 3 has a scale for each film.
  iso_ *= film.number("scale", 1.0f);
  if (!(iso_ > 0.0f && exposure() > 0.0f && exposure() <= float(kMaxSceneValue)))
    film.fail("expected an exposure above 0");
  if (!pbrt_keys().find("film", film.type, ""))
    film.warn(fmt::format("a film of the unknown type {} becomes rgb", in_quotes(film.type)));
  film.warn_about_unused("film");
}

void PbrtOptions::set_filter(const PbrtObject& filter) {
  constexpr float kDeviations = 3.0f, kHalf = 0.5f;
  FilterDescription& to = context_.scene.filter;
  auto radius = [&](float fallback) {
    return filter.number("xradius", filter.number("xwidth", fallback));
  };
  if (filter.type == "box") {
    to = {FilterType::kBox, radius(kHalf)};
  } else if (filter.type == "triangle") {
    to = {FilterType::kTent, radius(2.0f)};
  } else if (filter.type == "gaussian") {
    // Version 3 has exp(-alpha x^2).
    const float alpha = std::max(filter.number("alpha", 2.0f), 1e-6f);
    const float old_deviation = std::sqrt(kHalf / alpha);
    const bool is_old = context_.is_old || filter.has("alpha");
    to = {FilterType::kGaussian,
          kDeviations * filter.number("sigma", is_old ? old_deviation : kHalf)};
  } else {
    to = {FilterType::kGaussian, kDeviations * kHalf};
    filter.warn(
        fmt::format("the filter {} becomes gaussian: Winnow has no filters with negative values",
                    in_quotes(filter.type)));
  }
  if (!(to.radius > 0.0f && to.radius <= kMaxFilterRadius))
    filter.fail(fmt::format("expected a radius above 0, and at most {} pixels", kMaxFilterRadius));
  const float across = radius(-1.0f),
              along = filter.number("yradius", filter.number("ywidth", -1.0f));
  if (along != across) filter.warn("a filter that is not square has its radius along x");
  filter.warn_about_unused("filter");
}

void PbrtOptions::set_sampler(const PbrtObject& sampler) {
  constexpr int kMaxSamples = 1 << 24;
  constexpr int kDefaultStrata = 4;
  int64_t count = sampler.integer("pixelsamples", int(context_.scene.spp));
  if (sampler.type == "stratified" && !sampler.has("pixelsamples"))
    count = int64_t{sampler.integer("xsamples", kDefaultStrata)} *
            sampler.integer("ysamples", kDefaultStrata);
  const int64_t used = std::clamp<int64_t>(count, 1, kMaxSamples);
  if (used != count) sampler.warn(fmt::format("{} samples of a pixel become {}", count, used));
  context_.scene.spp = uint32_t(used);
  sampler.warn_about_unused("sampler");
}

void PbrtOptions::set_integrator(const PbrtObject& integrator) {
  const std::string& type = integrator.type;
  if (type == "ambientocclusion" || type == "ao" || type == "whitted" || type == "directlighting" ||
      type == "randomwalk" || type == "function")
    integrator.warn(fmt::format("the integrator {} becomes a path tracer", in_quotes(type)));
  context_.scene.max_bounces = uint32_t(std::clamp(
      integrator.integer("maxdepth", int(context_.scene.max_bounces)), 0, int(kMaxBounces)));
  integrator.warn_about_unused("integrator");
  integrator_ = integrator;
}

void PbrtOptions::warn_about_media(const std::string& file) const {
  constexpr std::string_view kVolumetric[] = {"volpath", "simplevolpath", "bdpt", "mlt"};
  std::string type = context_.is_old ? "path" : "volpath";
  if (integrator_) type = integrator_->type;
  if (std::ranges::find(kVolumetric, type) != std::end(kVolumetric)) return;
  const auto is_around_medium = [](const Material& material) {
    return material.interior != kNoMedium || material.exterior != kNoMedium;
  };
  if (context_.scene.camera_medium == kNoMedium &&
      std::ranges::none_of(context_.scene.materials, is_around_medium))
    return;
  context_.warn(integrator_ ? integrator_->place : PbrtPlace{&file},
                fmt::format("media are rendered; in pbrt, the integrator {} leaves them out",
                            in_quotes(type)));
}

CameraDescription PbrtOptions::placed(const glm::dmat4& to_file) const {
  const glm::dmat4 to_world = glm::dmat4(context_.from_pbrt) * to_file;
  const glm::dvec3 position(to_world[3]);
  const glm::dvec3 forward = glm::normalize(glm::dvec3(to_world[2]));
  if (!is_near(glm::vec3(position))) camera_->fail("the camera is farther away than 1e9 m");
  CameraDescription camera = context_.scene.camera;
  camera.position = glm::vec3(position);
  // A target as far away as the origin keeps rounding from changing the direction.
  camera.look_at = glm::vec3(position + std::max(glm::length(position), 1.0) * forward);
  camera.up = glm::vec3(glm::normalize(glm::dvec3(to_world[1])));
  return camera;
}

double PbrtOptions::moment_of(std::optional<double> time) const {
  const double first = transform_times_[0], last = transform_times_[1];
  const double t = time.value_or(0.5 * (times_.open + times_.close));
  return last > first ? std::clamp((t - first) / (last - first), 0.0, 1.0) : double(t > first);
}

void PbrtOptions::set_motion_of_camera() {
  if (!to_world_.moves()) return;
  context_.scene.camera = placed(to_world_.at(context_.moment));
  if (!context_.scene.shutter) return;
  std::vector<CameraDescription> steps;
  for (const double time : times_of_steps(times_))
    steps.push_back(placed(to_world_.at(moment_of(time))));
  set_motion(context_.scene.camera, steps);
}

void PbrtOptions::set_view(float unit) {
  CameraDescription& camera = context_.scene.camera;
  const glm::vec2 film(context_.scene.width, context_.scene.height);
  ScreenWindow window = read_screen_window(*camera_, film.x / film.y);
  if (crop_) {
    window = cropped(window, film, *crop_);
    context_.scene.width = uint32_t(crop_->z - crop_->x);
    context_.scene.height = uint32_t(crop_->w - crop_->y);
  }
  const auto [half_height, shift] = window;
  if (!(std::abs(shift.x) <= float(kMaxCameraShift) && std::abs(shift.y) <= float(kMaxCameraShift)))
    camera_->fail(fmt::format("expected a {} within {} of its sizes from the middle",
                              crop_ ? "part of the film" : "screenwindow", kMaxCameraShift));
  camera.shift = shift;
  if (camera_->type == "orthographic") {
    camera.projection = Projection::kOrthographic;
    camera.view_height = std::min(2.0f * half_height * unit, float(kMaxSceneValue));
    if (camera_->number("lensradius", 0.0f) > 0.0f)
      camera_->warn("the lens of an orthographic camera is ignored");
    return;
  }
  const float slope = std::tan(glm::radians(0.5f * read_fov(*camera_))) * half_height;
  constexpr float kMaxVerticalFov = 179.9f;
  camera.vertical_fov = std::min(glm::degrees(2.0f * std::atan(slope)), kMaxVerticalFov);
  camera.focus_distance = 1.0f;
  const float radius = camera_->number("lensradius", 0.0f) * unit;
  if (radius == 0.0f) return;
  constexpr float kFar = 1e6f;
  camera.lens_radius = radius;
  camera.focus_distance =
      std::min(camera_->number("focaldistance", kFar) * unit, float(kMaxSceneValue));
  if (!(radius > 0.0f && radius <= float(kMaxSceneValue) && camera.focus_distance > 0.0f))
    camera_->fail("expected a lensradius of at least 0 and a focaldistance above 0");
}

bool PbrtOptions::finish() {
  if (!camera_) return false;
  context_.scene.camera = placed(to_world_.start);
  context_.scene.camera_origin = CameraOrigin::kDirection;
  set_motion_of_camera();
  set_view(float(glm::length(glm::dvec3(to_world_.start[2]))));
  camera_->warn_about_unused("camera");
  return true;
}

}  // namespace winnow
