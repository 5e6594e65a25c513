#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bvh/bvh_build.h"
#include "film/host_film.h"
#include "image/image.h"
#include "scene/host_scene.h"
#include "wavefront/state/render_settings.h"
#include "wavefront/state/render_stats.h"

namespace winnow {

/// How another thread watches and stops a render.
struct RenderControl {
  std::atomic<bool> stop{false};        ///< set it to end after the waves in flight
  std::atomic<uint64_t> paths_done{0};  ///< grows while rendering
};

/// Bytes of film that a render with these settings keeps.
inline uint64_t film_bytes_per_pixel(const RenderSettings& settings) {
  return sizeof(glm::dvec3) + sizeof(uint32_t) + (settings.keep_squares ? sizeof(glm::dvec3) : 0) +
         (settings.clamps() ? sizeof(glm::dvec3) : 0) +
         (settings.keep_first_hits ? 2 * sizeof(glm::dvec3) + sizeof(FirstHit) : 0) +
         (settings.map_deaths ? (1 + kDeathCount) * sizeof(uint32_t) : 0);
}

/// A scene on one device, and the film that its samples are added to.
class Renderer {
 public:
  virtual ~Renderer() = default;

  /// Adds samples [first, first + count) to every pixel, or to those that were chosen. Returns when
  /// they are on the film, or soon after `control.stop`; then some pixels lack some of the samples,
  /// and film() still is right.
  virtual void render_samples(uint32_t first, uint32_t count, RenderControl& control) = 0;

  /// From now on render_samples adds to these pixels only. At least one; film positions, close ones
  /// side by side.
  virtual void choose_pixels(const std::vector<uint32_t>& pixels) = 0;

  /// Mean of the samples of each pixel; black where there are none.
  virtual Image film() = 0;

  /// All that the film holds.
  virtual HostFilm host_film() = 0;

  virtual RenderStats stats() = 0;

  /// Forgets all samples, stats and chosen pixels, and goes on with other settings. Their size and
  /// threads must be the old ones. Costs little: the scene stays.
  virtual void restart(const RenderSettings& settings) = 0;

  /// Where and when paths ended; empty unless settings.map_deaths.
  virtual DeathMaps death_maps() = 0;

  /// [bounce] of the first wave since the start; empty unless settings.record_masks.
  virtual std::vector<AliveMask> alive_masks() = 0;

  /// How the tree that rays are traced in came to be.
  virtual BvhReport bvh() const { return {}; }

  /// For the person: "CPU, 2 threads" or the name of the GPU.
  virtual std::string device_name() const = 0;
};

/// Rays by Embree, threads by oneTBB. Builds the acceleration structure.
///
/// @param scene  must outlive the renderer
std::unique_ptr<Renderer> make_cpu_renderer(const HostScene& scene, const RenderSettings& settings);

/// Throws Error where there is no such GPU, or too little memory on it.
/// @param device  CUDA's device number
std::unique_ptr<Renderer> make_cuda_renderer(const HostScene& scene, const RenderSettings& settings,
                                             int device);

/// A GPU of this machine.
struct CudaDevice {
  int number = 0;
  std::string name;
  uint64_t memory = 0;  ///< bytes
  int multiprocessors = 0;
  int major = 0, minor = 0;  ///< compute capability
};

/// The GPUs that a CUDA render can use, or none with the reason.
struct CudaDevices {
  std::vector<CudaDevice> devices;
  std::string
      why_none;  ///< "built without CUDA", "no CUDA driver is installed"; empty if there are some
};
CudaDevices list_cuda_devices();

}  // namespace winnow
