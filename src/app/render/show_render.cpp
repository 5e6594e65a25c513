// SPDX-License-Identifier: MIT
#include "app/render/show_render.h"

#include <fmt/core.h>

#include "app/render/clean_images.h"
#include "app/render/live_view.h"
#include "load/load_scene.h"
#include "scene/scene_bounds.h"

namespace winnow {
namespace {

/// Returns the reason why viewers cannot move the camera: a film file contains a single view. Empty
/// if they can.
std::string why_camera_is_fixed(const RenderOptions& options) {
  auto fixed_by = [](const char* option) { return fmt::format("{} is of one view", option); };
  if (!options.checkpoint.empty()) return fixed_by("--checkpoint");
  if (!options.resume.empty()) return fixed_by("--resume");
  if (options.share) return fixed_by("--share");
  if (!films_of(options.outputs).empty()) return fixed_by("-o FILE.film");
  return "";
}

}  // namespace

ShownRender shown_render(const RenderOptions& options, const HostScene& scene,
                         const Renderer& renderer) {
  const RenderSettings& settings = renderer.settings();
  const Exposure exposure =
      options.exposure.value_or(Exposure{.is_automatic = is_model(options.scene)});
  return {.scene = options.scene.string(),
          .device = renderer.device_name(),
          .width = settings.width,
          .height = settings.height,
          .pictures = pictures_of(settings.film_features()),
          .mapping = {.curve = options.tone_curve, .exposure = exposure.stops},
          .exposure_is_automatic = exposure.is_automatic,
          .camera = scene.camera,
          .bounds = scene_bounds(scene),
          .why_camera_is_fixed = why_camera_is_fixed(options)};
}

std::string save_images(const RenderOptions& options, Renderer& renderer,
                        const FilmFileHeader& header, const std::optional<Denoiser>& denoiser) {
  const Image image = written_image(options, renderer.film(), RendererFilm(renderer));
  const float stops = chosen_exposure(image, options.exposure, is_model(options.scene)).stops;
  Attempts attempt;
  std::vector<std::string> legends =
      write_film_outputs(options, image, RendererFilm(renderer), header, stops, attempt);
  const CleanReport clean =
      write_clean_images(options, image, RendererFilm(renderer), stops, denoiser, attempt, legends);
  attempt.throw_first_failure();
  std::string files;
  for (const auto* names : {&options.outputs, &clean.clean})
    for (const std::filesystem::path& name : *names)
      files += (files.empty() ? "saved " : ", ") + name.string();
  return files;
}

}  // namespace winnow
