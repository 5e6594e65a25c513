// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/interrupt.h"
#include "app/cli/option_values.h"
#include "app/cli/sky.h"
#include "app/cli/view.h"
#include "app/display/display_request.h"
#include "app/render/outputs.h"
#include "app/render/stats_json.h"
#include "app/sequence/sequence.h"
#include "backend/renderer.h"
#include "base/folder_watch.h"
#include "film/film_tiles.h"
#include "load/mitsuba/parameters.h"
#include "wavefront/state/render_settings.h"

namespace CLI {
class App;
}

namespace winnow {

/// The options of `winnow render`. Empty ones take their value from the scene.
struct RenderOptions : OutputOptions {  ///< no outputs: <scene>.png in the current folder
  std::filesystem::path scene;
  MitsubaParameters parameters;                   ///< of a Mitsuba scene
  std::optional<double> time;                     ///< s, a moment of its animations
  OutsideFiles outside = OutsideFiles::kAllowed;  ///< of the folder of the scene
  std::optional<uint32_t> spp;                    ///< samples per pixel
  std::optional<uint32_t> max_bounces;
  std::optional<Size> size;
  std::optional<View> camera;
  SequenceOptions sequence;  ///< several images
  std::optional<SkyRequest> sky;
  std::optional<FilterDescription> filter;
  RenderSettings settings;  ///< further settings of the renderer
  DeviceRequest device;
  std::optional<DeviceRequest> devices;  ///< several GPUs; excludes `device`
  std::optional<double> time_limit;      ///< s
  std::optional<double> noise;           ///< relative error at which tiles need no more samples
  std::filesystem::path stats;           ///< empty: none
  std::filesystem::path masks;           ///< empty: none
  std::filesystem::path checkpoint;  ///< film file that is written from time to time; empty: none
  std::optional<double> every;       ///< s between checkpoints
  std::filesystem::path resume;      ///< film file that is continued; empty: none
  std::optional<DisplayRequest> display;  ///< shows the film while it renders; without, nothing
  std::optional<Share> share;             ///< of the image; without one, all of it
  bool mpi = true;                        ///< several processes of mpirun or srun render one image
  bool quiet = false;
  std::vector<std::string> arguments;  ///< all of the above as given, for film files
};

/// Adds the options of `winnow render` to `command`; parsing it fills `options`.
void add_render_options(CLI::App& command, RenderOptions& options);

/// Renders a scene and writes its images. Returns the exit code.
int render(const RenderOptions& options);

/// A render whose film stays in memory.
struct MemoryRender {
  std::unique_ptr<HostScene> scene;    ///< as it was rendered; the renderer refers to it
  std::unique_ptr<Renderer> renderer;  ///< with all samples on its film
  RenderReport report;                 ///< without files and hash
};

/// Renders a scene that is in memory, in this process alone, and writes nothing. Ends early, as
/// render() does on Ctrl-C, soon after `stop` is requested; then some pixels, or all, may lack
/// samples.
///
/// @param options  `scene` names the scene in messages. Outputs and display are ignored
/// Throws Error and UsageError.
MemoryRender render_in_memory(const HostScene& scene, const RenderOptions& options,
                              const StopRequest& stop);

}  // namespace winnow
