// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <vector>

#include "app/render/render_record.h"
#include "film/film_source.h"

namespace winnow {

/// A part of an image: its film file, or why it cannot be used.
struct MergePart {
  std::vector<RecordedFilm> film;  ///< one, or none
  std::exception_ptr failure;
};

/// Opens the files and checks them, with several threads.
std::vector<MergePart> open_parts(const std::vector<std::filesystem::path>& files);

/// Film files of one image, put together. Their pixels stay in the files until they are read.
class MergedFilm : public FilmSource {
 public:
  /// Adds a part. Throws Error that names it if it does not fit to the others.
  void add(RecordedFilm part);

  bool empty() const { return parts_.empty(); }

  /// Throws Error that names a file unless all that is in several files has the same bits in them.
  /// Of a pixel, those that count have the most samples: they have all samples of the others.
  void check_overlaps() const;

  /// @param tiles  those whose pixels no file holds are black without samples
  void read(size_t field, const FilmTiles& tiles, std::byte* packed) const override;
  FilmShape shape() const override { return {tiles_.width, tiles_.height, features_}; }

  /// Those that the files hold.
  const FilmTiles& tiles() const { return tiles_; }
  const RenderRecord& record() const { return record_; }  ///< of all of them
  FilmFileHeader header() const { return {features_, tiles_, record_text(record_)}; }

  /// Whether all pixels of these tiles have all their samples.
  bool is_complete(const FilmTiles& tiles) const;

 private:
  class Band;

  void begin(const RecordedFilm& part);
  void check_fits(const RecordedFilm& part) const;
  bool add_samples(const FilmFileReader& part);
  bool has_shared(TileRows rows) const;

  std::vector<FilmFileReader> parts_;
  bool is_empty_ = true;  ///< no part has added to the record
  RenderRecord record_;
  FilmFeatures features_;
  FilmTiles tiles_;
  FilmTiles shared_;               ///< those that several files hold
  std::vector<uint32_t> samples_;  ///< [pixel], the most of any file
};

}  // namespace winnow
