// SPDX-License-Identifier: MIT
#include "app/dataset/data_camera.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/trigonometric.hpp>

namespace winnow {
namespace {

DataCamera camera_from(const DataCamera& like, double distance, double sine, double azimuth) {
  const double cosine = std::sqrt(std::max(0.0, 1.0 - sine * sine));
  DataCamera camera = like;
  camera.position =
      distance * glm::dvec3(cosine * std::sin(azimuth), sine, cosine * std::cos(azimuth));
  look_at_origin(camera);
  return camera;
}

}  // namespace

CameraDescription camera_of(const DataCamera& camera, const Placement& placement, Size size) {
  const glm::dvec3 position = camera.position / placement.scale + placement.center;
  // The point is far enough for the direction to survive the rounding of positions.
  const double distance = std::max(glm::length(camera.position), 1.0) / placement.scale;
  return {
      .position = position,
      .look_at = position - distance * camera.axes[2],
      .up = camera.axes[1],
      .vertical_fov = float(glm::degrees(2.0 * std::atan2(0.5 * double(size.height), camera.fl_y))),
      .shift = {0.5 - camera.cx / size.width, camera.cy / size.height - 0.5},
      .pixel_aspect = float(camera.fl_y / camera.fl_x)};
}

std::vector<double> ray_lengths(const DataCamera& camera, Size size) {
  constexpr double kCenter = 0.5;
  std::vector<double> lengths;
  lengths.reserve(size_t(size.width) * size.height);
  for (uint32_t y = 0; y < size.height; ++y)
    for (uint32_t x = 0; x < size.width; ++x)
      lengths.push_back(std::hypot((x + kCenter - camera.cx) / camera.fl_x,
                                   (y + kCenter - camera.cy) / camera.fl_y, 1.0));
  return lengths;
}

DataCamera centered_camera(Size size, double fov) {
  DataCamera camera;
  camera.fl_x = camera.fl_y = 0.5 * size.height / std::tan(0.5 * glm::radians(fov));
  camera.cx = 0.5 * size.width, camera.cy = 0.5 * size.height;
  return camera;
}

void look_at_origin(DataCamera& camera) {
  const glm::dvec3 back = glm::normalize(camera.position);
  glm::dvec3 right = glm::cross(glm::dvec3(0.0, 1.0, 0.0), back);
  constexpr double kVertical = 1e-9;
  if (glm::length(right) < kVertical) right = {1.0, 0.0, 0.0};  // straight up or down
  right = glm::normalize(right);
  camera.axes = {right, glm::cross(back, right), back};
}

double fitting_distance(const DataCamera& camera, Size size) {
  constexpr double kFill = 0.95;  // share of the narrower side
  const double half = std::min(std::atan2(0.5 * kFill * size.width, camera.fl_x),
                               std::atan2(0.5 * kFill * size.height, camera.fl_y));
  return 1.0 / std::sin(half);
}

std::vector<DataCamera> sphere_cameras(const DataCamera& like, uint32_t count, double distance,
                                       Elevations elevations, double turn) {
  const double low = std::sin(glm::radians(elevations.low)),
               high = std::sin(glm::radians(elevations.high));
  constexpr double kMiddle = 0.5;
  const double golden = glm::golden_ratio<double>() - 1.0;
  std::vector<DataCamera> cameras;
  for (uint32_t i = 0; i < count; ++i) {
    const double sine = high - (high - low) * (i + kMiddle) / count;
    cameras.push_back(
        camera_from(like, distance, sine, glm::two_pi<double>() * (turn + golden * i)));
  }
  return cameras;
}

std::vector<DataCamera> orbit_cameras(const DataCamera& like, uint32_t count, double distance,
                                      double elevation) {
  std::vector<DataCamera> cameras;
  for (uint32_t i = 0; i < count; ++i)
    cameras.push_back(camera_from(like, distance, std::sin(glm::radians(elevation)),
                                  glm::two_pi<double>() * i / count));
  return cameras;
}

}  // namespace winnow
