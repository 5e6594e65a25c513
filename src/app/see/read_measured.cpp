// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "app/see/page.h"
#include "base/error.h"
#include "base/files.h"
#include "base/one_line.h"

namespace winnow {
namespace {

/// Returns the file as JSON; null if it is not a file of `winnow bench`.
Json read_bench_file(const std::filesystem::path& file) {
  const Json json = Json::parse(read_text_file(file), nullptr, false);
  return json.is_object() && json.value("what", Json()) == "winnow bench" ? json : Json();
}

std::string measured_name(const Json& row) {
  if (row.at("loop") == "path") return "path loop";
  const std::string cull = row.at("cull").get<std::string>();
  if (row.at("regenerate")) return "regenerating";
  return row.at("group") == "material" ? cull + ", grouped" : cull;
}

Json measured_scene(const Json& json, const Json& scene, bool roulette) {
  Json modes = Json::array();
  for (const Json& row : scene.at("configurations")) {
    if (row.at("roulette") != roulette || row.at("driver") == "host") continue;
    const Json& speed = row.at("speed_beside_none");
    modes.push_back(
        {{"name", measured_name(row)},
         {"samplesPerSecond", row.at("samples_per_second").get<double>()},
         {"speed", speed.is_object() ? Json(speed.at("median").get<double>()) : Json()}});
  }
  const Json& size = scene.at("size_pixels");
  return {{"device", json.at("device").get<std::string>()},
          {"size", fmt::format("{}x{}", whole_number<uint32_t>(size.at(0)),
                               whole_number<uint32_t>(size.at(1)))},
          {"maxBounces", whole_number<uint32_t>(scene.at("max_bounces"))},
          {"modes", modes}};
}

/// Returns the names of the measured scenes, for messages.
std::string scene_list(const Json& scenes) {
  std::string list;
  for (const Json& scene : scenes)
    list += (list.empty() ? "" : ", ") + one_line(scene.at("name").get<std::string>());
  return list.empty() ? "none" : list;
}

}  // namespace

Json read_measured(const std::filesystem::path& file, const std::string& scene, bool roulette) {
  const Json json = read_bench_file(file);
  if (json.is_null()) throw Error(file.string() + ": is not a JSON file of winnow bench");
  Json table;
  try {
    const Json& scenes = json.at("scenes");
    const Json* measured = nullptr;
    for (const Json& one : scenes)
      if (one.at("name") == scene) measured = &one;
    if (!measured)
      throw Error(fmt::format("{}: has no measurement of \"{}\", but of: {}", file.string(), scene,
                              scene_list(scenes)));
    table = measured_scene(json, *measured, roulette);
  } catch (const Json::exception&) {
    throw Error(file.string() + ": is not what winnow bench writes");
  }
  if (table["modes"].empty())
    throw Error(fmt::format("{}: nothing was measured with --roulette {}", file.string(),
                            roulette ? "on" : "off"));
  return table;
}

}  // namespace winnow
