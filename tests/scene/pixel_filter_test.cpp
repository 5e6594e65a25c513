// SPDX-License-Identifier: MIT
#include "scene/pixel_filter.h"

#include "tests/support/chi_square.h"

namespace winnow {
namespace {

constexpr uint32_t kSampleCount = 200'000;

/// The textbook formulas of the filters over t = x / radius in [-1, 1], not normalized.
double reference(FilterType type, double t) {
  switch (type) {
    case FilterType::kBox:
      return 1.0;
    case FilterType::kTent:
      return 1.0 - std::abs(t);
    case FilterType::kGaussian:
      return std::exp(-t * t / (2.0 / 9.0));  // a deviation of a third
    case FilterType::kBlackmanHarris: {
      const double n = 0.5 + 0.5 * t;  // from the window's left end
      return 0.35875 - 0.48829 * std::cos(2.0 * M_PI * n) + 0.14128 * std::cos(4.0 * M_PI * n) -
             0.01168 * std::cos(6.0 * M_PI * n);
    }
  }
  return 0.0;
}

constexpr FilterDescription kFilters[] = {
    {FilterType::kBox, 0.5f},           {FilterType::kBox, 2.0f},
    {FilterType::kTent, 1.0f},          {FilterType::kTent, 0.3f},
    {FilterType::kGaussian, 1.5f},      {FilterType::kGaussian, 32.0f},
    {FilterType::kBlackmanHarris, 1.5f}};
constexpr int kFilterCount = int(std::size(kFilters));

PixelFilter ready(const FilterDescription& filter) {
  const std::vector<FilterNode>& nodes = filter_table(filter.type);
  return {filter.type, filter.radius, {nodes.data(), nodes.size()}};
}

/// Position of a sample, in radii from the centre of the pixel.
glm::dvec2 in_radii(const PixelFilter& filter, glm::vec2 u) {
  return (glm::dvec2(filter.sample(u)) - 0.5) / double(filter.radius);
}

glm::vec2 uniforms(uint32_t sample) {
  const glm::vec4 u = Sampler{.seed = 3, .sample = sample}.sample4(0);
  return {u.x, u.y};
}

/// Integral of the normalized filter over each of `count` uniform bins from -radius to radius.
std::vector<double> reference_shares(FilterType type, int count) {
  constexpr int kSteps = 1000;  // steps of a bin
  std::vector<double> shares(count);
  double sum = 0.0;
  for (int i = 0; i < count * kSteps; ++i) {
    const double value = reference(type, 2.0 * (i + 0.5) / (count * kSteps) - 1.0);
    shares[i / kSteps] += value;
    sum += value;
  }
  for (double& share : shares) share /= sum;
  return shares;
}

int bin_of(double t, int count) {
  return std::clamp(int((0.5 + 0.5 * t) * count), 0, count - 1);
}

TEST(PixelFilter, SamplesFollowEachAxis) {
  constexpr int kBins = 100;
  for (const FilterDescription& description : kFilters) {
    const PixelFilter filter = ready(description);
    const std::vector<double> shares = reference_shares(description.type, kBins);
    std::vector<HistogramBin> across(kBins), down(kBins);
    for (int bin = 0; bin < kBins; ++bin)
      across[bin].expected = down[bin].expected = shares[bin] * kSampleCount;
    for (uint32_t i = 0; i < kSampleCount; ++i) {
      const glm::dvec2 t = in_radii(filter, uniforms(i));
      across[bin_of(t.x, kBins)].observed += 1.0;
      down[bin_of(t.y, kBins)].observed += 1.0;
    }
    EXPECT_TRUE(fits_density(across, 2 * kFilterCount)) << int(description.type);
    EXPECT_TRUE(fits_density(down, 2 * kFilterCount)) << int(description.type);
  }
}

TEST(PixelFilter, IsTheProductOfItsAxes) {
  constexpr int kBins = 20;
  for (const FilterDescription& description : kFilters) {
    const PixelFilter filter = ready(description);
    const std::vector<double> shares = reference_shares(description.type, kBins);
    std::vector<HistogramBin> bins(kBins * kBins);
    for (int i = 0; i < kBins * kBins; ++i)
      bins[i].expected = shares[i / kBins] * shares[i % kBins] * kSampleCount;
    for (uint32_t i = 0; i < kSampleCount; ++i) {
      const glm::dvec2 t = in_radii(filter, uniforms(i));
      bins[bin_of(t.y, kBins) * kBins + bin_of(t.x, kBins)].observed += 1.0;
    }
    EXPECT_TRUE(fits_density(bins, kFilterCount)) << int(description.type);
  }
}

TEST(PixelFilter, InvertsTheCumulativeFilter) {
  constexpr int kSteps = 200;
  for (const FilterDescription& description : kFilters) {
    const PixelFilter filter = ready(description);
    const std::vector<double> shares = reference_shares(description.type, kSteps);
    double before = 0.0;  // integral of the filter up to here
    for (int i = 1; i < kSteps; ++i) {
      before += shares[i - 1];
      // If the filter is close to 0, rounding of the uniform has a large effect.
      if (shares[i] < 1e-4 || shares[i - 1] < 1e-4) continue;
      const double t = in_radii(filter, glm::vec2(float(before))).x;
      EXPECT_NEAR(t, 2.0 * i / kSteps - 1.0, 5e-4) << int(description.type) << ", " << before;
    }
  }
}

TEST(PixelFilter, StaysWithinItsRadiusAndCoversIt) {
  for (const FilterDescription& description : kFilters) {
    const PixelFilter filter = ready(description);
    for (float u : {0.0f, 0x1p-24f, 0.25f, 0.5f, 0.75f, kOneMinusEpsilon}) {
      const glm::dvec2 t = in_radii(filter, {u, 1.0f - u});
      EXPECT_LE(std::abs(t.x), 1.0 + 1e-6) << u;
      EXPECT_LE(std::abs(t.y), 1.0 + 1e-6) << u;
    }
    EXPECT_LT(in_radii(filter, {0.0f, 0.0f}).x, -0.99);
    EXPECT_GT(in_radii(filter, {0.0f, kOneMinusEpsilon}).y, 0.99);
    EXPECT_NEAR(in_radii(filter, {0.5f, 0.5f}).x, 0.0, 1e-6);
  }
}

TEST(PixelFilter, TheDefaultBoxIsExactlyThePixel) {
  const PixelFilter filter;
  for (uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(filter.sample(uniforms(i)), uniforms(i));
  for (float u : {0.0f, 0x1p-24f, 0.5f, kOneMinusEpsilon})
    EXPECT_EQ(filter.sample({u, u}), glm::vec2(u));
}

TEST(PixelFilter, MeanOfTheSamplesIsTheCentreOfThePixel) {
  constexpr double kSigmas = 5.0;
  for (const FilterDescription& description : kFilters) {
    const PixelFilter filter = ready(description);
    glm::dvec2 sum(0.0);
    for (uint32_t i = 0; i < kSampleCount; ++i) sum += in_radii(filter, uniforms(i));
    const double most = kSigmas / std::sqrt(3.0 * kSampleCount);  // a box spreads most
    EXPECT_NEAR(sum.x / kSampleCount, 0.0, most) << int(description.type);
    EXPECT_NEAR(sum.y / kSampleCount, 0.0, most) << int(description.type);
  }
}

}  // namespace
}  // namespace winnow
