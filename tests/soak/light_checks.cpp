// SPDX-License-Identifier: MIT
#include "tests/soak/light_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "shading/features.h"
#include "shading/light/light_table.h"
#include "shading/texture/texture.h"

namespace winnow {
namespace {

/// A mean and the variance of the mean.
struct MeanEstimate {
  double mean = 0.0, variance = 0.0;
};

/// Estimates the mean from independent samples value(0), ..., value(count - 1).
template <class Value>
MeanEstimate estimate_mean(size_t count, Value value) {
  double sum = 0.0, squares = 0.0;
  for (size_t i = 0; i < count; ++i) {
    const double sample = value(i);
    sum += sample;
    squares += sample * sample;
  }
  const double n = double(count), mean = sum / n;
  return {mean, std::max(squares / n - mean * mean, 0.0) / std::max(n - 1.0, 1.0)};
}

/// Estimates the mean of all pixels and channels from independent renders.
///
/// @param first_seed  seed of the first render; the others have the next ones
MeanEstimate mean_of_renders(const SoakRender& render, RenderSettings settings, uint32_t spp,
                             uint64_t first_seed) {
  constexpr uint32_t kRuns = 16;
  const std::unique_ptr<Renderer> renderer = render.make(render.scene, settings);
  return estimate_mean(kRuns, [&](size_t run) {
    settings.seed = first_seed + run;
    renderer->restart(settings);
    RenderControl control;
    renderer->render_samples(0, spp, control);
    double sum = 0.0;
    const Image image = renderer->film();
    for (const glm::vec3 pixel : image.pixels)
      sum += double(pixel.x) + double(pixel.y) + double(pixel.z);
    return sum / double(3 * image.pixels.size());
  });
}

/// Returns by how many standard deviations two means differ; 0 where rounding explains it.
double sigmas_apart(const MeanEstimate& a, const MeanEstimate& b) {
  constexpr double kRounding = 1e-4;
  const double difference = std::abs(a.mean - b.mean);
  if (difference <= kRounding * std::max(a.mean, b.mean)) return 0.0;
  return difference / std::sqrt(a.variance + b.variance);
}

/// Returns how often a sample chooses a local light by power, relative to a uniform choice: the
/// minimum over all local lights.
float min_relative_light_pmf(const HostScene& scene) {
  const TextureTable textures = build_texture_table(scene);
  const LightTable table = build_light_table(scene, textures.textures, LightChoice::kPower, kMedia);
  float min = 1.0f;
  for (const Light& light : table.local) min = std::min(min, light.pmf * float(table.local.size()));
  return min;
}

/// Two ways to render an image.
struct ImagePair {
  const SoakRender& one;
  RenderSettings one_way;
  const SoakRender& other;
  RenderSettings other_way;
  std::string other_name;  ///< for the message
};

/// Throws Error if the means of two images differ. Rare bright samples can make two equal means
/// look different, so a difference must remain with 4 and then 16 times as many samples.
void expect_same_mean(const ImagePair& pair) {
  constexpr double kFar = 6.0;  // standard deviations
  constexpr uint32_t kSpp = 4, kRounds = 3, kFactor = 4;
  constexpr uint64_t kOtherSeeds = 1000;
  double apart = 0.0;
  MeanEstimate one, other;
  for (uint32_t round = 0, spp = kSpp; round < kRounds; ++round, spp *= kFactor) {
    const uint64_t seed = pair.one.settings.seed + 2 * kOtherSeeds * round;
    one = mean_of_renders(pair.one, pair.one_way, spp, seed);
    other = mean_of_renders(pair.other, pair.other_way, spp, seed + kOtherSeeds);
    apart = sigmas_apart(one, other);
    if (!(apart > kFar)) return;
  }
  throw Error(fmt::format(
      "the image is {:.6g} +- {:.2g} bright in the mean and, with {}, {:.6g} +- {:.2g}: {} and {}",
      one.mean, std::sqrt(one.variance), pair.other_name, other.mean, std::sqrt(other.variance),
      command_of(pair.one, pair.one_way), command_of(pair.other, pair.other_way)));
}

}  // namespace

void check_values(const SoakRender& render, const HostFilm& film) {
  const Image image = mean_radiance(film);
  for (size_t i = 0; i < image.pixels.size(); ++i)
    for (int channel = 0; channel < 3; ++channel)
      if (const float value = image.pixels[i][channel]; !(value >= 0.0f && value < INFINITY))
        throw Error(fmt::format("pixel {},{} is {}: {}", i % image.width, i / image.width, value,
                                command_of(render, render.settings)));
}

void check_furnace(const SoakRender& render) {
  constexpr double kFar = 6.0, kRounding = 1e-3;
  constexpr uint32_t kSpp = 4;
  const MeanEstimate radiance =
      mean_of_renders(render, render.settings, kSpp, render.settings.seed);
  if (!(radiance.mean <= 1.0 + kRounding + kFar * std::sqrt(radiance.variance)))
    throw Error(fmt::format(
        "light is made from nothing: the mean is {:.6g} +- {:.2g} under a sky of 1: {}",
        radiance.mean, std::sqrt(radiance.variance), command_of(render, render.settings)));
}

void check_estimators(const SoakRender& render, Draw& draw) {
  // Few samples may never choose a weak light that alone lights the image, and the variance does
  // not show it.
  constexpr float kMinRelativePmf = 0.05f;
  RenderSettings one = render.settings;
  one.clamp_indirect = INFINITY;
  one.sampler = SamplerType::kHash;
  RenderSettings other = one;
  const auto lights = LightChoice(draw.below(enum_names<LightChoice>().size()));
  if (min_relative_light_pmf(render.scene) >= kMinRelativePmf) other.lights = lights;
  if (draw.one_in(2)) other.roulette = !one.roulette;
  if (draw.one_in(2)) other.sampler = SamplerType::kSobol;
  expect_same_mean({render, one, render, other, "other estimators"});
}

void check_device_agrees(const SoakRender& render, const MakeRenderer& other,
                         const std::string& name) {
  SoakRender there = render;
  there.make = other;
  there.is_on_gpu = !render.is_on_gpu;
  RenderSettings settings = render.settings;
  settings.sampler = SamplerType::kHash;
  expect_same_mean({render, settings, there, settings, name});
}

}  // namespace winnow
