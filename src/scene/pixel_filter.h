// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <vector>

#include "base/names.h"
#include "compaction/simt/qualifiers.h"
#include "compaction/simt/span.h"
#include "math/constants.h"
#include "math/sampling.h"

// Filter importance sampling: the samples of a pixel are distributed around its centre with the
// density of the filter and have equal weights, so each sample belongs to one pixel. Ernst,
// Stamminger & Greiner, "Filter Importance Sampling", 2006.

namespace winnow {

/// Filters along one axis; the filter of a pixel is the product of two. None has negative values.
enum class FilterType {
  kBox,
  kTent,
  kGaussian,        ///< truncated at its radius of three standard deviations
  kBlackmanHarris,  ///< four-term window. Harris, "On the Use of Windows ...", 1978
};

template <>
inline constexpr std::array<const char*, 4> kEnumNames<FilterType> = {"box", "tent", "gaussian",
                                                                      "blackman-harris"};

inline constexpr float kMaxFilterRadius = 32.0f;  ///< pixels

struct FilterDescription {
  FilterType type = FilterType::kBox;
  float radius = 0.5f;  ///< pixels, (0, kMaxFilterRadius]; beyond it the filter is 0
};

/// Returns the default radius of a filter, in pixels.
float default_filter_radius(FilterType type);

/// A node of a piecewise linear density.
struct FilterNode {
  float cumulative = 0.0f;  ///< integral of the density up to the node, [0, 1]
  float density = 0.0f;     ///< not normalized
};

/// Returns a filter at uniform steps from its centre to its radius. The table has static lifetime;
/// it is empty for box and tent, which have closed forms.
const std::vector<FilterNode>& filter_table(FilterType type);

struct PixelFilter {
  FilterType type = FilterType::kBox;
  float radius = 0.5f;                   ///< pixels
  simt::Span<const FilterNode> nodes{};  ///< filter_table(type)

  /// Returns the position of a sample on the film, in pixels from its pixel's upper left corner.
  SIMT_HOST_DEVICE glm::vec2 sample(glm::vec2 u) const {
    // With a radius of half a pixel this is exactly u.
    if (type == FilterType::kBox) return (0.5f - radius) + 2.0f * radius * u;
    return 0.5f + radius * glm::vec2(sample_axis(u.x), sample_axis(u.y));
  }

 private:
  /// Returns the inverse of the cumulative filter of radius 1.
  SIMT_HOST_DEVICE float sample_axis(float u) const {
    const float v = glm::min(std::abs(2.0f * u - 1.0f), kOneMinusEpsilon);
    const float distance =
        type == FilterType::kTent ? sample_linear(v, 1.0f, 0.0f) : sample_nodes(v);
    return u < 0.5f ? -distance : distance;
  }

  SIMT_HOST_DEVICE float sample_nodes(float v) const {
    const auto steps = uint32_t(nodes.size - 1);
    uint32_t first = 0, count = steps;  // the interval is one of these steps
    while (count > 1) {
      const uint32_t half = count / 2;
      const bool later = nodes[first + half].cumulative <= v;
      first += later ? half : 0;
      count = later ? count - half : half;
    }
    const FilterNode a = nodes[first], b = nodes[first + 1];
    const float rest = (v - a.cumulative) / (b.cumulative - a.cumulative);
    return (float(first) + sample_linear(rest, a.density, b.density)) / float(steps);
  }
};

}  // namespace winnow
