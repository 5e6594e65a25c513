// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "base/cuda_check.h"
#include "wavefront/state/render_stats.h"

namespace winnow {

/// A CUDA graph that is recorded from a stream once and launched repeatedly.
class CudaGraph {
 public:
  CudaGraph() = default;
  CudaGraph(const CudaGraph&) = delete;
  ~CudaGraph() {
    if (graph_) cudaGraphExecDestroy(graph_);
  }

  explicit operator bool() const { return graph_; }

  template <class Work>
  void record(cudaStream_t stream, Work work) {
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
               "recording a graph");
    cudaGraph_t recorded = nullptr;
    try {
      work();
    } catch (...) {
      cudaStreamEndCapture(stream, &recorded);
      if (recorded) cudaGraphDestroy(recorded);
      throw;
    }
    check_cuda(cudaStreamEndCapture(stream, &recorded), "recording a graph");
    count(recorded);
    cudaError_t status = cudaGraphInstantiate(&graph_, recorded, 0);
    cudaGraphDestroy(recorded);
    check_cuda(status, "making a graph");
    check_cuda(cudaGraphUpload(graph_, stream), "uploading a graph");
  }

  /// Adds the nodes of a recorded graph, such as the body of a loop, to content().
  void count(cudaGraph_t recorded) {
    size_t size = 0;
    check_cuda(cudaGraphGetNodes(recorded, nullptr, &size), "counting a graph's nodes");
    std::vector<cudaGraphNode_t> nodes(size);
    check_cuda(cudaGraphGetNodes(recorded, nodes.data(), &size), "counting a graph's nodes");
    for (cudaGraphNode_t node : nodes) {
      cudaGraphNodeType type;
      check_cuda(cudaGraphNodeGetType(node, &type), "counting a graph's nodes");
      ++(type == cudaGraphNodeTypeKernel        ? content_.kernels
         : type == cudaGraphNodeTypeConditional ? content_.loops
                                                : content_.others);
    }
  }
  const RecordedWork& content() const { return content_; }

  void launch(cudaStream_t stream) const {
    check_cuda(cudaGraphLaunch(graph_, stream), "starting a graph");
  }

 private:
  cudaGraphExec_t graph_ = nullptr;
  RecordedWork content_;
};

inline bool has_graph_loops() {
  constexpr int kFirstDriver = 12040;  // CUDA 12.4
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess && version >= kFirstDriver;
}

/// Adds a loop to the graph that `stream` is recording. Returns the graph of the loop's body, which
/// runs at least once.
///
/// @param condition  receives the handle that the body must set
inline cudaGraph_t add_loop(cudaStream_t stream, cudaGraphConditionalHandle& condition) {
  const char* doing = "recording a loop";
  cudaStreamCaptureStatus capture;
  cudaGraph_t graph;
  const cudaGraphNode_t* before;
  size_t before_count;
#if CUDART_VERSION >= 13000
  check_cuda(
      cudaStreamGetCaptureInfo(stream, &capture, nullptr, &graph, &before, nullptr, &before_count),
      doing);
#else
  check_cuda(cudaStreamGetCaptureInfo_v2(stream, &capture, nullptr, &graph, &before, &before_count),
             doing);
#endif
  check_cuda(cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault),
             doing);
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = condition;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  cudaGraphNode_t node;
#if CUDART_VERSION >= 13000
  check_cuda(cudaGraphAddNode(&node, graph, before, nullptr, before_count, &params), doing);
  check_cuda(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1,
                                                 cudaStreamSetCaptureDependencies),
             doing);
#else
  check_cuda(cudaGraphAddNode(&node, graph, before, before_count, &params), doing);
  check_cuda(
      cudaStreamUpdateCaptureDependencies(stream, &node, 1, cudaStreamSetCaptureDependencies),
      doing);
#endif
  return params.conditional.phGraph_out[0];
}

}  // namespace winnow
