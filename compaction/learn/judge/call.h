// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include "compaction/learn/judge/launcher.h"

// Calls the function of a student's source, which is included before this file.

namespace compaction::judge {

template <class T>
struct Pointers {
  explicit Pointers(const Arguments& a)
      : in(reinterpret_cast<const T*>(a.in.data)),
        out(reinterpret_cast<T*>(a.out.data)),
        count(reinterpret_cast<int*>(a.count.data)),
        n(int(a.n())),
        out_is_on_host(a.out_is_on_host) {}

  T* changeable() const { return const_cast<T*>(in); }
  void set_out(T value) const {
    if (out_is_on_host)
      *out = value;
    else
      device_write(out, &value, sizeof value);
  }

  const T* in;
  T* out;
  int* count;
  int n;
  bool out_is_on_host;
};

template <class>
inline constexpr bool kNotCallable = false;

// Makes the call if it is valid; otherwise the statement after it is compiled.
#define JUDGE_CALL_OR_ELSE(call)      \
  if constexpr (requires { call; }) { \
    call;                             \
  } else
#define JUDGE_CALL_WITHOUT_CONST_OR_ELSE(call) \
  if constexpr (requires { call; }) {          \
    note_missing_const();                      \
    call;                                      \
  } else

template <class T>
void call_scan(const Arguments& a) {
  const auto make_call = [&](auto& launcher, auto in, auto out, auto p) {
    JUDGE_CALL_OR_ELSE(scan(launcher, in, out))
    JUDGE_CALL_OR_ELSE(scan(p.in, p.out, p.n))
    JUDGE_CALL_OR_ELSE(scan(p.out, p.in, p.n))
    JUDGE_CALL_OR_ELSE(scan(p.n, p.out, p.in))
    JUDGE_CALL_WITHOUT_CONST_OR_ELSE(scan(p.changeable(), p.out, p.n))
    JUDGE_CALL_WITHOUT_CONST_OR_ELSE(scan(p.n, p.out, p.changeable()))
    static_assert(kNotCallable<decltype(in)>,
                  "there is no function scan(in, out, n): define it, or call yours with --call");
  };
  make_call(a.launcher, a.in, a.out, Pointers<T>(a));
}

template <class T>
void call_reduce(const Arguments& a) {
  const auto make_call = [&](auto& launcher, auto in, auto out, auto p) {
    JUDGE_CALL_OR_ELSE(reduce(launcher, in, out))
    JUDGE_CALL_OR_ELSE(reduce(p.in, p.out, p.n))
    JUDGE_CALL_OR_ELSE(reduce(p.n, p.out, p.in))
    JUDGE_CALL_OR_ELSE(p.set_out(T(reduce(p.in, p.n))))
    JUDGE_CALL_WITHOUT_CONST_OR_ELSE(reduce(p.changeable(), p.out, p.n))
    JUDGE_CALL_WITHOUT_CONST_OR_ELSE(reduce(p.n, p.out, p.changeable()))
    JUDGE_CALL_WITHOUT_CONST_OR_ELSE(p.set_out(T(reduce(p.changeable(), p.n))))
    static_assert(kNotCallable<decltype(in)>,
                  "there is no function reduce(in, out, n): define it, or call yours with --call");
  };
  make_call(a.launcher, a.in, a.out, Pointers<T>(a));
}

template <class T>
void call_select(const Arguments& a) {
  const auto make_call = [&](auto& launcher, auto in, auto out, auto count, auto p) {
    JUDGE_CALL_OR_ELSE(select(launcher, in, out, count))
    JUDGE_CALL_OR_ELSE(select(p.in, p.out, p.count, p.n))
    JUDGE_CALL_OR_ELSE(a.set_count(uint32_t(select(p.in, p.out, p.n))))
    JUDGE_CALL_OR_ELSE(a.set_count(uint32_t(compact(p.in, p.out, p.n))))
    JUDGE_CALL_OR_ELSE(a.set_count(uint32_t(compact(p.n, p.out, p.in))))
    JUDGE_CALL_WITHOUT_CONST_OR_ELSE(select(p.changeable(), p.out, p.count, p.n))
    JUDGE_CALL_WITHOUT_CONST_OR_ELSE(a.set_count(uint32_t(select(p.changeable(), p.out, p.n))))
    JUDGE_CALL_WITHOUT_CONST_OR_ELSE(a.set_count(uint32_t(compact(p.changeable(), p.out, p.n))))
    JUDGE_CALL_WITHOUT_CONST_OR_ELSE(a.set_count(uint32_t(compact(p.n, p.out, p.changeable()))))
    static_assert(kNotCallable<decltype(in)>,
                  "there is no function select(in, out, n) that returns the number of selected "
                  "items: define it, or call yours with --call");
  };
  make_call(a.launcher, a.in, a.out, a.count, Pointers<T>(a));
}

#undef JUDGE_CALL_OR_ELSE
#undef JUDGE_CALL_WITHOUT_CONST_OR_ELSE

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
