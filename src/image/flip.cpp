// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/mat3x3.hpp>
#include <numeric>

#include "base/error.h"
#include "image/compare.h"
#include "math/constants.h"

namespace winnow {
namespace {

/// Resolution of a screen 0.7 m and 3840 pixels wide, seen from 0.7 m.
constexpr float kPixelsPerDegree = 3840.0f * kPi / 180.0f;

struct Plane {
  int width, height;
  std::vector<float> values;

  Plane(int w, int h) : width(w), height(h), values(size_t(w) * size_t(h)) {}
};

/// Weights of a filter along one axis, for pixels -radius to radius.
using Kernel = std::vector<float>;

/// Convolves along one axis; pixels beyond the border take the value of the nearest border pixel.
Plane convolve(const Plane& plane, const Kernel& kernel, bool along_x) {
  const int radius = int(kernel.size()) / 2;
  const int last = (along_x ? plane.width : plane.height) - 1;
  const ptrdiff_t step = along_x ? 1 : plane.width;
  Plane result(plane.width, plane.height);
  for (int y = 0; y < plane.height; ++y)
    for (int x = 0; x < plane.width; ++x) {
      const int place = along_x ? x : y;
      const ptrdiff_t pixel = ptrdiff_t(y) * plane.width + x;
      const float* first = plane.values.data() + (pixel - place * step);
      float sum = 0.0f;
      for (int k = -radius; k <= radius; ++k)
        sum += kernel[size_t(k + radius)] * first[std::clamp(place + k, 0, last) * step];
      result.values[size_t(pixel)] = sum;
    }
  return result;
}

Plane convolve(const Plane& plane, const Kernel& along_x, const Kernel& along_y) {
  return convolve(convolve(plane, along_x, true), along_y, false);
}

template <class F>
Kernel make_kernel(int radius, F weight) {
  Kernel kernel;
  for (int k = -radius; k <= radius; ++k) kernel.push_back(weight(float(k)));
  return kernel;
}

float sum_of(const Kernel& kernel) {
  return std::accumulate(kernel.begin(), kernel.end(), 0.0f);
}

const glm::mat3 kXyzFromRgb = glm::transpose(glm::mat3(0.4124564f, 0.3575761f, 0.1804375f,  //
                                                       0.2126729f, 0.7151522f, 0.0721750f,  //
                                                       0.0193339f, 0.1191920f, 0.9503041f));
const glm::vec3 kWhite = kXyzFromRgb * glm::vec3(1.0f);

/// Converts to YCxCz opponent colours: lightness, red-green and blue-yellow, linear in the colour.
glm::vec3 opponents(glm::vec3 rgb) {
  const glm::vec3 xyz = kXyzFromRgb * rgb / kWhite;
  return {116.0f * xyz.y - 16.0f, 500.0f * (xyz.x - xyz.y), 200.0f * (xyz.y - xyz.z)};
}

glm::vec3 rgb_of_opponents(glm::vec3 c) {
  const float y = (c.x + 16.0f) / 116.0f;
  return glm::inverse(kXyzFromRgb) * (glm::vec3(y + c.y / 500.0f, y, y - c.z / 200.0f) * kWhite);
}

/// Converts to CIE L*a*b* with chroma scaled by lightness (the Hunt effect).
glm::vec3 perceived(glm::vec3 rgb) {
  constexpr float kDelta = 6.0f / 29.0f;
  glm::vec3 f = kXyzFromRgb * rgb / kWhite;
  for (int i = 0; i < 3; ++i)
    f[i] = f[i] > kDelta * kDelta * kDelta ? std::cbrt(f[i])
                                           : f[i] / (3.0f * kDelta * kDelta) + 4.0f / 29.0f;
  const float lightness = 116.0f * f.y - 16.0f, hunt = 0.01f * lightness;
  return {lightness, hunt * 500.0f * (f.x - f.y), hunt * 200.0f * (f.y - f.z)};
}

/// Returns the HyAB distance of two colours, raised to a power that expands small differences.
float color_distance(glm::vec3 a, glm::vec3 b) {
  constexpr float kPower = 0.7f;
  const glm::vec3 d = glm::abs(a - b);
  return std::pow(d.x + std::sqrt(d.y * d.y + d.z * d.z), kPower);
}

/// Contrast sensitivity function of an opponent channel: a sum of Gaussians.
struct Sensitivity {
  float weight1, width1, weight2, width2;
};
constexpr Sensitivity kSensitivities[] = {
    {1.0f, 0.0047f, 0.0f, 1e-5f}, {1.0f, 0.0053f, 0.0f, 1e-5f}, {34.1f, 0.04f, 13.5f, 0.025f}};

Plane filter_by(const Plane& plane, const Sensitivity& sensitivity) {
  // Three standard deviations of the widest Gaussian.
  const int radius = int(std::ceil(3.0f * std::sqrt(0.04f / 2.0f) / kPi * kPixelsPerDegree));
  Plane sum(plane.width, plane.height);
  float total = 0.0f;
  auto add = [&](float weight, float width) {
    if (weight == 0.0f) return;
    const Kernel kernel = make_kernel(radius, [&](float k) {
      const float degrees = k / kPixelsPerDegree;
      return std::exp(-kPi * kPi * degrees * degrees / width);
    });
    const float scale = weight * std::sqrt(kPi / width);
    total += scale * sum_of(kernel) * sum_of(kernel);
    const Plane part = convolve(plane, kernel, kernel);
    for (size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += scale * part.values[i];
  };
  add(sensitivity.weight1, sensitivity.width1);
  add(sensitivity.weight2, sensitivity.width2);
  for (float& value : sum.values) value /= total;
  return sum;
}

struct Features {
  Plane edges, points;
};

Plane length_of(const Plane& x, const Plane& y) {
  Plane result(x.width, x.height);
  for (size_t i = 0; i < result.values.size(); ++i)
    result.values[i] = std::sqrt(x.values[i] * x.values[i] + y.values[i] * y.values[i]);
  return result;
}

/// Scales a kernel so that its positive weights sum to 1 and its negative weights to -1.
Kernel balanced(Kernel kernel) {
  float above = 0.0f, below = 0.0f;
  for (float weight : kernel) (weight > 0.0f ? above : below) += weight;
  for (float& weight : kernel) weight /= weight > 0.0f ? above : -below;
  return kernel;
}

Features find_features(const Plane& lightness) {
  constexpr float kWidth = 0.082f;  // degrees
  const float deviation = 0.5f * kWidth * kPixelsPerDegree;
  const int radius = int(std::ceil(3.0f * deviation));
  auto gaussian = [&](float k) { return std::exp(-k * k / (2.0f * deviation * deviation)); };
  Kernel smooth = make_kernel(radius, gaussian);
  const float sum = sum_of(smooth);
  for (float& weight : smooth) weight /= sum;
  const Kernel edge = balanced(make_kernel(radius, [&](float k) { return -k * gaussian(k); }));
  const Kernel point = balanced(make_kernel(
      radius, [&](float k) { return (k * k / (deviation * deviation) - 1.0f) * gaussian(k); }));
  return {length_of(convolve(lightness, edge, smooth), convolve(lightness, smooth, edge)),
          length_of(convolve(lightness, point, smooth), convolve(lightness, smooth, point))};
}

struct FlipView {
  std::vector<glm::vec3> colors;  ///< [pixel], perceived
  Features features;
};

FlipView view_of(const Image& image) {
  const int width = int(image.width), height = int(image.height);
  std::vector<Plane> planes(3, Plane(width, height));
  Plane lightness(width, height);  // [0, 1]
  for (size_t i = 0; i < image.pixels.size(); ++i) {
    const glm::vec3 pixel = image.pixels[i];
    if (std::isnan(pixel.x + pixel.y + pixel.z)) throw Error("an image has a value that is NaN");
    const glm::vec3 c = opponents(glm::clamp(pixel, 0.0f, 1.0f));
    for (int k = 0; k < 3; ++k) planes[size_t(k)].values[i] = c[k];
    lightness.values[i] = (c.x + 16.0f) / 116.0f;
  }
  for (size_t k = 0; k < 3; ++k) planes[k] = filter_by(planes[k], kSensitivities[k]);

  FlipView view{{}, find_features(lightness)};
  for (size_t i = 0; i < image.pixels.size(); ++i) {
    const glm::vec3 c(planes[0].values[i], planes[1].values[i], planes[2].values[i]);
    view.colors.push_back(perceived(glm::clamp(rgb_of_opponents(c), 0.0f, 1.0f)));
  }
  return view;
}

/// Maps most differences to [0, 0.95] and the largest to the rest of [0, 1].
float spread(float difference) {
  constexpr float kShare = 0.4f, kTarget = 0.95f;
  static const float kMaxDistance =
      color_distance(perceived({0.0f, 1.0f, 0.0f}), perceived({0.0f, 0.0f, 1.0f}));
  const float knee = kShare * kMaxDistance;
  return difference < knee
             ? difference * kTarget / knee
             : kTarget + (difference - knee) / (kMaxDistance - knee) * (1.0f - kTarget);
}

}  // namespace

std::vector<float> flip(const Image& image, const Image& reference) {
  check_same_size(image, reference);
  const FlipView a = view_of(image), b = view_of(reference);
  std::vector<float> result;
  for (size_t i = 0; i < image.pixels.size(); ++i) {
    const float color = spread(color_distance(a.colors[i], b.colors[i]));
    const float edges = std::abs(a.features.edges.values[i] - b.features.edges.values[i]);
    const float points = std::abs(a.features.points.values[i] - b.features.points.values[i]);
    const float features = std::sqrt(std::max(edges, points) * std::sqrt(0.5f));
    result.push_back(std::pow(color, 1.0f - std::min(features, 1.0f)));
  }
  return result;
}

}  // namespace winnow
