// SPDX-License-Identifier: MIT
#include "app/dataset/view_images.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace winnow {
namespace {

bool is_asked_for(const std::vector<DataOutput>& outputs, DataOutput output) {
  return std::ranges::find(outputs, output) != outputs.end();
}

}  // namespace

ObjectIds::ObjectIds(const HostScene& scene)
    : starts_(scene.object_starts),
      triangles_(uint32_t(scene.triangles.size())),
      instances_(uint32_t(scene.instances.size())),
      spheres_(uint32_t(scene.spheres.size())) {
  if (triangles_ > 0 && (starts_.empty() || starts_.front() > 0))
    starts_.insert(starts_.begin(), 0);
}

uint32_t ObjectIds::of(const FirstHit& hit) const {
  if (hit.primitive == 0) return 0;
  const auto placed = uint32_t(starts_.size());
  if (hit.instance > 0) return placed + hit.instance;
  const uint32_t primitive = hit.primitive - 1;
  if (primitive >= triangles_) return placed + instances_ + (primitive - triangles_) + 1;
  return uint32_t(std::ranges::upper_bound(starts_, primitive) - starts_.begin());
}

uint32_t last_material_id(const HostScene& scene) {
  uint32_t last = 0;
  auto use = [&](uint32_t material) { last = std::max(last, material + 1); };
  for (const Mesh* mesh : {static_cast<const Mesh*>(&scene), &scene.shared})
    std::ranges::for_each(mesh->triangle_materials, use);
  for (const Sphere& sphere : scene.spheres) use(sphere.material);
  for (const MeshInstance& instance : scene.instances)
    if (instance.material != MeshInstance::kOwnMaterials) use(instance.material);
  return last;
}

Image mean_albedo(const HostFilm& film) {
  Image image = mean_foreground(film);
  for (size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] =
        film.samples[i] > 0 ? glm::vec3(film.albedo[i] / double(film.samples[i])) : glm::vec3(0.0f);
  return image;
}

void add_center_images(const HostFilm& film, const std::vector<DataOutput>& outputs,
                       const DataCamera& camera, Size size, double scale, DepthKind depth,
                       NormalSpace normals, const ObjectIds& objects, ViewImages& images) {
  const size_t pixels = film.first_hits.size();
  if (is_asked_for(outputs, DataOutput::kDepth)) {
    const std::vector<double> lengths = depth == DepthKind::kDistance
                                            ? ray_lengths(camera, size)
                                            : std::vector<double>(pixels, 1.0);
    for (size_t i = 0; i < pixels; ++i) {
      const FirstHit& hit = film.first_hits[i];
      images.depth.push_back(hit.primitive > 0 ? float(hit.depth * scale * lengths[i]) : 0.0f);
    }
  }
  if (is_asked_for(outputs, DataOutput::kNormal)) {
    const glm::dmat3 to_space =
        normals == NormalSpace::kCamera ? glm::transpose(camera.axes) : glm::dmat3(1.0);
    for (size_t i = 0; i < pixels; ++i) {
      const glm::dvec3& n = film.normal[i];
      const double length = glm::length(n);
      images.normal.push_back(length > 0.0 ? glm::vec3(to_space * n / length) : glm::vec3(0.0f));
    }
  }
  if (is_asked_for(outputs, DataOutput::kIds))
    for (const FirstHit& hit : film.first_hits) {
      images.object_ids.push_back(objects.of(hit));
      images.material_ids.push_back(hit.material);
    }
}

}  // namespace winnow
