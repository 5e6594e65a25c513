// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/interrupt.h"
#include "app/cli/shared_options.h"
#include "app/display/display_request.h"
#include "app/render/outputs.h"
#include "app/render/stats_json.h"
#include "app/sequence/sequence.h"
#include "backend/moving_renderer.h"
#include "backend/renderer.h"
#include "film/film_tiles.h"
#include "processes/processes.h"

namespace winnow {

/// The options of `winnow render`. Empty ones take their value from the scene. Without outputs, the
/// image is <scene>.png in the current folder.
struct RenderOptions : SceneOptions, OutputOptions {
  std::filesystem::path scene;
  std::optional<uint32_t> spp;  ///< samples per pixel
  SequenceOptions sequence;
  std::optional<Shutter> shutter;  ///< s after the time of the image; blurs motion
  std::optional<FilterDescription> filter;
  RenderSettings settings;  ///< further settings of the renderer
  DeviceRequest device;
  std::optional<DeviceRequest> devices;   ///< several GPUs; excludes `device`
  std::optional<double> time_limit;       ///< s
  std::optional<double> noise;            ///< relative error at which tiles need no more samples
  std::filesystem::path stats;            ///< empty: none
  std::filesystem::path masks;            ///< empty: none; *.steps: steps with times
  std::filesystem::path checkpoint;       ///< film file that is written repeatedly; empty: none
  std::optional<double> every;            ///< s between checkpoints
  std::filesystem::path resume;           ///< film file that is continued; empty: none
  std::optional<DisplayRequest> display;  ///< shows the film while it renders
  std::optional<Share> share;             ///< part of the image; none: all of it
  bool mpi = true;                        ///< several processes of mpirun or srun render one image
  bool quiet = false;
  std::vector<std::string> arguments;  ///< all of the above as given, for film files
};

/// Returns whether `masks` receives steps, with the times of bounces, for compaction-advise.
inline bool records_steps(const RenderOptions& options) {
  return options.masks.extension() == ".steps";
}

OptionTable render_options(RenderOptions& options);

/// Parses A:B in seconds, with A before B. Throws UsageError.
Shutter parse_shutter(const std::string& option, const std::string& text);

/// Parses I/N, share I of N, counted from 0; or auto, which takes both from the scheduler that
/// started this process: the task of an array job of Slurm, the rank of Open MPI or of another
/// launcher with PMI, or the index of a Kubernetes job. Throws UsageError, which names `option` and
/// the expected form.
Share parse_share(const std::string& option, const std::string& text,
                  const EnvironmentVariables& environment);

/// Renders a scene and writes its images. Returns the exit code.
int render(const RenderOptions& options);

struct MemoryRender {
  std::unique_ptr<HostScene> scene;    ///< as it was rendered; the renderer refers to it
  std::unique_ptr<Renderer> renderer;  ///< with all samples on its film
  RenderReport report;                 ///< without files and hash
};

/// Renders a scene in memory, in this process alone, and writes nothing. Ends early, soon after
/// `stop` is requested; then some or all pixels may lack samples.
///
/// @param options   `scene` names the scene in messages. Outputs and display are ignored
/// @param scene_at  the scene while its shutter is open; null: nothing but its camera moves
/// Throws Error and UsageError.
MemoryRender render_in_memory(const HostScene& scene, const RenderOptions& options,
                              const StopRequest& stop, MovingRenderer::SceneAt scene_at = nullptr);

}  // namespace winnow
