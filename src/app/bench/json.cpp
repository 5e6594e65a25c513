// SPDX-License-Identifier: MIT
#include "app/cli/json.h"

#include <algorithm>

#include "app/bench/report.h"

namespace winnow {
namespace {

Json interval_json(const MedianInterval& interval) {
  return {{"median", interval.median}, {"low", interval.low}, {"high", interval.high}};
}

/// Lists the bounces that a path reached. On the CPU there are no warps, so the cost of an idle
/// lane is unknown.
Json bounces_json(const RenderStats& stats, bool cuda) {
  Json bounces = Json::array();
  std::vector<double> full = full_milliseconds(stats), gain = gain_milliseconds(stats);
  for (size_t b = 0; b < stats.bounces.size() && stats.bounces[b].alive > 0; ++b) {
    const BounceStats& bounce = stats.bounces[b];
    Json json = bounce_json(b, bounce);
    json["alive_share"] = alive_share(stats, b);
    json["lane_efficiency"] = nullable(lane_efficiency(bounce));
    json["state_bytes_per_path"] = nullable(bytes_per_path(bounce));
    json["stage_ms"] = stages_json(bounce.milliseconds);
    json["full_ms"] = cuda ? Json(full[b]) : Json();
    json["gain_ms"] = cuda ? Json(gain[b]) : Json();
    bounces.push_back(json);
  }
  return bounces;
}

Json measured_json(const SceneBench& bench, const MeasuredFrame& frame,
                   const ConfigSummary& summary) {
  return {{"frame_ms", frame.milliseconds},
          {"host_ms", frame.stats.host_seconds * 1e3},
          {"waves", frame.stats.waves},
          {"paths", frame.stats.paths},
          {"rays_per_path", mean_path_length(frame.stats)},
          {"deaths", terminations_json(termination_counts(frame.stats))},
          {"stage_ms", stages_json(*summary.stages)},
          {"other_ms", summary.other},
          {"cull_share_of_frame", nullable(summary.cull_share)},
          {"ideal_stage_ms", summary.ideal ? stages_json(*summary.ideal) : Json(nullptr)},
          {"ideal_share_reached", nullable(summary.ideal_share)},
          {"bounces", bounces_json(frame.stats, bench.cuda)}};
}

Json config_json(const SceneBench& bench, const ConfigRun& run, const ConfigSummary& summary) {
  bool wave = run.config.loop == Loop::kWave;
  return {{"name", config_name(run.config)},
          {"loop", enum_name(run.config.loop)},
          {"cull", wave ? Json(enum_name(run.config.cull)) : Json(nullptr)},
          {"group", wave ? Json(enum_name(run.config.group)) : Json(nullptr)},
          {"roulette", run.config.roulette},
          {"regenerate", run.config.regenerate},
          {"driver", wave && bench.cuda ? Json(enum_name(run.config.driver)) : Json(nullptr)},
          {"tracer", wave && bench.cuda ? Json(enum_name(run.config.tracer)) : Json(nullptr)},
          {"film_hash", run.film_hash},
          {"frame_ms", run.frame_milliseconds},
          {"host_ms", run.host_milliseconds},
          {"frame_ms_interval", interval_json(summary.frame)},
          {"samples_per_second", summary.samples_per_second},
          {"rank", summary.rank.rank},
          {"tied", summary.rank.tied},
          {"speed_beside_none", summary.speed ? interval_json(*summary.speed) : Json()},
          {"measured", run.measured ? measured_json(bench, *run.measured, summary) : Json()}};
}

Json scene_json(const SceneBench& bench) {
  std::vector<ConfigSummary> summaries = summarize(bench);
  Json best = Json::array(), configurations = Json::array();
  for (bool roulette : roulettes_of(bench.runs))
    for (Tracer tracer : tracers_of(bench.runs)) {
      const std::optional<size_t> cull = find_best_cull(bench, summaries, roulette, tracer);
      const auto first = std::ranges::find_if(bench.runs, [&](const ConfigRun& run) {
        return run.config.roulette == roulette && run.config.tracer == tracer;
      });
      if (first == bench.runs.end()) continue;
      const BenchConfig& config = (cull ? bench.runs[*cull] : *first).config;
      best.push_back({{"roulette", roulette},
                      {"tracer", enum_name(tracer)},
                      {"none_configuration", nullable(find_none(bench.runs, config))},
                      {"best_cull_configuration", nullable(cull)}});
    }
  for (size_t run = 0; run < bench.runs.size(); ++run)
    configurations.push_back(config_json(bench, bench.runs[run], summaries[run]));
  return {{"file", bench.file},
          {"name", bench.name},
          {"description", bench.description},
          {"size_pixels", {bench.settings.width, bench.settings.height}},
          {"samples_per_pixel", bench.spp},
          {"paths_per_frame", bench.path_count()},
          {"max_bounces", bench.settings.max_bounces},
          {"load_seconds", bench.load_seconds},
          {"build_seconds", bench.build_seconds},
          {"rounds_completed", bench.round_count()},
          {"interrupted", bench.interrupted},
          {"conclusions", bench_conclusions(bench, summaries)},
          {"compared", best},
          {"configurations", configurations}};
}

}  // namespace

std::string bench_json(const BenchReport& report) {
  Json failed = Json::array(), scenes = Json::array();
  for (const FailedScene& scene : report.failed)
    failed.push_back({{"file", scene.file}, {"reason", scene.reason}});
  for (const SceneBench& scene : report.scenes) scenes.push_back(scene_json(scene));

  Json json = {{"what", "winnow bench"},
               {"version", WINNOW_VERSION},
               {"started", report.started},
               {"device", report.device},
               {"cuda", report.cuda},
               {"threads", report.cuda ? Json(nullptr) : Json(report.threads)},
               {"rounds", report.rounds},
               {"confidence", kConfidence},
               {"interrupted", report.interrupted}};
  if (!report.scenes.empty()) {
    json["seed"] = report.scenes.front().settings.seed;
    json["sampler"] = enum_name(report.scenes.front().settings.sampler);
    json["wave_size"] = report.scenes.front().settings.wave_size;
  }
  json["failed"] = failed;
  json["scenes"] = scenes;
  constexpr int kIndent = 1;
  return json_text(json, kIndent);
}

}  // namespace winnow
