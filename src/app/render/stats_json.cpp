// SPDX-License-Identifier: MIT
#include "app/render/stats_json.h"

#include "app/cli/json.h"

namespace winnow {
namespace {

constexpr int kStatsIndent = 2;

/// Returns the mean samples per pixel, an integer unless the render ended early.
Json mean_spp(const RenderReport& report) {
  uint64_t pixel_count = uint64_t(report.settings.width) * report.settings.height;
  if (report.stats.paths % pixel_count == 0) return report.stats.paths / pixel_count;
  return double(report.stats.paths) / double(pixel_count);
}

/// Returns null for a single device, which the whole report describes.
Json devices_json(const std::vector<DeviceStats>& devices) {
  if (devices.empty()) return nullptr;
  Json array = Json::array();
  for (const DeviceStats& device : devices)
    array.push_back({{"name", device.name},
                     {"paths", device.paths},
                     {"seconds", device.seconds},
                     {"failed", device.has_failed},
                     {"host", device.host.empty() ? Json(nullptr) : Json(device.host)}});
  return array;
}

/// Returns null without --denoise.
Json denoise_json(const CleanReport& clean) {
  if (clean.library.empty()) return nullptr;
  Json images = Json::array();
  for (size_t i = 0; i < clean.clean.size(); ++i)
    images.push_back({{"noisy", clean.noisy[i].string()}, {"clean", clean.clean[i].string()}});
  return {{"library", clean.library},
          {"device", clean.device},
          {"seconds", clean.seconds},
          {"images", images}};
}

Json frame_json(const FrameReport& report) {
  Json files = Json::array();
  for (const std::filesystem::path& file : report.files) files.push_back(file.string());
  return {{"number", report.frame.number},
          {"time", report.frame.time},
          {"camera", view_json(report.frame.camera)},
          {"files", files}};
}

Json report_json(const RenderReport& report) {
  const RenderSettings& settings = report.settings;
  const WrittenOutputs& written = report.written;
  uint64_t extension_rays = 0, shadow_rays = 0;
  Json bounces = Json::array();
  for (uint32_t bounce = 0; bounce < report.stats.bounces.size(); ++bounce) {
    const BounceStats& stats = report.stats.bounces[bounce];
    if (stats.alive == 0) break;
    if (bounce > 0) extension_rays += stats.alive;
    shadow_rays += stats.shadow_rays;
    bounces.push_back(bounce_json(bounce, stats));
    bounces.back()["milliseconds"] = stages_json(stats.milliseconds);
  }

  Json json;
  if (report.frame) json["frame"] = frame_json(*report.frame);
  json["device"] = report.device;
  json["devices"] = devices_json(report.devices);
  json["scene"] = report.scene;
  json["size"] = {settings.width, settings.height};
  json["filter"] = {{"type", enum_name(report.filter.type)},
                    {"radius_pixels", report.filter.radius}};
  json["spp"] = mean_spp(report);
  json["noise"] =
      report.noise
          ? Json({{"limit", report.noise->limit}, {"noisy_share", report.noise->noisy_share}})
          : Json(nullptr);
  json["clamp_indirect"] =
      settings.clamps()
          ? Json({{"limit", settings.clamp_indirect}, {"removed_share", report.removed_share}})
          : Json(nullptr);
  json["fireflies"] = written.fireflies_share ? Json({{"left_out_share", *written.fireflies_share}})
                                              : Json(nullptr);
  json["denoise"] = denoise_json(written.clean);
  json["exposure"] = {{"stops", written.exposure.stops},
                      {"mode", written.exposure.is_automatic ? "auto" : "fixed"}};
  json["loop"] = enum_name(settings.loop_in_use());
  json["cull"] = enum_name(settings.cull);
  json["group"] = enum_name(settings.group);
  json["driver"] = enum_name(settings.driver);
  json["tracer"] = enum_name(settings.tracer);
  json["roulette"] = settings.roulette;
  json["regenerate"] = settings.regenerate;
  json["seed"] = settings.seed;
  json["sampler"] = enum_name(settings.sampler);
  json["max_bounces"] = settings.max_bounces;
  json["threads"] = report.threads ? Json(*report.threads) : Json(nullptr);
  json["wave_size"] = settings.wave_size;
  json["waves"] = report.stats.waves;
  const RecordedWork& recorded = report.stats.recorded;
  json["recorded"] = {
      {"kernels", recorded.kernels}, {"loops", recorded.loops}, {"others", recorded.others}};
  json["bvh"] = {{"build", enum_name(report.bvh.build)},
                 {"cached", report.bvh.cached},
                 {"seconds", report.bvh.seconds}};
  json["seconds"] = {{"load", report.load_seconds},       {"build", report.build_seconds},
                     {"render", report.render_seconds},   {"cpu", report.cpu_seconds},
                     {"host", report.stats.host_seconds}, {"write", report.write_seconds}};
  json["samples_per_second"] =
      report.render_seconds > 0.0 ? double(report.stats.paths) / report.render_seconds : 0.0;
  json["rays"] = {
      {"camera", report.stats.paths}, {"extension", extension_rays}, {"shadow", shadow_rays}};
  json["film_hash"] = report.film_hash;
  json["interrupted"] = report.interrupted;
  json["bounces"] = bounces;
  return json;
}

}  // namespace

std::string stats_json(const RenderReport& report) {
  return json_text(report_json(report), kStatsIndent);
}

std::string stats_json(const std::vector<RenderReport>& reports) {
  Json array = Json::array();
  for (const RenderReport& report : reports) array.push_back(report_json(report));
  return json_text(array, kStatsIndent);
}

}  // namespace winnow
