// SPDX-License-Identifier: MIT
#include "app/render/render_job.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <new>
#include <set>
#include <thread>
#include <utility>

#include "app/cli/console.h"
#include "app/render/checkpoint.h"
#include "backend/process_group.h"
#include "base/error.h"
#include "processes/processes.h"

namespace winnow {
namespace {

std::unique_ptr<Processes> join(const RenderOptions& options) {
  const std::optional<Launch> launch = find_launch();
  if (!launch || options.share || !options.mpi) return make_single_process();
  mute_messages(launch->index > 0);
  const bool is_counted = launch->count > 0;
  auto refuse = [&](const std::string& reason) {
    throw UsageError(fmt::format(
        "{} started {} processes, and {}: each would render the whole image; {}, or render an "
        "image each, with --mpi off",
        launch->launcher, is_counted ? fmt::format("{}", launch->count) : "one or more", reason,
        is_counted ? "render shares, with --share auto" : "use mpiexec"));
  };
  if (!is_counted && is_alone_by_pmix()) return make_single_process();
  if (!has_mpi()) refuse("this winnow was built without MPI");
  if (!launch->connects) refuse("MPI connects them only with srun --mpi=pmix");
  std::unique_ptr<Processes> processes = make_mpi_processes();
  if (!is_counted && processes->count() == 1) refuse("MPI does not connect them");
  if (is_counted && processes->count() != launch->count)
    refuse(fmt::format("MPI sees {} of them; the launcher belongs to another MPI",
                       processes->count()));
  return processes;
}

}  // namespace

RenderJob::RenderJob(const RenderOptions& options) : processes_(join(options)) {
  if (has_several()) places_ = find_places(*processes_);
}

int RenderJob::run(const std::function<int()>& render) {
  if (!has_several()) return render();
  try {
    return render();
  } catch (const UsageError& error) {
    return fail(kExitUsage, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kExitFailure, "not enough memory");
  } catch (const std::exception& error) {
    return fail(kExitFailure, error.what());
  }
}

int RenderJob::fail(int exit_code, const std::string& reason) {
  // If all processes fail, only the first one prints the reason; it then ends the others.
  constexpr std::chrono::seconds kLeadOfFirst(2);
  if (!is_first()) std::this_thread::sleep_for(kLeadOfFirst);
  mute_messages(false);
  const uint32_t process = processes_->index();
  print_message(
      fmt::format("winnow: process {} on {}: {}", process, places_[process].host_name, reason));
  processes_->abort(exit_code);
  return exit_code;
}

void RenderJob::check_choices(const RenderOptions& options) const {
  if (!has_several()) return;
  auto refuse = [&](const char* option, const char* reason) {
    throw UsageError(
        fmt::format("{}: {} {} processes; leave it out", option, reason, processes_->count()));
  };
  if (options.devices) refuse("--devices", "each process renders on one device, and there are");
  if (options.display) refuse("--display", "it shows the image of one process, and there are");
  if (!options.masks.empty()) refuse("--record-masks", "is of one process, and there are");
}

ChosenDevice RenderJob::choose(const DeviceRequest& request) const {
  const bool leaves_choice = request.indices.empty() && request.kind != DeviceRequest::Kind::kCpu;
  if (!has_several() || !leaves_choice) return choose_device(request);
  const CudaDevices gpus = list_cuda_devices();
  DeviceRequest own = request;
  const uint32_t local = local_index(places_, processes_->index());
  if (!gpus.devices.empty()) own.indices = {gpus.devices[local % gpus.devices.size()].index};
  return choose_device(own, gpus);
}

uint32_t RenderJob::threads_of(uint32_t requested) const {
  return requested || !has_several() ? requested : thread_count(places_, processes_->index());
}

std::optional<ResumedFilm> RenderJob::read_resumed(const RenderOptions& options) {
  std::optional<ResumedFilm> film;
  if (is_first()) film = read_resumed_film(options);
  if (!has_several() || !any(*processes_, film.has_value())) return film;
  if (!film) film.emplace();
  FilmFileHeader& header = film->header;
  header.features = value_of_first(*processes_, header.features);
  header.tiles.width = value_of_first(*processes_, header.tiles.width);
  header.tiles.height = value_of_first(*processes_, header.tiles.height);
  header.tiles.present = values_of_first(*processes_, std::move(header.tiles.present));
  header.description = text_of_first(*processes_, std::move(header.description));
  if (!is_first()) film->record = parse_record(header.description);
  return film;
}

void RenderJob::check_same(RenderRecord& record, const HostScene& scene) {
  if (!has_several()) return;
  RenderRecord own = record;
  own.scene_hash = scene_hash(scene);
  const RenderRecord first = parse_record(text_of_first(*processes_, record_text(own)));
  std::string other = differences(own, first);
  if (other.empty() && own.arguments != first.arguments) other = "its command is different";
  if (!other.empty())
    throw Error(fmt::format(
        "its render differs from that of process 0: {}; --mpi off renders an image in each process",
        other));

  for (const std::string& text : texts_of_all(*processes_, record_text(own)))
    join_devices(record, parse_record(text));
  const bool on_both = record.architecture == Architecture::kMixed;
  if (const std::string mixed = mixed_rounding(record); !mixed.empty())
    print_warning(fmt::format("the processes render {}, which round differently{}", mixed,
                              on_both ? "; choose one with --device cpu or --device cuda" : ""));
}

std::unique_ptr<Renderer> RenderJob::make(const ChosenDevice& device, const HostScene& scene,
                                          const RenderSettings& settings,
                                          MovingRenderer::SceneAt scene_at,
                                          const TimeSlices& slices) {
  auto make_for = [device](const HostScene& scene, const RenderSettings& settings) {
    return make_renderer(scene, settings, device.indices, print_warning);
  };
  std::unique_ptr<Renderer> own;
  if (scene_at) {
    auto moving = std::make_unique<MovingRenderer>(std::move(scene_at), scene.camera, make_for,
                                                   slices, settings);
    moving_ = moving.get();
    own = std::move(moving);
  } else {
    own = make_for(scene, settings);
  }
  if (!has_several()) return own;
  warn_of_shared_gpus(device);
  if (!device.cuda) warn_of_idle_processors();
  std::vector<std::string> hosts;
  for (const ProcessPlace& place : places_) hosts.push_back(place.host_name);
  return std::make_unique<ProcessGroup>(*processes_, std::move(hosts), std::move(own));
}

void RenderJob::warn_of_shared_gpus(const ChosenDevice& device) {
  std::string uuid;
  if (device.cuda)
    for (const CudaDevice& gpu : list_cuda_devices().devices)
      if (gpu.index == device.indices.front()) uuid = gpu.uuid;
  std::vector<std::string> uuids = texts_of_all(*processes_, uuid);
  std::erase(uuids, "");
  const size_t processes_on_gpus = uuids.size();
  const size_t gpus = std::set<std::string>(uuids.begin(), uuids.end()).size();
  if (gpus < processes_on_gpus)
    print_warning(fmt::format("{} processes share {} GPU{}; one process a GPU is faster",
                              processes_on_gpus, gpus, gpus == 1 ? "" : "s"));
}

/// Open MPI binds each of two processes to one core unless it is told otherwise.
void RenderJob::warn_of_idle_processors() const {
  const bool are_bound = std::getenv("OMPI_MCA_orte_bound_at_launch") != nullptr;
  const long online = ::sysconf(_SC_NPROCESSORS_ONLN);
  const ProcessPlace& own = places_[processes_->index()];
  std::set<size_t> used;
  for (const ProcessPlace& place : places_)
    for (size_t i = 0; i < place.processors.size() && place.host == own.host; ++i)
      if (place.processors[i] == '1') used.insert(i);
  if (are_bound && long(used.size()) < online)
    print_warning(fmt::format(
        "mpirun binds the processes on {} to {} of {} processors; mpirun --bind-to none lets "
        "them use all",
        own.host_name, used.size(), online));
}

}  // namespace winnow
