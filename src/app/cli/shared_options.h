// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "app/cli/option_table.h"
#include "app/cli/scene_changes.h"
#include "base/folder_watch.h"
#include "denoise/denoiser.h"
#include "image/tone_mapping.h"
#include "load/gltf/gltf.h"
#include "load/mitsuba/mitsuba_xml.h"
#include "wavefront/state/render_settings.h"

namespace winnow {

/// How a scene is read, and what replaces parts of it. A command offers those that apply to it.
struct SceneOptions {
  MitsubaParameters parameters;                   ///< values of -D, for Mitsuba scenes
  std::optional<double> time;                     ///< s, a moment of its animations
  GltfChoice choice = {};                         ///< what is read of a glTF
  bool strict = false;                            ///< warnings of loading end the command
  OutsideFiles outside = OutsideFiles::kAllowed;  ///< files outside the folder of the scene
  std::optional<SkyRequest> sky;
  std::optional<Size> size;
  CameraChange camera;
  std::optional<uint32_t> max_bounces;
};

/// Reads a scene and replaces its sky. Adds warnings to the scene. Throws Error.
HostScene load_with_options(const std::filesystem::path& file, const SceneOptions& options);

/// Prints each distinct warning of loading once, unless the command is quiet. With --strict, prints
/// them in any case and then throws Error.
/// @param file  for the error
void report_warnings(const std::vector<std::string>& warnings, const std::filesystem::path& file,
                     bool quiet, bool strict);

/// Prints the notes of a scene, unless the command is quiet, and reports its warnings.
void report_loading(const HostScene& scene, const std::filesystem::path& file, bool quiet,
                    bool strict);

/// Applies size, camera and number of bounces to the scene, and copies them to `settings`.
void apply_options(const SceneOptions& options, HostScene& scene, RenderSettings& settings);

inline constexpr const char* kOfScene = "the scene's";

/// Returns -D, --confine, --strict, --variant, --camera-name, --time and --sky.
OptionTable scene_options(SceneOptions& options);
OptionTable source_options(SceneOptions& options);  ///< the first five of them
OptionTable model_options(SceneOptions& options);   ///< --confine, --strict, --variant and --time
OptionTable camera_options(CameraChange& camera);   ///< --camera, --look-at and --fov

OptionRow size_option(std::optional<Size>& size);
OptionRow max_bounces_option(std::optional<uint32_t>& max_bounces);
OptionRow exposure_option(std::optional<Exposure>& exposure);
OptionRow tone_map_option(ToneCurve& curve);
OptionRow denoise_quality_option(DenoiseQuality& quality);
OptionRow device_option(DeviceRequest& device);
OptionRow seed_option(uint64_t& seed);
OptionRow sampler_option(SamplerType& sampler);
OptionRow lights_option(LightChoice& lights);
OptionRow roulette_option(bool& roulette);
OptionRow threads_option(uint32_t& threads);
OptionRow wave_size_option(uint32_t& wave_size);
OptionRow bvh_cache_option(std::string& folder);
OptionRow quiet_option(bool& quiet);

/// Returns an option for a text file to write, which may be kStandardOutput: then `quiet` is set,
/// so that nothing else is written there.
OptionRow text_output_option(const std::string& name, std::filesystem::path& target, bool& quiet,
                             const std::string& help);
OptionRow strict_option(bool& strict);

}  // namespace winnow
