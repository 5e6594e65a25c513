// SPDX-License-Identifier: MIT
#pragma once

#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

#include "tests/compaction/support/backend_test.h"

// What the tests of scan and reduce share.

namespace {

/// The operator that items of T are scanned by.
template <class T, class... Others, class... Op>
auto operator_of(std::tuple<fast::ScansPointer<Others, Op>...>*) {
  std::tuple<std::conditional_t<std::is_same_v<T, Others>, std::tuple<Op>, std::tuple<>>...> found;
  return std::apply([](auto... ops) { return std::tuple_cat(ops...); }, found);
}
template <class T>
using OperatorOf =
    std::tuple_element_t<0, decltype(operator_of<T>(static_cast<fast::AllScans*>(nullptr)))>;

/// n items of T.
template <class T>
std::vector<T> items_of(size_t n) {
  if constexpr (std::is_integral_v<T>) {
    std::mt19937 random(11);
    std::vector<T> items(n);
    for (T& item : items) item = T(random());
    return items;
  } else {
    return ordered_items<T>(n);
  }
}

class OnScans : public OnBackend {
 protected:
  void SetUp() override {
    OnBackend::SetUp();
    if (!IsSkipped()) scans_ = GetParam().make_scans();
  }

  /// The scans of items of T.
  template <class T>
  auto& on() {
    return std::get<fast::ScansPointer<T, OperatorOf<T>>>(scans_);
  }

  template <class T>
  void expect_scans(const fast::ScanProblem<T>& problem) {
    const size_t n = problem.in.size();
    for (ScanKind kind : {ScanKind::kInclusive, ScanKind::kExclusive}) {
      SCOPED_TRACE(testing::Message()
                   << n << " items of " << sizeof(T) << " bytes, "
                   << (kind == ScanKind::kInclusive ? "inclusive" : "exclusive") << ", offsets "
                   << problem.offsets.in << " and " << problem.offsets.out
                   << (problem.in_place ? ", in place" : ""));
      fast::Scanned<T> result = on<T>()->scan(kind, problem);
      T sum = problem.init;
      ASSERT_EQ(result.out.size(), n);
      for (size_t i = 0; i < n; ++i) {
        T before = sum;
        sum = OperatorOf<T>()(sum, problem.in[i]);
        ASSERT_TRUE(result.out[i] == (kind == ScanKind::kInclusive ? sum : before)) << "item " << i;
      }
      ASSERT_TRUE(result.total == sum);
    }
  }

  template <class T>
  void expect_reduces(const fast::ScanProblem<T>& problem) {
    SCOPED_TRACE(testing::Message() << problem.in.size() << " items of " << sizeof(T)
                                    << " bytes, offset " << problem.offsets.in);
    T sum = T(OperatorOf<T>().identity());
    for (const T& item : problem.in) sum = OperatorOf<T>()(sum, item);
    ASSERT_TRUE(on<T>()->reduce(problem) == sum);
  }

  /// Calls `use` with an item of each type.
  template <class Use>
  void for_all_types(Use use) {
    use(uint32_t());
    use(Affine());
    use(uint8_t());
    use(uint16_t());
    use(float());
    use(Interval());
    use(Wide());
  }

  fast::AllScans scans_;
};

}  // namespace
