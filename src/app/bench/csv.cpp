// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "app/bench/report.h"

namespace winnow {
namespace {

/// Returns `text` in quotes, with its own quotes doubled (RFC 4180).
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + "\"";
}

/// Returns the value as text; empty if there is none.
std::string cell(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "";
}

std::string line_of(const SceneBench& bench, const ConfigRun& run, const ConfigSummary& summary) {
  bool wave = run.config.loop == Loop::kWave;
  auto speed = [&](double MedianInterval::*part) {
    return summary.speed ? cell(*summary.speed.*part) : "";
  };
  return fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{},{},{},{},{},{},{}\n",
      quoted(bench.file), bench.settings.width, bench.settings.height, bench.spp,
      bench.settings.max_bounces, enum_name(run.config.loop), cull_name(run.config),
      run.config.roulette ? "on" : "off", run.config.regenerate ? "on" : "off",
      wave && bench.cuda ? enum_name(run.config.driver) : "", run.frame_milliseconds.size(),
      summary.frame.median, summary.frame.low, summary.frame.high, summary.samples_per_second,
      speed(&MedianInterval::median), speed(&MedianInterval::low), speed(&MedianInterval::high),
      cell(summary.cull_share), cell(summary.ideal_share), summary.rank.rank,
      summary.rank.tied ? "yes" : "no");
}

}  // namespace

std::string bench_csv(const BenchReport& report) {
  std::string text =
      "scene,width_pixels,height_pixels,samples_per_pixel,max_bounces,loop,cull,roulette,"
      "regenerate,driver,rounds,frame_ms,frame_ms_low,frame_ms_high,samples_per_second,"
      "speed_beside_none,speed_low,speed_high,cull_share_of_frame,ideal_share_reached,rank,tied\n";
  for (const SceneBench& bench : report.scenes) {
    std::vector<ConfigSummary> summaries = summarize(bench);
    for (size_t run = 0; run < bench.runs.size(); ++run)
      text += line_of(bench, bench.runs[run], summaries[run]);
  }
  return text;
}

}  // namespace winnow
