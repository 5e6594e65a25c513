// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "base/instruction_set.h"
#include "base/names.h"
#include "base/render_defaults.h"
#include "bvh/bvh_build.h"
#include "film/film.h"
#include "math/sampler.h"
#include "shading/light_choice.h"
#include "wavefront/state/cull_modes.h"

namespace winnow {

/// How the paths of a wave are traced.
enum class Loop {
  kWave,  ///< all paths by one bounce at a time, stage by stage (Laine et al. 2013)
  kPath,  ///< each thread traces one path to its end: the megakernel baseline
};
template <>
inline constexpr std::array<const char*, 2> kEnumNames<Loop> = {"wave", "path"};

/// Whether entries of the work queue are grouped by the class of their hits before they are shaded:
/// `wavefront/cull/group.h`.
enum class Group {
  kNone,
  kMaterial,
  kAuto,  ///< grouped if Cull::kAuto expects or has measured that it pays
};
template <>
inline constexpr std::array<const char*, 3> kEnumNames<Group> = {"none", "material", "auto"};

/// What launches the stages of a wave on a GPU. The CPU has one driver only.
enum class Driver {
  kGraph,  ///< one CUDA graph with a loop, which the host launches once for each wave
  kHost,   ///< the host, stage by stage
};
template <>
inline constexpr std::array<const char*, 2> kEnumNames<Driver> = {"graph", "host"};

/// What finds the primitives that rays hit on a GPU.
enum class Tracer {
  kBvh,  ///< Winnow's BVH
  kRt,   ///< OptiX, which uses ray-tracing cores; Winnow's own tests compute the hits
  kAuto  ///< the faster of both, as measured in early waves, on a GPU with ray-tracing cores
};
template <>
inline constexpr std::array<const char*, 3> kEnumNames<Tracer> = {"bvh", "rt", "auto"};

struct RenderSettings {
  uint32_t width = kDefaultWidth;    ///< pixels
  uint32_t height = kDefaultHeight;  ///< pixels
  /// Scattering events of a path; 0 shows directly visible light only.
  uint32_t max_bounces = kDefaultMaxBounces;
  uint64_t seed = 0;
  SamplerType sampler = SamplerType::kSobol;
  uint32_t sobol_spp = 0;  ///< samples per pixel at which the noise is blue; 0: very many
  Loop loop = Loop::kWave;
  Cull cull = Cull::kAuto;
  Group group = Group::kAuto;
  Driver driver = Driver::kGraph;
  /// kRt needs Loop::kWave, and the host launches its waves whatever the driver is. The default is
  /// not kAuto, because the film would then depend on measured times where both find different
  /// primitives.
  Tracer tracer = Tracer::kBvh;
  BvhBuild bvh = BvhBuild::kAuto;
  std::string bvh_cache{};       ///< folder for trees of the quality build; empty: no cache
  uint32_t expected_spp = 0;     ///< samples per pixel that a render will have; 0: unknown
  uint32_t expected_frames = 1;  ///< renders of expected_spp each, one after another
  LightChoice lights = LightChoice::kPower;
  bool roulette = true;     ///< whether Russian roulette terminates paths
  bool regenerate = false;  ///< new paths start in the slots of terminated ones; the wave stays
                            ///< full
  /// W sr^-1 m^-2, maximum that light scattered more than once may add to any channel of a sample;
  /// infinite: no clamping.
  float clamp_indirect = INFINITY;
  uint32_t wave_size = 0;  ///< paths in flight, per worker on the CPU; 0: device's default
  InstructionSet instructions = best_instruction_set();  ///< the CPU must have these
  uint32_t threads = 0;           ///< CPU worker threads; 0: one for each hardware thread
  bool measure_stages = false;    ///< fills BounceStats::milliseconds; costs a little
  bool map_terminations = false;  ///< fills HostFilm::terminations and termination_bounces
  bool keep_squares = false;      ///< fills HostFilm::squares
  bool keep_first_hits = false;   ///< fills HostFilm::first_hits, albedo and normal
  bool only_first_hits = false;   ///< traces camera rays alone: with keep_first_hits, fills these
                                  ///< arrays, samples and the count of background, no others
  bool keep_layers = false;       ///< fills HostFilm::layers
  bool keep_background = false;   ///< fills HostFilm::background
  bool keep_cost = false;         ///< fills HostFilm::cost
  bool sample_centers = false;    ///< camera rays pass through the centres of pixels, whatever the
                                  ///< filter of the scene is
  bool record_masks = false;      ///< fills Renderer::alive_masks()

  /// Returns the loop that traces the paths. Steps that many paths take together have no time of a
  /// single path, so costs are measured in the loop that follows each path by itself.
  Loop loop_in_use() const { return keep_cost ? Loop::kPath : loop; }

  bool clamps() const { return clamp_indirect < INFINITY; }

  FilmFeatures film_features() const {
    return {.squares = keep_squares,
            .removed = clamps(),
            .first_hits = keep_first_hits,
            .terminations = map_terminations,
            .layers = keep_layers,
            .background = keep_background,
            .cost = keep_cost};
  }
};

}  // namespace winnow
