// SPDX-License-Identifier: MIT
#pragma once

#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

#include "tests/compaction/support/backend_test.h"

// Common parts of the tests of scan and reduce.

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
    for (ScanKind kind : kScanKinds) {
      SCOPED_TRACE(testing::Message()
                   << n << " items of " << sizeof(T) << " bytes, " << name_of(kind) << ", offsets "
                   << problem.offsets.in << " and " << problem.offsets.out
                   << (problem.in_place ? ", in place" : ""));
      const Scanned<T> result = on<T>()->scan(kind, problem);
      const Scanned<T> expected =
          reference_scan<T, OperatorOf<T>>(kind, problem.in, {}, problem.init);
      ASSERT_EQ(result.out.size(), n);
      for (size_t i = 0; i < n; ++i) ASSERT_TRUE(result.out[i] == expected.out[i]) << "item " << i;
      ASSERT_TRUE(result.total == expected.total);
    }
  }

  template <class T>
  void expect_reduces(const fast::ScanProblem<T>& problem) {
    SCOPED_TRACE(testing::Message() << problem.in.size() << " items of " << sizeof(T)
                                    << " bytes, offset " << problem.offsets.in);
    const T expected = reference_scan<T, OperatorOf<T>>(ScanKind::kInclusive, problem.in).total;
    ASSERT_TRUE(on<T>()->reduce(problem) == expected);
  }

  /// Calls `use` with an item of each type.
  template <class Use>
  void for_all_types(Use use) {
    auto use_each = [&]<class... T, class... Op>(std::tuple<fast::ScansPointer<T, Op>...>&) {
      (use(T()), ...);
    };
    use_each(scans_);
  }

  fast::AllScans scans_;
};

}  // namespace
