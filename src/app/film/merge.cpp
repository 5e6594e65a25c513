// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

#include "app/cli/add_option.h"
#include "app/cli/console.h"
#include "app/film/film_commands.h"
#include "app/render/render_passes.h"
#include "app/render/render_record.h"
#include "backend/collect_results.h"
#include "base/error.h"
#include "image/compare.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

/// Shares of one image, put together.
class MergedFilm {
 public:
  /// Adds the pixels of one file. Throws Error that names it if it does not fit to the others.
  void add(const fs::path& file, RecordedFilm&& part) {
    if (first_.empty())
      begin(file, part);
    else
      check_fits(file, part);
    const bool overlaps = std::inner_product(
        tiles_.present.begin(), tiles_.present.end(), part.header.tiles.present.begin(), false,
        std::logical_or<>(), [](uint8_t a, uint8_t b) { return a && b; });
    const FilmTiles tiles = part.header.tiles;
    const RenderRecord record = part.record;
    bool adds = true;
    if (overlaps)
      adds = place_over(file, whole_film(std::move(part)), tiles);
    else
      place_pixels(part.film, tiles, features_, film_);
    for (size_t tile = 0; tile < tiles.present.size(); ++tile)
      tiles_.present[tile] |= tiles.present[tile];
    if (!adds) return;
    add_stats(record_.stats, record.stats);
    record_.seconds += record.seconds;
    record_.architecture =
        is_empty_ ? record.architecture : joined(record_.architecture, record.architecture);
    is_empty_ = false;
  }

  const FilmTiles& tiles() const { return tiles_; }
  const HostFilm& film() const { return film_; }
  const FilmFeatures& features() const { return features_; }
  const RenderRecord& record() const { return record_; }
  FilmFileHeader header() const { return {features_, tiles_, record_text(record_)}; }

  /// The pixels of these tiles that have all their samples.
  bool is_complete(const FilmTiles& tiles) const {
    const bool counts = record_.spp != kUnlimitedSpp && !record_.noise;
    bool complete = true;
    for_each_run(tiles, [&](size_t first, size_t count) {
      for (size_t pixel = first; pixel < first + count; ++pixel)
        complete &= film_.samples[pixel] >= (counts ? record_.spp : 1);
    });
    return complete;
  }

 private:
  void begin(const fs::path& file, const RecordedFilm& part) {
    first_ = file;
    record_ = part.record;
    record_.share = {};
    record_.stats = {};
    record_.seconds = 0.0;
    features_ = part.header.features;
    tiles_ = make_film_tiles(part.header.tiles.width, part.header.tiles.height, false);
    film_ = make_host_film(tiles_.width, tiles_.height, features_);
  }

  void check_fits(const fs::path& file, const RecordedFilm& part) const {
    std::string other = differences(part.record, record_);
    auto add_other = [&](const std::string& text) { other += (other.empty() ? "" : "; ") + text; };
    if (part.record.spp != record_.spp)
      add_other(fmt::format("--spp is {}, not {}", part.record.spp, record_.spp));
    const FilmFeatures &a = part.header.features, &b = features_;
    if (a.squares != b.squares || a.first_hits != b.first_hits || a.deaths != b.deaths)
      add_other("--aov is another");
    if (!other.empty())
      throw Error(fmt::format("{}: does not fit {}: {}", file.string(), first_.string(), other));
  }

  /// Adds pixels where there may be some already. Of a pixel that is in both, the one with more
  /// samples counts, since it has all samples of the other; with as many they must be the same
  /// bits. Returns whether the film has changed.
  bool place_over(const fs::path& file, const HostFilm& part, const FilmTiles& tiles) {
    std::vector<uint8_t> takes(film_.samples.size());
    bool changes = false;
    for_each_run(tiles, [&](size_t first, size_t count) {
      for (size_t pixel = first; pixel < first + count; ++pixel) {
        takes[pixel] = part.samples[pixel] > film_.samples[pixel];
        changes |= takes[pixel] != 0;
        if (part.samples[pixel] == film_.samples[pixel] && !is_same(part, pixel))
          throw Error(fmt::format(
              "{}: does not fit the others: pixel {}, {} has as many samples as theirs, and other "
              "bits",
              file.string(), pixel % tiles.width, pixel / tiles.width));
      }
    });
    auto copy = [&](size_t per_pixel, const auto& from, auto& to) {
      for (size_t pixel = 0; pixel < takes.size(); ++pixel)
        if (takes[pixel])
          std::copy_n(from.begin() + ptrdiff_t(pixel * per_pixel), per_pixel,
                      to.begin() + ptrdiff_t(pixel * per_pixel));
    };
    if (changes) for_each_field(features_, copy, part, film_);
    return changes;
  }

  bool is_same(const HostFilm& part, size_t pixel) const {
    bool same = true;
    auto compare = [&](size_t per_pixel, const auto& a, const auto& b) {
      same &= std::memcmp(a.data() + pixel * per_pixel, b.data() + pixel * per_pixel,
                          per_pixel * sizeof(a[0])) == 0;
    };
    for_each_field(features_, compare, part, film_);
    return same;
  }

  fs::path first_;
  bool is_empty_ = true;
  RenderRecord record_;
  FilmFeatures features_;
  FilmTiles tiles_;
  HostFilm film_;
};

/// An argument as a shell reads it.
std::string shell_quoted(const std::string& argument) {
  const bool is_plain =
      !argument.empty() && std::all_of(argument.begin(), argument.end(), [](unsigned char letter) {
        return std::isalnum(letter) || std::strchr("-_./:,=+@%", letter);
      });
  if (is_plain) return argument;
  std::string text = "'";
  for (const char letter : argument) text += letter == '\'' ? "'\\''" : std::string(1, letter);
  return text + "'";
}

/// The commands that render the shares of `count` that are not complete.
std::vector<std::string> missing_shares(const MergedFilm& merged, uint32_t count) {
  const FilmTiles& tiles = merged.tiles();
  std::string command = "winnow render";
  for (const std::string& argument : merged.record().arguments)
    command += " " + shell_quoted(argument);
  std::vector<std::string> missing;
  for (uint32_t index = 0; index < count; ++index) {
    const FilmTiles share = tiles_of_share(tiles.width, tiles.height, {index, count});
    if (merged.is_complete(share)) continue;
    missing.push_back(fmt::format("{} --share {}/{} -o share-{}-of-{}.film", command, index, count,
                                  index, count));
  }
  return missing;
}

void warn_if_mixed(const MergedFilm& merged) {
  if (merged.record().architecture == Architecture::kMixed)
    print_message(
        "warning: some shares were rendered on a CPU and others on a GPU: they differ by rounding, "
        "so "
        "the film has the bits of neither");
}

void print_missing(const MergeOptions& options) {
  MergedFilm merged;
  uint32_t count = 1;
  for (const fs::path& file : options.parts) try {
      RecordedFilm part = read_recorded_film(file, FilmParts::kAll);
      count = std::max(count, part.record.share.count);
      merged.add(file, std::move(part));
    } catch (const Error& error) {
      print_message(fmt::format("warning: not counted: {}", error.what()));
    }
  if (merged.film().samples.empty())
    throw Error("none of the files can be read, so that nothing says what is missing");
  for (const std::string& command : missing_shares(merged, count)) fmt::print("{}\n", command);
}

/// Throws Error that says what is missing, unless the user wants images all the same.
void check_is_complete(const MergeOptions& options, const MergedFilm& merged, uint32_t count) {
  const FilmTiles all = make_film_tiles(merged.tiles().width, merged.tiles().height, true);
  if (merged.is_complete(all)) return;
  const std::vector<std::string> missing = missing_shares(merged, count);
  const std::string what =
      fmt::format("{} of {} shares are missing or incomplete", missing.size(), count);
  if (!options.partial)
    throw Error(what +
                "; --missing prints the commands that render them, --partial writes the "
                "images all the same");
  print_message("warning: " + what);
}

}  // namespace

void add_merge_options(CLI::App& command, MergeOptions& options) {
  command.add_option("PART", options.parts, "film files of shares of one image")
      ->type_name("")
      ->required();
  command
      .add_option(
          "-o,--output", options.outputs,
          "image or film file to write: .png, .jpg, .hdr, .pfm,\n.exr or .film; several may "
          "be given")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_output_options(command, options);
  command.add_flag("--partial", options.partial,
                   "write the images even if shares are missing, which are\nblack there");
  command.add_flag(
      "--missing", options.lists_missing,
      "write nothing, and print the commands that render the\nshares that are missing");
  command.add_flag("--quiet", options.quiet, "print errors and warnings only");
}

void merge(const MergeOptions& options) {
  if (options.lists_missing) return print_missing(options);
  if (options.outputs.empty() && options.aovs.pictures.empty())
    throw UsageError("merge: nothing to write; add -o FILE, or --missing");
  check_film_outputs(options, {}, options.parts);
  MergedFilm merged;
  uint32_t count = 1;
  for (const fs::path& file : options.parts) {
    RecordedFilm part = read_recorded_film(file, FilmParts::kAll);
    check_aovs_are_in(part.header.features, options.aovs, file.string());
    count = std::max(count, part.record.share.count);
    merged.add(file, std::move(part));
  }
  warn_if_mixed(merged);
  const bool writes_images = !images_of(options.outputs).empty() || !options.aovs.pictures.empty();
  if (writes_images) check_is_complete(options, merged, count);
  const Image image = mean_radiance(merged.film());
  const Exposure exposure = chosen_exposure(image, options.exposure, merged.record().is_model);
  Attempts attempt;
  const std::vector<std::string> legends =
      write_film_outputs(options, image, merged.film(), merged.header(), exposure.stops, attempt);
  attempt.throw_first_failure();
  if (options.quiet) return;
  for (const fs::path& output : options.outputs)
    fmt::print("{}: {}x{}, of {} file{}, film hash {}\n", output.string(), image.width,
               image.height, options.parts.size(), options.parts.size() == 1 ? "" : "s",
               image_hash(image));
  for (const std::string& legend : legends) fmt::print("{}\n", legend);
}

}  // namespace winnow
