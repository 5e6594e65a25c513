// SPDX-License-Identifier: MIT
#include "scene/pixel_filter.h"

namespace winnow {
namespace {

/// Returns the filter at `t` times its radius, not normalized.
double gaussian(double t) {
  constexpr double kDeviations = 3.0;  // standard deviations within the radius
  return std::exp(-0.5 * kDeviations * kDeviations * t * t);
}

double blackman_harris(double t) {
  return 0.35875 + 0.48829 * std::cos(M_PI * t) + 0.14128 * std::cos(2.0 * M_PI * t) +
         0.01168 * std::cos(3.0 * M_PI * t);
}

std::vector<FilterNode> make_table(double (*filter)(double)) {
  // With 64 steps the density is within 0.3 % of a Gaussian.
  constexpr uint32_t kSteps = 64;
  std::vector<double> densities, cumulative;
  for (uint32_t i = 0; i <= kSteps; ++i) {
    densities.push_back(filter(double(i) / kSteps));
    cumulative.push_back(i == 0 ? 0.0
                                : cumulative.back() + 0.5 * (densities[i - 1] + densities[i]));
  }
  std::vector<FilterNode> nodes;
  for (uint32_t i = 0; i <= kSteps; ++i)
    nodes.push_back({float(cumulative[i] / cumulative.back()), float(densities[i])});
  return nodes;
}

}  // namespace

float default_filter_radius(FilterType type) {
  constexpr float kRadii[] = {0.5f, 1.0f, 1.5f, 1.5f};  // [FilterType]
  return kRadii[size_t(type)];
}

const std::vector<FilterNode>& filter_table(FilterType type) {
  static const std::vector<FilterNode> none, of_gaussian = make_table(gaussian),
                                             of_blackman_harris = make_table(blackman_harris);
  if (type == FilterType::kGaussian) return of_gaussian;
  return type == FilterType::kBlackmanHarris ? of_blackman_harris : none;
}

}  // namespace winnow
