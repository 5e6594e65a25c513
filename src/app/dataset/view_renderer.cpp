// SPDX-License-Identifier: MIT
#include "app/dataset/view_renderer.h"

#include <utility>

#include "app/cli/console.h"
#include "app/dataset/covered_tiles.h"
#include "app/render/outputs.h"
#include "app/render/render_passes.h"
#include "denoise/denoise_covered.h"
#include "shading/features.h"
#include "wavefront/state/first_hits_of_paths.h"

namespace winnow {
namespace {

/// Samples of the guides of the denoiser where camera rays are traced again for them: enough for
/// smooth edges, as data sets have no blur. The noise of guides of fewer samples is removed.
constexpr uint32_t kGuideSpp = 16;

void render_samples(Renderer& renderer, const FilmTiles& tiles, uint32_t spp,
                    const StopRequest& stop) {
  // In one pass: nobody looks at a film that is incomplete.
  const RenderGoal goal{.pixel_count = tiles.pixel_count(), .spp = spp, .least_pass = spp};
  PassPlan plan{.tiles = tiles};
  ProgressPrinter printer(ProgressPrinter::Style::kSilent);
  render_passes(renderer, goal, stop, printer, plan);
}

}  // namespace

ViewRenderer::ViewRenderer(const DatasetOptions& options, const ModelPreparer& preparer,
                           const ChosenDevice& device)
    : options_(options), is_on_cpu_(!device.cuda) {
  RenderSettings settings = options.settings;
  settings.width = preparer.size().width, settings.height = preparer.size().height;
  settings.expected_frames = uint32_t(preparer.view_count());
  const bool has_albedo = options.wants(DataOutput::kAlbedo);
  for (const bool paths_keep_first_hits : {false, true}) {
    auto add = [&](HostFilm ViewFilms::*film, uint32_t spp, bool has_first_hits,
                   std::vector<FilmArray> arrays) -> RenderSettings& {
      settings.expected_spp = settings.sobol_spp = spp;
      settings.keep_background = film != &ViewFilms::centers;
      settings.keep_first_hits = has_first_hits;
      settings.only_first_hits = film != &ViewFilms::beauty;
      return passes_[paths_keep_first_hits]
          .emplace_back(Pass{film, settings, spp, std::move(arrays)})
          .settings;
    };
    const auto add_beauty = [&](bool has_first_hits) {
      std::vector<FilmArray> arrays = {FilmArray::kSum, FilmArray::kSamples,
                                       FilmArray::kBackground};
      if (has_first_hits) arrays.insert(arrays.end(), {FilmArray::kAlbedo, FilmArray::kNormal});
      add(&ViewFilms::beauty, options.spp, has_first_hits, std::move(arrays));
    };
    const bool has_guides =
        options.denoise && !has_albedo && options.spp > kGuideSpp && !paths_keep_first_hits;
    if (options.wants(DataOutput::kRgba) || has_albedo)
      add_beauty(has_albedo || (options.denoise && !has_guides));
    if (has_guides)
      add(&ViewFilms::guides, kGuideSpp, true,
          {FilmArray::kSum, FilmArray::kSamples, FilmArray::kAlbedo, FilmArray::kNormal,
           FilmArray::kBackground});
    if (options.wants(DataOutput::kDepth) || options.wants(DataOutput::kNormal) ||
        options.wants(DataOutput::kIds))
      add(&ViewFilms::centers, 1, true, {FilmArray::kNormal, FilmArray::kFirstHits})
          .sample_centers = true;
  }
  if (!options.denoise) return;
  OutputOptions outputs;
  outputs.aovs.guides = true;
  outputs.denoise_quality = options.denoise_quality;
  const std::optional<int> cuda = device.first_cuda();
  DenoiserSettings denoising{.cuda = cuda, .threads = options.settings.threads};
  if (!cuda) denoising.kept_width = settings.width, denoising.kept_height = settings.height;
  denoiser_ = denoiser_for(outputs, denoising);
}

const std::vector<ViewRenderer::Pass>& ViewRenderer::passes_of(const HostScene& scene) const {
  const RenderSettings& settings = passes_[true].front().settings;
  return passes_[is_on_cpu_ &&
                 paths_keep_first_hits(settings, required_features(scene, settings.lights))];
}

RenderSettings ViewRenderer::settings_of(const Pass& pass, const HostScene& scene) const {
  RenderSettings settings = pass.settings;
  settings.max_bounces = scene.max_bounces;
  return settings;
}

uint64_t ViewRenderer::film_bytes() const {
  uint64_t bytes = 0;
  for (const Pass& pass : passes_[false])  // those of most bytes
    bytes += uint64_t(pass.settings.width) * pass.settings.height *
             film_bytes_per_pixel(pass.settings.film_features());
  return bytes;
}

BuiltModel ViewRenderer::build(PreparedModel& prepared, const std::vector<int>& gpus) const {
  const DatasetShot& shot = *prepared.shot;
  std::vector<CameraDescription> cameras;
  for (const DataCamera& camera : shot.cameras)
    cameras.push_back(camera_of(camera, shot.placement, shot.size));
  HostScene& scene = prepared.scene;
  scene.camera = camera_around(cameras, float(shot.size.width) / float(shot.size.height));
  return {make_renderer(scene, settings_of(passes_of(scene).front(), scene), gpus, print_warning)};
}

ViewFilms ViewRenderer::render(const PreparedModel& prepared, size_t view, BuiltModel& built,
                               std::mutex& device, const StopRequest& stop) const {
  const DatasetShot& shot = *prepared.shot;
  const std::vector<Pass>& passes = passes_of(prepared.scene);
  Renderer& renderer = *built.renderer;
  const FilmTiles tiles =
      is_on_cpu_ ? covered_tiles(prepared.scene, shot.cameras[view], shot.placement, shot.size)
                 : make_film_tiles(shot.size.width, shot.size.height, true);
  ViewFilms films;
  // Begins with the pass that ended the last view, which saves a restart.
  for (size_t i = 0; i < passes.size(); ++i) {
    std::unique_lock lock(device);
    if (i == 0) {
      renderer.set_camera(camera_of(shot.cameras[view], shot.placement, shot.size));
    } else {
      built.pass = (built.pass + 1) % passes.size();
      renderer.restart(settings_of(passes[built.pass], prepared.scene));
    }
    const Pass& pass = passes[built.pass];
    render_samples(renderer, tiles, pass.spp, stop);
    lock.unlock();
    films.*pass.film = read_arrays(RendererFilm(renderer), pass.arrays);
  }
  return films;
}

ViewImages ViewRenderer::images(const DatasetShot& shot, const ObjectIds& objects, size_t view,
                                const ViewFilms& films) const {
  ViewImages images;
  if (options_.wants(DataOutput::kRgba)) images.rgba = mean_foreground(films.beauty);
  if (options_.wants(DataOutput::kAlbedo)) images.albedo = mean_albedo(films.beauty);
  if (denoiser_ && options_.wants(DataOutput::kRgba)) {
    const bool has_guides = !films.guides.samples.empty();
    const HostFilm& first_hits = has_guides ? films.guides : films.beauty;
    DenoiseGuides guides{.albedo = aov_image(Aov::kAlbedo, first_hits),
                         .normal = aov_image(Aov::kNormal, first_hits),
                         .has_no_noise = options_.spp > kGuideSpp};
    if (has_guides) guides.albedo.alpha = mean_foreground(first_hits).alpha;
    const std::scoped_lock lock(denoiser_mutex_);
    images.rgba = denoise_covered(*denoiser_, images.rgba, guides);
  }
  add_center_images(films.centers, options_.outputs, shot.cameras[view], shot.size,
                    shot.placement.scale, options_.depth, options_.normals, objects, images);
  return images;
}

}  // namespace winnow
