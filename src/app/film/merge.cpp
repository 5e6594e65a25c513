// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <utility>

#include "app/cli/command_line.h"
#include "app/cli/console.h"
#include "app/film/film_commands.h"
#include "app/film/merged_film.h"
#include "app/render/render_record.h"
#include "base/error.h"
#include "image/compare.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

std::string shell_word(const std::string& argument) {
  const bool is_plain =
      !argument.empty() && std::all_of(argument.begin(), argument.end(), [](unsigned char letter) {
        return std::isalnum(letter) || std::strchr("-_./:,=+@%", letter);
      });
  return is_plain ? argument : shell_quoted(argument);
}

/// Returns the indices of the incomplete ones of `count` shares.
std::vector<uint32_t> missing_shares(const MergedFilm& merged, uint32_t count) {
  const FilmTiles& tiles = merged.tiles();
  std::vector<uint32_t> missing;
  for (uint32_t index = 0; index < count; ++index)
    if (!merged.is_complete(tiles_of_share(tiles.width, tiles.height, {index, count})))
      missing.push_back(index);
  return missing;
}

/// Raises the limit on open files, since all parts are open at the same time.
void allow_many_open_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

/// Adds a part to the others. Returns the number of shares of its render.
uint32_t take(MergePart& part, MergedFilm& merged) {
  if (part.failure) std::rethrow_exception(part.failure);
  RecordedFilm& film = part.film.front();
  const uint32_t count = film.record.share.count;
  merged.add(std::move(film));
  return count;
}

void warn_if_mixed(const MergedFilm& merged) {
  if (const std::string mixed = mixed_rounding(merged.record()); !mixed.empty())
    print_warning(fmt::format("shares were rendered {}, which round differently", mixed));
}

void print_missing(const MergeOptions& options) {
  MergedFilm merged;
  uint32_t count = 1;
  for (MergePart& part : open_parts(options.parts)) try {
      const uint32_t part_count = take(part, merged);
      count = std::max(count, part_count);
    } catch (const Error& error) {
      print_warning(fmt::format("not counted: {}", error.what()));
    }
  if (merged.empty())
    throw Error("none of the files can be read, so the missing shares are not known");
  std::string command = "winnow render";
  for (const std::string& argument : merged.record().arguments)
    command += " " + shell_word(argument);
  for (const uint32_t index : missing_shares(merged, count))
    fmt::print("{} --share {}/{} -o share-{}-of-{}.film\n", command, index, count, index, count);
}

/// Names the missing shares: throws Error if images are to be written without --partial, else
/// warns.
void check_is_complete(const MergeOptions& options, const MergedFilm& merged, uint32_t count) {
  constexpr size_t kMostNamed = 10;
  const FilmTiles all = make_film_tiles(merged.tiles().width, merged.tiles().height, true);
  if (merged.is_complete(all)) return;
  std::vector<uint32_t> missing = missing_shares(merged, count);
  const size_t missing_count = missing.size();
  missing.resize(std::min(missing_count, kMostNamed));
  std::string what = "the film is incomplete";
  if (count > 1)
    what = fmt::format("{} of {} shares are missing or incomplete: {}", missing_count, count,
                       fmt::join(missing, ", "));
  if (missing_count > kMostNamed) what += ", ...";
  const bool writes_images = !images_of(options.outputs).empty() || !options.aovs.pictures.empty();
  if (writes_images && !options.partial)
    throw Error(what +
                "; --missing prints the commands that render them, --partial writes the "
                "images anyway");
  print_warning(what);
}

}  // namespace

OptionTable merge_options(MergeOptions& options) {
  OptionTable table = {
      files("PART", options.parts, "Film files of shares of one image.", {.is_required = true}),
      files("-o,--output", options.outputs,
            "Image or film file to write: .png, .jpg, .hdr, .pfm, .exr or .film. The option may be "
            "repeated.")};
  append(table, output_options(options));
  append(table, {flag("--partial", options.partial,
                      "Write the images even if shares are missing, which are black."),
                 flag("--missing", options.lists_missing,
                      "Print the commands that render the missing shares, and write nothing."),
                 flag("--quiet", options.quiet, "Print errors and warnings only.")});
  return table;
}

void merge(const MergeOptions& options) {
  allow_many_open_files();
  if (options.lists_missing) return print_missing(options);
  if (options.outputs.empty() && options.aovs.pictures.empty())
    throw UsageError("merge: nothing to write; add -o FILE, or --missing");
  check_film_outputs(options, {}, options.parts);
  const std::optional<Denoiser> denoiser = denoiser_for(options, {});
  MergedFilm merged;
  uint32_t count = 1;
  for (MergePart& part : open_parts(options.parts)) {
    if (!part.film.empty())
      check_arrays_are_in(part.film.front().header().features, options,
                          part.film.front().film.file().string());
    count = std::max(count, take(part, merged));
  }
  merged.check_overlaps();
  warn_if_mixed(merged);
  check_is_complete(options, merged, count);
  const Image mean = mean_radiance(merged);
  Attempts attempt;
  const WrittenOutputs written = write_film_outputs(
      options, {merged, mean, merged.header(), merged.record().is_model}, denoiser, attempt);
  attempt.throw_first_failure();
  if (options.quiet) return;
  const std::string hash = image_hash(mean);
  for (const fs::path& output : options.outputs)
    fmt::print("{}: {}x{}, of {} file{}, film hash {}\n", output.string(), mean.width, mean.height,
               options.parts.size(), options.parts.size() == 1 ? "" : "s", hash);
  for (const std::string& legend : written.legends) fmt::print("{}\n", legend);
}

}  // namespace winnow
