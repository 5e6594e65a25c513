// SPDX-License-Identifier: MIT
#include "tests/support/chi_square.h"

#include <boost/math/special_functions/gamma.hpp>

namespace winnow {

double chi_square_p_value(double statistic, double degrees_of_freedom) {
  return boost::math::gamma_q(0.5 * degrees_of_freedom, 0.5 * statistic);
}

testing::AssertionResult fits_density(std::vector<HistogramBin> bins, int test_count) {
  constexpr double kMinExpected = 5.0;  // below, the statistic is not chi-square distributed
  constexpr double kSignificance = 0.01;

  // Pool bins in ascending order of expected samples until each pool expects enough.
  std::sort(bins.begin(), bins.end(),
            [](HistogramBin a, HistogramBin b) { return a.expected < b.expected; });
  double statistic = 0.0;
  int cells = 0;
  HistogramBin pooled;
  for (const HistogramBin& bin : bins) {
    pooled.expected += bin.expected;
    pooled.observed += bin.observed;
    if (pooled.expected < kMinExpected) continue;
    double difference = pooled.observed - pooled.expected;
    statistic += difference * difference / pooled.expected;
    ++cells;
    pooled = {};
  }
  if (pooled.observed > 0.0 && pooled.expected == 0.0)
    return testing::AssertionFailure() << pooled.observed << " samples where the density is zero";
  if (cells < 2)
    return testing::AssertionFailure() << "only " << cells << " bins expect enough samples";

  double p = chi_square_p_value(statistic, cells - 1);
  double threshold = 1.0 - std::pow(1.0 - kSignificance, 1.0 / test_count);
  if (p < threshold || std::isnan(p))
    return testing::AssertionFailure()
           << "chi-square " << statistic << " in " << cells << " cells, p = " << p;
  return testing::AssertionSuccess();
}

}  // namespace winnow
