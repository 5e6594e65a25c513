// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "bvh/bvh_build.h"
#include "film/film_source.h"
#include "image/image.h"
#include "scene/host_scene.h"
#include "wavefront/state/render_settings.h"
#include "wavefront/state/render_stats.h"

namespace winnow {

class WaveRecorder;

/// Flags and counters with which another thread observes and stops a render.
struct RenderControl {
  std::atomic<bool> stop{false};        ///< set to end the render after the waves in flight
  std::atomic<uint64_t> paths_done{0};  ///< grows while rendering
};

struct DeviceStats {
  std::string name;
  uint64_t paths = 0;    ///< camera rays
  double seconds = 0.0;  ///< s, time spent rendering
  bool has_failed = false;
  std::string host = {};  ///< name of the host, if there may be several; else empty
};

/// A film in the memory of the device that rendered it.
struct FilmOnDevice {
  Film film;             ///< spans of that memory
  int cuda_device = -1;  ///< CUDA's index of the GPU; -1: host memory
};

/// Useful numbers of paths for one call of render_samples(): with fewer than `least` a device is
/// not busy, and more than `most` gain nothing.
struct PassPaths {
  uint64_t least = 1, most = uint64_t(1) << 24;
};

/// What a renderer needs of a scene besides that scene: trees and tables on its device.
struct PreparedScene {
  virtual ~PreparedScene() = default;
};

/// A scene on one device, and the film to which its samples are added.
class Renderer {
 public:
  virtual ~Renderer() = default;

  /// Adds samples [first, first + count) to every pixel, or to the chosen ones. Returns when they
  /// are on the film, or soon after `control.stop` is set; then some pixels lack some of the
  /// samples, and film() is still the mean of those they have.
  virtual void render_samples(uint32_t first, uint32_t count, RenderControl& control) = 0;

  virtual PassPaths pass_paths() const { return {}; }

  /// Restricts later calls of render_samples to these pixels.
  ///
  /// @param pixels  film positions, ordered so that neighbours are close; empty: all pixels again
  virtual void choose_pixels(const std::vector<uint32_t>& pixels) = 0;

  /// Returns the settings of the constructor or of the last restart.
  virtual const RenderSettings& settings() const = 0;

  /// Copies the pixels of `tiles` from one array of the film.
  ///
  /// @param field   position among fields_of(settings().film_features(), ...)
  /// @param packed  [pixels of `tiles`, in the order of for_each_run()][bytes of the field]
  virtual void read_pixels(size_t field, const FilmTiles& tiles, std::byte* packed) = 0;

  /// Announces a later call of read_pixels(), in the order of these calls, so that other processes
  /// can have the pixels ready. Only within at_film().
  virtual void expect_read(size_t /*field*/, const FilmTiles& /*tiles*/) {}

  /// Writes the pixels of `tiles` to one array of the film. The inverse of read_pixels().
  virtual void write_pixels(size_t field, const FilmTiles& tiles, const std::byte* packed) = 0;

  /// Returns the mean of each pixel's samples; black for pixels without samples.
  virtual Image film();
  virtual HostFilm host_film();

  /// Returns the film itself, which can be read on its device without a copy while no samples are
  /// rendered. Valid until the renderer ends or restarts. Empty if the film is on several devices.
  virtual std::optional<FilmOnDevice> film_on_device() { return {}; }

  /// Calls use(), which may read and write pixels. If several processes render together, only the
  /// first one calls it, and the others serve its reads and writes.
  virtual void at_film(const std::function<void()>& use) { use(); }

  /// Returns the number of samples on the film, [pixel].
  virtual std::vector<uint32_t> sample_counts();

  /// Puts samples that were rendered before onto the film, which has none yet: samples [0, k) of
  /// each pixel, where k may differ between pixels. Statistics do not count them.
  ///
  /// @param film  must have the size and the features of the settings
  virtual void continue_from(HostFilm film);

  virtual RenderStats stats() = 0;

  /// Returns the work of each device if there are several; else empty.
  virtual std::vector<DeviceStats> device_stats() { return {}; }

  /// Discards all samples, stats and chosen pixels, and continues with other settings, whose size
  /// and threads must be unchanged. Cheap, as the scene stays on the device.
  virtual void restart(const RenderSettings& settings) = 0;

  /// Returns the masks of the first wave since the last restart, [bounce]; empty unless
  /// settings.record_masks.
  virtual std::vector<AliveMask> alive_masks() = 0;

  virtual BvhReport bvh() const { return {}; }

  /// Returns a name for messages to the user: "CPU, 2 threads" or the name of the GPU.
  virtual std::string device_name() const = 0;

  /// Replaces the camera and restarts with the same settings. Trees and tables stay.
  ///
  /// @param camera  must be in the same medium as that of the scene. Boxes around instances have
  ///                room for the rounding of rays that start in the scene or at the camera of the
  ///                constructor. That camera should therefore surround all later ones:
  ///                camera_around(). Rays from farther outside that graze a box may differ from
  ///                those of a renderer that was made with the new camera
  virtual void set_camera(const CameraDescription& camera) = 0;

  /// Prepares another scene for set_scene(), also while another thread renders samples. Returns
  /// null if that scene needs a renderer of its own.
  virtual std::unique_ptr<PreparedScene> prepare_scene(const HostScene& /*scene*/) { return {}; }

  /// Replaces the scene. The film, the settings and the chosen pixels stay; statistics begin again.
  /// If it throws, only the film can be read.
  /// @param prepared  of prepare_scene(), whose scene must outlive the renderer
  virtual void set_scene(std::unique_ptr<PreparedScene> /*prepared*/) {}
};

/// The film of a renderer as a source that is read in bands.
class RendererFilm : public FilmSource {
 public:
  explicit RendererFilm(Renderer& renderer) : renderer_(renderer) {}
  FilmShape shape() const override;
  void read(size_t field, const FilmTiles& tiles, std::byte* packed) const override {
    renderer_.read_pixels(field, tiles, packed);
  }
  void expect(size_t field, const FilmTiles& tiles) const override {
    renderer_.expect_read(field, tiles);
  }
  bool is_concurrent() const override { return false; }

 private:
  Renderer& renderer_;
};

/// Puts samples of `tiles` that were rendered before onto the film, as Renderer::continue_from()
/// does, in bands.
void put_film(const FilmSource& film, const FilmTiles& tiles, Renderer& renderer);

/// Returns the camera with which to make a renderer that will use all of these cameras, in any
/// order. Its rays start wherever theirs do.
///
/// @param cameras  at least one
/// @param aspect   width of the film over its height
CameraDescription camera_around(const std::vector<CameraDescription>& cameras, float aspect);

/// Makes a renderer on the CPU, with Embree for rays and oneTBB for threads. Builds the
/// acceleration structure.
///
/// @param scene     must outlive the renderer
/// @param recorder  records the waves while it is on; must outlive the renderer; null: no recorder
std::unique_ptr<Renderer> make_cpu_renderer(const HostScene& scene, const RenderSettings& settings,
                                            WaveRecorder* recorder = nullptr);

/// Returns a text that is equal on two processors if they trace the rays of a scene with the same
/// bits: embree_rounding(), or nothing if the scene is traced without Embree.
std::string cpu_rounding(const HostScene& scene);

/// Makes a renderer on a GPU. Throws Error if there is no such GPU or its memory is too small.
/// @param device  CUDA's device index
std::unique_ptr<Renderer> make_cuda_renderer(const HostScene& scene, const RenderSettings& settings,
                                             int device);

/// Makes a renderer on each of several GPUs, which share what can be computed once: trees and
/// tables of the scene. Throws Error if one of them cannot be made.
/// @param devices  CUDA's device indices, at least one
std::vector<std::unique_ptr<Renderer>> make_cuda_renderers(const HostScene& scene,
                                                           const RenderSettings& settings,
                                                           const std::vector<int>& devices);

/// Returns a renderer on the CPU if `gpus` is empty, on its GPU if there is one, and otherwise a
/// DeviceGroup of renderers on all of them. `scene` must outlive it. Throws Error if one of the
/// GPUs cannot be used.
///
/// @param gpus            CUDA's device indices
/// @param report_failure  receives a sentence about each GPU of a group that fails later
std::unique_ptr<Renderer> make_renderer(const HostScene& scene, const RenderSettings& settings,
                                        const std::vector<int>& gpus,
                                        std::function<void(const std::string&)> report_failure);

/// Creates contexts on GPUs, each in a thread, while the caller reads the scene. Failures are left
/// to make_renderer(), which meets them again. The destructors of the threads wait for them.
std::vector<std::jthread> open_gpus(const std::vector<int>& gpus);

/// Returns the version of the ray-tracing cores of a GPU, 0 if it has none. Empty if this program
/// cannot use them: without OptiX's headers when it was built, or without OptiX in the driver.
///
/// @param gpu  CUDA's device index
std::optional<unsigned> ray_tracing_cores(int gpu);

struct CudaDevice {
  int index = 0;  ///< CUDA's device index
  std::string name;
  uint64_t memory = 0;  ///< bytes
  int multiprocessors = 0;
  int major = 0, minor = 0;  ///< compute capability
  std::string uuid = {};     ///< 16 bytes that identify the GPU itself, the same in all processes
};

/// The GPUs that can render, or the reason why there are none.
struct CudaDevices {
  std::vector<CudaDevice> devices;
  std::string
      why_none;  ///< "built without CUDA", "no CUDA driver is installed"; empty if there are GPUs
};
CudaDevices list_cuda_devices();

}  // namespace winnow
