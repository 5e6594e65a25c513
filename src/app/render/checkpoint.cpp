// SPDX-License-Identifier: MIT
#include "app/render/checkpoint.h"

#include <fmt/core.h>

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include "app/cli/command_line.h"
#include "app/cli/console.h"
#include "app/cli/output_files.h"
#include "backend/collect_results.h"
#include "base/error.h"
#include "load/load_scene.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

uint32_t most_samples(const FilmSource& film) {
  const std::vector<uint32_t> samples = read_arrays(film, {FilmArray::kSamples}).samples;
  return *std::max_element(samples.begin(), samples.end());
}

}  // namespace

std::optional<ResumedFilm> read_resumed_film(const RenderOptions& options) {
  if (options.resume.empty()) return std::nullopt;
  std::error_code failure;
  if (options.resume == options.checkpoint && !fs::exists(options.resume, failure) && !failure)
    return std::nullopt;
  RecordedFilm recorded = read_recorded_film(options.resume);
  const FilmFileHeader header = recorded.header();
  return ResumedFilm{header, std::move(recorded.record), std::move(recorded.film)};
}

RenderOptions resumed_options(const RenderRecord& record, const RenderOptions& given) {
  const std::string film = given.resume.string();
  RenderOptions options;
  options.arguments = record.arguments;
  options.arguments.insert(options.arguments.end(), given.arguments.begin(), given.arguments.end());
  OptionTable table = render_options(options);
  try {
    parse_options(table, options.arguments);
  } catch (const UsageError& error) {
    throw Error(fmt::format("{}: its command cannot be read: {}", film, error.what()));
  }
  std::error_code failure;
  if (!fs::exists(options.scene, failure))
    throw Error(fmt::format(
        "{}: its scene {} is not there from this folder; name it: winnow render SCENE --resume {}",
        film, options.scene.string(), film));
  if (options.outputs.empty() && record.share.count > 1)
    options.outputs = {given.resume};
  else if (options.outputs.empty())
    options.outputs.assign(record.outputs.begin(), record.outputs.end());
  if (options.checkpoint.empty() && !std::ranges::count(options.outputs, given.resume))
    options.checkpoint = given.resume;
  return options;
}

RenderRecord begin_record(const RenderOptions& options, const HostScene& scene,
                          const RenderSettings& settings, bool on_gpu) {
  RenderRecord record;
  record.pixel_count = uint64_t(settings.width) * settings.height;
  record.spp =
      options.spp.value_or(options.time_limit || options.noise ? kUnlimitedSpp : scene.spp);
  record.time_limit = options.time_limit;
  record.noise = options.noise;
  record.program = program_version();
  record.scene = options.scene.string();
  record.is_model = is_model(options.scene);
  const bool is_written_or_read =
      !options.checkpoint.empty() || !options.resume.empty() || !films_of(options.outputs).empty();
  if (is_written_or_read) record.scene_hash = scene_hash(scene);
  record.architecture = on_gpu ? Architecture::kCuda : Architecture::kCpu;
  const std::string rounding =
      on_gpu ? "--tracer " + enum_name(settings.tracer) : cpu_rounding(scene);
  if (!rounding.empty()) record.roundings = {rounding};
  record.settings = settings;
  record.filter = scene.filter;
  record.share = options.share.value_or(Share{});
  record.arguments = arguments_of_samples(options.arguments);
  for (const fs::path& image : images_of(options.outputs)) record.outputs.push_back(image.string());
  return record;
}

void adopt(const RenderRecord& earlier, const RenderOptions& options, RenderRecord& record) {
  RenderSettings& settings = record.settings;
  settings.sobol_spp = earlier.settings.sobol_spp;
  settings.keep_squares |= earlier.settings.keep_squares;
  settings.keep_first_hits |= earlier.settings.keep_first_hits;
  settings.map_terminations |= earlier.settings.map_terminations;
  settings.keep_layers |= earlier.settings.keep_layers;
  settings.keep_background |= earlier.settings.keep_background;
  settings.keep_cost |= earlier.settings.keep_cost;
  if (!options.noise) record.noise = earlier.noise;
  if (!options.spp) record.spp = options.time_limit ? kUnlimitedSpp : earlier.spp;
  if (!options.share) record.share = earlier.share;
}

void check_continues(const ResumedFilm& resumed, const RenderRecord& record,
                     const RenderOptions& options) {
  const fs::path& file = options.resume;
  const RenderRecord& earlier = resumed.record;
  const std::string other = differences(earlier, record);
  if (!other.empty())
    throw Error(fmt::format("{}: is of another render: {}", file.string(), other));
  if (record.share.index != earlier.share.index || record.share.count != earlier.share.count)
    throw Error(fmt::format("{}: is of another render: --share is {}/{}, not {}/{}", file.string(),
                            earlier.share.index, earlier.share.count, record.share.index,
                            record.share.count));
  check_arrays_are_in(resumed.header.features, options, file.string());
  if (record.spp == kUnlimitedSpp && !record.time_limit && !record.noise)
    throw UsageError(fmt::format("{}: was rendered until a time limit; give --spp or --time-limit",
                                 file.string()));
  if (!resumed.film) return;
  if (const uint32_t most = most_samples(*resumed.film); most > record.spp)
    throw UsageError(fmt::format("{}: has {} samples per pixel already, more than --spp {}",
                                 file.string(), most, record.spp));
}

Checkpoints::Checkpoints(const fs::path& file, RenderRecord record, FilmTiles tiles,
                         const std::optional<RenderRecord>& before)
    : file_(file), record_(std::move(record)), tiles_(std::move(tiles)) {
  if (!before) return;
  join_devices(record_, *before);
  record_.seconds = before->seconds;
  record_.stats = before->stats;
}

FilmFileHeader Checkpoints::header(Renderer& renderer, const NoiseState& noise,
                                   double seconds) const {
  RenderRecord record = record_;
  add_stats(record.stats, renderer.stats());
  record.seconds += seconds;
  record.device = renderer.device_name();
  record.noise_state = noise;
  return {record.settings.film_features(), tiles_, record_text(record)};
}

void Checkpoints::save(Renderer& renderer, const NoiseState& noise, double seconds) {
  if (file_.empty()) return;
  const FilmFileHeader now = header(renderer, noise, seconds);
  renderer.at_film([&] { write(now, RendererFilm(renderer)); });
}

double Checkpoints::run(const std::function<double()>& part) const {
  auto fail = [&](const std::string& reason) {
    throw Error(
        fmt::format("{}; --resume {} continues from the last checkpoint", reason, last_.string()));
  };
  try {
    return part();
  } catch (const Error& error) {
    if (last_.empty()) throw;
    fail(error.what());
  } catch (const std::bad_alloc&) {
    if (last_.empty()) throw;
    fail("not enough memory");
  }
  return 0.0;  // never reached
}

void Checkpoints::write(const FilmFileHeader& header, const FilmSource& film) {
  auto failure_of = [&](const fs::path& file) -> std::string {
    try {
      write_film(file, header, film);
      last_ = file;
      return "";
    } catch (const Error& error) {
      return error.what();
    } catch (const std::bad_alloc&) {
      if (file == file_) throw;
      return "not enough memory for a checkpoint";
    }
  };
  try {
    const std::string failure = failure_of(file_);
    if (failure.empty()) return;
    const bool is_first = !std::exchange(has_failed_, true);
    if (is_first) fallback_ = fallback_for(file_);
    const std::string other =
        fallback_.empty() ? "there is no folder for temporary files" : failure_of(fallback_);
    if (is_first)
      print_warning(
          other.empty()
              ? fmt::format("{}; the checkpoint is written to {}", failure, fallback_.string())
              : fmt::format("{}; it cannot be written elsewhere either", failure));
    else if (!other.empty() && !fallback_has_failed_)
      print_warning(other);
    fallback_has_failed_ = !other.empty();
  } catch (const std::bad_alloc&) {
    if (!memory_has_failed_) print_warning("not enough memory for a checkpoint");
    memory_has_failed_ = true;
  }
}

}  // namespace winnow
