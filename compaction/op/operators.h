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

/// Whether every order and grouping of the operands gives the same bits: true for integers, except
/// with operators for which that is not known.
template <class Op, class T>
inline constexpr bool kAnyOrder = false;

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
  /// A sum of floats is rounded by itself: nvcc does not contract it with a product that is added.
  SIMT_HOST_DEVICE constexpr T operator()(T a, T b) const {
#if defined(__CUDA_ARCH__)
    if constexpr (std::is_same_v<T, float>) {
      if (!__builtin_is_constant_evaluated()) return __fadd_rn(a, b);
    } else if constexpr (std::is_same_v<T, double>) {
      if (!__builtin_is_constant_evaluated()) return __dadd_rn(a, b);
    }
#endif
    return T(a + b);
  }
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

/// Whether T has NaNs and zeros of two signs, and as many bytes as an unsigned integer.
template <class T>
inline constexpr bool kIsBinaryFloat = std::numeric_limits<T>::is_iec559 &&
                                       sizeof(T) <= sizeof(uint64_t);

/// Returns whether the sign bit is set. (std::bit_cast() would need nvcc's
/// --expt-relaxed-constexpr.)
template <class T>
SIMT_HOST_DEVICE constexpr bool has_sign(T a) {
  using Bits =
      std::conditional_t<sizeof(T) == sizeof(uint64_t), int64_t,
                         std::conditional_t<sizeof(T) == sizeof(uint32_t), int32_t, int16_t>>;
  return __builtin_bit_cast(Bits, a) < 0;
}

/// Returns the smaller or the larger of two floats; a number if there is one.
template <bool kSmaller, class T>
SIMT_HOST_DEVICE constexpr T extreme_number(T a, T b) {
#if defined(__CUDA_ARCH__)
  // One instruction for float, which orders zeros by their sign.
  if (!__builtin_is_constant_evaluated()) {
    if constexpr (std::is_same_v<T, float>) return kSmaller ? fminf(a, b) : fmaxf(a, b);
    if constexpr (std::is_same_v<T, double>) return kSmaller ? fmin(a, b) : fmax(a, b);
  }
#endif
  if (a == b) return has_sign(a) == kSmaller ? a : b;
  return (kSmaller ? a < b : b < a) || b != b ? a : b;
}

}  // namespace detail

/// The smaller of two values. NaN never wins over a number: it counts as infinity, the identity. -0
/// is smaller than 0. So the order of combination changes no bit of the minimum of items and the
/// identity.
template <class T>
struct Min {
  static constexpr bool kCommutative = true;
  SIMT_HOST_DEVICE static constexpr T identity() { return Limits<T>::kHighest; }
  SIMT_HOST_DEVICE constexpr T operator()(T a, T b) const {
    if constexpr (detail::kIsBinaryFloat<T>)
      return detail::extreme_number<true>(a, b);
    else
      return b < a ? b : a;
  }
};

/// The larger of two values. NaN never wins over a number: it counts as minus infinity, the
/// identity. Otherwise like Min.
template <class T>
struct Max {
  static constexpr bool kCommutative = true;
  SIMT_HOST_DEVICE static constexpr T identity() { return Limits<T>::kLowest; }
  SIMT_HOST_DEVICE constexpr T operator()(T a, T b) const {
    if constexpr (detail::kIsBinaryFloat<T>)
      return detail::extreme_number<false>(a, b);
    else
      return a < b ? b : a;
  }
};

template <template <class> class Op, std::integral T>
requires(std::is_same_v<Op<T>, Sum<T>> || std::is_same_v<Op<T>, Product<T>> ||
         std::is_same_v<Op<T>, Min<T>> || std::is_same_v<Op<T>, Max<T>> ||
         std::is_same_v<Op<T>, BitAnd<T>> || std::is_same_v<Op<T>, BitOr<T>> ||
         std::is_same_v<Op<T>, BitXor<T>>) inline constexpr bool kAnyOrder<Op<T>, T> = true;

}  // namespace compaction
