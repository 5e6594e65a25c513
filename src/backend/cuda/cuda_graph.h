// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "base/cuda_check.h"
#include "compaction/cuda/graph.h"
#include "wavefront/state/render_stats.h"

namespace winnow {

/// A CUDA graph that is recorded once and launched repeatedly.
class CudaGraph {
 public:
  explicit operator bool() const { return bool(graph_); }

  /// Records what `work(recording)` launches on the stream `recording`, and loads it on `stream`.
  template <class Work>
  void record(cudaStream_t stream, Work work) {
    check_cuda(graph_.record([&](cudaStream_t recording) {
      work(recording);
      outside_loop_ = count(recording);
    }),
               "recording a graph");
    check_cuda(graph_.upload(stream), "uploading a graph");
  }

  /// Takes what `recording` has captured as the body of the graph's loop. Called again if the loop
  /// is recorded again.
  void end_loop(cudaStream_t recording) { inside_loop_ = count(recording); }

  RecordedWork content() const {
    return {.kernels = outside_loop_.kernels + inside_loop_.kernels,
            .loops = outside_loop_.loops + inside_loop_.loops,
            .others = outside_loop_.others + inside_loop_.others};
  }

  void launch(cudaStream_t stream) const { check_cuda(graph_.launch(stream), "starting a graph"); }

 private:
  /// Counts the nodes that `recording` has captured so far.
  static RecordedWork count(cudaStream_t recording) {
    const char* doing = "counting a graph's nodes";
    compaction::Capture capture;
    check_cuda(compaction::find_capture(recording, capture), doing);
    size_t size = 0;
    check_cuda(cudaGraphGetNodes(capture.graph, nullptr, &size), doing);
    std::vector<cudaGraphNode_t> nodes(size);
    check_cuda(cudaGraphGetNodes(capture.graph, nodes.data(), &size), doing);
    RecordedWork counts;
    for (cudaGraphNode_t node : nodes) {
      cudaGraphNodeType type;
      check_cuda(cudaGraphNodeGetType(node, &type), doing);
      ++(type == cudaGraphNodeTypeKernel        ? counts.kernels
         : type == cudaGraphNodeTypeConditional ? counts.loops
                                                : counts.others);
    }
    return counts;
  }

  compaction::Graph graph_;
  RecordedWork outside_loop_, inside_loop_;
};

}  // namespace winnow
