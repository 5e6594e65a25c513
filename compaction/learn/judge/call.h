// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include "compaction/learn/judge/launcher.h"

// Calls the function of a student's source, which is included before this file, with the arguments
// that it takes. The judge instantiates one of these functions.

namespace compaction::judge {

/// The arguments of a call as pointers to T.
template <class T>
struct Pointers {
  explicit Pointers(const Arguments& a)
      : in(reinterpret_cast<const T*>(a.in.data)),
        out(reinterpret_cast<T*>(a.out.data)),
        count(reinterpret_cast<int*>(a.count.data)),
        n(int(a.n())) {}

  const T* in;
  T* out;
  int* count;
  int n;
};

template <class>
inline constexpr bool kNotCallable = false;

template <class T>
void call_scan(const Arguments& a) {
  const auto call = [&](auto& launcher, auto in, auto out, auto p) {
    if constexpr (requires { scan(launcher, in, out); })
      scan(launcher, in, out);
    else if constexpr (requires { scan(p.in, p.out, p.n); })
      scan(p.in, p.out, p.n);
    else if constexpr (requires { scan(p.out, p.in, p.n); })
      scan(p.out, p.in, p.n);
    else if constexpr (requires { scan(p.n, p.out, p.in); })
      scan(p.n, p.out, p.in);
    else
      static_assert(kNotCallable<decltype(in)>,
                    "there is no function scan(in, out, n): define it, or call yours with --call");
  };
  call(a.launcher, a.in, a.out, Pointers<T>(a));
}

template <class T>
void call_reduce(const Arguments& a) {
  const auto call = [&](auto& launcher, auto in, auto out, auto p) {
    if constexpr (requires { reduce(launcher, in, out); }) {
      reduce(launcher, in, out);
    } else if constexpr (requires { reduce(p.in, p.out, p.n); }) {
      reduce(p.in, p.out, p.n);
    } else if constexpr (requires { reduce(p.n, p.out, p.in); }) {
      reduce(p.n, p.out, p.in);
    } else if constexpr (requires { T(reduce(p.in, p.n)); }) {
      const T sum = reduce(p.in, p.n);
      *p.out = sum;
    } else {
      static_assert(kNotCallable<decltype(in)>,
                    "there is no function reduce(in, out, n): define it, or call yours with "
                    "--call");
    }
  };
  call(a.launcher, a.in, a.out, Pointers<T>(a));
}

template <class T>
void call_select(const Arguments& a) {
  const auto call = [&](auto& launcher, auto in, auto out, auto count, auto p) {
    if constexpr (requires { select(launcher, in, out, count); })
      select(launcher, in, out, count);
    else if constexpr (requires { select(p.in, p.out, p.count, p.n); })
      select(p.in, p.out, p.count, p.n);
    else if constexpr (requires { int(select(p.in, p.out, p.n)); })
      a.set_count(uint32_t(select(p.in, p.out, p.n)));
    else if constexpr (requires { int(compact(p.in, p.out, p.n)); })
      a.set_count(uint32_t(compact(p.in, p.out, p.n)));
    else if constexpr (requires { int(compact(p.n, p.out, p.in)); })
      a.set_count(uint32_t(compact(p.n, p.out, p.in)));
    else
      static_assert(kNotCallable<decltype(in)>,
                    "there is no function select(in, out, n) that returns the number of selected "
                    "items: define it, or call yours with --call");
  };
  call(a.launcher, a.in, a.out, a.count, Pointers<T>(a));
}

/// Calls `code`, the expression of --call, with launcher, in, out, count and n. An integer that it
/// returns is the number of selected items.
template <class T, class Code>
void call_code(const Arguments& a, Code code) {
  const Pointers<T> p(a);
  if constexpr (std::is_void_v<decltype(code(a.launcher, p.in, p.out, p.count, p.n))>)
    code(a.launcher, p.in, p.out, p.count, p.n);
  else
    a.set_count(uint32_t(code(a.launcher, p.in, p.out, p.count, p.n)));
}

}  // namespace compaction::judge
