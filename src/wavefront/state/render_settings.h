#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>

#include "bvh/bvh_build.h"
#include "math/sampler.h"
#include "shading/light/light_choice.h"

namespace winnow {

/// How the paths of a wave are followed.
enum class Loop {
  kWave,  ///< every path by one bounce, stage by stage (Laine et al. 2013)
  kPath,  ///< one thread follows one path to its end: the megakernel baseline
};

/// How finished paths are removed from the work after a bounce. One file each in `wavefront/cull/`.
enum class Cull { kNone, kAppend, kScan, kBallot, kLookBack, kMove, kThrust, kCub, kAuto };

/// Who starts the rounds of a wave on a GPU. The CPU has one way only.
enum class Driver {
  kGraph,  ///< the GPU: one graph with a loop; the host starts it and is done
  kHost,   ///< the host, stage by stage
};

struct RenderSettings {
  uint32_t width = 512;       ///< pixels
  uint32_t height = 512;      ///< pixels
  uint32_t max_bounces = 16;  ///< scattering events of a path; 0 shows only light seen directly
  uint64_t seed = 0;
  SamplerType sampler = SamplerType::kSobol;
  uint32_t sobol_spp = 0;  ///< samples of a pixel after which its noise is blue; 0: very many
  Loop loop = Loop::kWave;
  Cull cull = Cull::kAuto;
  Driver driver = Driver::kGraph;
  BvhBuild bvh = BvhBuild::kAuto;
  std::filesystem::path bvh_cache{};  ///< folder of trees of the quality build; empty is none
  uint32_t expected_spp = 0;          ///< samples per pixel, for BvhBuild::kAuto; 0 is not known
  LightChoice lights = LightChoice::kPower;
  bool roulette = true;     ///< else only light, the void and the last bounce end paths
  bool regenerate = false;  ///< slots of finished paths take new ones, so that the wave stays full
  /// W sr^-1 m^-2 in any channel, the most that light which was scattered more than once may add to
  /// a sample; infinite is no clamping.
  float clamp_indirect = INFINITY;
  uint32_t wave_size =
      0;  ///< paths in flight at once, per worker on the CPU; 0 lets the device choose
  uint32_t threads = 0;          ///< CPU worker threads; 0 is one for each hardware thread
  bool measure_stages = false;   ///< fills BounceStats::milliseconds; costs a little
  bool map_deaths = false;       ///< fills Renderer::death_maps()
  bool keep_squares = false;     ///< fills HostFilm::squares
  bool keep_first_hits = false;  ///< fills HostFilm::first_hits, albedo and normal
  bool record_masks = false;     ///< fills Renderer::alive_masks()

  bool clamps() const { return clamp_indirect < INFINITY; }
};

}  // namespace winnow
