// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "base/error.h"
#include "film/film_source.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using ValueBytes = std::vector<std::byte>;

ValueBytes packed(const ValueBytes& values, size_t per_value) {
  ValueBytes packed(values.size());
  packed.resize(pack_values(values.data(), values.size(), per_value, packed.data()));
  return packed;
}

ValueBytes unpacked(const ValueBytes& packed, size_t per_value, size_t bytes) {
  ValueBytes values(bytes);
  unpack_values(packed.data(), packed.size(), per_value, values.data(), bytes);
  return values;
}

ValueBytes random_bytes(size_t count) {
  std::mt19937 random(3);
  ValueBytes bytes(count);
  for (std::byte& byte : bytes) byte = std::byte(random());
  return bytes;
}

/// Sums of a few floats of about the same size, as pixels hold them.
ValueBytes sums_of_floats(size_t count) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> value(0.5f, 1.0f);
  std::vector<double> sums(count);
  for (double& sum : sums) sum = double(value(random)) + double(value(random));
  ValueBytes bytes(count * sizeof(double));
  if (count > 0) std::memcpy(bytes.data(), sums.data(), bytes.size());
  return bytes;
}

TEST(FilmPacking, GivesTheSameBitsBack) {
  for (const size_t per_value : {1u, 3u, 4u, 8u, 24u, 28u})
    for (const size_t count : {0u, 1u, 2u, 511u, 512u, 513u, 5000u})
      for (const ValueBytes& values : {ValueBytes(count * per_value),
                                       random_bytes(count * per_value), sums_of_floats(count)}) {
        if (values.size() % per_value != 0) continue;
        SCOPED_TRACE(testing::Message() << count << " values of " << per_value << " bytes");
        EXPECT_EQ(unpacked(packed(values, per_value), per_value, values.size()), values);
      }
}

TEST(FilmPacking, FindsWhatPixelsHaveInCommon) {
  const ValueBytes sums = sums_of_floats(10'000);
  EXPECT_LT(packed(sums, sizeof(double)).size(), sums.size() * 6 / 10);
  EXPECT_GT(packed(sums, 1).size(), sums.size() * 6 / 10);  // not taken apart
  EXPECT_LT(packed(ValueBytes(100'000), 4).size(), 1000u);
}

TEST(FilmPacking, LeavesValuesAsTheyAreThatDoNotShrink) {
  const ValueBytes values = random_bytes(24 * 1000);
  EXPECT_EQ(packed(values, 24), values);
}

TEST(FilmPacking, RefusesBytesThatHoldNoValues) {
  const ValueBytes sums = sums_of_floats(1000), good = packed(sums, sizeof(double));
  const char* reason = "is damaged: an array cannot be unpacked";
  auto refusal = [&](const ValueBytes& bytes, size_t size) {
    return message_of([&] { unpacked(bytes, sizeof(double), size); });
  };
  EXPECT_EQ(refusal(good, sums.size()), "");
  EXPECT_EQ(refusal(good, sums.size() - 8), reason);
  EXPECT_EQ(refusal(good, sums.size() + 8), reason);
  EXPECT_EQ(refusal(ValueBytes(good.begin(), good.end() - 1), sums.size()), reason);
  EXPECT_EQ(refusal(random_bytes(good.size()), sums.size()), reason);
  EXPECT_EQ(refusal({}, sums.size()), reason);
}

}  // namespace
}  // namespace winnow
