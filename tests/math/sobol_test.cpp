#include "math/sobol.h"

#include <gtest/gtest.h>

#include <vector>

#include "math/owen_scramble.h"

namespace winnow {
namespace {

/// Sobol's construction as Bratley and Fox wrote it, 1988: direction numbers by recurrence.
///
/// @param degree, coefficients  of the primitive polynomial; the inner coefficients as bits
/// @param first                 [degree], the numbers m that start the recurrence
uint32_t by_direction_numbers(uint32_t index, int degree, uint32_t coefficients,
                              const std::vector<uint32_t>& first) {
  std::vector<uint32_t> v(32);
  for (int i = 0; i < 32; ++i) {
    if (i < degree) {
      v[i] = first[i] << (31 - i);
      continue;
    }
    v[i] = v[i - degree] ^ v[i - degree] >> degree;
    for (int k = 1; k < degree; ++k)
      if (coefficients >> (degree - 1 - k) & 1) v[i] ^= v[i - k];
  }
  uint32_t x = 0;
  for (int i = 0; i < 32; ++i)
    if (index >> i & 1) x ^= v[i];
  return x;
}

TEST(Sobol, IsWhatDirectionNumbersGive) {
  for (uint32_t bit = 0; bit < 32; ++bit)  // the maps are linear, but not a mistake in them
    for (uint32_t index : {1u << bit, 0x9E3779B9u * (bit + 1), ~0u >> bit}) {
      EXPECT_EQ(reverse_bits(sobol_second(index)), by_direction_numbers(index, 1, 0, {1}));
      EXPECT_EQ(reverse_bits(sobol_third(index)), by_direction_numbers(index, 2, 1, {1, 3}));
      EXPECT_EQ(reverse_bits(sobol_fourth(index)), by_direction_numbers(index, 3, 1, {1, 3, 1}));
    }
}

}  // namespace
}  // namespace winnow
