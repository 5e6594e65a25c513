// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "app/render/render.h"
#include "app/render/render_passes.h"
#include "app/render/render_record.h"

namespace winnow {

/// The film that --resume continues.
struct ResumedFilm {
  FilmFileHeader header;
  RenderRecord record;
  std::optional<FilmFileReader> film = {};  ///< only in the first of several processes
};

/// Opens the film that --resume names. Returns nothing without that option, or if the file is that
/// of --checkpoint and does not exist yet.
std::optional<ResumedFilm> read_resumed_film(const RenderOptions& options);

/// Returns the options of a command that names a film and no scene: those that the film was
/// rendered with, and then those of the command. Without outputs and checkpoint, the images are
/// those of the film's command, or for a share the film itself, and the checkpoint is the film.
///
/// @param given  its `resume` is the film with this record
/// Throws Error that names the film.
RenderOptions resumed_options(const RenderRecord& record, const RenderOptions& given);

/// Returns the record of a render of the whole `scene` as it begins.
RenderRecord begin_record(const RenderOptions& options, const HostScene& scene,
                          const RenderSettings& settings, bool on_gpu);

/// Copies from an earlier film what the command leaves open: its sequence of samples, its arrays,
/// its share and, without --spp, its goal.
void adopt(const RenderRecord& earlier, const RenderOptions& options, RenderRecord& record);

/// Throws Error or UsageError with file and difference unless `record` can continue the film.
void check_continues(const ResumedFilm& resumed, const RenderRecord& record,
                     const RenderOptions& options);

/// Saves checkpoints of a render, including the samples that it continues.
class Checkpoints {
 public:
  /// @param before  record of the film that it continues, if any
  Checkpoints(const std::filesystem::path& file, RenderRecord record, FilmTiles tiles,
              const std::optional<RenderRecord>& before);

  /// Returns the header of a film file with all samples of `renderer`, earlier ones included.
  FilmFileHeader header(Renderer& renderer, const NoiseState& noise, double seconds) const;

  /// Writes the checkpoint if --checkpoint is given. If that fails, writes it into a folder for
  /// temporary files and prints one warning.
  void save(Renderer& renderer, const NoiseState& noise, double seconds);

  /// Runs a part of the render. After a checkpoint, its Errors also say how to continue from it.
  double run(const std::function<double()>& part) const;

 private:
  void write(const FilmFileHeader& header, const FilmSource& film);

  std::filesystem::path file_;
  RenderRecord record_;  ///< with the statistics of the continued film
  FilmTiles tiles_;
  std::filesystem::path fallback_;  ///< empty until a write fails, or if there is no folder for it
  std::filesystem::path last_;      ///< last checkpoint written; empty: none
  bool has_failed_ = false, fallback_has_failed_ = false;
  bool memory_has_failed_ = false;
};

}  // namespace winnow
