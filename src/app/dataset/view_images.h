// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/mat3x3.hpp>
#include <vector>

#include "app/dataset/data_camera.h"
#include "base/names.h"
#include "film/film.h"
#include "image/image.h"
#include "scene/host_scene.h"

namespace winnow {

/// What is stored of each view.
enum class DataOutput { kRgba, kDepth, kNormal, kAlbedo, kIds };
template <>
inline constexpr std::array<const char*, 5> kEnumNames<DataOutput> = {"rgba", "depth", "normal",
                                                                      "albedo", "ids"};

enum class DepthKind {
  kZ,         ///< along the view direction
  kDistance,  ///< along the ray
};
template <>
inline constexpr std::array<const char*, 2> kEnumNames<DepthKind> = {"z", "distance"};

enum class NormalSpace {
  kWorld,
  kCamera,  ///< right, up and back
};
template <>
inline constexpr std::array<const char*, 2> kEnumNames<NormalSpace> = {"world", "camera"};

/// Numbers the objects of a scene from 1: its placed meshes, then its instances, then its spheres.
class ObjectIds {
 public:
  explicit ObjectIds(const HostScene& scene);
  uint32_t of(const FirstHit& hit) const;  ///< 0 if it hit nothing
  uint32_t count() const { return uint32_t(starts_.size()) + instances_ + spheres_; }

 private:
  std::vector<uint32_t> starts_;  ///< first triangle of each placed mesh, ascending
  uint32_t triangles_, instances_, spheres_;
};

/// Returns the largest id of the materials that a scene uses; 0 if it uses none.
uint32_t last_material_id(const HostScene& scene);

/// The images of one view; those that are not asked for are empty. All are [height][width], top row
/// first.
struct ViewImages {
  Image rgba;                ///< linear, multiplied by alpha
  Image albedo;              ///< multiplied by alpha
  std::vector<float> depth;  ///< in the units of the data set, at the pixel's centre; 0: nothing
  std::vector<glm::vec3> normal;       ///< unit length, at the pixel's centre; 0: nothing
  std::vector<uint32_t> object_ids;    ///< at the pixel's centre; 0: nothing
  std::vector<uint32_t> material_ids;  ///< at the pixel's centre; 0: nothing
};

/// Returns the means of the samples, with coverage as alpha.
/// @param film  with FilmFeatures::background
Image mean_albedo(const HostFilm& film);

/// Fills depth, normals and ids of the outputs that are asked for.
/// @param film  of one sample at the centre of each pixel, with first hits and normals
void add_center_images(const HostFilm& film, const std::vector<DataOutput>& outputs,
                       const DataCamera& camera, Size size, double scale, DepthKind depth,
                       NormalSpace normals, const ObjectIds& objects, ViewImages& images);

}  // namespace winnow
