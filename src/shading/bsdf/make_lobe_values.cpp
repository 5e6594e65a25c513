// SPDX-License-Identifier: MIT
// Integrates the lobes numerically and writes the values as a C++ source. The build runs it, so
// that no program spends a second on it at each start.
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "base/lanes.h"
#include "math/sampler.h"
#include "shading/bsdf/lobe_tables.h"
#include "shading/bsdf/rough_dielectric.h"
#include "shading/bsdf/sheen.h"

namespace winnow {
namespace {

constexpr uint32_t kCosines = AlbedoTable::kCosines, kRoughnesses = AlbedoTable::kRoughnesses,
                   kIndices = AlbedoTable::kIndices;
constexpr uint32_t kNodes = kRoughnesses * kCosines;  // [roughness][cosine], for one index

float index_at(uint32_t i, uint32_t count = kIndices) {
  const float x = float(i) / float(count - 1);
  return x < 1.0f ? std::min((1.0f + x) / (1.0f - x), kInfiniteIor) : kInfiniteIor;
}

glm::vec3 direction_at(float cosine) {
  constexpr float kMinCosine = 1e-4f;  // at 0 no facet is visible
  const float z = std::clamp(cosine, kMinCosine, 1.0f);
  return {std::sqrt(1.0f - z * z), 0.0f, z};
}

glm::vec3 node_direction(uint32_t node) {
  const float x = float(node % kCosines) / float(kCosines - 1);
  return direction_at(x * x);
}

float node_roughness(uint32_t node) {
  return float(node / kCosines) / float(kRoughnesses - 1);
}

/// Returns the integral over the cosine c of 2 c f(c), where f is linear between the values of
/// `row`. Nodes are evenly spaced in x with c = x^2, so the integrand over x is 4 x^3 f. Uses
/// Simpson's rule.
float mean_of(const float* row) {
  double mean = 0.0;
  constexpr double kStep = 1.0 / (kCosines - 1);
  for (uint32_t i = 0; i + 1 < kCosines; ++i) {
    const double x0 = i * kStep, x1 = x0 + kStep, middle = 0.5 * (x0 + x1);
    auto cube = [](double x) { return 4.0 * x * x * x; };
    mean += kStep / 6.0 *
            (cube(x0) * row[i] + 4.0 * cube(middle) * 0.5 * (double(row[i]) + row[i + 1]) +
             cube(x1) * row[i + 1]);
  }
  return float(mean);
}

struct VisibleFacet {
  glm::vec3 h;
  float cos_o;
  float g2_g1;  ///< G2 / G1 of its reflection, height-correlated
  float g2_g1_separable;
};

constexpr uint32_t kFacets = 512;
const InstructionSet kInstructionSet = best_instruction_set();

/// Calls step(i) for each of kFacets facets, in the lanes of vectors, with the same bits for every
/// instruction set.
template <class Step>
void in_lanes(const Step& step) {
  run_with(kInstructionSet, [&] {
    const Step local = step;  // so that captured numbers stay in registers
    WINNOW_LANES
    for (uint32_t i = 0; i < kFacets; ++i) local(i);
  });
}

/// Calls use() with the distribution of `facets` as a type, which loops in lanes need.
template <class Use>
void with_distribution(const Microfacets& facets, const Use& use) {
  if (facets.type == MicrofacetDistribution::kBeckmann)
    use(Beckmann{facets.alpha_x, facets.alpha_y});
  else
    use(Ggx{facets.alpha_x, facets.alpha_y});
}

/// Facets visible from one direction, or each from one of its own, in a column for each number.
class VisibleFacets {
 public:
  /// @param direction  wo, by index
  /// @param uniforms   two numbers in [0, 1), by index
  template <class Direction, class Uniforms>
  void sample(const Microfacets& facets, const Direction& direction, const Uniforms& uniforms) {
    for (uint32_t i = 0; i < kFacets; ++i) {
      const glm::vec3 wo = direction(i);
      const glm::vec2 u = uniforms(i);
      wo_[0][i] = wo.x, wo_[1][i] = wo.y, wo_[2][i] = wo.z;
      u_[0][i] = u.x, u_[1][i] = u.y;
    }
    sample(facets);
  }

  /// Samples strata of the facets visible from `wo`.
  ///
  /// @tparam kSectors  sectors of `part`
  /// @param part       part of the circle about `wo`: one half if the other is its mirror image,
  /// else 1
  template <uint32_t kSectors = 16>
  void sample_strata(const Microfacets& facets, glm::vec3 wo, float part = 0.5f) {
    constexpr uint32_t kRings = kFacets / kSectors;
    sample(
        facets, [&](uint32_t) { return wo; },
        [&](uint32_t i) {
          return glm::vec2{(float(i / kSectors) + 0.5f) / kRings,
                           part * ((float(i % kSectors) + 0.5f) / kSectors)};
        });
  }

  VisibleFacet operator[](uint32_t i) const {
    return {{h_[0][i], h_[1][i], h_[2][i]}, cos_o_[i], g2_g1_[i], g2_g1_separable_[i]};
  }

 private:
  void sample(const Microfacets& facets) {
    with_distribution(facets, [this](auto distribution) {
      in_lanes([this, distribution](uint32_t i) {
        const glm::vec3 wo{wo_[0][i], wo_[1][i], wo_[2][i]};
        const glm::vec3 h = distribution.sample_visible(wo, {u_[0][i], u_[1][i]});
        const float cos_o = glm::min(glm::dot(wo, h), 1.0f);
        const glm::vec3 wi = glm::normalize(2.0f * cos_o * h - wo);
        const float s_o = distribution.smith_s(wo), s_i = distribution.smith_s(wi);
        const float correlated = g2_over_g1(Masking::kCorrelated, wo.z, s_o, wi.z, s_i);
        const float separable = g2_over_g1(Masking::kSeparable, wo.z, s_o, wi.z, s_i);
        const bool is_above = wi.z > kMinMicrofacetCosine;
        h_[0][i] = h.x, h_[1][i] = h.y, h_[2][i] = h.z;
        cos_o_[i] = cos_o;
        g2_g1_[i] = is_above ? correlated : 0.0f;
        g2_g1_separable_[i] = is_above ? separable : 0.0f;
      });
    });
  }

  alignas(64) float wo_[3][kFacets], u_[2][kFacets], h_[3][kFacets], cos_o_[kFacets],
      g2_g1_[kFacets], g2_g1_separable_[kFacets];
};

/// Calls use(facet, weight) for stratified samples of the facets visible from `wo`. Parameters as
/// in VisibleFacets::sample_strata().
template <uint32_t kSectors = 16, class Use>
void for_each_facet(const Microfacets& facets, glm::vec3 wo, const Use& use, float part = 0.5f) {
  VisibleFacets visible;
  visible.sample_strata<kSectors>(facets, wo, part);
  for (uint32_t i = 0; i < kFacets; ++i) use(visible[i], 1.0f / kFacets);
}

Microfacets facets_of(float roughness,
                      MicrofacetDistribution distribution = MicrofacetDistribution::kGgx) {
  const float alpha = ggx_alpha(roughness);
  return {distribution, alpha, alpha};
}

Microfacets node_facets(uint32_t node) {
  return facets_of(node_roughness(node));
}

AlbedoValues build_metal() {
  AlbedoValues table{std::vector<float>(kNodes), {}};
  oneapi::tbb::parallel_for(0u, kNodes, [&](uint32_t node) {
    float& value = table.values[node];
    for_each_facet(node_facets(node), node_direction(node),
                   [&](const VisibleFacet& facet, float share) { value += share * facet.g2_g1; });
    value = std::min(value, 1.0f);
  });
  for (uint32_t row = 0; row < kNodes; row += kCosines)
    table.means.push_back(mean_of(&table.values[row]));
  return table;
}

/// Returns G1 of the direction into which a facet refracts `wo`; 0 if it is not below the surface.
template <class Distribution>
float refraction_g1(const Distribution& facets, glm::vec3 wo, const VisibleFacet& facet,
                    float cos_t, float eta) {
  const glm::vec3 wi = refract(wo, facet.h, facet.cos_o, cos_t, eta);
  if (!(wi.z < -kMinMicrofacetCosine)) return 0.0f;
  return 2.0f * -wi.z / (-wi.z + facets.smith_s(wi));
}

/// Returns the energy that leaves a boundary at a facet, single scattering.
float scattered(const Microfacets& facets, glm::vec3 wo, const VisibleFacet& facet, float eta) {
  const Crossing crossing = cross_dielectric(facet.cos_o, eta);
  const float back = crossing.reflected * facet.g2_g1;
  if (crossing.reflected == 1.0f) return back;
  return back + (1.0f - crossing.reflected) * refraction_g1(facets, wo, facet, crossing.cos_t, eta);
}

/// Returns the shares of the azimuths that the nodes of a BrushedTable stand for.
std::array<double, BrushedTable::kAzimuths> azimuth_weights() {
  constexpr int kSteps = 4096;
  std::array<double, BrushedTable::kAzimuths> weights{};
  for (int i = 0; i < kSteps; ++i) {
    const float cosine = std::cos(0.5f * kPi * (float(i) + 0.5f) / kSteps);
    const TableStep step = table_step(std::sqrt(cosine), BrushedTable::kAzimuths);
    weights[step.first] += (1.0 - double(step.fraction)) / kSteps;
    weights[step.first + 1] += double(step.fraction) / kSteps;
  }
  return weights;
}

void build_brushed(LobeValues& tables) {
  // Share of the loss that multiple scattering returns. Between the few nodes, the interpolated
  // loss is up to 1 % too large.
  constexpr float kReturned = 0.98f;
  constexpr uint32_t kAzimuths = BrushedTable::kAzimuths, kRatios = BrushedTable::kRatios;
  constexpr uint32_t kShapes = BrushedTable::kRoughnesses * kRatios;
  for (std::vector<float>* table : {&tables.brushed.values, &tables.brushed_curve,
                                    &tables.brushed_outside, &tables.brushed_inside})
    table->resize(kShapes * kAzimuths * kCosines);
  tables.brushed.means.resize(kShapes);
  const std::array<double, kAzimuths> weights = azimuth_weights();
  const float normal = normal_fresnel(kBrushedCurve);
  oneapi::tbb::parallel_for(0u, kShapes, [&](uint32_t shape) {
    const float larger = float(shape / kRatios) / float(BrushedTable::kRoughnesses - 1);
    const float ratio = float(shape % kRatios) / float(kRatios - 1);
    const Microfacets facets{MicrofacetDistribution::kGgx, ggx_alpha(larger),
                             ggx_alpha(larger * ratio)};
    for (uint32_t azimuth = 0; azimuth < kAzimuths; ++azimuth) {
      const float x = float(azimuth) / float(kAzimuths - 1);
      const float along = x * x, across = std::sqrt(1.0f - along * along);
      const uint32_t row = (shape * kAzimuths + azimuth) * kCosines;
      for (uint32_t i = 0; i < kCosines; ++i) {
        const float sine = node_direction(i).x;
        const glm::vec3 wo{along * sine, across * sine, node_direction(i).z};
        float white = 0.0f, curve = 0.0f, outside = 0.0f, inside = 0.0f;
        const auto add = [&](const VisibleFacet& facet, float share) {
          const float fresnel = cross_dielectric(facet.cos_o, kBrushedCurve).reflected;
          white += share * facet.g2_g1;
          curve += share * facet.g2_g1 * (fresnel - normal) / (1.0f - normal);
          outside += share * scattered(facets, wo, facet, kBrushedCurve);
          inside += share * scattered(facets, wo, facet, 1.0f / kBrushedCurve);
        };
        for_each_facet<32>(facets, wo, add, 1.0f);
        tables.brushed.values[row + i] = 1.0f - kReturned * std::max(1.0f - white, 0.0f);
        tables.brushed_curve[row + i] = std::clamp(curve, 0.0f, 1.0f);
        tables.brushed_outside[row + i] = kReturned * std::max(1.0f - outside, 0.0f);
        tables.brushed_inside[row + i] = kReturned * std::max(1.0f - inside, 0.0f);
      }
      tables.brushed.means[shape] +=
          float(weights[azimuth] * double(mean_of(&tables.brushed.values[row])));
    }
  });
}

void build_boundary(LobeValues& tables) {
  for (std::vector<float>* table : {&tables.boundary, &tables.outside_loss, &tables.inside_loss})
    table->resize(kIndices * kNodes);
  oneapi::tbb::parallel_for(0u, kNodes, [&](uint32_t node) {
    const Microfacets facets = node_facets(node);
    const glm::vec3 wo = node_direction(node);
    std::array<float, kIndices> reflected{}, outside{}, inside{};
    for_each_facet(facets, wo, [&](const VisibleFacet& facet, float share) {
      for (uint32_t i = 0; i < kIndices; ++i) {
        reflected[i] +=
            share * (cross_dielectric(facet.cos_o, index_at(i)).reflected * facet.g2_g1);
        outside[i] += share * scattered(facets, wo, facet, index_at(i));
        inside[i] += share * scattered(facets, wo, facet, 1.0f / index_at(i));
      }
    });
    for (uint32_t i = 0; i < kIndices; ++i) {
      tables.boundary[i * kNodes + node] = std::min(reflected[i], 1.0f);
      tables.outside_loss[i * kNodes + node] = std::max(1.0f - outside[i], 0.0f);
      tables.inside_loss[i * kNodes + node] = std::max(1.0f - inside[i], 0.0f);
    }
  });
}

/// Returns how much of diffuse light a surface with separable masking reflects without its Fresnel
/// term, by the cosine between light and facet: a histogram over [0, 1], with a sum of at most 1.
std::vector<double> cosines_of_reflection(const Microfacets& facets) {
  constexpr uint32_t kPoints = 1u << 16, kBins = 2048;
  std::vector<double> histogram(kBins);
  auto coordinate = [](uint32_t digits) {
    return uniform_float(reverse_bits(digits)) + 0.5f / kPoints;
  };
  VisibleFacets visible;
  for (uint32_t first = 0; first < kPoints; first += kFacets) {
    visible.sample(
        facets, [&](uint32_t i) { return direction_at(std::sqrt(coordinate(first + i))); },
        [&](uint32_t i) {
          return glm::vec2{coordinate(sobol_second(first + i)),
                           0.5f * coordinate(sobol_third(first + i))};
        });
    for (uint32_t i = 0; i < kFacets; ++i) {
      const VisibleFacet facet = visible[i];
      const uint32_t bin = std::min(uint32_t(facet.cos_o * kBins), kBins - 1);
      histogram[bin] += double(facet.g2_g1_separable) / kPoints;
    }
  }
  return histogram;
}

/// The values of a PlasticTable::Side.
class PlasticBuilder {
 public:
  PlasticBuilder(MicrofacetDistribution distribution, bool is_below)
      : distribution_(distribution), is_below_(is_below) {}

  AlbedoValues build() {
    AlbedoValues table{std::vector<float>(kIndices * kRoughnesses * kCosines),
                       std::vector<float>(kInternalIndices * kRoughnesses)};
    oneapi::tbb::parallel_for(0u, kRoughnesses, [&](uint32_t roughness) {
      const std::vector<double> cosines = cosines_of_reflection(facets_at(roughness));
      for (uint32_t i = 0; i < kInternalIndices; ++i) {
        const float ior = ior_at(i, kInternalIndices);
        table.means[i * kRoughnesses + roughness] =
            float((1.0 - mean_reflectance(cosines, 1.0f / ior)) * std::max(ior * ior, 1.0f));
      }
    });
    oneapi::tbb::parallel_for(0u, kRoughnesses * kCosines, [&](uint32_t row) {
      const Microfacets facets = facets_at(row / kCosines);
      const float coordinate = float(row % kCosines) / float(kCosines - 1);
      glm::vec3 wo;
      VisibleFacets visible;
      for (uint32_t i = 0; i < kIndices; ++i) {
        if (i == 0 || is_below_) {  // above 1, the coordinate does not depend on the index
          wo = direction_at(PlasticTable::cosine_at(coordinate, ior_at(i, kIndices)));
          visible.sample_strata(facets, wo);
        }
        table.values[i * kRoughnesses * kCosines + row] =
            mean_transmittance(facets, wo, visible, ior_at(i, kIndices));
      }
    });
    return table;
  }

 private:
  static constexpr uint32_t kCosines = PlasticTable::kCosines,
                            kRoughnesses = PlasticTable::kRoughnesses,
                            kIndices = PlasticTable::kIndices,
                            kInternalIndices = PlasticTable::kInternalIndices;

  float ior_at(uint32_t i, uint32_t count) const {
    constexpr float kLeast = 1.001f;  // at 1, light has no critical angle
    return is_below_ ? 1.0f / std::max(index_at(i, count), kLeast) : index_at(i, count);
  }
  Microfacets facets_at(uint32_t roughness) const {
    return facets_of(float(roughness) / float(kRoughnesses - 1), distribution_);
  }

  /// @param cosines  cosines_of_reflection()
  static double mean_reflectance(const std::vector<double>& cosines, float eta) {
    double mean = 0.0;
    for (size_t bin = 0; bin < cosines.size(); ++bin) {
      const float cosine = (float(bin) + 0.5f) / float(cosines.size());
      mean += cosines[bin] * double(cross_dielectric(cosine, eta).reflected);
    }
    return mean;
  }

  static float mean_transmittance(const Microfacets& facets, glm::vec3 wo,
                                  const VisibleFacets& visible, float ior) {
    alignas(64) float transmitted[kFacets];
    with_distribution(facets, [&](auto distribution) {
      in_lanes([=, &visible, &transmitted](uint32_t i) {
        const VisibleFacet facet = visible[i];
        const Crossing crossing = cross_dielectric(facet.cos_o, ior);
        const float g1 = refraction_g1(distribution, wo, facet, crossing.cos_t, ior);
        transmitted[i] = crossing.reflected < 1.0f ? (1.0f - crossing.reflected) * g1 : 0.0f;
      });
    });
    return std::accumulate(transmitted, transmitted + kFacets, 0.0f) / kFacets;
  }

  MicrofacetDistribution distribution_;
  bool is_below_;
};

std::vector<float> build_sheen() {
  constexpr int kRings = 64, kSectors = 32;
  std::vector<float> table(kNodes);
  oneapi::tbb::parallel_for(0u, kNodes, [&](uint32_t node) {
    const glm::vec3 wo = node_direction(node);
    float& value = table[node];
    for (int ring = 0; ring < kRings; ++ring)
      for (int sector = 0; sector < kSectors; ++sector) {
        const float z = (float(ring) + 0.5f) / kRings, r = std::sqrt(1.0f - z * z);
        const float phi = kPi * (float(sector) + 0.5f) / kSectors;
        const glm::vec3 wi{r * std::cos(phi), r * std::sin(phi), z};
        value += eval_sheen(node_roughness(node), wo, wi) * z * kTwoPi / (kRings * kSectors);
      }
  });
  return table;
}

LobeValues integrate_lobes() {
  LobeValues tables;
  tables.metal = build_metal();
  tables.sheen = build_sheen();
  build_boundary(tables);
  build_brushed(tables);
  for (const bool is_beckmann : {false, true})
    for (const bool is_below : {false, true}) {
      const MicrofacetDistribution distribution =
          is_beckmann ? MicrofacetDistribution::kBeckmann : MicrofacetDistribution::kGgx;
      tables.plastic[is_beckmann][is_below] = PlasticBuilder(distribution, is_below).build();
    }
  return tables;
}

/// Writes the number of values and the values of each table.
void write_source(const LobeValues& tables, std::FILE* out) {
  std::fputs("#include \"shading/bsdf/lobe_tables.h\"\nconst float winnow::kLobeValues[] = {\n",
             out);
  for_each_table(tables, [&](const std::vector<float>& table) {
    std::fprintf(out, "%zu", table.size());
    for (const float value : table) std::fprintf(out, ",%af", double(value));
    std::fputs(",\n", out);
  });
  std::fputs("};\n", out);
}

}  // namespace
}  // namespace winnow

int main(int argc, char** argv) {
  std::FILE* out = argc == 2 ? std::fopen(argv[1], "w") : nullptr;
  if (!out) {
    std::fputs("usage: make_lobe_values FILE.cpp\n", stderr);
    return 1;
  }
  winnow::write_source(winnow::integrate_lobes(), out);
  return std::fclose(out) != 0;
}
