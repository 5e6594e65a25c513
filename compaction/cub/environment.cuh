// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "compaction/cuda/workspace.cuh"
#include "compaction/op/known_operators.h"

#if __has_include(<cuda/version>)
#include <cuda/version>
#endif
// The environments of CUB exist since version 3.5 with these queries.
#if defined(CCCL_VERSION) && CCCL_VERSION >= 3005000
#define COMPACTION_HAS_ENVIRONMENTS 1
#include <cuda/memory_resource>
#include <cuda/stream>
#else
#define COMPACTION_HAS_ENVIRONMENTS 0
#endif

// Environments, as in CUB 3.5: the last argument of a call may name a stream, and the memory
// resource of a call without temporary storage. Its other properties have no effect.

namespace compaction::cub_compat::detail {

struct NoEnvironment {};

template <class Env>
inline constexpr bool kIsStream = std::is_convertible_v<Env, cudaStream_t> || requires(Env env) {
  { env.get() } -> std::convertible_to<cudaStream_t>;
};
template <class Env>
constexpr bool has_stream() {
#if COMPACTION_HAS_ENVIRONMENTS
  if constexpr (requires(const Env& env) { ::cuda::get_stream(env); }) return true;
#endif
  return kIsStream<Env>;
}
template <class Env>
constexpr bool has_memory() {
#if COMPACTION_HAS_ENVIRONMENTS
  return requires(const Env& env) {
    ::cuda::mr::__get_memory_resource(env);
  };
#else
  return false;
#endif
}

/// Whether the last argument of a call is an environment: a stream, a memory resource, or CUB's
/// `env` or `prop`.
template <class Env>
inline constexpr bool kIsEnvironment =
    has_stream<Env>() || has_memory<Env>() || compaction::detail::is_named<Env>("env") ||
    compaction::detail::is_named<Env>("prop");

/// Whether an argument is a comparison, not a stream or an environment in its place.
template <class T>
inline constexpr bool kIsComparison = !kIsEnvironment<T> && !std::is_integral_v<T>;

template <class Env>
cudaStream_t stream_of([[maybe_unused]] const Env& env) {
  if constexpr (std::is_convertible_v<Env, cudaStream_t>)
    return env;
  else if constexpr (kIsStream<Env>)
    return env.get();
#if COMPACTION_HAS_ENVIRONMENTS
  else if constexpr (has_stream<Env>())
    return ::cuda::get_stream(env).get();
#endif
  else
    return nullptr;
}

/// Calls use(memory) with `bytes` of the memory resource of `env`, or of the stream's pool.
template <class Env, class Use>
cudaError_t with_memory([[maybe_unused]] const Env& env, size_t bytes, cudaStream_t stream,
                        Use use) {
#if COMPACTION_HAS_ENVIRONMENTS
  if constexpr (has_memory<Env>()) {
    constexpr size_t kAlignment = 256;
    auto resource = ::cuda::mr::__get_memory_resource(env);
    const ::cuda::stream_ref on(stream);
    void* memory = resource.allocate(on, bytes, kAlignment);
    const cudaError_t status = use(memory);
    resource.deallocate(on, memory, bytes, kAlignment);
    return status;
  }
#endif
  void* memory = nullptr;
  if (cudaError_t status = cudaMallocAsync(&memory, bytes, stream); status != cudaSuccess)
    return status;
  const cudaError_t status = use(memory), freed = cudaFreeAsync(memory, stream);
  return status != cudaSuccess ? status : freed;
}

/// Calls call(temp, temp_bytes, args..., stream) twice, as CUB's functions require, in memory of
/// the environment, which may be the last of `args`. Without an environment there is no `stream`.
template <class Call, class... Args>
cudaError_t call_in_environment(Call call, const Args&... args) {
  constexpr size_t kLast = sizeof...(Args) - 1;
  const std::tuple<const Args&...> all(args...);
  const auto run = [&]<class Env, size_t... kIndices>(const Env& env,
                                                      std::index_sequence<kIndices...>) {
    const cudaStream_t stream = stream_of(env);
    size_t bytes = 0;
    const auto call_in = [&](void* temp) {
      if constexpr (std::is_same_v<Env, NoEnvironment>)
        return call(temp, bytes, std::get<kIndices>(all)...);
      else
        return call(temp, bytes, std::get<kIndices>(all)..., stream);
    };
    if (cudaError_t status = call_in(nullptr); status != cudaSuccess) return status;
    return with_memory(env, bytes, stream, call_in);
  };
  if constexpr (kIsEnvironment<std::tuple_element_t<kLast, std::tuple<Args...>>>)
    return run(std::get<kLast>(all), std::make_index_sequence<kLast>());
  else
    return run(NoEnvironment(), std::make_index_sequence<kLast + 1>());
}

/// Whether a call has no temporary storage, whose size would be its second argument. A call with
/// storage has at least four arguments.
template <class... Args>
inline constexpr bool kHasNoStorage = false;
template <class First, class Second, class... Args>
inline constexpr bool kHasNoStorage<First, Second, Args...> =
    !std::is_same_v<Second, size_t> || sizeof...(Args) < 2;

/// Calls call(args..., stream), where the last of `args` is replaced by its stream.
template <class Call, class... Args>
cudaError_t call_on_stream(Call call, const Args&... args) {
  constexpr size_t kLast = sizeof...(Args) - 1;
  const std::tuple<const Args&...> all(args...);
  return [&]<size_t... kIndices>(std::index_sequence<kIndices...>) {
    return call(std::get<kIndices>(all)..., stream_of(std::get<kLast>(all)));
  }
  (std::make_index_sequence<kLast>());
}

/// Whether the last argument is an environment that does not convert to a stream.
template <class... Args>
inline constexpr bool kEndInEnvironment = false;
template <class Last>
inline constexpr bool kEndInEnvironment<Last> =
    kIsEnvironment<Last> && !std::is_convertible_v<Last, cudaStream_t>;
template <class First, class Second, class... Args>
inline constexpr bool kEndInEnvironment<First, Second, Args...> =
    kEndInEnvironment<Second, Args...>;

}  // namespace compaction::cub_compat::detail

/// Adds two forms to the function `name` of a class: without temporary storage, and with temporary
/// storage and an environment.
#define COMPACTION_FORM_WITH_ENVIRONMENT(name)                                                  \
  template <class... Args>                                                                      \
  requires(compaction::cub_compat::detail::kHasNoStorage<Args...>) static cudaError_t name(     \
      Args... args) {                                                                           \
    return compaction::cub_compat::detail::call_in_environment(                                 \
        [](void* temp, size_t& temp_bytes, const auto&... rest) {                               \
          return name(temp, temp_bytes, rest...);                                               \
        },                                                                                      \
        args...);                                                                               \
  }                                                                                             \
  template <class... Args>                                                                      \
  requires(compaction::cub_compat::detail::kEndInEnvironment<Args...>) static cudaError_t name( \
      void* temp, size_t& temp_bytes, Args... args) {                                           \
    return compaction::cub_compat::detail::call_on_stream(                                      \
        [&](const auto&... rest) { return name(temp, temp_bytes, rest...); }, args...);         \
  }
