// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include "compaction/cuda/graph.h"
#include "compaction/device_loop.h"
#include "compaction/simt/cuda/launch.cuh"
#include "compaction/simt/simt.h"

// Loops that the device repeats without the host. LOOPS.md explains when they pay, what a body may
// hold, and how to debug one.

namespace compaction {

namespace detail {

/// Sets the conditions of nodes: whether their bodies run.
template <class Condition>
struct SetConditions {
  cudaGraphConditionalHandle handles[2];
  unsigned count;
  Condition condition;

  SIMT_KERNEL void operator()() const {
    const bool is_true = condition();
    for (unsigned i = 0; i < count; ++i) cudaGraphSetConditional(handles[i], is_true);
  }
};

inline cudaError_t no_state(const char* function) {
  return refuse(function, cudaErrorInvalidValue, "the loop has no state in device memory");
}

template <class Step>
cudaError_t run_step(cudaStream_t stream, const Step& step) {
  simt::cuda::Launcher launcher(stream, simt::cuda::Begin::kOverlapped);
  launcher.launch(1, simt::RunOnce<Step>{step});
  return launcher.status();
}

template <class Condition>
cudaError_t set_condition(cudaStream_t stream, const ConditionalNode& node,
                          const Condition& condition) {
  return run_step(stream, SetConditions<Condition>{{node.condition()}, 1, condition});
}

/// Calls `steps()` in turn until one returns an error.
template <class... Steps>
cudaError_t in_turn(const Steps&... steps) {
  cudaError_t status = cudaSuccess;
  static_cast<void>(((status = steps(), status == cudaSuccess) && ...));
  return status;
}

/// Tests that `stream` can capture a loop.
inline cudaError_t check_capture(const char* function, cudaStream_t stream) {
  Capture capture;
  if (cudaError_t status = find_capture(stream, capture); status != cudaSuccess) return status;
  if (capture.graph == nullptr)
    return refuse(function, cudaErrorIllegalState,
                  "the stream is not being captured: record the loop by Graph::record()");
  if (!has_device_loops())
    return refuse(function, cudaErrorNotSupported,
                  "loops in graphs need a driver of CUDA 12.4 or newer: use unrolled_loop()");
  return cudaSuccess;
}

}  // namespace detail

/// Adds a loop to the capture of `stream`: while `condition()` is true, the device repeats what
/// `body(stream)` enqueues on another stream. The host takes no part, and nothing is allocated
/// when the graph runs. May be called in the body of another loop.
///
/// @param stream     is being captured, for example by Graph::record()
/// @param condition  is copied; called on the device by one thread, before each iteration. Sees
///                   all that the iterations before it have written
/// @param body       may return a cudaError_t or throw. Is called twice, at first to see whether
///                   it fails, and enqueues the same both times. Kernels, copies and memsets on
///                   the device are allowed, and other loops
/// @return  cudaErrorIllegalState if `stream` is not being captured; cudaErrorNotSupported if the
///          driver is older than CUDA 12.4 or the body has what CUDA does not allow there, such as
///          a call with stream_ordered; the error of the body. Nothing is added to the capture
///          then. A build with COMPACTION_CHECK explains refusals
/// One kernel before the loop and one per iteration.
template <class Condition, class Body>
[[nodiscard]] cudaError_t while_loop(cudaStream_t stream, const Condition& condition, Body body) {
  const auto enqueue = [&](cudaStream_t on) { return detail::status_of(body, on); };
  detail::ConditionalNode loop(cudaGraphCondTypeWhile);
  return detail::in_turn([&] { return detail::check_capture("while_loop", stream); },
                         [&] { return detail::rehearse("while_loop", enqueue); },
                         [&] { return loop.create(stream); },
                         [&] { return detail::set_condition(stream, loop, condition); },
                         [&] { return loop.add(stream); }, [&] { return loop.begin_body(); },
                         [&] { return enqueue(loop.body_stream()); },
                         [&] { return detail::set_condition(loop.body_stream(), loop, condition); },
                         [&] { return loop.end_body(); });
}

/// Adds a loop over two arrays to the capture of `stream`, as while_loop() does.
/// `body(stream, iteration)` enqueues one iteration, in each direction in turn.
///
///     select_if(queue[i.from], queue[i.to], i.count, i.n, predicate, workspace, stream)
///
/// Items beyond the capacity are lost, and state.overflowed is set. A kernel that appends must not
/// write them, but counts them.
///
/// A decision of the device whether to go on costs more than a small kernel. If
/// `loop.iterations_per_decision` is above 1, iterations without items may follow the last one; the
/// body must then change nothing that matters. The calls of this library select, scan and split no
/// items then, but a reduction writes the identity.
///
/// One kernel before the loop and one per iteration besides those of the body. Errors as in
/// while_loop(), and cudaErrorInvalidValue without a state, or if the iterations per decision are
/// neither 1 nor even.
template <class Body>
[[nodiscard]] cudaError_t device_loop(cudaStream_t stream, const DeviceLoop& loop, Body body) {
  using detail::EndIteration;
  if (loop.state == nullptr) return detail::no_state("device_loop");
  const unsigned per_decision = loop.iterations_per_decision;
  if (per_decision != 1 && (per_decision == 0 || per_decision % 2 != 0))
    return detail::refuse("device_loop", cudaErrorInvalidValue,
                          "the iterations per decision must be 1 or an even number");

  const auto enqueue = [&](cudaStream_t on, unsigned from) {
    return detail::status_of(body, on, iteration_of(loop, from));
  };
  // Two iterations are recorded apart, and the second one runs only if the first one has produced
  // items; or all without a decision between them.
  detail::ConditionalNode repeat(cudaGraphCondTypeWhile), second(cudaGraphCondTypeIf);
  const auto enqueue_all = [&](cudaStream_t on) {
    cudaError_t status = enqueue(on, 0);
    for (unsigned i = 1; i < per_decision && status == cudaSuccess; ++i)
      status = detail::in_turn(
          [&] {
            return detail::run_step(on, EndIteration{loop, 1 - i % 2});
          },
          [&] { return enqueue(on, i % 2); });
    return status;
  };
  const auto enqueue_second = [&](cudaStream_t on) { return enqueue(on, 1); };
  const auto end_last = [&](cudaStream_t on) {
    return detail::set_condition(on, repeat, EndIteration{loop, 1});
  };

  cudaError_t status = detail::in_turn(
      [&] { return detail::check_capture("device_loop", stream); },
      [&] { return detail::rehearse("device_loop", enqueue_all); },
      [&] {
        return per_decision > 1 ? cudaSuccess : detail::rehearse("device_loop", enqueue_second);
      },
      [&] { return repeat.create(stream); },
      [&] { return detail::set_condition(stream, repeat, detail::BeginLoop{loop}); },
      [&] { return repeat.add(stream); }, [&] { return repeat.begin_body(); },
      [&] { return enqueue_all(repeat.body_stream()); });
  if (status != cudaSuccess) return status;
  const cudaStream_t on = repeat.body_stream();
  if (per_decision > 1)
    return detail::in_turn([&] { return end_last(on); }, [&] { return repeat.end_body(); });
  return detail::in_turn(
      [&] { return second.create(on); },
      [&] {
        return detail::run_step(
            on, detail::SetConditions<EndIteration>{
                    {second.condition(), repeat.condition()}, 2, EndIteration{loop, 0}});
      },
      [&] { return second.add(on); },
      // The body may fork the same streams in both iterations: a stream is in one capture at a
      // time.
      [&] { return repeat.end_body(); }, [&] { return second.begin_body(); },
      [&] { return enqueue_second(second.body_stream()); },
      [&] { return end_last(second.body_stream()); }, [&] { return second.end_body(); });
}

/// Enqueues `loop.limit` iterations of a loop on any stream, being captured or not: for drivers
/// without loops in graphs, and for loops whose length is known. If the loop ends earlier, the
/// remaining iterations have no items: see `iterations_per_decision` at device_loop(), which is
/// otherwise the same.
///
/// @return  cudaErrorInvalidValue without a limit or a state
template <class Body>
[[nodiscard]] cudaError_t unrolled_loop(cudaStream_t stream, const DeviceLoop& loop, Body body) {
  if (loop.state == nullptr) return detail::no_state("unrolled_loop");
  if (loop.limit == DeviceLoop{}.limit)
    return detail::refuse("unrolled_loop", cudaErrorInvalidValue, "the loop has no limit");
  cudaError_t status = detail::run_step(stream, detail::BeginLoop{loop});
  for (uint64_t i = 0; i < loop.limit && status == cudaSuccess; ++i) {
    const unsigned from = unsigned(i % 2);
    status = detail::status_of(body, stream, iteration_of(loop, from));
    if (status == cudaSuccess) status = detail::run_step(stream, detail::EndIteration{loop, from});
  }
  return status;
}

}  // namespace compaction
