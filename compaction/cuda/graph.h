// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(COMPACTION_CHECK)
#include <cstdio>
#endif

// CUDA graphs and their conditional nodes: host code, compiled by any compiler.

namespace compaction {

/// A capture in progress.
struct Capture {
  cudaGraph_t graph = nullptr;  ///< receives the nodes; null: the stream is not being captured
  const cudaGraphNode_t* last = nullptr;  ///< [last_count], nodes that the next one depends on
  size_t last_count = 0;
};

/// Describes the capture of `stream`. The nodes are valid until something is captured.
inline cudaError_t find_capture(cudaStream_t stream, Capture& found) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  const cudaGraphEdgeData* edges = nullptr;  // a query without them fails if one is programmatic
#if CUDART_VERSION >= 13000
  cudaError_t status = cudaStreamGetCaptureInfo(stream, &capture, nullptr, &found.graph,
                                                &found.last, &edges, &found.last_count);
#else
  cudaError_t status = cudaStreamGetCaptureInfo_v3(stream, &capture, nullptr, &found.graph,
                                                   &found.last, &edges, &found.last_count);
#endif
  if (status == cudaSuccess && capture != cudaStreamCaptureStatusActive) found = {};
  return status;
}

namespace detail {

/// Returns `status`. In a build with COMPACTION_CHECK, prints on stderr why.
inline cudaError_t refuse([[maybe_unused]] const char* function, cudaError_t status,
                          [[maybe_unused]] const char* why) {
#if defined(COMPACTION_CHECK)
  std::fprintf(stderr, "compaction: %s: %s\n", function, why);
#endif
  return status;
}

/// Calls `work(arguments...)`, which returns a cudaError_t, or nothing if it cannot fail or throws.
template <class Work, class... Arguments>
cudaError_t status_of(Work& work, Arguments&&... arguments) {
  if constexpr (std::is_void_v<std::invoke_result_t<Work&, Arguments...>>) {
    work(std::forward<Arguments>(arguments)...);
    return cudaSuccess;
  } else {
    return work(std::forward<Arguments>(arguments)...);
  }
}

/// Creates a stream with the priority of `like`, also while other streams are being captured.
inline cudaError_t create_stream(cudaStream_t like, cudaStream_t& stream) {
  int priority = 0;
  if (like != nullptr)
    if (cudaError_t status = cudaStreamGetPriority(like, &priority); status != cudaSuccess)
      return status;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  cudaThreadExchangeStreamCaptureMode(&mode);
  cudaError_t status = cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority);
  cudaThreadExchangeStreamCaptureMode(&mode);
  return status;
}

/// A graph that is recorded on a stream of its own.
class Recording {
 public:
  Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording() {
    end();
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }

  cudaGraph_t graph() const { return graph_; }

  /// Records what `work(stream)` enqueues. It returns a cudaError_t.
  template <class Work>
  cudaError_t record(const Work& work) {
    cudaError_t status = create_stream(nullptr, stream_);
    if (status == cudaSuccess)
      status = cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal);
    if (status != cudaSuccess) return status;
    captures_ = true;
    status = work(stream_);
    const cudaError_t ended = end();
    return status != cudaSuccess ? status : ended;
  }

 private:
  cudaError_t end() {
    return std::exchange(captures_, false) ? cudaStreamEndCapture(stream_, &graph_) : cudaSuccess;
  }

  cudaStream_t stream_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  bool captures_ = false;
};

/// Returns why CUDA would refuse `graph` as the body of a loop, or null.
inline const char* why_not_in_body(cudaGraph_t graph) {
  size_t count = 0;
  if (cudaGraphGetNodes(graph, nullptr, &count) != cudaSuccess) return nullptr;
  std::vector<cudaGraphNode_t> nodes(count);
  if (cudaGraphGetNodes(graph, nodes.data(), &count) != cudaSuccess) return nullptr;
  for (cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    cudaGraphNodeGetType(node, &type);
    switch (type) {
      case cudaGraphNodeTypeKernel:
      case cudaGraphNodeTypeMemcpy:
      case cudaGraphNodeTypeMemset:
      case cudaGraphNodeTypeEmpty:
      case cudaGraphNodeTypeConditional:  // a loop of this library has been tested
        break;
      case cudaGraphNodeTypeGraph: {
        cudaGraph_t child = nullptr;
        if (cudaGraphChildGraphNodeGetGraph(node, &child) != cudaSuccess) break;
        if (const char* why = why_not_in_body(child)) return why;
        break;
      }
      case cudaGraphNodeTypeMemAlloc:
      case cudaGraphNodeTypeMemFree:
        return "the body of a loop allocates or frees memory, which CUDA does not allow: use a "
               "workspace or temporary storage instead of stream_ordered";
      case cudaGraphNodeTypeHost:
        return "the body of a loop calls a function of the host, which CUDA does not allow";
      default:
        return "the body of a loop records or waits for an event or semaphore outside of the "
               "graph, which CUDA does not allow";
    }
  }
  return nullptr;
}

/// Records a body apart, so that what it or CUDA refuses is returned before a conditional node
/// exists. Drivers of CUDA 13.0 have crashed while a body was recorded into such a node.
template <class Body>
cudaError_t rehearse(const char* function, const Body& body) {
  Recording recording;
  if (cudaError_t status = recording.record(body); status != cudaSuccess) return status;
  const char* why = why_not_in_body(recording.graph());
  return why != nullptr ? refuse(function, cudaErrorNotSupported, why) : cudaSuccess;
}

/// A conditional node that is added to the capture of a stream, in this order: create(), which
/// makes the handle of the condition; a kernel on the stream that sets the condition; add(). Then,
/// at any time before the graph is instantiated: begin_body(); the body, on body_stream();
/// end_body(). The body of a loop ends with a kernel that sets the condition again.
class ConditionalNode {
 public:
  explicit ConditionalNode(cudaGraphConditionalNodeType type) : type_(type) {}
  ConditionalNode(const ConditionalNode&) = delete;
  ConditionalNode& operator=(const ConditionalNode&) = delete;
  ~ConditionalNode() { end_body(); }

  cudaGraphConditionalHandle condition() const { return condition_; }
  cudaStream_t body_stream() const { return body_stream_; }

  cudaError_t create(cudaStream_t stream) {
    Capture capture;
    cudaError_t status = find_capture(stream, capture);
    // No default value: CUDA assigns it once per launch of the whole graph, so in an outer loop an
    // inner one would find its last value.
    return status == cudaSuccess ? cudaGraphConditionalHandleCreate(&condition_, capture.graph)
                                 : status;
  }

  cudaError_t add(cudaStream_t stream) {
    Capture capture;
    cudaError_t status = find_capture(stream, capture);
    if (status != cudaSuccess) return status;
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = condition_;
    params.conditional.type = type_;
    params.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
    status =
        cudaGraphAddNode(&node, capture.graph, capture.last, nullptr, capture.last_count, &params);
    if (status == cudaSuccess)
      status = cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1,
                                                   cudaStreamSetCaptureDependencies);
#else
    status = cudaGraphAddNode(&node, capture.graph, capture.last, capture.last_count, &params);
    if (status == cudaSuccess)
      status =
          cudaStreamUpdateCaptureDependencies(stream, &node, 1, cudaStreamSetCaptureDependencies);
#endif
    if (status != cudaSuccess) return status;
    body_ = params.conditional.phGraph_out[0];
    return create_stream(stream, body_stream_);
  }

  /// Calls that allocate fail until end_body().
  cudaError_t begin_body() {
    const cudaError_t status = cudaStreamBeginCaptureToGraph(body_stream_, body_, nullptr, nullptr,
                                                             0, cudaStreamCaptureModeThreadLocal);
    captures_ = status == cudaSuccess;
    return status;
  }

  cudaError_t end_body() {
    cudaError_t status = cudaSuccess;
    if (std::exchange(captures_, false)) status = cudaStreamEndCapture(body_stream_, &body_);
    if (body_stream_ != nullptr) cudaStreamDestroy(std::exchange(body_stream_, nullptr));
    return status;
  }

 private:
  cudaGraphConditionalNodeType type_;
  cudaGraphConditionalHandle condition_{};
  cudaGraph_t body_ = nullptr;
  cudaStream_t body_stream_ = nullptr;
  bool captures_ = false;
};

}  // namespace detail

/// Whether the driver supports loops in graphs, as CUDA 12.4 and newer do.
inline bool has_device_loops() {
  constexpr int kFirstDriver = 12040;
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess && version >= kFirstDriver;
}

/// A CUDA graph that is recorded once and launched repeatedly. It is movable. No launch may be in
/// flight when it is destroyed or recorded anew.
class Graph {
 public:
  Graph() = default;
  Graph(Graph&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept {
    std::swap(graph_, other.graph_);
    return *this;
  }
  ~Graph() { release(); }

  explicit operator bool() const { return graph_ != nullptr; }

  /// Replaces the graph by what `work(stream)` enqueues on a stream that is created for it. Work
  /// that returns a cudaError_t ends the recording by an error; it may also throw. Nothing runs.
  template <class Work>
  [[nodiscard]] cudaError_t record(Work work) {
    release();
    detail::Recording recording;
    const cudaError_t status =
        recording.record([&](cudaStream_t stream) { return detail::status_of(work, stream); });
    return status == cudaSuccess ? cudaGraphInstantiate(&graph_, recording.graph(), 0) : status;
  }

  /// Copies the graph to the device before its first launch, which is faster then.
  [[nodiscard]] cudaError_t upload(cudaStream_t stream) const {
    return cudaGraphUpload(graph_, stream);
  }

  /// Runs the graph on `stream`, asynchronously. One launch at a time; a launch on the same stream
  /// may follow at once. It costs the host the same for any number of iterations of its loops.
  ///
  /// @return  cudaErrorStreamCaptureUnsupported while `stream` is being captured
  [[nodiscard]] cudaError_t launch(cudaStream_t stream) const {
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    cudaError_t status = cudaStreamIsCapturing(stream, &capture);
    if (status == cudaSuccess && capture != cudaStreamCaptureStatusNone)
      return detail::refuse("Graph::launch", cudaErrorStreamCaptureUnsupported,
                            "CUDA cannot capture the launch of a graph: record its work, such as "
                            "device_loop(), on the stream that is being captured");
    return status == cudaSuccess ? cudaGraphLaunch(graph_, stream) : status;
  }

 private:
  void release() {
    if (graph_ != nullptr) cudaGraphExecDestroy(std::exchange(graph_, nullptr));
  }

  cudaGraphExec_t graph_ = nullptr;
};

}  // namespace compaction
