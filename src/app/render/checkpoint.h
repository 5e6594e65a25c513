// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "app/render/render.h"
#include "app/render/render_passes.h"
#include "app/render/render_record.h"

namespace winnow {

// Films that outlive their process: what --resume continues, and what --checkpoint and film files
// among the outputs hold.

/// What --resume continues.
struct ResumedFilm {
  FilmFileHeader header;
  RenderRecord record;
  std::optional<FilmFileReader> film = {};  ///< of several processes, the first one has it
};

/// Opens the film that --resume names. None if the command has no such option, or if it names the
/// file of its --checkpoint, which does not exist yet.
std::optional<ResumedFilm> read_resumed_film(const RenderOptions& options);

/// The record of a render of `scene`, as it begins.
RenderRecord begin_record(const RenderOptions& options, const HostScene& scene,
                          const RenderSettings& settings, const RenderGoal& goal, bool on_gpu);

/// Takes over from an earlier film what the command leaves open: its sequence of samples, the
/// arrays that it has, its share and, without --spp, its goal.
void adopt(const RenderRecord& earlier, const RenderOptions& options, RenderSettings& settings,
           RenderGoal& goal, Share& share);

/// Throws Error, or UsageError, that names the file and what differs unless `record` can continue
/// the film.
void check_continues(const std::filesystem::path& file, const ResumedFilm& resumed,
                     const RenderRecord& record, const RenderOptions& options,
                     const RenderGoal& goal);

/// Saves checkpoints of a render, with what was rendered before it began.
class Checkpoints {
 public:
  /// @param record  of this render
  /// @param before  of the film that it continues, if it does
  Checkpoints(const std::filesystem::path& file, RenderRecord record, FilmTiles tiles,
              const std::optional<RenderRecord>& before);

  /// The header of a film file with the samples of before and of `renderer`.
  FilmFileHeader header(Renderer& renderer, const NoiseState& noise, double seconds) const;

  /// Writes the checkpoint, if there is to be one. Where that fails, writes it into a folder for
  /// temporary files and says so once.
  void save(Renderer& renderer, const NoiseState& noise, double seconds);

  /// Runs a part of the render. If that fails and there is a checkpoint, throws an Error that also
  /// says how to go on from it.
  double run(const std::function<double()>& part) const;

 private:
  void write(const FilmFileHeader& header, const FilmSource& film);
  /// The reason why it fails; empty if it does not.
  std::string write_to_fallback(const FilmFileHeader& header, const FilmSource& film);

  std::filesystem::path file_;
  RenderRecord record_;  ///< with the statistics of before
  FilmTiles tiles_;
  std::filesystem::path fallback_;  ///< empty until a write fails, or if there is no folder for it
  std::filesystem::path last_;      ///< that was written; empty: none
  bool has_failed_ = false, fallback_has_failed_ = false;
  bool memory_has_failed_ = false;
};

}  // namespace winnow
