// SPDX-License-Identifier: MIT
#include "app/film/film_commands.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "app/cli/console.h"
#include "app/cli/progress.h"
#include "app/render/render_passes.h"
#include "app/render/render_record.h"
#include "base/error.h"
#include "image/compare.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

void print_row(const char* name, const std::string& value) {
  fmt::print("{:<10}{}\n", name, one_line(value, kMaxPathLength));
}

std::string arrays_text(const FilmFeatures& features) {
  std::string text = "radiance";
  if (features.squares) text += ", squares";
  if (features.removed) text += ", clamped light";
  if (features.first_hits) text += ", first hits";
  if (features.terminations) text += ", deaths";
  if (features.layers) text += ", brightness layers";
  if (features.background) text += ", background";
  if (features.cost) text += ", cost";
  return text;
}

std::vector<uint32_t> present_samples(const FilmFileReader& film) {
  const TileRows rows = film.header().tiles.all_rows();
  std::vector<uint32_t> samples(film.present_count(rows));
  film.read_present(kSamplesField, rows, reinterpret_cast<std::byte*>(samples.data()));
  return samples;
}

/// Returns whether a render of the film has ended: by its goal, or because no tile is noisy.
bool is_finished(const RenderRecord& record, uint32_t least_samples) {
  const std::vector<uint8_t>& active = record.noise_state.active;
  const bool is_clean = !active.empty() && !std::ranges::count(active, 1);
  return least_samples >= record.spp || is_clean;
}

/// Returns "16 of 16: finished", or "12 to 16 without a limit": samples per pixel and the goal.
std::string samples_text(const RecordedFilm& film) {
  uint32_t least = kUnlimitedSpp, most = 0;
  for (const uint32_t samples : present_samples(film.film))
    least = std::min(least, samples), most = std::max(most, samples);
  const std::string range =
      least >= most ? std::to_string(most) : fmt::format("{} to {}", least, most);
  const std::string goal = film.record.spp == kUnlimitedSpp ? std::string("without a limit")
                                                            : fmt::format("of {}", film.record.spp);
  return range + " " + goal + (is_finished(film.record, least) ? ": finished" : "");
}

std::string command_text(const RenderRecord& record) {
  std::string text = "winnow render";
  for (const std::string& argument : record.arguments) text += " " + argument;
  return text;
}

}  // namespace

void print_film_info(const fs::path& file) {
  const RecordedFilm film = read_recorded_film(file);
  const RenderRecord& record = film.record;
  const RenderSettings& settings = record.settings;
  const FilmTiles& tiles = film.header().tiles;
  print_row("file", fmt::format("{}, film file of version {}", file.string(), film.film.version()));
  print_row("scene", record.scene);
  print_row("command", command_text(record));
  print_row("size", fmt::format("{}x{} pixels", settings.width, settings.height));
  print_row("samples", samples_text(film));
  print_row("tiles",
            fmt::format("{} of {}{}", tiles.tile_count(), tiles.present.size(),
                        record.share.count > 1
                            ? fmt::format(", share {}/{}", record.share.index, record.share.count)
                            : ""));
  print_row("arrays", arrays_text(film.header().features));
  print_row("settings",
            fmt::format("seed {}, sampler {}, {} bounces, lights by {}, roulette {}, filter {}:{}",
                        settings.seed, enum_name(settings.sampler), settings.max_bounces,
                        enum_name(settings.lights), settings.roulette ? "on" : "off",
                        enum_name(record.filter.type), record.filter.radius));
  if (record.shutter) print_row("shutter", shutter_text(record.shutter));
  if (record.noise) print_row("noise", fmt::format("{}", *record.noise));
  if (settings.clamps()) print_row("clamped", fmt::format("{:g}", settings.clamp_indirect));
  print_row("device", fmt::format("{} ({})", record.device, enum_name(record.architecture)));
  print_row("paths", fmt::format("{} in {}", record.stats.paths, duration_text(record.seconds)));
  print_row("program", record.program);
  if (tiles.is_whole()) print_row("film hash", image_hash(mean_radiance(film.film)));
}

void convert_film(const fs::path& file, const OutputOptions& options) {
  check_film_outputs(options, {}, {file});
  const RecordedFilm recorded = read_recorded_film(file);
  const FilmFileHeader& header = recorded.header();
  check_arrays_are_in(header.features, options, file.string());
  const std::optional<Denoiser> denoiser = denoiser_for(options, {});
  const size_t missing = header.tiles.present.size() - header.tiles.tile_count();
  if (missing > 0 && !images_of(options.outputs).empty())
    print_warning(
        fmt::format("{}: {} of {} tiles are missing and black; winnow merge joins "
                    "shares",
                    file.string(), missing, header.tiles.present.size()));
  Attempts attempt;
  const WrittenOutputs written = write_film_outputs(
      options, {recorded.film, mean_radiance(recorded.film), header, recorded.record.is_model},
      denoiser, attempt);
  attempt.throw_first_failure();
  for (const fs::path& output : options.outputs) fmt::print("{}\n", output.string());
  for (const std::string& legend : written.legends) fmt::print("{}\n", legend);
}

}  // namespace winnow
