// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/cli/choose_device.h"
#include "app/render/checkpoint.h"
#include "app/render/render.h"
#include "app/render/render_record.h"
#include "backend/moving_renderer.h"
#include "processes/processes.h"

namespace winnow {

/// The processes that render one image together: those that mpirun or srun has started, or this one
/// alone. All of them execute the same steps; only the first one reads and writes films, writes
/// images, and prints messages.
class RenderJob {
 public:
  /// Joins the other processes, unless the options separate them. Throws UsageError if they cannot
  /// be joined, since each would render the whole image.
  explicit RenderJob(const RenderOptions& options);

  Processes& processes() { return *processes_; }
  bool is_first() const { return processes_->is_first(); }
  bool has_several() const { return processes_->count() > 1; }

  /// Runs the render and returns its exit code. With several processes, prints an exception with
  /// process and host and ends all of them.
  int run(const std::function<int()>& render);

  /// Throws UsageError for options that several processes do not support.
  void check_choices(const RenderOptions& options) const;

  /// Returns the device of this process, as choose_device() does. Several processes on a host take
  /// its GPUs in turn, unless the user has named one.
  ChosenDevice choose(const DeviceRequest& request) const;

  /// Returns the CPU threads of this process: the requested number or, with several processes, its
  /// part of the processors of its host.
  ///
  /// @param requested  number of threads; 0: none requested
  uint32_t threads_of(uint32_t requested) const;

  // The functions below are collective: all processes call them together.

  /// Returns the film to continue. The first process reads it; the others get all but its arrays.
  std::optional<ResumedFilm> read_resumed(const RenderOptions& options);

  /// Throws Error unless this process renders the same image as the first one. Completes the
  /// architecture in `record`.
  void check_same(RenderRecord& record, const HostScene& scene);

  /// Returns the renderer of this process or, with several processes, a ProcessGroup with it.
  /// @param scene_at  the scenes of a MovingRenderer; null: nothing moves
  /// @param slices    of the MovingRenderer
  std::unique_ptr<Renderer> make(const ChosenDevice& device, const HostScene& scene,
                                 const RenderSettings& settings,
                                 MovingRenderer::SceneAt scene_at = nullptr,
                                 const TimeSlices& slices = TimeSlices::of_moment());

  /// Replaces the scenes of the last make(), which must have made a MovingRenderer.
  void set_scenes(MovingRenderer::SceneAt scene_at) { moving_->set_scenes(std::move(scene_at)); }

 private:
  int fail(int exit_code, const std::string& reason);
  void warn_of_shared_gpus(const ChosenDevice& device);
  void warn_of_idle_processors() const;

  std::unique_ptr<Processes> processes_;
  MovingRenderer* moving_ = nullptr;  ///< within the renderer of make(), if that moves
  std::vector<ProcessPlace> places_;  ///< [process]; empty for a single process
};

}  // namespace winnow
