// SPDX-License-Identifier: MIT
#include "app/display/display.h"

#include <algorithm>
#include <cmath>

#include "image/compare.h"

namespace winnow {

namespace {

constexpr size_t kPixelsToRead = size_t(1) << 16;

}  // namespace

std::optional<double> estimated_error(const HostFilm& before, const HostFilm& now) {
  const size_t step =
      std::max<size_t>(now.samples.size() / kPixelsToRead, 1) | 1;  // odd, to visit all columns
  double sum = 0.0;
  size_t count = 0;
  for (size_t pixel = 0; pixel < now.samples.size(); pixel += step) {
    const double a = before.samples[pixel], all = now.samples[pixel], b = all - a;
    if (!(a > 0.0 && b > 0.0)) continue;
    const glm::dvec3 mean = now.sum[pixel] / all;
    const glm::dvec3 difference = before.sum[pixel] / a - (now.sum[pixel] - before.sum[pixel]) / b;
    const glm::dvec3 variance = difference * difference / ((1.0 / a + 1.0 / b) * all);
    const glm::dvec3 error = variance / (mean * mean + kRelativeOffset);
    sum += (error.x + error.y + error.z) / 3.0;
    ++count;
  }
  if (count == 0) return std::nullopt;
  return std::sqrt(sum / double(count));
}

}  // namespace winnow
