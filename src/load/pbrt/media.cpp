// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <glm/common.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/limits.h"
#include "load/pbrt/convert.h"
#include "load/volumes/nvdb.h"
#include "load/volumes/vol.h"
#include "scene/optical_constants.h"
#include "scene/place_meshes.h"

namespace winnow {
namespace {

/// Returns the medium without parameters: milk in version 3; coefficients of 1 in version 4.
Medium default_medium(bool is_old) {
  return is_old ? *find_medium("wholemilk") : Medium{glm::vec3(1.0f), glm::vec3(1.0f)};
}

/// Reads the coefficients of any medium that is not made of colours.
Medium read_coefficients(const PbrtObject& medium) {
  constexpr float kMaxAsymmetry = 0.999f;
  const std::string preset = medium.text("preset");
  const std::optional<Medium> measured = find_medium(preset);
  if (!preset.empty() && !measured)
    medium.warn(fmt::format("the preset {} of a medium is unknown; its coefficients are used",
                            in_quotes(preset)));
  const float scale = std::max(medium.number("scale", 1.0f), 0.0f);
  const bool is_old = medium.context->is_old;
  Medium read = measured ? *measured : default_medium(is_old);
  const glm::vec3 absorption = medium.color("sigma_a", read.absorption),
                  scattering = medium.color("sigma_s", read.scattering);
  // In version 4, a preset replaces the coefficients.
  if (!measured || is_old) {
    read.absorption = absorption;
    read.scattering = scattering;
  }
  read.absorption *= scale;
  read.scattering *= scale;
  read.asymmetry = std::clamp(medium.number("g", 0.0f), -kMaxAsymmetry, kMaxAsymmetry);
  if (!is_near(read.absorption) || !is_near(read.scattering))
    medium.fail("expected coefficients of a medium of at most 1e9 per metre");
  return read;
}

/// The box of a medium between the corners p0 and p1.
struct PbrtBox {
  explicit PbrtBox(const PbrtObject& medium)
      : PbrtBox(medium.point("p0", glm::vec3(0.0f)), medium.point("p1", glm::vec3(1.0f))) {}
  PbrtBox(glm::dvec3 a, glm::dvec3 b) : low(glm::min(a, b)), high(glm::max(a, b)) {}

  /// Returns where the unit cube is that becomes the box.
  glm::dmat4 placed(const PbrtObject& medium, const glm::dmat4& to_world) const {
    const glm::dmat4 result = glm::scale(glm::translate(to_world, low), high - low);
    if (!can_place({glm::vec3(0.0f), glm::vec3(1.0f)}, glm::mat4(result)))
      medium.fail("the box of the medium is flat, or farther away than 1e9 m");
    return result;
  }

  glm::dvec3 low, high;
};

/// Samples in the middles of the cells that divide a box.
struct PbrtSamples {
  glm::uvec3 size{1};             ///< along each axis
  std::span<const float> values;  ///< x is fastest
};

/// Grids of one medium in its box.
class PbrtGrids {
 public:
  PbrtGrids(const PbrtObject& medium, const glm::dmat4& to_world)
      : medium_(medium), to_world_(PbrtBox(medium).placed(medium, to_world)) {
    for (const auto& [name, axis] : {std::pair("nx", 0), std::pair("ny", 1), std::pair("nz", 2)}) {
      const int side = medium.integer(name, 1);
      if (side < 1 || uint64_t(side) > kMaxVolumeSide)
        medium.fail(
            fmt::format("expected a {} from 1 to {}, found {}", name, kMaxVolumeSide, side));
      size_[axis] = uint32_t(side);
    }
  }

  glm::uvec3 size() const { return size_; }
  uint64_t count() const { return uint64_t{size_.x} * size_.y * size_.z; }

  /// Returns the samples of a parameter.
  PbrtSamples samples(const char* name) const {
    const std::span<const float> numbers = medium_.numbers(name);
    if (numbers.size() != count())
      medium_.fail(
          fmt::format("expected {} numbers for the parameter {}, as nx, ny and nz say; "
                      "found {}",
                      count(), in_quotes(name), numbers.size()));
    return checked({size_, numbers});
  }

  /// Returns samples, none of which is negative or too large.
  PbrtSamples checked(PbrtSamples samples) const {
    const auto wrong = std::ranges::find_if_not(
        samples.values, [](float value) { return value >= 0.0f && is_near(glm::vec3(value)); });
    if (wrong == samples.values.end()) return samples;
    const auto i = uint32_t(wrong - samples.values.begin());
    medium_.fail(fmt::format("expected values of a grid from 0 to 1e9, found {} at ({}, {}, {})",
                             *wrong, i % samples.size.x, i / samples.size.x % samples.size.y,
                             i / samples.size.x / samples.size.y));
  }

  /// Adds samples as a grid.
  GridPlacement add(const PbrtSamples& samples, GridBorder border = GridBorder::kCut) const {
    GridVolume grid;
    grid.size = samples.size;
    grid.values = {samples.values.begin(), samples.values.end()};
    try {
      return {.grid = add_grid(medium_.context->scene, grid, border),
              .to_world = glm::mat4x3(glm::mat4(to_world_))};
    } catch (const Error& error) {
      medium_.fail(error.what());
    }
  }

 private:
  const PbrtObject& medium_;
  glm::uvec3 size_{1};
  glm::dmat4 to_world_;
};

/// Adds the density of a "cloud".
void add_cloud(const PbrtObject& medium, const glm::dmat4& to_world, uint32_t index) {
  constexpr float kMaxFrequency = 1e4f;
  const PbrtBox box(medium);
  const glm::dmat4 placed = box.placed(medium, to_world);
  const PbrtCloud cloud{
      .density = std::max(medium.number("density", 1.0f), 0.0f),
      .wispiness = std::max(medium.number("wispiness", 1.0f), 0.0f),
      .frequency = std::clamp(medium.number("frequency", 5.0f), 0.0f, kMaxFrequency)};
  HostScene& scene = medium.context->scene;
  place_grid(scene, index,
             {.grid = add_grid(scene, cloud_volume(cloud, box.low, box.high), GridBorder::kClamp),
              .to_world = glm::mat4x3(glm::mat4(placed))});
}

/// Adds a part to what a medium emits.
void add_part(const PbrtObject& medium, uint32_t index, EmissionPart part,
              const GridPlacement& placement = {}) {
  part.medium = index;
  part.placement = placement;
  medium.context->scene.emission.push_back(std::move(part));
}

float largest_of(const PbrtObject& medium, const GridPlacement& placement) {
  return largest_value(medium.context->scene.grids[placement.grid]);
}

/// Luminance of a spectrum of 1 that pbrt does not normalise as it does those of lights: the
/// integral of the CIE 1931 function of luminance, nm.
constexpr float kLuminanceOfOne = 106.8569f;

/// Returns the emission of black bodies by temperatures. Their spectra have a maximum of 1.
EmissionPart black_bodies(const PbrtObject& medium, float scale, float largest) {
  return black_body_emission(
      {.radiance = glm::vec3(kLuminanceOfOne * std::max(scale, 0.0f)),
       .kelvin = std::max(medium.number("temperaturescale", 1.0f), 0.0f),
       .offset = medium.number("temperatureoffset", medium.number("temperaturecutoff", 0.0f))},
      largest);
}

glm::vec3 read_emitted(const PbrtObject& medium) {
  const glm::vec3 radiance = medium.color("Le", glm::vec3(0.0f), PbrtSpectrumUse::kLight);
  if (!is_near(radiance)) medium.fail("expected an emission of at most 1e9");
  return radiance;
}

void add_homogeneous_emission(const PbrtObject& medium, uint32_t index) {
  const glm::vec3 radiance = std::max(medium.number("Lescale", 1.0f), 0.0f) * read_emitted(medium);
  if (radiance == glm::vec3(0.0f)) return;
  if (!is_near(radiance)) medium.fail("expected an emission of at most 1e9");
  add_part(medium, index, proportional_emission(radiance, 1.0f));
}

/// Adds emission whose channels have a grid each.
/// @param radiances  [sample], x is fastest; over `scale`
void add_channels(const PbrtObject& medium, const PbrtGrids& grids, uint32_t index, glm::uvec3 size,
                  std::span<const glm::vec3> radiances, GridBorder border, float scale = 1.0f) {
  for (int channel = 0; channel < 3; ++channel) {
    std::vector<float> values;
    values.reserve(radiances.size());
    for (const glm::vec3& radiance : radiances) values.push_back(radiance[channel]);
    glm::vec3 color(0.0f);
    color[channel] = scale;
    const GridPlacement placed = grids.add({size, values}, border);
    add_part(medium, index, proportional_emission(color, largest_of(medium, placed)), placed);
  }
}

/// Adds the emission of a "uniformgrid". As in pbrt, a missing "Lescale" is a grid of one sample:
/// the emission fades from the middle of the box to a half in the middle of each face.
void add_grid_emission(const PbrtObject& medium, const PbrtGrids& grids, uint32_t index) {
  constexpr float kOne[] = {1.0f};
  const std::span<const float> scales = medium.numbers("Lescale");
  const PbrtSamples factors = scales.size() > 1
                                  ? grids.samples("Lescale")
                                  : grids.checked({glm::uvec3(1), scales.empty() ? kOne : scales});
  if (medium.has("temperature")) {
    const GridPlacement temperatures = grids.add(grids.samples("temperature"));
    EmissionPart part = black_bodies(medium, 1.0f, largest_of(medium, temperatures));
    part.factors = grids.add(factors);
    return add_part(medium, index, std::move(part), temperatures);
  }
  const glm::vec3 radiance = read_emitted(medium);
  if (radiance == glm::vec3(0.0f)) return;
  const GridPlacement placed = grids.add(factors);
  add_part(medium, index, proportional_emission(radiance, largest_of(medium, placed)), placed);
}

/// Adds the density of a "nanovdb" medium, and its emission by the temperatures of the same file.
void add_nanovdb(const PbrtObject& medium, const std::filesystem::path& path,
                 const glm::dmat4& to_world, uint32_t index) {
  const NvdbFile file(path);
  HostScene& scene = medium.context->scene;
  const auto add = [&](const std::string& name) {
    GridPlacement placed = add_nvdb_grid(scene, file, name, GridBorder::kFade);
    placed.to_world = glm::mat4x3(glm::mat4(to_world) * glm::mat4(placed.to_world));
    return placed;
  };
  place_grid(scene, index, add(medium.text("gridname", "density")));
  const float scale = medium.number("Lescale", 1.0f);
  const std::string temperature = medium.text("temperaturename", "temperature");
  if (scale > 0.0f && (medium.has("temperaturename") || file.has_grid(temperature))) {
    const GridPlacement temperatures = add(temperature);
    add_part(medium, index, black_bodies(medium, scale, largest_of(medium, temperatures)),
             temperatures);
  }
}

/// Adds the grids of an "rgbgrid". One grid of densities scales all channels alike: it is the mean
/// extinction of each sample, and the coefficients are those of the sums over all samples.
void add_rgb_grid(const PbrtObject& medium, const PbrtGrids& grids, uint32_t index) {
  const auto colors = [&](const char* name) {
    const std::span<const float> numbers = medium.numbers(name);
    if (!numbers.empty() && numbers.size() != 3 * grids.count())
      medium.fail(
          fmt::format("expected {} numbers for the parameter {}, as nx, ny and nz say; "
                      "found {}",
                      3 * grids.count(), in_quotes(name), numbers.size()));
    std::vector<glm::vec3> result(grids.count(), glm::vec3(numbers.empty() ? 1.0f : 0.0f));
    for (size_t i = 0; i < numbers.size(); ++i) result[i / 3][int(i % 3)] = numbers[i];
    return result;
  };
  const std::vector<glm::vec3> absorption = colors("sigma_a"), scattering = colors("sigma_s");
  Medium& mean = medium.context->scene.media[index];
  const float scale = std::max(medium.number("scale", 1.0f), 0.0f);
  glm::dvec3 sums[2] = {glm::dvec3(0.0), glm::dvec3(0.0)};
  std::vector<float> densities;
  double total = 0.0;
  for (size_t i = 0; i < absorption.size(); ++i) {
    const glm::vec3 extinction = absorption[i] + scattering[i];
    densities.push_back((extinction.x + extinction.y + extinction.z) / 3.0f);
    total += double(densities.back());
    sums[0] += absorption[i];
    sums[1] += scattering[i];
  }
  place_grid(medium.context->scene, index, grids.add({grids.size(), densities}));
  if (total == 0.0) total = 1.0;
  mean.absorption = scale * glm::vec3(sums[0] / total);
  mean.scattering = scale * glm::vec3(sums[1] / total);
  bool is_mean = false;
  for (size_t i = 0; i < absorption.size() && !is_mean; ++i) {
    constexpr float kNear = 1e-4f;
    const glm::vec3 off =
        glm::max(glm::abs(absorption[i] * scale - densities[i] * mean.absorption),
                 glm::abs(scattering[i] * scale - densities[i] * mean.scattering));
    is_mean = std::max({off.x, off.y, off.z}) > kNear * scale * densities[i];
  }
  if (is_mean) medium.warn("colours that vary in a medium become their mean");
  if (!medium.has("Le")) return;
  const float emission_scale = kLuminanceOfOne * std::max(medium.number("Lescale", 1.0f), 0.0f);
  add_channels(medium, grids, index, grids.size(), colors("Le"), GridBorder::kCut, emission_scale);
}

std::string type_of(const PbrtObject& medium) {
  return medium.text("type", "homogeneous");
}

/// Returns the file of a "nanovdb", or an empty path for another medium that is kept; nothing, with
/// a warning, if the medium is left out.
std::optional<std::filesystem::path> find_kept_file(const PbrtObject& medium) {
  constexpr std::string_view kWithoutFile[] = {"homogeneous", "rgbgrid", "cloud", "heterogeneous",
                                               "uniformgrid"};
  const std::string type = type_of(medium);
  if (type == "nanovdb") return medium.find_file(medium.text("filename"), "the medium is left out");
  if (std::ranges::find(kWithoutFile, type) != std::end(kWithoutFile))
    return std::filesystem::path();
  medium.warn(fmt::format("a medium of the type {} is left out", in_quotes(type)));
  return std::nullopt;
}

}  // namespace

bool keeps_pbrt_medium(const PbrtObject& medium) {
  return find_kept_file(medium).has_value();
}

void define_pbrt_medium(const PbrtObject& medium, const glm::dmat4& to_world) {
  uint32_t& index = medium.context->media[medium.name];
  index = kNoMedium;
  const std::optional<std::filesystem::path> file = find_kept_file(medium);
  if (!file) return;
  const std::string type = type_of(medium);
  const bool has_grid = type == "uniformgrid" || type == "heterogeneous";
  HostScene& scene = medium.context->scene;
  const uint32_t id = medium.context->place_of_medium(medium.name);
  medium.context->later_media.erase(medium.name);  // another of this name has its own place
  scene.media[id] = type == "rgbgrid" ? Medium{} : read_coefficients(medium);
  if (type == "nanovdb") {
    add_nanovdb(medium, *file, to_world, id);
  } else if (type == "cloud") {
    add_cloud(medium, to_world, id);
  } else if (has_grid || type == "rgbgrid") {
    const PbrtGrids grids(medium, to_world);
    if (has_grid) {
      place_grid(scene, id, grids.add(grids.samples("density")));
      add_grid_emission(medium, grids, id);
    } else {
      scene.media[id].asymmetry = std::clamp(medium.number("g", 0.0f), -0.999f, 0.999f);
      add_rgb_grid(medium, grids, id);
    }
  } else {
    add_homogeneous_emission(medium, id);
  }
  index = id;
  medium.warn_about_unused("medium");
}

uint32_t PbrtContext::place_of_medium(const std::string& name) {
  const auto later = later_media.find(name);
  if (later != later_media.end() && later->second != kNoMedium) return later->second;
  const auto id = uint32_t(scene.media.size());
  scene.media.emplace_back();
  if (later != later_media.end()) later->second = id;
  return id;
}

uint32_t PbrtContext::find_medium(const std::string& name, const PbrtPlace& place) {
  if (name.empty()) return kNoMedium;
  if (auto known = media.find(name); known != media.end()) return known->second;
  if (later_media.contains(name)) return place_of_medium(name);
  unknown_media.insert(name);
  warn(place, fmt::format("the medium {} is unknown; it is left out", in_quotes(name)));
  return kNoMedium;
}

}  // namespace winnow
