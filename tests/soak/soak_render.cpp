// SPDX-License-Identifier: MIT
#include "tests/soak/soak_render.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "image/compare.h"

namespace winnow {
namespace {

/// Returns the name of the first array whose bits differ in two films; null if all are the same.
const char* differing_array(const HostFilm& a, const HostFilm& b, const FilmFeatures& features) {
  constexpr const char* kNames[] = {
      "radiance", "samples",    "squares", "removed radiance", "albedo",
      "normals",  "first hits", "bounces", "deaths",           "brightness layers"};
  const char* name = nullptr;
  auto compare_arrays = [&](FilmArray array, size_t, const auto& one, const auto& other) {
    const bool is_same = one.size() == other.size() &&
                         std::memcmp(one.data(), other.data(), one.size() * sizeof(one[0])) == 0;
    if (!is_same && !name) name = kNames[size_t(array)];
  };
  for_each_field(features, compare_arrays, a, b);
  return name;
}

}  // namespace

HostFilm SoakRender::film(const RenderSettings& way) const {
  const std::unique_ptr<Renderer> renderer = make(scene, way);
  RenderControl control;
  renderer->render_samples(0, spp, control);
  return renderer->host_film();
}

RenderSettings draw_settings(const HostScene& scene, uint32_t spp, Draw& draw) {
  RenderSettings settings{.width = scene.width,
                          .height = scene.height,
                          .max_bounces = scene.max_bounces,
                          .seed = draw.next(),
                          .sobol_spp = spp,
                          .threads = 1};
  if (draw.one_in(3)) settings.sampler = SamplerType::kHash;
  settings.lights = LightChoice(draw.below(enum_names<LightChoice>().size()));
  settings.roulette = !draw.one_in(4);
  if (draw.one_in(6)) settings.clamp_indirect = draw.log_between(0.01f, 10.0f);
  settings.keep_squares = draw.one_in(3);
  settings.keep_first_hits = draw.one_in(3);
  settings.map_terminations = draw.one_in(3);
  settings.keep_layers = draw.one_in(3);
  return settings;
}

RenderSettings draw_way(const SoakRender& render, Draw& draw) {
  constexpr uint32_t kMaxWave = 5000, kMaxThreads = 4;
  RenderSettings way = render.settings;
  way.threads = draw.from(1, kMaxThreads);
  if (draw.one_in(2)) way.wave_size = draw.from(1, kMaxWave);
  if (draw.one_in(6) && way.tracer == Tracer::kBvh) {
    way.loop = Loop::kPath;
    return way;
  }
  const std::vector<Cull> culls = available_culls(render.is_on_gpu);
  way.cull = culls[draw.below(culls.size())];
  if (render.is_on_gpu && draw.one_in(3)) way.driver = Driver::kHost;
  if (render.is_on_gpu && draw.one_in(3))
    way.bvh = BvhBuild(draw.below(enum_names<BvhBuild>().size()));
  way.regenerate = draw.one_in(4);
  if (draw.one_in(3) && !moves_in_pass(way.cull)) way.group = Group::kMaterial;
  return way;
}

std::string command_of(const SoakRender& render, const RenderSettings& way) {
  std::string command = fmt::format(
      "winnow render {} --device {} --size {}x{} --spp {} --seed {} --sampler {} --lights {}",
      render.file.string(), render.is_on_gpu ? "cuda" : "cpu", way.width, way.height, render.spp,
      way.seed, enum_name(way.sampler), enum_name(way.lights));
  if (!way.roulette) command += " --roulette off";
  if (way.clamps()) command += fmt::format(" --clamp-indirect {}", way.clamp_indirect);
  if (way.wave_size) command += fmt::format(" --wave-size {}", way.wave_size);
  if (!render.is_on_gpu) command += fmt::format(" --threads {}", way.threads);
  if (way.loop == Loop::kPath) command += " --loop path";
  if (way.loop == Loop::kWave)
    command += fmt::format(" --cull {} --group {}", enum_name(way.cull), enum_name(way.group));
  if (way.regenerate) command += " --regenerate";
  if (render.is_on_gpu)
    command += fmt::format(" --driver {} --bvh {} --tracer {}", enum_name(way.driver),
                           enum_name(way.bvh), enum_name(way.tracer));
  return command + " -o image.exr --stats stats.json";
}

void expect_same_film(const SoakRender& render, const HostFilm& expected, const OtherFilm& other) {
  const char* array = differing_array(expected, other.film, other.way.film_features());
  if (!array) return;
  SoakRender second = render;
  if (!other.file.empty()) second.file = other.file;
  throw Error(fmt::format("the {} differ{} (film hashes {} and {}): {} and {}", array, other.how,
                          image_hash(mean_radiance(expected)),
                          image_hash(mean_radiance(other.film)),
                          command_of(render, render.settings), command_of(second, other.way)));
}

}  // namespace winnow
