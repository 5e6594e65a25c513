// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/render/noise.h"
#include "base/enum_names.h"
#include "film/film_file.h"
#include "scene/pixel_filter.h"
#include "scene/scene_hash.h"
#include "wavefront/state/render_settings.h"
#include "wavefront/state/render_stats.h"

namespace winnow {

/// On what a film was rendered. Films of CPU and GPU differ by rounding.
enum class Architecture { kCpu, kCuda, kMixed };
template <>
inline constexpr std::array<const char*, 3> kEnumNames<Architecture> = {"cpu", "cuda", "mixed"};

/// What a film file says about the render of its samples.
struct RenderRecord {
  std::string program;    ///< version of Winnow
  std::string scene;      ///< the file, as given
  bool is_model = false;  ///< the scene is of a format whose pictures are exposed automatically
  SceneHash scene_hash{};
  Architecture architecture = Architecture::kCpu;
  std::string device;
  RenderSettings settings;  ///< of these, what the samples depend on and which arrays there are
  FilterDescription filter;
  uint32_t spp = 0;  ///< samples per pixel that were asked for, or kUnlimitedSpp
  std::optional<double> noise;
  NoiseState noise_state;
  Share share;
  std::vector<std::string> arguments;  ///< of the command, without its outputs and its share
  double seconds = 0.0;                ///< of rendering
  RenderStats stats;
};

/// The version of this program.
std::string program_version();

/// As JSON, the description of a film file.
std::string record_text(const RenderRecord& record);

/// Throws Error with the reason alone if `text` is anything else.
RenderRecord parse_record(const std::string& text);

/// The arguments of a command that render the same samples: without outputs, share and device.
std::vector<std::string> arguments_of_samples(const std::vector<std::string>& arguments);

/// What keeps the samples of two renders from standing in one film: "--seed is 5, not 0; the
/// geometry differs". Empty if nothing does.
std::string differences(const RenderRecord& record, const RenderRecord& expected);

/// The architecture of a film to which both added samples.
Architecture joined(Architecture a, Architecture b);

/// A film file and what it says of itself.
struct RecordedFilm {
  FilmFileReader film;
  RenderRecord record;

  const FilmFileHeader& header() const { return film.header(); }
};

/// Opens a film file and checks all of it. Throws Error that names the file.
RecordedFilm read_recorded_film(const std::filesystem::path& file);

}  // namespace winnow
