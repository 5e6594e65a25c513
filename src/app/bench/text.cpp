#include "app/bench/text.h"

#include <fmt/core.h>

#include "app/bench/conclusion.h"
#include "app/bench/table.h"

namespace winnow {
namespace {

constexpr size_t kColumns = 100;

/// Broken into lines at spaces.
std::string wrapped(std::string text) {
  for (size_t line = 0; line + kColumns < text.size();) {
    size_t space = text.rfind(' ', line + kColumns);
    if (space == std::string::npos || space <= line) break;
    text[space] = '\n';
    line = space + 1;
  }
  return text;
}

std::string bounces_text(const SceneBench& bench, const std::vector<ConfigSummary>& summaries) {
  bool roulette = roulettes_of(bench.runs).front();
  std::optional<size_t> none = find_none(bench.runs, roulette);
  std::optional<size_t> best = find_best_cull(bench, summaries, roulette);
  size_t shown = none ? *none : best.value_or(0);
  if (bench.interrupted || !bench.runs[shown].measured) return "";

  std::string text =
      fmt::format("\nWho lives and why the others die, {}; % of all paths:\n{}",
                  roulette_name(roulette), death_table(bench.runs[shown].measured->stats));
  const ConfigRun* base = none ? &bench.runs[*none] : nullptr;
  for (std::optional<size_t> run : {none, best})
    if (run)
      text +=
          fmt::format("\n{}, {}; times in ms:\n{}", way_name(bench.runs[*run].config),
                      roulette_name(roulette), bounce_table(bench.runs[*run], base, bench.cuda));
  if (none && best)
    text +=
        "\n" + stage_table(summaries[*none], summaries[*best], way_name(bench.runs[*best].config));
  return text;
}

}  // namespace

std::string scene_text(const SceneBench& bench, const std::string& device_name) {
  std::vector<ConfigSummary> summaries = summarize(bench);
  std::string text = fmt::format(
      "{}: {}x{}, {} samples per pixel a frame, {} bounces, on {};\n"
      "median of {} frames +- its spread; speed beside wave + none; "
      "= is tied, not told apart from the noise\n\n",
      bench.name, bench.settings.width, bench.settings.height, bench.spp,
      bench.settings.max_bounces, device_name, bench.round_count());
  text += frame_table(bench, summaries) + bounces_text(bench, summaries) + "\n";
  for (const std::string& sentence : bench_conclusions(bench, summaries))
    text += wrapped(sentence) + "\n";
  return text;
}

}  // namespace winnow
