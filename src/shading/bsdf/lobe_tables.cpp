// SPDX-License-Identifier: MIT
#include "shading/bsdf/lobe_tables.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "shading/bsdf/rough_dielectric.h"
#include "shading/bsdf/sheen.h"

namespace winnow {
namespace {

constexpr uint32_t kCosines = AlbedoTable::kCosines, kRoughnesses = AlbedoTable::kRoughnesses,
                   kIndices = AlbedoTable::kIndices;

float node_cosine(uint32_t node) {
  constexpr float kMinCosine = 1e-4f;  // at 0 no facet is visible
  const float x = float(node) / float(kCosines - 1);
  return std::max(x * x, kMinCosine);
}

float node_roughness(uint32_t node) {
  return float(node) / float(kRoughnesses - 1);
}

float node_index(uint32_t node) {
  constexpr float kMaxIndex = 1000.0f;  // of the last node, which stands for infinity
  const float x = float(node) / float(kIndices - 1);
  return x < 1.0f ? std::min((1.0f + x) / (1.0f - x), kMaxIndex) : kMaxIndex;
}

glm::vec3 direction_at(float cosine) {
  return {std::sqrt(1.0f - cosine * cosine), 0.0f, cosine};
}

/// Twice the integral over the cosine of the cosine times a piecewise linear function. Nodes are
/// evenly spaced in x with the cosine x^2, so that is the integral over x of 4 x^3 times the
/// function; by Simpson's rule.
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

std::vector<float> means_of(const std::vector<float>& values) {
  std::vector<float> means;
  for (size_t row = 0; row < values.size(); row += kCosines)
    means.push_back(mean_of(values.data() + row));
  return means;
}

/// A microfacet that is visible from a direction.
struct VisibleFacet {
  glm::vec3 h;
  float cos_o;
  float g2_g1;  ///< G2 / G1 of its reflection, height-correlated
  float g2_g1_separable;
};

/// Calls use(facet, weight) for stratified samples of the facets visible from `wo`.
///
/// @tparam kSectors  of one half; the other half is its mirror image
template <int kRings = 32, int kSectors = 16, class Use>
void for_each_facet(const Microfacets& facets, glm::vec3 wo, const Use& use) {
  const float s_o = facets.smith_s(wo);
  for (int ring = 0; ring < kRings; ++ring)
    for (int sector = 0; sector < kSectors; ++sector) {
      const glm::vec2 u{(float(ring) + 0.5f) / kRings, 0.5f * (float(sector) + 0.5f) / kSectors};
      const glm::vec3 h = facets.sample_visible(wo, u);
      const float cos_o = std::min(glm::dot(wo, h), 1.0f);
      const glm::vec3 wi = glm::normalize(2.0f * cos_o * h - wo);
      VisibleFacet facet{h, cos_o, 0.0f, 0.0f};
      if (wi.z > kMinMicrofacetCosine) {
        const float s_i = facets.smith_s(wi);
        facet.g2_g1 = g2_over_g1(Masking::kCorrelated, wo.z, s_o, wi.z, s_i);
        facet.g2_g1_separable = g2_over_g1(Masking::kSeparable, wo.z, s_o, wi.z, s_i);
      }
      use(facet, 1.0f / (kRings * kSectors));
    }
}

/// Calls fill(roughness, cosine) for all pairs of nodes, in parallel.
template <class Fill>
void for_each_node(const Fill& fill) {
  oneapi::tbb::parallel_for(0u, kRoughnesses * kCosines, [&](uint32_t node) {
    const uint32_t roughness = node / kCosines, cosine = node % kCosines;
    fill(roughness, cosine);
  });
}

size_t node_offset(uint32_t index, uint32_t roughness, uint32_t cosine) {
  return (size_t(index) * kRoughnesses + roughness) * kCosines + cosine;
}

Microfacets node_facets(uint32_t roughness,
                        MicrofacetDistribution distribution = MicrofacetDistribution::kGgx) {
  const float alpha = ggx_alpha(node_roughness(roughness));
  return {distribution, alpha, alpha};
}

AlbedoValues build_metal() {
  AlbedoValues table{std::vector<float>(kRoughnesses * kCosines), {}};
  for_each_node([&](uint32_t roughness, uint32_t cosine) {
    float& value = table.values[node_offset(0, roughness, cosine)];
    for_each_facet(node_facets(roughness), direction_at(node_cosine(cosine)),
                   [&](const VisibleFacet& facet, float share) { value += share * facet.g2_g1; });
    value = std::min(value, 1.0f);
  });
  table.means = means_of(table.values);
  return table;
}

/// G1 of the direction into which a facet refracts `wo`; 0 if it is not below the surface.
float refraction_g1(const Microfacets& facets, glm::vec3 wo, const VisibleFacet& facet, float cos_t,
                    float eta) {
  const glm::vec3 wi = refract(wo, facet.h, facet.cos_o, cos_t, eta);
  if (!(wi.z < -kMinMicrofacetCosine)) return 0.0f;
  return 2.0f * -wi.z / (-wi.z + facets.smith_s(wi));
}

struct Boundary {
  AlbedoValues reflected, outside_loss, inside_loss;
};

Boundary build_boundary() {
  const std::vector<float> zeros(kIndices * kRoughnesses * kCosines);
  Boundary tables{{zeros, {}}, {zeros, {}}, {zeros, {}}};
  for_each_node([&](uint32_t roughness, uint32_t cosine) {
    const Microfacets facets = node_facets(roughness);
    const glm::vec3 wo = direction_at(node_cosine(cosine));
    std::array<float, kIndices> reflected{}, outside{}, inside{};
    for_each_facet(facets, wo, [&](const VisibleFacet& facet, float share) {
      for (uint32_t i = 0; i < kIndices; ++i) {
        auto leaves = [&](float eta, float* reflected_share) {
          const Crossing crossing = cross_dielectric(facet.cos_o, eta);
          const float back = crossing.reflected * facet.g2_g1;
          if (reflected_share) *reflected_share += share * back;
          if (crossing.reflected == 1.0f) return share * back;
          return share * (back + (1.0f - crossing.reflected) *
                                     refraction_g1(facets, wo, facet, crossing.cos_t, eta));
        };
        outside[i] += leaves(node_index(i), &reflected[i]);
        inside[i] += leaves(1.0f / node_index(i), nullptr);
      }
    });
    for (uint32_t i = 0; i < kIndices; ++i) {
      tables.reflected.values[node_offset(i, roughness, cosine)] = std::min(reflected[i], 1.0f);
      tables.outside_loss.values[node_offset(i, roughness, cosine)] =
          std::max(1.0f - outside[i], 0.0f);
      tables.inside_loss.values[node_offset(i, roughness, cosine)] =
          std::max(1.0f - inside[i], 0.0f);
    }
  });
  for (AlbedoValues* table : {&tables.reflected, &tables.outside_loss, &tables.inside_loss})
    table->means = means_of(table->values);
  return tables;
}

const Boundary& boundary() {
  static const Boundary tables = build_boundary();
  return tables;
}

/// [index] Cosine-weighted mean reflectance, from inside, of boundaries with separable masking.
std::array<float, kIndices> mean_internal_reflectances(const Microfacets& facets) {
  constexpr int kSteps = 256;  // many: the reflectance has a corner at the critical angle
  std::array<float, kIndices> means{};
  for (int step = 0; step < kSteps; ++step) {
    const float cosine = (float(step) + 0.5f) / kSteps;
    for_each_facet<8, 4>(facets, direction_at(cosine), [&](const VisibleFacet& facet, float share) {
      for (uint32_t i = 0; i < kIndices; ++i)
        means[i] += share * facet.g2_g1_separable *
                    cross_dielectric(facet.cos_o, 1.0f / node_index(i)).reflected *
                    (2.0f * cosine / kSteps);
    });
  }
  return means;
}

AlbedoValues build_plastic(MicrofacetDistribution distribution) {
  AlbedoValues table{std::vector<float>(kIndices * kRoughnesses * kCosines),
                     std::vector<float>(kIndices * kRoughnesses)};
  for_each_node([&](uint32_t roughness, uint32_t cosine) {
    const Microfacets facets = node_facets(roughness, distribution);
    const glm::vec3 wo = direction_at(node_cosine(cosine));
    for_each_facet(facets, wo, [&](const VisibleFacet& facet, float share) {
      for (uint32_t i = 0; i < kIndices; ++i) {
        const Crossing crossing = cross_dielectric(facet.cos_o, node_index(i));
        table.values[node_offset(i, roughness, cosine)] +=
            share * (1.0f - crossing.reflected) *
            refraction_g1(facets, wo, facet, crossing.cos_t, node_index(i));
      }
    });
  });
  oneapi::tbb::parallel_for(0u, kRoughnesses, [&](uint32_t roughness) {
    const auto reflected = mean_internal_reflectances(node_facets(roughness, distribution));
    for (uint32_t i = 0; i < kIndices; ++i)
      table.means[i * kRoughnesses + roughness] =
          (1.0f - reflected[i]) * node_index(i) * node_index(i);
  });
  return table;
}

AlbedoValues build_sheen() {
  constexpr int kRings = 64, kSectors = 32;
  AlbedoValues table{std::vector<float>(kRoughnesses * kCosines), {}};
  for_each_node([&](uint32_t roughness, uint32_t cosine) {
    const glm::vec3 wo = direction_at(node_cosine(cosine));
    float& value = table.values[node_offset(0, roughness, cosine)];
    for (int ring = 0; ring < kRings; ++ring)
      for (int sector = 0; sector < kSectors; ++sector) {
        const float z = (float(ring) + 0.5f) / kRings, r = std::sqrt(1.0f - z * z);
        const float phi = kPi * (float(sector) + 0.5f) / kSectors;
        const glm::vec3 wi{r * std::cos(phi), r * std::sin(phi), z};
        value += eval_sheen(node_roughness(roughness), wo, wi) * z * kTwoPi / (kRings * kSectors);
      }
  });
  return table;
}

}  // namespace

const AlbedoValues& metal_albedo() {
  static const AlbedoValues table = build_metal();
  return table;
}

const AlbedoValues& boundary_albedo() {
  return boundary().reflected;
}

const AlbedoValues& outside_loss() {
  return boundary().outside_loss;
}

const AlbedoValues& inside_loss() {
  return boundary().inside_loss;
}

const AlbedoValues& plastic_transmittance() {
  static const AlbedoValues table = build_plastic(MicrofacetDistribution::kGgx);
  return table;
}

const AlbedoValues& beckmann_plastic_transmittance() {
  static const AlbedoValues table = build_plastic(MicrofacetDistribution::kBeckmann);
  return table;
}

const AlbedoValues& sheen_albedo() {
  static const AlbedoValues table = build_sheen();
  return table;
}

}  // namespace winnow
