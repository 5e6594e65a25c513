// SPDX-License-Identifier: MIT
#include "backend/renderer.h"

#include <algorithm>
#include <utility>

#include "backend/device_group.h"
#include "math/bounds.h"
#include "scene/camera_motion.h"
#include "scene/scene_bounds.h"

namespace winnow {
namespace {

FilmTiles all_tiles(const RenderSettings& settings) {
  return make_film_tiles(settings.width, settings.height, true);
}

}  // namespace

Image Renderer::film() {
  // Reads few rows at a time: to touch new memory takes longer than to copy them.
  return mean_radiance(RendererFilm(*this), film_bands(settings().width, settings().height));
}

HostFilm Renderer::host_film() {
  const FilmFeatures features = settings().film_features();
  HostFilm film = make_host_film(settings().width, settings().height, features);
  const std::vector<FilmField> fields = fields_of(features, view_of(film));
  for (size_t field = 0; field < fields.size(); ++field)
    read_pixels(field, all_tiles(settings()), fields[field].data);
  return film;
}

std::vector<uint32_t> Renderer::sample_counts() {
  std::vector<uint32_t> counts(size_t(settings().width) * settings().height);
  read_pixels(kSamplesField, all_tiles(settings()), reinterpret_cast<std::byte*>(counts.data()));
  return counts;
}

void Renderer::continue_from(HostFilm film) {
  const std::vector<FilmField> fields = fields_of(settings().film_features(), view_of(film));
  for (size_t field = 0; field < fields.size(); ++field)
    write_pixels(field, all_tiles(settings()), fields[field].data);
}

FilmShape RendererFilm::shape() const {
  const RenderSettings& settings = renderer_.settings();
  return {settings.width, settings.height, settings.film_features()};
}

void put_film(const FilmSource& film, const FilmTiles& tiles, Renderer& renderer) {
  const std::vector<FilmField> fields = fields_of(film.shape().features, {});
  const std::vector<TileRows> bands = bands_of(RendererFilm(renderer));
  std::vector<std::byte> packed;
  for (size_t field = 0; field < fields.size(); ++field)
    for (const TileRows rows : bands) {
      const FilmTiles band = tiles_in(tiles, rows);
      packed.resize(tiles.pixel_count(rows) * fields[field].bytes_per_pixel);
      if (packed.empty()) continue;
      film.read(field, band, packed.data());
      renderer.write_pixels(field, band, packed.data());
    }
}

std::unique_ptr<Renderer> make_renderer(const HostScene& scene, const RenderSettings& settings,
                                        const std::vector<int>& gpus,
                                        std::function<void(const std::string&)> report_failure) {
  if (gpus.empty()) return make_cpu_renderer(scene, settings);
  if (gpus.size() == 1) return make_cuda_renderer(scene, settings, gpus.front());
  return std::make_unique<DeviceGroup>(make_cuda_renderers(scene, settings, gpus),
                                       std::move(report_failure));
}

CameraDescription camera_around(const std::vector<CameraDescription>& cameras, float aspect) {
  if (cameras.size() == 1) return cameras.front();
  Bounds starts;
  for (const CameraDescription& camera : cameras) {
    const bool is_flat = camera.projection == Projection::kOrthographic;
    constexpr float kFilter = 0.5f;  // fraction of the height, more than any filter's radius
    const float radius =
        std::max(camera.lens_radius + (is_flat ? camera.view_height * (1.0f + aspect) : 0.0f),
                 ray_start_radius(camera, aspect, kFilter));
    const Bounds positions = camera_positions(camera);
    starts.extend(positions.min - radius);
    starts.extend(positions.max + radius);
  }
  CameraDescription around;
  around.position = starts.center();
  around.look_at = around.position - glm::vec3(0.0f, 0.0f, 1.0f);
  const glm::vec3 half = 0.5f * starts.size();
  constexpr float kForRounding = 1.001f;
  around.lens_radius = kForRounding * std::max({half.x, half.y, half.z});
  return around;
}

}  // namespace winnow
