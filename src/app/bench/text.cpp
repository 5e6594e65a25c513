// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "app/bench/report.h"
#include "app/cli/console.h"

namespace winnow {
namespace {

/// Returns "-" if there is no value.
template <class Value>
std::string cell(const char* format, const std::optional<Value>& value) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

std::optional<double> percent(const std::optional<double>& share) {
  return share ? std::optional(*share * 1e2) : std::nullopt;
}

double percent_of(uint64_t part, uint64_t whole) {
  return whole > 0 ? 1e2 * double(part) / double(whole) : 0.0;
}

std::string frame_line(const ConfigRun& run, const ConfigSummary& summary, bool cuda) {
  const BenchConfig& config = run.config;
  bool wave = config.loop == Loop::kWave;
  return fmt::format(
      "{:<5} {:<10} {:<8} {:<6} {:<6} {:<4} {:>10.3f} {:>7.3f} {:>10.1f} {:>6} {:>5} {:>6} {:>4}\n",
      enum_name(config.loop), wave ? cull_name(config) : "-", config.roulette ? "on" : "off",
      config.regenerate ? "on" : "-", wave && cuda ? enum_name(config.driver) : "-",
      wave && cuda ? enum_name(config.tracer) : "-", summary.frame.median, summary.frame.spread(),
      summary.samples_per_second * 1e-6,
      summary.speed ? fmt::format("{:.3f}", summary.speed->median) : "-",
      cell("{:.1f}", percent(summary.cull_share)), cell("{:.0f}", percent(summary.ideal_share)),
      fmt::format("{}{}", summary.rank.rank, summary.rank.tied ? "=" : ""));
}

/// Returns a line for each configuration: time, speed relative to wave + none, rank.
std::string frame_table(const SceneBench& bench, const std::vector<ConfigSummary>& summaries) {
  std::string text = fmt::format(
      "{:<5} {:<10} {:<8} {:<6} {:<6} {:<4} {:>10} {:>7} {:>10} {:>6} {:>5} {:>6} {:>4}\n", "loop",
      "cull", "roulette", "regen.", "driver", "rays", "ms/frame", "+-", "Msamples/s", "speed",
      "cull%", "ideal%", "rank");
  for (size_t config = 0; config < bench.runs.size(); ++config) {
    auto differs = [&](auto BenchConfig::*setting) {
      return bench.runs[config].config.*setting != bench.runs[config - 1].config.*setting;
    };
    bool new_group =
        config > 0 && (differs(&BenchConfig::roulette) || differs(&BenchConfig::tracer));
    text += (new_group ? "\n" : "") + frame_line(bench.runs[config], summaries[config], bench.cuda);
  }
  return text;
}

/// Returns a line for each bounce, the same for all configurations: active and terminated paths.
std::string termination_table(const RenderStats& stats) {
  auto line = "{:>6} {:>12} {:>7} {:>9} {:>9} {:>9} {:>11} {:>9} {:>6} {:>9}\n";
  std::string text = fmt::format(fmt::runtime(line), "bounce", "alive", "alive%", "escaped%",
                                 "light%", "roulette%", "no through%", "depth%", "NaN%", "shadow%");
  for (size_t b = 0; b < stats.bounces.size() && stats.bounces[b].alive > 0; ++b) {
    const BounceStats& bounce = stats.bounces[b];
    auto share = [&](Termination cause) {
      return fmt::format("{:.2f}", percent_of(bounce.terminations[size_t(cause)], stats.paths));
    };
    text += fmt::format(fmt::runtime(line), b, bounce.alive,
                        fmt::format("{:.2f}", 1e2 * alive_share(stats, b)),
                        share(Termination::kEscaped), share(Termination::kHitLight),
                        share(Termination::kRoulette), share(Termination::kZeroThroughput),
                        share(Termination::kMaxDepth), share(Termination::kNotFinite),
                        fmt::format("{:.2f}", percent_of(bounce.shadow_rays, stats.paths)));
  }
  return text;
}

/// Returns a line for each bounce: lanes, bytes and stage times of one configuration, the time
/// saved relative to `none` and, on a GPU, the gain of gain_milliseconds().
std::string bounce_table(const ConfigRun& run, const ConfigRun* none, bool cuda) {
  auto line = "{:>6} {:>11} {:>7} {:>6} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8}\n";
  std::string text =
      fmt::format(fmt::runtime(line), "bounce", "queued", "lanes%", "B/path", "culled%",
                  "intersect", "shade", "shadow", "cull", "saved", "gain");
  const RenderStats& stats = run.measured->stats;
  std::vector<double> gain, saved;
  if (none && none != &run) {
    saved = saved_milliseconds(none->measured->stats, stats);
    if (cuda) gain = gain_milliseconds(stats);
  }
  for (size_t b = 0; b < stats.bounces.size() && stats.bounces[b].alive > 0; ++b) {
    const BounceStats& bounce = stats.bounces[b];
    auto time = [](const std::vector<double>& values, size_t item) {
      return item < values.size() ? fmt::format("{:.4f}", values[item]) : "-";
    };
    std::vector<double> stages(bounce.milliseconds.begin(), bounce.milliseconds.end());
    text += fmt::format(fmt::runtime(line), b, bounce.queued,
                        cell("{:.1f}", percent(lane_efficiency(bounce))),
                        cell("{:.0f}", bytes_per_path(bounce)),
                        fmt::format("{:.0f}", percent_of(bounce.culls, bounce.waves)),
                        time(stages, size_t(Stage::kIntersect)),
                        time(stages, size_t(Stage::kShade)), time(stages, size_t(Stage::kShadow)),
                        time(stages, size_t(Stage::kCull)), time(saved, b), time(gain, b));
  }
  return text;
}

/// Returns a line for each stage: the time of wave + none, of the ideal and of one configuration.
std::string stage_table(const ConfigSummary& none, const ConfigSummary& mode,
                        const std::string& name) {
  auto line = "{:<10} {:>10} {:>10} {:>22} {:>12}\n";
  std::string text =
      fmt::format(fmt::runtime(line), "stage, ms", "none", "ideal", name, "above ideal");
  auto add = [&](const char* stage, double none_ms, std::optional<double> ideal_ms,
                 double mode_ms) {
    std::optional<double> above = ideal_ms ? std::optional(mode_ms - *ideal_ms) : std::nullopt;
    text += fmt::format(fmt::runtime(line), stage, fmt::format("{:.3f}", none_ms),
                        cell("{:.3f}", ideal_ms), fmt::format("{:.3f}", mode_ms),
                        cell("{:+.3f}", above));
  };
  for (size_t stage = 0; stage < size_t(Stage::kPath); ++stage)
    add(kEnumNames<Stage>[stage], (*none.stages)[stage],
        mode.ideal ? std::optional((*mode.ideal)[stage]) : std::nullopt, (*mode.stages)[stage]);
  std::optional<double> ideal_sum =
      mode.ideal ? std::optional(sum_milliseconds(*mode.ideal)) : std::nullopt;
  add("stages", sum_milliseconds(*none.stages), ideal_sum, sum_milliseconds(*mode.stages));
  add("other", none.other, std::nullopt, mode.other);
  return text;
}

constexpr size_t kColumns = 100;

std::string bounces_text(const SceneBench& bench, const std::vector<ConfigSummary>& summaries) {
  bool roulette = roulettes_of(bench.runs).front();
  std::optional<size_t> best = find_best_cull(bench, summaries, roulette);
  std::optional<size_t> none = find_none(bench.runs, bench.runs[best.value_or(0)].config);
  size_t shown = none ? *none : best.value_or(0);
  if (bench.interrupted || !bench.runs[shown].measured) return "";

  std::string text =
      fmt::format("\nActive paths and why the others terminated, {}; % of all paths:\n{}",
                  roulette_name(roulette), termination_table(bench.runs[shown].measured->stats));
  const ConfigRun* base = none ? &bench.runs[*none] : nullptr;
  for (std::optional<size_t> run : {none, best})
    if (run)
      text +=
          fmt::format("\n{}, {}; times in ms:\n{}", config_name(bench.runs[*run].config),
                      roulette_name(roulette), bounce_table(bench.runs[*run], base, bench.cuda));
  if (none && best)
    text += "\n" +
            stage_table(summaries[*none], summaries[*best], config_name(bench.runs[*best].config));
  return text;
}

// ---- CSV

/// Returns `text` in quotes, with its own quotes doubled (RFC 4180).
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + "\"";
}

std::string csv_cell(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "";
}

std::string csv_line(const SceneBench& bench, const ConfigRun& run, const ConfigSummary& summary) {
  bool wave = run.config.loop == Loop::kWave;
  auto speed = [&](double MedianInterval::*part) {
    return summary.speed ? csv_cell(*summary.speed.*part) : "";
  };
  return fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{},{},{},{},{},{},{}\n",
      quoted(bench.file), bench.settings.width, bench.settings.height, bench.spp,
      bench.settings.max_bounces, enum_name(run.config.loop), cull_name(run.config),
      run.config.roulette ? "on" : "off", run.config.regenerate ? "on" : "off",
      wave && bench.cuda ? enum_name(run.config.driver) : "",
      wave && bench.cuda ? enum_name(run.config.tracer) : "", run.frame_milliseconds.size(),
      summary.frame.median, summary.frame.low, summary.frame.high, summary.samples_per_second,
      speed(&MedianInterval::median), speed(&MedianInterval::low), speed(&MedianInterval::high),
      csv_cell(summary.cull_share), csv_cell(summary.ideal_share), summary.rank.rank,
      summary.rank.tied ? "yes" : "no");
}

}  // namespace

std::string scene_text(const SceneBench& bench, const std::string& device_name) {
  std::vector<ConfigSummary> summaries = summarize(bench);
  std::string text = fmt::format(
      "{}: {}x{}, {} samples per pixel a frame, {} bounces, on {};\n"
      "median of {} frames +- its confidence interval; speed relative to wave + none; "
      "= means tied\n\n",
      bench.name, bench.settings.width, bench.settings.height, bench.spp,
      bench.settings.max_bounces, device_name, bench.round_count());
  text += frame_table(bench, summaries) + bounces_text(bench, summaries) + "\n";
  for (const std::string& sentence : bench_conclusions(bench, summaries))
    text += wrapped(sentence, kColumns) + "\n";
  return text;
}

std::string bench_csv(const BenchReport& report) {
  std::string text =
      "scene,width_pixels,height_pixels,samples_per_pixel,max_bounces,loop,cull,roulette,"
      "regenerate,driver,tracer,rounds,frame_ms,frame_ms_low,frame_ms_high,samples_per_second,"
      "speed_beside_none,speed_low,speed_high,cull_share_of_frame,ideal_share_reached,rank,tied\n";
  for (const SceneBench& bench : report.scenes) {
    std::vector<ConfigSummary> summaries = summarize(bench);
    for (size_t run = 0; run < bench.runs.size(); ++run)
      text += csv_line(bench, bench.runs[run], summaries[run]);
  }
  return text;
}

}  // namespace winnow
