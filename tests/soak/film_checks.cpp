// SPDX-License-Identifier: MIT
#include "tests/soak/film_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "backend/device_group.h"
#include "base/error.h"
#include "film/film_file.h"
#include "load/gltf/gltf.h"
#include "load/load_scene.h"
#include "load/winnow/winnow_json.h"
#include "scene/scene_hash.h"
#include "tests/film/support/film_in_memory.h"

namespace winnow {
namespace {

/// Writes the film of a renderer to a file and opens the file.
FilmFileReader through_file(const SoakRender& render, Renderer& renderer, const FilmTiles& tiles) {
  const std::filesystem::path file = render.folder / "part.film";
  write_film(file, {renderer.settings().film_features(), tiles, "{}"}, RendererFilm(renderer));
  FilmFileReader film(file);
  film.check();
  return film;
}

/// Returns the parts in which two scenes differ, such as "geometry, lights"; empty if there are
/// none.
std::string differing_parts(const HostScene& a, const HostScene& b) {
  const SceneHash one = scene_hash(a), other = scene_hash(b);
  std::string parts;
  for (size_t i = 0; i < kScenePartCount; ++i)
    if (one[i] != other[i])
      parts += (parts.empty() ? "" : ", ") + std::string(enum_name(ScenePart(i)));
  return parts;
}

}  // namespace

void check_ways(const SoakRender& render, const HostFilm& expected, Draw& draw) {
  constexpr int kWays = 3;
  for (int i = 0; i < kWays; ++i) {
    const RenderSettings way = draw_way(render, draw);
    expect_same_film(render, expected, {way, render.film(way)});
  }
}

void check_tracer(const SoakRender& render, const HostFilm& expected) {
  constexpr size_t kAlways = 3, kShare = 100;  // pixels that may differ: 3 and 1 %
  RenderSettings way = render.settings;
  way.tracer = Tracer::kBvh;
  const HostFilm film = render.film(way);
  size_t differing = 0;
  for (size_t i = 0; i < film.sum.size(); ++i) differing += film.sum[i] != expected.sum[i];
  if (differing > kAlways + film.sum.size() / kShare)
    throw Error(fmt::format("{} of {} pixels differ between OptiX and the BVH: {} and {}",
                            differing, film.sum.size(), command_of(render, render.settings),
                            command_of(render, way)));
}

void check_resume(const SoakRender& render, const HostFilm& expected, Draw& draw) {
  if (render.spp < 2) return;
  const uint32_t first = draw.from(1, render.spp - 1);
  const RenderSettings before = draw_way(render, draw), after = draw_way(render, draw);
  const FilmTiles all = make_film_tiles(before.width, before.height, true);
  RenderControl control;
  std::unique_ptr<Renderer> renderer = render.make(render.scene, before);
  renderer->render_samples(0, first, control);
  const FilmFileReader film = through_file(render, *renderer, all);
  renderer.reset();  // its limit of threads holds for all renderers while it exists
  const std::unique_ptr<Renderer> next = render.make(render.scene, after);
  put_film(film, all, *next);
  next->render_samples(first, render.spp - first, control);
  expect_same_film(render, expected,
                   {after, next->host_film(),
                    fmt::format(" if --resume continues after {} samples per pixel", first)});
}

void check_shares(const SoakRender& render, const HostFilm& expected, Draw& draw) {
  constexpr uint32_t kMaxShares = 5;
  const RenderSettings& settings = render.settings;
  const FilmFeatures features = settings.film_features();
  const auto tiles = uint32_t(make_film_tiles(settings.width, settings.height, true).tile_count());
  const uint32_t count = std::min(draw.from(2, kMaxShares), tiles);
  HostFilm film = make_host_film(settings.width, settings.height, features);
  RenderSettings way = settings;
  for (uint32_t index = 0; index < count; ++index) {
    way = draw_way(render, draw);
    const FilmTiles share = tiles_of_share(way.width, way.height, {index, count});
    const std::unique_ptr<Renderer> renderer = render.make(render.scene, way);
    renderer->choose_pixels(pixels_in_blocks(share));
    RenderControl control;
    renderer->render_samples(0, render.spp, control);
    through_file(render, *renderer, share);
    place_pixels(read_film(render.folder / "part.film").film, share, features, film);
  }
  expect_same_film(render, expected, {way, std::move(film), fmt::format(" in {} shares", count)});
}

void check_devices(const SoakRender& render, const HostFilm& expected, Draw& draw) {
  constexpr uint32_t kDevices = 2;
  const RenderSettings way = draw_way(render, draw);
  std::vector<std::unique_ptr<Renderer>> members;
  for (uint32_t i = 0; i < kDevices; ++i) members.push_back(render.make(render.scene, way));
  DeviceGroup group(std::move(members), [](const std::string& failure) { throw Error(failure); });
  RenderControl control;
  const uint32_t first = draw.from(1, render.spp);
  group.render_samples(0, first, control);
  if (first < render.spp) group.render_samples(first, render.spp - first, control);
  expect_same_film(render, expected, {way, group.host_film(), " on two devices"});
}

void check_convert(const SoakRender& render, const HostFilm& expected) {
  const std::filesystem::path json = render.folder / "converted.json",
                              again = render.folder / "again.json",
                              glb = render.folder / "converted.glb";
  write_winnow_json(json, render.scene);
  SoakRender other = render;
  other.file = json;
  other.scene = load_scene(json);
  RenderSettings way = render.settings;
  way.keep_first_hits = false;  // materials may have other ids
  expect_same_film(render, expected, {way, other.film(way), " after winnow convert", json});
  write_winnow_json(again, other.scene);
  if (const std::string parts = differing_parts(other.scene, load_scene(again)); !parts.empty())
    throw Error(fmt::format("the {} of the scene differ: winnow convert {} {}", parts,
                            json.string(), again.string()));
  write_glb(glb, render.scene);
  load_scene(glb);
}

}  // namespace winnow
