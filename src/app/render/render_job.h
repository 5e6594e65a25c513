// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/cli/choose_device.h"
#include "app/render/checkpoint.h"
#include "app/render/render.h"
#include "app/render/render_record.h"
#include "processes/places.h"
#include "processes/processes.h"

namespace winnow {

/// The processes that render one image together: those that mpirun or srun has started, or this one
/// alone. All of them go through the same steps; the first one alone reads and writes films, writes
/// images, and talks to the user.
class RenderJob {
 public:
  /// Joins the other processes, if there are any and the options do not keep them apart. Throws
  /// UsageError if there are and they cannot be joined, as each would render the whole image.
  explicit RenderJob(const RenderOptions& options);

  Processes& processes() { return *processes_; }
  bool is_first() const { return processes_->is_first(); }
  bool has_several() const { return processes_->count() > 1; }

  /// Runs the render and returns its exit code. Among several processes, what it throws is printed
  /// with process and host, and ends all of them.
  int run(const std::function<int()>& render);

  /// Throws UsageError for options that several processes cannot follow.
  void check_choices(const RenderOptions& options) const;

  /// The device of this process, as choose_device(): of several processes on a host, each gets a
  /// GPU of its own in turn, unless the user has named one.
  ChosenDevice choose(const DeviceRequest& request) const;

  /// Threads of this process on the CPU: those that the user asks for or, among several processes,
  /// its part of the processors of its host.
  ///
  /// @param requested  0: not by the user
  uint32_t threads_of(uint32_t requested) const;

  // All of the following are collective.

  /// The film to continue, which the first process reads; the others get all but its arrays.
  std::optional<ResumedFilm> read_resumed(const RenderOptions& options);

  /// Throws Error unless this process renders the same as the first one. Completes the architecture
  /// of the film.
  void check_same(RenderRecord& record, const HostScene& scene);

  /// The renderer of this process or, among several, a ProcessGroup with it.
  std::unique_ptr<Renderer> make(const ChosenDevice& device, const HostScene& scene,
                                 const RenderSettings& settings);

 private:
  int fail(int exit_code, const std::string& reason);
  void warn_of_shared_gpus(const ChosenDevice& device);
  void warn_of_idle_processors() const;

  std::unique_ptr<Processes> processes_;
  std::vector<ProcessPlace> places_;  ///< [process]; of several
};

}  // namespace winnow
