// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat4x4.hpp>
#include <optional>

#include "load/pbrt/context.h"

namespace winnow {

/// Statements before WorldBegin: camera, film, filter, sampler and integrator. The camera needs the
/// size of the film, which may follow it.
class PbrtOptions {
 public:
  explicit PbrtOptions(PbrtContext& context);

  /// Sets the camera, and PbrtContext::from_pbrt from its transform.
  void set_camera(const PbrtObject& camera, const PbrtState& state);
  void set_film(const PbrtObject& film);
  void set_filter(const PbrtObject& filter);
  void set_sampler(const PbrtObject& sampler);
  void set_integrator(const PbrtObject& integrator);

  /// Completes the camera of the scene.
  /// @return  true if there is one
  bool finish();

  /// Returns the factor of all radiance: exposure time in seconds times ISO / 100.
  float exposure() const { return shutter_ * iso_ / 100.0f; }

 private:
  void set_size(const PbrtObject& film);
  void place_camera();
  void set_view(float unit);

  PbrtContext& context_;
  std::optional<PbrtObject> camera_;
  glm::dmat4 to_world_{1.0};  ///< from camera space to the world of the file
  float shutter_ = 1.0f, iso_ = 100.0f;
};

}  // namespace winnow
