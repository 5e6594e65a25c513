// SPDX-License-Identifier: MIT
#include "app/film/merged_film.h"

#include <fmt/core.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "app/render/render_passes.h"
#include "backend/collect_results.h"
#include "base/error.h"
#include "base/for_each_at_once.h"

namespace winnow {

namespace fs = std::filesystem;

std::vector<MergePart> open_parts(const std::vector<fs::path>& files) {
  std::vector<MergePart> parts(files.size());
  oneapi::tbb::parallel_for(size_t(0), files.size(), [&](size_t i) {
    try {
      parts[i].film.push_back(read_recorded_film(files[i]));
    } catch (...) {
      parts[i].failure = std::current_exception();
    }
  });
  return parts;
}

void MergedFilm::begin(const RecordedFilm& part) {
  record_ = part.record;
  record_.share = {};
  record_.stats = {};
  record_.seconds = 0.0;
  features_ = part.header().features;
  tiles_ = make_film_tiles(part.header().tiles.width, part.header().tiles.height, false);
  shared_ = tiles_;
  samples_.resize(size_t(tiles_.width) * tiles_.height);
}

void MergedFilm::check_fits(const RecordedFilm& part) const {
  std::string other = differences(part.record, record_);
  auto add_other = [&](const std::string& text) { other += (other.empty() ? "" : "; ") + text; };
  if (part.record.spp != record_.spp)
    add_other(fmt::format("--spp is {}, not {}", part.record.spp, record_.spp));
  const FilmFeatures &a = part.header().features, &b = features_;
  if (a.squares != b.squares || a.first_hits != b.first_hits || a.terminations != b.terminations ||
      a.cost != b.cost)
    add_other("--aov differs");
  if (a.layers != b.layers) add_other("--fireflies differs");
  if (a.background != b.background) add_other("--alpha differs");
  if (!other.empty())
    throw Error(fmt::format("{}: does not match {}: {}", part.film.file().string(),
                            parts_.front().file().string(), other));
}

void MergedFilm::add(RecordedFilm part) {
  if (parts_.empty())
    begin(part);
  else
    check_fits(part);
  const bool adds = add_samples(part.film);
  parts_.push_back(std::move(part.film));
  if (!adds) return;
  add_stats(record_.stats, part.record.stats);
  record_.seconds += part.record.seconds;
  if (is_empty_) {
    record_.architecture = part.record.architecture;
    record_.roundings.clear();
  }
  join_devices(record_, part.record);
  is_empty_ = false;
}

/// Returns whether the part has tiles, or samples of a pixel, that the others do not have.
bool MergedFilm::add_samples(const FilmFileReader& part) {
  const FilmTiles& tiles = part.header().tiles;
  bool overlaps = false, has_more = false;
  for (size_t tile = 0; tile < tiles.present.size(); ++tile) {
    const bool is_shared = tiles_.present[tile] && tiles.present[tile];
    shared_.present[tile] |= is_shared;
    overlaps |= is_shared;
    tiles_.present[tile] |= tiles.present[tile];
  }
  std::vector<uint32_t> packed(part.present_count(tiles.all_rows()));
  part.read_present(kSamplesField, tiles.all_rows(), reinterpret_cast<std::byte*>(packed.data()));
  const uint32_t* next = packed.data();
  for_each_run(tiles, [&](size_t first, size_t count) {
    for (size_t pixel = first; pixel < first + count; ++pixel, ++next) {
      has_more |= *next > samples_[pixel];
      samples_[pixel] = std::max(samples_[pixel], *next);
    }
  });
  return !overlaps || has_more;
}

bool MergedFilm::is_complete(const FilmTiles& tiles) const {
  const uint32_t least = record_.spp != kUnlimitedSpp && !record_.noise ? record_.spp : 1;
  bool complete = true;
  for_each_run(tiles, [&](size_t first, size_t count) {
    for (size_t pixel = first; pixel < first + count; ++pixel) complete &= samples_[pixel] >= least;
  });
  return complete;
}

bool MergedFilm::has_shared(TileRows rows) const {
  return shared_.pixel_count(rows) > 0;
}

/// Some rows of one array, combined from the parts.
class MergedFilm::Band {
 public:
  /// @param whole  [pixel of the rows][bytes of the field], black
  Band(const MergedFilm& merged, size_t field, TileRows rows, std::byte* whole)
      : merged_(merged),
        field_(field),
        per_pixel_(fields_of(merged.features_, {})[field].bytes_per_pixel),
        is_measured_(arrays_of(merged.features_)[field] == FilmArray::kCost),
        rows_(rows),
        first_pixel_(merged.tiles_.first_pixel(rows)),
        whole_(whole) {
    if (merged.has_shared(rows)) taken_.resize(merged.tiles_.all_pixels(rows));
  }

  void add(const FilmFileReader& part) {
    packed_.resize(part.present_count(rows_) * per_pixel_);
    if (packed_.empty()) return;
    part.read_present(field_, rows_, packed_.data());
    if (!taken_.empty()) {
      samples_.resize(part.present_count(rows_));
      part.read_present(kSamplesField, rows_, reinterpret_cast<std::byte*>(samples_.data()));
    }
    size_t item = 0;
    for_each_run(part.header().tiles, rows_, [&](size_t first, size_t count) {
      if (taken_.empty())
        std::memcpy(at(first), &packed_[item * per_pixel_], count * per_pixel_);
      else
        for (size_t i = 0; i < count; ++i) add_pixel(part, first + i, item + i);
      item += count;
    });
  }

 private:
  std::byte* at(size_t pixel) const { return whole_ + (pixel - first_pixel_) * per_pixel_; }

  void add_pixel(const FilmFileReader& part, size_t pixel, size_t item) {
    if (samples_[item] < merged_.samples_[pixel]) return;
    const std::byte* value = &packed_[item * per_pixel_];
    if (!std::exchange(taken_[pixel - first_pixel_], 1))
      std::memcpy(at(pixel), value, per_pixel_);
    else if (!is_measured_ && std::memcmp(at(pixel), value, per_pixel_) != 0)
      throw Error(fmt::format(
          "{}: does not match the others: pixel {}, {} has as many samples but other values",
          part.file().string(), pixel % merged_.tiles_.width, pixel / merged_.tiles_.width));
  }

  const MergedFilm& merged_;
  size_t field_, per_pixel_;
  bool is_measured_;  ///< the array differs from run to run
  TileRows rows_;
  size_t first_pixel_;  ///< first pixel of the rows
  std::byte* whole_;
  std::vector<uint8_t> taken_;  ///< [pixel of the rows]; empty if each is in one part
  std::vector<std::byte> packed_;
  std::vector<uint32_t> samples_;  ///< sample counts of the pixels in `packed_`
};

void MergedFilm::read(size_t field, const FilmTiles& tiles, std::byte* packed) const {
  const TileRows rows = rows_of(tiles);
  const size_t per_pixel = fields_of(features_, {})[field].bytes_per_pixel;
  const size_t bytes = tiles_.all_pixels(rows) * per_pixel;
  auto put_together = [&](std::byte* whole) {
    Band band(*this, field, rows, whole);
    for (const FilmFileReader& part : parts_) band.add(part);
  };
  if (tiles.pixel_count(rows) * per_pixel == bytes) {
    std::fill_n(packed, bytes, std::byte{0});
    return put_together(packed);
  }
  std::vector<std::byte> whole(bytes);
  put_together(whole.data());
  pack_pixels(whole.data(), tiles, per_pixel, packed, tiles_.first_pixel(rows));
}

void MergedFilm::check_overlaps() const {
  const std::vector<FilmField> fields = fields_of(features_, {});
  const std::vector<TileRows> bands = bands_of(*this);
  for_each_at_once(bands.size(), [&](size_t i) {
    const FilmTiles shared = tiles_in(shared_, bands[i]);
    std::vector<std::byte> packed;
    for (size_t field = 0; field < fields.size() && shared.pixel_count() > 0; ++field) {
      packed.resize(shared.pixel_count() * fields[field].bytes_per_pixel);
      read(field, shared, packed.data());
    }
  });
}

}  // namespace winnow
