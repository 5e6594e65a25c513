// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "compaction/simt/qualifiers.h"

namespace compaction {

/// The kind of a scan: what element i of its output is.
enum class ScanKind {
  kInclusive,  ///< items 0 to i combined
  kExclusive,  ///< items 0 to i - 1 combined; the identity for i = 0
};

/// An associative operator on values of T with an identity: op(op(a, b), c) == op(a, op(b, c)) and
/// op(identity, a) == a == op(a, identity). It need not be commutative: reductions and scans keep
/// the order of the items. A commutative operator may declare `static constexpr bool kCommutative =
/// true`, which makes some reductions and scans faster.
///
/// Its arguments are items, identities and its own results. It may be called any number of times
/// and must not change state.
template <class Op, class T>
concept Operator = requires(const Op op, const T& a, const T& b) {
  { op(a, b) } -> std::convertible_to<T>;
  { op.identity() } -> std::convertible_to<T>;
};

/// Whether the operator declares by kCommutative that op(a, b) == op(b, a).
template <class Op>
inline constexpr bool kCommutes = false;
template <class Op>
requires requires {
  Op::kCommutative;
}
inline constexpr bool kCommutes<Op> = Op::kCommutative;

/// The largest and the smallest value of T: infinities if T has them.
template <class T>
struct Limits {
  using Of = std::numeric_limits<T>;
  static_assert(Of::is_specialized,
                "compaction: the limits of this type are not known: pass "
                "compaction::WithIdentity{op, identity}");
  static constexpr T kHighest = Of::has_infinity ? Of::infinity() : Of::max();
  static constexpr T kLowest = Of::has_infinity ? -Of::infinity() : Of::lowest();
};

template <class T>
struct Sum {
  static constexpr bool kCommutative = true;
  SIMT_HOST_DEVICE static constexpr T identity() { return T(0); }
  SIMT_HOST_DEVICE constexpr T operator()(T a, T b) const { return T(a + b); }
};

template <class T>
struct Product {
  static constexpr bool kCommutative = true;
  SIMT_HOST_DEVICE static constexpr T identity() { return T(1); }
  SIMT_HOST_DEVICE constexpr T operator()(T a, T b) const { return T(a * b); }
};

template <class T>
struct BitAnd {
  static constexpr bool kCommutative = true;
  SIMT_HOST_DEVICE static constexpr T identity() { return T(-1); }
  SIMT_HOST_DEVICE constexpr T operator()(T a, T b) const { return T(a & b); }
};

template <class T>
struct BitOr {
  static constexpr bool kCommutative = true;
  SIMT_HOST_DEVICE static constexpr T identity() { return T(0); }
  SIMT_HOST_DEVICE constexpr T operator()(T a, T b) const { return T(a | b); }
};

template <class T>
struct BitXor {
  static constexpr bool kCommutative = true;
  SIMT_HOST_DEVICE static constexpr T identity() { return T(0); }
  SIMT_HOST_DEVICE constexpr T operator()(T a, T b) const { return T(a ^ b); }
};

namespace detail {

/// The bits of a floating-point number. (std::bit_cast() would need nvcc's
/// --expt-relaxed-constexpr.)
template <class T>
using BitsOf =
    std::conditional_t<sizeof(T) == sizeof(uint64_t), uint64_t,
                       std::conditional_t<sizeof(T) == sizeof(uint32_t), uint32_t, uint16_t>>;
template <class T>
SIMT_HOST_DEVICE constexpr BitsOf<T> bits_of(T a) {
  return __builtin_bit_cast(BitsOf<T>, a);
}

/// Whether T has NaNs and zeros that Min and Max order by their bits.
template <class T>
inline constexpr bool kIsBinaryFloat =
    std::numeric_limits<T>::is_iec559&& std::numeric_limits<T>::has_infinity &&
    sizeof(T) <= sizeof(uint64_t);

/// Returns the smaller (larger) of two values, not NaN if one of them is a number. -0 is smaller
/// than 0.
template <class T>
SIMT_HOST_DEVICE constexpr T smaller_number(T a, T b) {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) {
    if constexpr (std::is_same_v<T, float>) return fminf(a, b);
    if constexpr (std::is_same_v<T, double>) return fmin(a, b);
  }
#endif
  if (a == b) return bits_of(a) > bits_of(b) ? a : b;  // the same bits, or zeros
  return a < b || b != b ? a : b;
}
template <class T>
SIMT_HOST_DEVICE constexpr T larger_number(T a, T b) {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) {
    if constexpr (std::is_same_v<T, float>) return fmaxf(a, b);
    if constexpr (std::is_same_v<T, double>) return fmax(a, b);
  }
#endif
  if (a == b) return bits_of(a) < bits_of(b) ? a : b;  // the same bits, or zeros
  return b < a || b != b ? a : b;
}

}  // namespace detail

/// The smaller of two values. Floating-point numbers are ordered -inf < ... < -0 < 0 < ... < NaN <
/// inf: NaN is the minimum only if there is no number below infinity. The order of combination
/// changes no bit of the result.
template <class T>
struct Min {
  static constexpr bool kCommutative = true;
  SIMT_HOST_DEVICE static constexpr T identity() { return Limits<T>::kHighest; }
  SIMT_HOST_DEVICE constexpr T operator()(T a, T b) const {
    if constexpr (detail::kIsBinaryFloat<T>) {
      const T number = detail::smaller_number(a, b);
      if (number < identity()) return number;
      // Two of infinity and NaNs. Infinity has the least bits.
      return detail::bits_of(a) > detail::bits_of(b) ? a : b;
    } else {
      return b < a ? b : a;
    }
  }
};

/// The larger of two values. Floating-point numbers are ordered -inf < NaN < ... < -0 < 0 < ... <
/// inf: NaN is the maximum only if there is no number above minus infinity. The order of
/// combination changes no bit of the result.
template <class T>
struct Max {
  static constexpr bool kCommutative = true;
  SIMT_HOST_DEVICE static constexpr T identity() { return Limits<T>::kLowest; }
  SIMT_HOST_DEVICE constexpr T operator()(T a, T b) const {
    if constexpr (detail::kIsBinaryFloat<T>) {
      const T number = detail::larger_number(a, b);
      if (number > identity()) return number;
      // Two of minus infinity and NaNs. Minus infinity has the least bits as a signed integer.
      using Bits = std::make_signed_t<detail::BitsOf<T>>;
      return Bits(detail::bits_of(a)) > Bits(detail::bits_of(b)) ? a : b;
    } else {
      return a < b ? b : a;
    }
  }
};

}  // namespace compaction
