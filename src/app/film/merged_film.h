// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <vector>

#include "app/render/render_record.h"
#include "film/film_source.h"

namespace winnow {

/// A part of an image: its film file, or the reason why it cannot be used.
struct MergePart {
  std::vector<RecordedFilm> film;  ///< the film, or none
  std::exception_ptr failure;
};

/// Opens and checks the files, with several threads.
std::vector<MergePart> open_parts(const std::vector<std::filesystem::path>& files);

/// Film files of one image, combined. Their pixels stay in the files until they are read.
class MergedFilm : public FilmSource {
 public:
  /// Adds a part. Throws Error that names it if it does not match the others.
  void add(RecordedFilm part);

  bool empty() const { return parts_.empty(); }

  /// Throws Error that names a file if pixels that are in several files differ in any bit. Only the
  /// files with the most samples of a pixel are compared: they contain the samples of the others.
  void check_overlaps() const;

  /// @param tiles  tiles that no file holds are black without samples
  void read(size_t field, const FilmTiles& tiles, std::byte* packed) const override;
  FilmShape shape() const override { return {tiles_.width, tiles_.height, features_}; }

  const FilmTiles& tiles() const { return tiles_; }
  const RenderRecord& record() const { return record_; }  ///< combined record of all files
  FilmFileHeader header() const { return {features_, tiles_, record_text(record_)}; }

  /// Returns whether all pixels of these tiles have all their samples.
  bool is_complete(const FilmTiles& tiles) const;

 private:
  class Band;

  void begin(const RecordedFilm& part);
  void check_fits(const RecordedFilm& part) const;
  bool add_samples(const FilmFileReader& part);
  bool has_shared(TileRows rows) const;

  std::vector<FilmFileReader> parts_;
  bool is_empty_ = true;  ///< the record contains no part yet
  RenderRecord record_;
  FilmFeatures features_;
  FilmTiles tiles_;
  FilmTiles shared_;               ///< tiles that several files hold
  std::vector<uint32_t> samples_;  ///< [pixel], maximum over the files
};

}  // namespace winnow
