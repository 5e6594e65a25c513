// SPDX-License-Identifier: MIT
#include <cmath>
#include <filesystem>
#include <fstream>

#include "app/sequence/camera_path.h"
#include "load/gltf/gltf.h"
#include "load/load_scene.h"
#include "load/mitsuba/convert.h"
#include "load/volumes/nvdb.h"
#include "load/volumes/vdb.h"
#include "load/volumes/vol.h"
#include "load/winnow/winnow_json.h"
#include "scene/scene_hash.h"
#include "scene/scene_summary.h"
#include "tests/fuzz/check_scene.h"
#include "tests/fuzz/packed_files.h"
#include "tests/fuzz/scene_seeds.h"
#include "tests/fuzz/target.h"

namespace winnow {
namespace {

void check_loaded(const HostScene& scene) {
  check_scene(scene);
  summary_text(scene);
}

bool fuzz_scene(std::string_view input, const char* main) {
  const PackedFiles files(input, main);
  return reads([&] { check_loaded(load_scene(files.main())); });
}

bool fuzz_json(std::string_view input) {
  return fuzz_scene(input, "s.json");
}
bool fuzz_obj(std::string_view input) {
  return fuzz_scene(input, "s.obj");
}
bool fuzz_ply(std::string_view input) {
  return fuzz_scene(input, "s.ply");
}
bool fuzz_gltf(std::string_view input) {
  return fuzz_scene(input, "s.gltf");
}
bool fuzz_mitsuba(std::string_view input) {
  return fuzz_scene(input, "s.xml");
}
bool fuzz_pbrt(std::string_view input) {
  return fuzz_scene(input, "s.pbrt");
}

/// Binary glTF with its decoders, at a moment of its animations.
bool fuzz_glb(std::string_view input) {
  bool is_read = true;
  for (const std::optional<double> time : {std::optional<double>(), std::optional(0.25)})
    is_read &= reads([&] { check_loaded(parse_gltf(input, fuzz_folder() / "s.glb", time)); });
  return is_read;
}

/// A file with a table of meshes, and the first of them.
bool fuzz_serialized(std::string_view input) {
  const std::filesystem::path file = fuzz_file("s.serialized", input);
  const bool is_read = reads([&] { read_serialized_mesh(file, 0); });
  reads([&] { read_serialized_mesh(file, 1); });
  reads([&] { parse_serialized_mesh(input, file.string()); });
  return is_read;
}

/// A volume, as the density of a medium.
bool fuzz_vol(std::string_view input) {
  HostScene scene;
  scene.media.resize(1);
  bool is_read = true;
  for (const GridBorder border : {GridBorder::kFade, GridBorder::kClamp})
    is_read &= reads([&] {
      const GridVolume volume = parse_vol(input, "s.vol");
      mean_of(volume);
      if (volume.channels == 1) place_grid(scene, 0, {.grid = add_grid(scene, volume, border)});
      check_media(scene);
      summary_text(scene);
    });
  return is_read;
}

/// A NanoVDB file, as the density of a medium.
bool fuzz_nvdb(std::string_view input) {
  HostScene scene;
  scene.media.resize(1);
  const std::filesystem::path file = fuzz_file("s.nvdb", input);
  reads([&] { NvdbFile(file).has_grid("density"); });
  return reads([&] {
    place_grid(scene, 0, add_nvdb_grid(scene, NvdbFile(file), "density", GridBorder::kFade));
    check_media(scene);
    summary_text(scene);
  });
}

#if defined(WINNOW_OPENVDB)
/// An OpenVDB file, as the density of a medium. Its process gets less time than an input may take.
bool fuzz_vdb(std::string_view input) {
  HostScene scene;
  scene.media.resize(1);
  const std::filesystem::path file = fuzz_file("s.vdb", input);
  return reads([&] {
    const SparseGrid grid = read_vdb(file, "density", {.seconds = 1, .wait_seconds = 3});
    place_grid(scene, 0, add_sparse_grid(scene, grid, "s.vdb", "density", GridBorder::kFade));
    check_media(scene);
    summary_text(scene);
  });
}
#endif

/// Key frames of a camera, and the camera between them.
bool fuzz_camera_path(std::string_view input) {
  return reads([&] {
    const std::vector<CameraKey> keys = parse_camera_path(input, "p.json", {});
    for (const CameraKey& key : keys)
      for (const double later : {-0.3, 0.0, 0.7}) {
        const CameraDescription camera = camera_at(keys, key.time + later);
        expect_in_fuzz(camera.vertical_fov > 0.0f && camera.vertical_fov < 180.0f &&
                           camera.lens_radius >= 0.0f && std::isfinite(camera.position.x),
                       "a camera out of its range");
      }
  });
}

std::vector<std::string> camera_path_seeds() {
  return {R"({"keys": [{"time": 0, "position": [0, 1, 6], "look_at": [0, 1, 0]}]})",
          R"({"keys": [{"time": 0, "direction": [0, 0, -1], "up": [0, 1, 0], "vertical_fov": 40},
            {"time": 1.5, "position": [1, 2, 3], "lens_radius": 0.1, "focus_distance": 2},
            {"time": 2, "view_height": 3}]})"};
}

/// The scene that Winnow JSON holds once `scene` is written there; none if a number is out of its
/// range.
std::optional<HostScene> copy_of(const HostScene& scene, const std::filesystem::path& file) {
  if (!reads([&] { write_winnow_json(file, scene); })) return {};
  return load_scene(file);
}

void expect_same_parts(const HostScene& a, const HostScene& b,
                       std::initializer_list<ScenePart> parts) {
  const SceneHash of_a = scene_hash(a), of_b = scene_hash(b);
  for (const ScenePart part : parts)
    expect_in_fuzz(
        of_a[size_t(part)] == of_b[size_t(part)],
        std::string("another scene after a round trip: ") + kEnumNames<ScenePart>[size_t(part)]);
}

/// Reads, writes and reads again, and expects the same scene. Attributes that no material uses and
/// signs of zeros may be lost, but only once. The first byte chooses the format.
bool fuzz_round_trip(std::string_view input) {
  static constexpr const char* kMains[] = {"s.json", "s.obj", "s.ply", "s.gltf", "s.xml", "s.pbrt"};
  if (input.empty()) return false;
  const char* main = kMains[uint8_t(input.front()) % std::size(kMains)];
  input.remove_prefix(1);
  const PackedFiles files(input, main);
  HostScene scene;
  if (!reads([&] { scene = load_scene(files.main()); })) return false;
  const std::optional<HostScene> copy = copy_of(scene, files.folder() / "copy.json");
  if (!copy) return true;
  expect_same_parts(scene, *copy, {ScenePart::kCamera, ScenePart::kFilter});
  expect_in_fuzz(scene.positions == copy->positions && scene.triangles == copy->triangles &&
                     scene.spheres.size() == copy->spheres.size() &&
                     scene.instances.size() == copy->instances.size(),
                 "other geometry after a round trip");
  const std::optional<HostScene> again = copy_of(*copy, files.folder() / "again.json");
  expect_in_fuzz(again.has_value(), "a copy that cannot be written");
  expect_same_parts(
      *copy, *again,
      {ScenePart::kGeometry, ScenePart::kMaterials, ScenePart::kTextures, ScenePart::kLights});
  return true;
}

std::vector<std::string> round_trip_seeds() {
  std::vector<std::string> seeds;
  const auto add = [&](int format, const std::vector<std::string>& scenes) {
    for (const std::string& scene : scenes) seeds.push_back(char(format) + scene);
  };
  add(0, json_seeds());
  add(1, obj_seeds());
  add(2, ply_seeds());
  add(3, gltf_seeds());
  add(4, mitsuba_seeds());
  add(5, pbrt_seeds());
  return seeds;
}

}  // namespace

std::vector<FuzzTarget> scene_fuzz_targets() {
  std::vector<FuzzTarget> targets{{"json", fuzz_json, json_seeds},
                                  {"obj", fuzz_obj, obj_seeds},
                                  {"ply", fuzz_ply, ply_seeds},
                                  {"gltf", fuzz_gltf, gltf_seeds},
                                  {"glb", fuzz_glb, glb_seeds},
                                  {"mitsuba", fuzz_mitsuba, mitsuba_seeds},
                                  {"serialized", fuzz_serialized, serialized_seeds},
                                  {"vol", fuzz_vol, vol_seeds},
                                  {"nvdb", fuzz_nvdb, nvdb_seeds},
                                  {"pbrt", fuzz_pbrt, pbrt_seeds},
                                  {"camera-path", fuzz_camera_path, camera_path_seeds},
                                  {"round-trip", fuzz_round_trip, round_trip_seeds}};
#if defined(WINNOW_OPENVDB)
  targets.push_back({"vdb", fuzz_vdb, vdb_seeds});
#endif
  return targets;
}

}  // namespace winnow
