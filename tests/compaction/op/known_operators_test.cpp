// SPDX-License-Identifier: MIT
#include "compaction/op/known_operators.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <numeric>
#include <type_traits>
#include <vector>

#include "compaction/ladder/sequential.h"

// Stand-ins for the headers of CUDA, which are not there without it: an inline namespace with a
// version, and templates whose argument defaults to void.
namespace cuda {
inline namespace version_4 {
template <class T = void>
struct maximum {};
}  // namespace version_4
namespace std {
inline namespace version_4 {
template <class T = void>
struct plus {};
}  // namespace version_4
}  // namespace std
}  // namespace cuda
namespace cub {
struct Min {};
}  // namespace cub

namespace {

using compaction::OperatorFor;

/// Named as one of std's, but not it.
template <class T = void>
struct plus {
  T operator()(T a, T b) const { return a + b; }
  T identity() const { return T(7); }
};

template <class Op, class T, class Expected>
constexpr bool kBecomes = std::is_same_v<OperatorFor<Op, T>, Expected>;

TEST(KnownOperators, AreReplacedByThoseOfTheLibrary) {
  using namespace compaction;
  EXPECT_TRUE((kBecomes<std::plus<>, float, Sum<float>>));
  EXPECT_TRUE((kBecomes<std::plus<uint32_t>, uint32_t, Sum<uint32_t>>));
  EXPECT_TRUE((kBecomes<std::multiplies<>, double, Product<double>>));
  EXPECT_TRUE((kBecomes<std::bit_and<>, uint8_t, BitAnd<uint8_t>>));
  EXPECT_TRUE((kBecomes<std::bit_or<>, uint16_t, BitOr<uint16_t>>));
  EXPECT_TRUE((kBecomes<std::bit_xor<int>, int, BitXor<int>>));
}

TEST(KnownOperators, LessIsKnownForTheTypeThatItCompares) {
  using compaction::detail::kIsLess;
  EXPECT_TRUE((kIsLess<std::less<>, float>));
  EXPECT_TRUE((kIsLess<std::less<float>, float>));
  EXPECT_FALSE((kIsLess<std::less<int>, float>));  // 1.5 and 1.2 are equal for it
  EXPECT_FALSE((kIsLess<std::greater<>, float>));
}

TEST(KnownOperators, AreKnownByTheirNames) {
  using compaction::detail::has_known_name;
  EXPECT_TRUE(has_known_name<std::plus<>>());
  EXPECT_TRUE(has_known_name<std::multiplies<float>>());
  EXPECT_TRUE(has_known_name<std::bit_and<>>() && has_known_name<std::bit_or<>>() &&
              has_known_name<std::bit_xor<>>());
  EXPECT_TRUE(has_known_name<::cuda::maximum<>>() && has_known_name<::cub::Min>());
  EXPECT_FALSE(has_known_name<std::minus<>>());
  EXPECT_FALSE(has_known_name<plus<>>()) << "of another namespace";
}

TEST(KnownOperators, AreFoundInInlineNamespacesOfOtherLibraries) {
  using namespace compaction;
  EXPECT_TRUE((kBecomes<::cuda::std::plus<>, uint64_t, Sum<uint64_t>>));
  EXPECT_TRUE((kBecomes<::cuda::maximum<>, int, Max<int>>));
  EXPECT_TRUE((kBecomes<::cub::Min, float, Min<float>>));
}

TEST(KnownOperators, OperatorsWithAnIdentityStayThemselves) {
  EXPECT_TRUE((kBecomes<plus<int>, int, plus<int>>));
  EXPECT_FALSE(compaction::detail::is_named<plus<int>>("plus"));
  EXPECT_EQ(compaction::as_operator<int>(plus<int>()).identity(), 7);
}

TEST(KnownOperators, IdentitiesChangeNothing) {
  EXPECT_TRUE(compaction::BitAnd<bool>::identity());
  for (uint8_t value : {0, 1, 0x5A, 0xFF}) {
    EXPECT_EQ(compaction::BitAnd<uint8_t>()(compaction::BitAnd<uint8_t>::identity(), value), value);
    EXPECT_EQ(compaction::BitOr<uint8_t>()(compaction::BitOr<uint8_t>::identity(), value), value);
    EXPECT_EQ(compaction::BitXor<uint8_t>()(compaction::BitXor<uint8_t>::identity(), value), value);
  }
}

TEST(KnownOperators, ALambdaAndItsIdentityAreAnOperator) {
  auto longer = compaction::WithIdentity{[](int a, int b) { return a < b ? b : a; }, -1};
  EXPECT_TRUE((compaction::Operator<decltype(longer), int>));
  const std::vector<int> items = {3, 9, 2};
  EXPECT_EQ(compaction::sequential_reduce(simt::Span<const int>(items.data(), 3), longer), 9);
  EXPECT_EQ(compaction::sequential_reduce(simt::Span<const int>(items.data(), 0), longer), -1);
}

TEST(KnownOperators, AnIdentityOfAnotherTypeDoesNotChangeTheTypeThatIsCombined) {
  const compaction::WithIdentity product{[](auto a, auto b) { return a * b; }, 1};
  EXPECT_TRUE((compaction::Operator<decltype(product), float>));
  EXPECT_EQ(product(0.5f, 3.f), 1.5f);
  EXPECT_TRUE((std::is_same_v<std::invoke_result_t<decltype(product), int, float>, float>))
      << "cub_compat combines the initial value and an item";
  const std::vector<float> items = {0.5f, 3.f};
  EXPECT_EQ(compaction::sequential_reduce(simt::Span<const float>(items.data(), 2), product), 1.5f);
}

}  // namespace
