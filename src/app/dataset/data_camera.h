// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "app/cli/option_values.h"
#include "scene/host_scene.h"

namespace winnow {

/// A pinhole camera of a data set: intrinsics as OpenCV defines them, axes as OpenGL does. The
/// centre of pixel (0, 0) is at (0.5, 0.5).
struct DataCamera {
  glm::dvec3 position{0.0};
  glm::dmat3 axes{1.0};           ///< columns: right, up, back; orthonormal
  double fl_x = 1.0, fl_y = 1.0;  ///< focal lengths, pixels
  double cx = 0.0, cy = 0.0;      ///< principal point, pixels from the upper left corner
  bool operator==(const DataCamera&) const = default;
};

/// Where a model is in the space of a data set: a point p of the model is at (p - center) * scale.
struct Placement {
  glm::dvec3 center{0.0};  ///< m
  double scale = 1.0;
};

/// Returns the camera with which to render a model.
CameraDescription camera_of(const DataCamera& camera, const Placement& placement, Size size);

/// Returns the length of the ray through each pixel's centre from the camera to depth 1: distances
/// along rays are depths times these. [height][width]
std::vector<double> ray_lengths(const DataCamera& camera, Size size);

/// Returns the intrinsics of a camera without lens shift.
/// @param fov  degrees, vertical
DataCamera centered_camera(Size size, double fov);

/// Turns a camera towards the origin, with +y up.
void look_at_origin(DataCamera& camera);

/// Range of elevations above the horizon, degrees.
struct Elevations {
  double low = -90.0, high = 90.0;
};

/// Returns the distance, in radii, from which a camera sees all of a sphere.
double fitting_distance(const DataCamera& camera, Size size);

/// Returns cameras on a sphere around the origin, which they look at: a Fibonacci lattice that is
/// turned about +y. Gonzalez, "Measurement of Areas on a Sphere Using Fibonacci and
/// Latitude-Longitude Lattices", 2010.
/// @param like      its intrinsics
/// @param distance  radius of the sphere
/// @param turn      [0, 1), in turns
std::vector<DataCamera> sphere_cameras(const DataCamera& like, uint32_t count, double distance,
                                       Elevations elevations, double turn);

/// Returns cameras on a circle around +y at equal steps, counter-clockwise seen from above. The
/// first one is at +z.
/// @param elevation  degrees above the horizon
std::vector<DataCamera> orbit_cameras(const DataCamera& like, uint32_t count, double distance,
                                      double elevation);

}  // namespace winnow
