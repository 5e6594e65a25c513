// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/render/render_passes.h"
#include "base/names.h"
#include "film/film_file.h"
#include "scene/pixel_filter.h"
#include "scene/scene_hash.h"
#include "wavefront/state/render_settings.h"
#include "wavefront/state/render_stats.h"

namespace winnow {

/// The devices on which a film was rendered. Films of CPU and GPU differ by rounding.
enum class Architecture { kCpu, kCuda, kMixed };
template <>
inline constexpr std::array<const char*, 3> kEnumNames<Architecture> = {"cpu", "cuda", "mixed"};

/// Description of the render of a film. Film files contain it, without the pixel count and the time
/// limit of its goal.
struct RenderRecord : RenderGoal {
  std::string program;       ///< version of Winnow
  std::string scene;         ///< the file, as given
  bool is_model = false;     ///< whether images of the scene's format are exposed automatically
  uint32_t motion_hash = 0;  ///< HostScene::motion_hash if there is a shutter; 0 in older films
  SceneHash scene_hash{};
  Architecture architecture = Architecture::kCpu;
  std::string device;
  /// cpu_rounding() of each processor that added samples, or the tracer of each GPU; empty in older
  /// films.
  std::set<std::string> roundings;
  RenderSettings settings;  ///< film files contain those that samples and arrays depend on
  FilterDescription filter;
  std::optional<Shutter> shutter;  ///< on the clock of the scene, if anything moves
  NoiseState noise_state;
  Share share;
  std::vector<std::string> arguments;  ///< arguments of the command without outputs and share
  std::vector<std::string> outputs;    ///< images of the command, as given
  double seconds = 0.0;                ///< time of rendering
  RenderStats stats;
};

/// Returns when a shutter is open, "0 to 1 s"; for none, "0".
std::string shutter_text(const std::optional<Shutter>& shutter);

/// Returns the version of this program.
std::string program_version();

/// Returns the record as JSON, the description of a film file.
std::string record_text(const RenderRecord& record);

/// Parses what record_text() returns. Throws Error with the reason, without the name of a file.
RenderRecord parse_record(const std::string& text);

/// Returns the arguments on which samples depend: without outputs, share and device.
std::vector<std::string> arguments_of_samples(const std::vector<std::string>& arguments);

/// Returns why samples of two renders cannot be in one film: "--seed is 5, not 0; the geometry
/// differs". Empty if they can.
std::string differences(const RenderRecord& record, const RenderRecord& expected);

/// Adds the architecture and the roundings of a render that adds samples to the same film.
void join_devices(RenderRecord& record, const RenderRecord& other);

/// Returns why the samples of a film differ by rounding: "on a CPU and on a GPU" or the roundings.
/// Empty if they do not.
std::string mixed_rounding(const RenderRecord& record);

struct RecordedFilm {
  FilmFileReader film;
  RenderRecord record;

  const FilmFileHeader& header() const { return film.header(); }
};

/// Reads the record of a film file, and none of its arrays. Throws Error that names the file.
RenderRecord read_record(const std::filesystem::path& file);

/// Opens a film file and checks all of it. Throws Error that names the file.
RecordedFilm read_recorded_film(const std::filesystem::path& file);

}  // namespace winnow
