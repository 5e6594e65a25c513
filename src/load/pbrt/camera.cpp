// SPDX-License-Identifier: MIT
#include "load/pbrt/camera.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include "base/limits.h"
#include "base/one_line.h"
#include "image/image_io.h"

namespace winnow {
namespace {

/// Part of the image plane that the film shows, in multiples of half its shorter side.
struct ScreenWindow {
  float left, right, bottom, top;
};

ScreenWindow read_window(const PbrtObject& camera, float aspect, PbrtContext& context) {
  constexpr float kDifferent = 0.01f;
  const PbrtParameters& parameters = camera.parameters;
  const float frame = parameters.number("frameaspectratio", aspect);
  if (!(std::abs(frame - aspect) <= kDifferent * aspect))
    context.warn(camera.place, "a frameaspectratio other than that of the film is ignored");
  const float x = std::max(aspect, 1.0f), y = std::max(1.0f / aspect, 1.0f);
  const std::span<const float> given = parameters.numbers("screenwindow");
  if (given.size() != 4) return {-x, x, -y, y};
  const ScreenWindow window{given[0], given[1], given[2], given[3]};
  const float width = window.right - window.left, height = window.top - window.bottom;
  if (!(width > 0.0f && height > 0.0f && width <= float(kMaxSceneValue) &&
        height <= float(kMaxSceneValue)))
    fail_at(camera.place, "expected a screenwindow of left, right, bottom and top that increase");
  if (std::abs(width / height - aspect) > kDifferent * aspect)
    context.warn(camera.place, "the pixels of a screenwindow become squares");
  if (std::abs(window.left + window.right) > kDifferent * width ||
      std::abs(window.bottom + window.top) > kDifferent * height)
    context.warn(camera.place, "a screenwindow that is not centred is centred");
  return window;
}

/// Returns the field of view along the shorter side of the film, degrees.
float read_fov(const PbrtObject& camera, PbrtContext& context) {
  constexpr float kDefaultFov = 90.0f, kMaxFov = 180.0f;
  const PbrtParameters& parameters = camera.parameters;
  if (camera.type == "realistic") {
    constexpr float kShortSide = 24.0f, kFocalLength = 50.0f;  // mm, of 35 mm film
    context.warn(camera.place, "a realistic camera becomes a perspective one with a lens of 50 mm");
    return glm::degrees(2.0f * std::atan(0.5f * kShortSide / kFocalLength));
  }
  if (camera.type != "perspective")
    context.warn(camera.place, fmt::format("a camera of the type {} becomes perspective",
                                           in_quotes(camera.type)));
  float fov = parameters.number("fov", kDefaultFov);
  if (parameters.has("halffov")) fov = 2.0f * parameters.number("halffov", 0.5f * fov);
  if (!(fov > 0.0f && fov < kMaxFov))
    fail_at(camera.place,
            fmt::format("expected a field of view in (0, 180) degrees, found {}", fov));
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
  const double determinant = glm::determinant(glm::dmat3(state.ctm));
  if (!(std::abs(determinant) > kFlat))
    fail_at(camera.place, "the transform of the camera has no inverse");
  camera_ = camera;
  to_world_ = glm::inverse(state.ctm);
  context_.from_pbrt =
      determinant > 0.0 ? glm::scale(glm::mat4(1.0f), {-1.0f, 1.0f, 1.0f}) : glm::mat4(1.0f);
  // In pbrt, images without an exposure time are black.
  const float open = camera.parameters.number("shutteropen", 0.0f),
              close = camera.parameters.number("shutterclose", 1.0f);
  if (!context_.is_old && close > open) shutter_ = close - open;
}

void PbrtOptions::set_size(const PbrtObject& film) {
  HostScene& scene = context_.scene;
  const int width = film.parameters.integer("xresolution", int(scene.width)),
            height = film.parameters.integer("yresolution", int(scene.height));
  const int most = int(kMaxImageSide);
  if (width < 1 || height < 1 || width > most || height > most)
    fail_at(film.place, fmt::format("expected a size from 1x1 to {}x{}, found {}x{}", most, most,
                                    width, height));
  scene.width = uint32_t(width);
  scene.height = uint32_t(height);
}

void PbrtOptions::set_film(const PbrtObject& film) {
  const PbrtParameters& parameters = film.parameters;
  set_size(film);
  if (parameters.has("cropwindow") || parameters.has("pixelbounds"))
    context_.warn(film.place, "the crop window is ignored: the whole film is rendered");
  if (parameters.has("whitebalance"))
    context_.warn(film.place, "the white balance of the sensor is ignored");
  if (parameters.text("sensor", "cie1931") != "cie1931")
    context_.warn(film.place, "the sensor becomes the CIE observer of 1931");
  iso_ = parameters.number("iso", iso_);
  if (parameters.has("exposuretime")) shutter_ = parameters.number("exposuretime", shutter_);
  // Version 3 has a scale for each film.
  const float scale = parameters.number("scale", 1.0f);
  iso_ *= scale;
  if (!(iso_ > 0.0f && shutter_ > 0.0f && exposure() <= float(kMaxSceneValue)))
    fail_at(film.place, "expected an exposure above 0");
}

void PbrtOptions::set_filter(const PbrtObject& filter) {
  constexpr float kDeviations = 3.0f, kHalf = 0.5f;
  FilterDescription& to = context_.scene.filter;
  const PbrtParameters& parameters = filter.parameters;
  auto radius = [&](float fallback) {
    return parameters.number("xradius", parameters.number("xwidth", fallback));
  };
  if (filter.type == "box") {
    to = {FilterType::kBox, radius(kHalf)};
  } else if (filter.type == "triangle") {
    to = {FilterType::kTent, radius(2.0f)};
  } else if (filter.type == "gaussian") {
    // Version 3 has exp(-alpha x^2).
    const float alpha = std::max(parameters.number("alpha", 2.0f), 1e-6f);
    const float old_deviation = std::sqrt(kHalf / alpha);
    const bool is_old = context_.is_old || parameters.has("alpha");
    to = {FilterType::kGaussian,
          kDeviations * parameters.number("sigma", is_old ? old_deviation : kHalf)};
  } else {
    to = {FilterType::kGaussian, kDeviations * kHalf};
    context_.warn(
        filter.place,
        fmt::format("the filter {} becomes gaussian: Winnow has no filters with negative values",
                    in_quotes(filter.type)));
  }
  if (!(to.radius > 0.0f && to.radius <= kMaxFilterRadius))
    fail_at(filter.place,
            fmt::format("expected a radius above 0, and at most {} pixels", kMaxFilterRadius));
}

void PbrtOptions::set_sampler(const PbrtObject& sampler) {
  constexpr int kMaxSamples = 1 << 24;
  constexpr int kDefaultStrata = 4;
  const PbrtParameters& parameters = sampler.parameters;
  int64_t count = parameters.integer("pixelsamples", int(context_.scene.spp));
  if (sampler.type == "stratified" && !parameters.has("pixelsamples"))
    count = int64_t{parameters.integer("xsamples", kDefaultStrata)} *
            parameters.integer("ysamples", kDefaultStrata);
  const int64_t used = std::clamp<int64_t>(count, 1, kMaxSamples);
  if (used != count)
    context_.warn(sampler.place, fmt::format("{} samples of a pixel become {}", count, used));
  context_.scene.spp = uint32_t(used);
}

void PbrtOptions::set_integrator(const PbrtObject& integrator) {
  const std::string& type = integrator.type;
  if (type == "ambientocclusion" || type == "ao" || type == "whitted" || type == "directlighting" ||
      type == "randomwalk" || type == "function")
    context_.warn(integrator.place,
                  fmt::format("the integrator {} becomes a path tracer", in_quotes(type)));
  context_.scene.max_bounces = uint32_t(
      std::clamp(integrator.parameters.integer("maxdepth", int(context_.scene.max_bounces)), 0,
                 int(kMaxBounces)));
}

void PbrtOptions::place_camera() {
  const glm::dmat4 to_world = glm::dmat4(context_.from_pbrt) * to_world_;
  const glm::dvec3 position(to_world[3]);
  const glm::dvec3 forward = glm::normalize(glm::dvec3(to_world[2]));
  if (!is_near(glm::vec3(position)))
    fail_at(camera_->place, "the camera is farther away than 1e9 m");
  CameraDescription& camera = context_.scene.camera;
  camera.position = glm::vec3(position);
  // A target as far away as the origin keeps rounding from changing the direction.
  camera.look_at = glm::vec3(position + std::max(glm::length(position), 1.0) * forward);
  camera.up = glm::vec3(glm::normalize(glm::dvec3(to_world[1])));
}

void PbrtOptions::set_view(float unit) {
  const PbrtParameters& parameters = camera_->parameters;
  CameraDescription& camera = context_.scene.camera;
  const float aspect = float(context_.scene.width) / float(context_.scene.height);
  const ScreenWindow window = read_window(*camera_, aspect, context_);
  const float half_height = 0.5f * (window.top - window.bottom);
  if (camera_->type == "orthographic") {
    camera.projection = Projection::kOrthographic;
    camera.view_height = std::min(2.0f * half_height * unit, float(kMaxSceneValue));
    if (parameters.number("lensradius", 0.0f) > 0.0f)
      context_.warn(camera_->place, "the lens of an orthographic camera is ignored");
    return;
  }
  const float slope = std::tan(glm::radians(0.5f * read_fov(*camera_, context_))) * half_height;
  constexpr float kMaxVerticalFov = 179.9f;
  camera.vertical_fov = std::min(glm::degrees(2.0f * std::atan(slope)), kMaxVerticalFov);
  camera.focus_distance = 1.0f;
  const float radius = parameters.number("lensradius", 0.0f) * unit;
  if (radius == 0.0f) return;
  constexpr float kFar = 1e6f;
  camera.lens_radius = radius;
  camera.focus_distance =
      std::min(parameters.number("focaldistance", kFar) * unit, float(kMaxSceneValue));
  if (!(radius > 0.0f && radius <= float(kMaxSceneValue) && camera.focus_distance > 0.0f))
    fail_at(camera_->place, "expected a lensradius of at least 0 and a focaldistance above 0");
}

bool PbrtOptions::finish() {
  if (!camera_) return false;
  place_camera();
  set_view(float(glm::length(glm::dvec3(to_world_[2]))));
  return true;
}

}  // namespace winnow
