#pragma once

#include <concepts>
#include <limits>

#include "compaction/simt/qualifiers.h"

namespace compaction {

/// An associative operator on values of T, with an identity: op(op(a, b), c) == op(a, op(b, c)) and
/// op(identity, a) == a == op(a, identity). It need not be commutative: reductions and scans keep
/// the order of their items.
///
/// It is called with items and with results of itself, in any number, and holds nothing that calls
/// change.
template <class Op, class T>
concept Operator = requires(const Op op, const T& a, const T& b) {
  { op(a, b) } -> std::convertible_to<T>;
  { op.identity() } -> std::convertible_to<T>;
};

template <class T>
struct Sum {
  SIMT_HOST_DEVICE static constexpr T identity() { return T(0); }
  SIMT_HOST_DEVICE constexpr T operator()(T a, T b) const { return T(a + b); }
};

template <class T>
struct Product {
  SIMT_HOST_DEVICE static constexpr T identity() { return T(1); }
  SIMT_HOST_DEVICE constexpr T operator()(T a, T b) const { return T(a * b); }
};

/// The smaller of two; of a number and NaN either may come out.
template <class T>
struct Min {
  SIMT_HOST_DEVICE static constexpr T identity() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
  }
  SIMT_HOST_DEVICE constexpr T operator()(T a, T b) const { return b < a ? b : a; }
};

/// The larger of two; of a number and NaN either may come out.
template <class T>
struct Max {
  SIMT_HOST_DEVICE static constexpr T identity() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  }
  SIMT_HOST_DEVICE constexpr T operator()(T a, T b) const { return a < b ? b : a; }
};

}  // namespace compaction
