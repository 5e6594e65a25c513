// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <type_traits>
#include <utility>

#include "compaction/op/operators.h"

namespace compaction {

/// Gives an identity to an operator that has no identity(): `WithIdentity{op, identity}`. Results
/// have the common type of the values, and the identity is converted to it: that of floats may be
/// given as 0.
template <class Op, class T>
struct WithIdentity {
  Op op;
  T value;  ///< op(value, a) == a == op(a, value)

  SIMT_HOST_DEVICE T identity() const { return value; }
  template <class A, class B>
  SIMT_HOST_DEVICE std::common_type_t<A, B> operator()(const A& a, const B& b) const {
    static_assert(
        requires { op(a, b); },
        "compaction: the operator of WithIdentity cannot combine values of this type, or "
        "its call operator is not const");
    return op(a, b);
  }
};
template <class Op, class T>
WithIdentity(Op, T) -> WithIdentity<Op, T>;

namespace detail {

/// Returns the name of a type's template with its namespaces, such as "std::plus" of
/// std::plus<int>.
template <class T>
constexpr std::string_view template_name() {
  std::string_view name = __PRETTY_FUNCTION__;  // "... [with T = std::plus<int>; ...]"
  name.remove_prefix(name.rfind('[') + 1);
  name.remove_prefix(name.find('=') + 1);
  if (name.starts_with(' ')) name.remove_prefix(1);
  return name.substr(0, name.find_first_of("<;]"));
}

/// Returns whether T is the template or class `name` of std, cuda, thrust, CUB or this library, in
/// any of their inline namespaces. It compares names, as including their headers takes longer than
/// compiling a kernel.
template <class T>
constexpr bool is_named(std::string_view name) {
  const std::string_view all = template_name<T>();
  const size_t end_of_space = all.rfind("::");
  if (end_of_space == all.npos || all.substr(end_of_space + 2) != name) return false;
  const std::string_view space = all.substr(0, all.find("::"));
  return space == "std" || space == "cuda" || space == "thrust" || space == "cub" ||
         space == "compaction";
}

/// Whether Op is an operator on T: Op<T>, Op<void>, or a class that is not a template.
template <class Op, class T>
inline constexpr bool kIsFor = true;
template <template <class> class Op, class U, class T>
inline constexpr bool kIsFor<Op<U>, T> = std::is_same_v<U, T> || std::is_void_v<U>;

template <class>
inline constexpr bool kNever = false;

/// Returns whether as_operator() replaces Op on the types to which Op applies.
template <class Op>
constexpr bool has_known_name() {
  return is_named<Op>("plus") || is_named<Op>("Sum") || is_named<Op>("multiplies") ||
         is_named<Op>("minimum") || is_named<Op>("Min") || is_named<Op>("maximum") ||
         is_named<Op>("Max") || is_named<Op>("bit_and") || is_named<Op>("bit_or") ||
         is_named<Op>("bit_xor");
}

/// Whether Less is the comparison `less` of std, cuda::std or Thrust, and compares values as T.
template <class Less, class T>
inline constexpr bool kIsLess = is_named<Less>("less") && kIsFor<Less, T>;

}  // namespace detail

/// Returns an Operator on T for `op`: `op` itself if it has an identity; or this library's operator
/// in place of plus, multiplies, minimum, maximum, bit_and, bit_or or bit_xor of std, cuda::std or
/// Thrust, or of CUB's Sum, Min or Max. Other operators do not compile.
template <class T, class Op>
constexpr auto as_operator(Op op) {
  static_assert(
      std::is_default_constructible_v<T> && std::is_trivially_copyable_v<T>,
      "compaction: values that are combined must be trivially copyable and have a default "
      "constructor");
  if constexpr (Operator<Op, T>) {
    return op;
  } else {
    constexpr bool is_for = detail::kIsFor<Op, T>;
    auto named = [](auto... names) { return (detail::is_named<Op>(names) || ...); };
    if constexpr (is_for && named("plus", "Sum"))
      return Sum<T>();
    else if constexpr (is_for && named("multiplies"))
      return Product<T>();
    else if constexpr (is_for && named("minimum", "Min"))
      return Min<T>();
    else if constexpr (is_for && named("maximum", "Max"))
      return Max<T>();
    else if constexpr (is_for && named("bit_and"))
      return BitAnd<T>();
    else if constexpr (is_for && named("bit_or"))
      return BitOr<T>();
    else if constexpr (is_for && named("bit_xor"))
      return BitXor<T>();
    else {
      static_assert(detail::kNever<Op>,
                    "compaction: the operator has no identity() for this type of result, or its "
                    "functions are not const; give it one, or pass "
                    "compaction::WithIdentity{op, identity}");
      return Sum<T>();  // an operator, so that no further error follows
    }
  }
}

/// The type that as_operator<T>() returns for an Op.
template <class Op, class T>
using OperatorFor = decltype(as_operator<T>(std::declval<Op>()));

}  // namespace compaction
