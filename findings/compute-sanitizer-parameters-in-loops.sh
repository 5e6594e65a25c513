#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# compute-sanitizer reports reads of a kernel's own parameter as out of bounds if the kernel is in the loop of a graph.
#
# Expected: memcheck finds no error in a kernel that hands the address of its __grid_constant__ parameter to a function,
#   however the kernel is launched.
# Seen: compute-sanitizer 2025.3.1 and 2026.4.0 (nvidia-cuda-sanitizer-api 13.0.85 and 13.5.25), CUDA 13.0.88, driver
#   580.159.04, H200, 2026-11-29. On a stream and in a graph: 0 errors. In the body of a WHILE node: each thread reads
#   "out of bounds", at an address inside the parameter, which the kernel prints, and the launch fails, though the
#   program is right.
# Winnow: "Debug a loop" in compaction/LOOPS.md; .github/CONTRIBUTING.md has renders checked with --driver host.
#
#   findings/compute-sanitizer-parameters-in-loops.sh
#     needs a GPU; NVCC and SANITIZER name other programs of these versions than those of PyPI
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

if [[ -z ${NVCC-} || -z ${SANITIZER-} ]]; then
  python3 -m venv venv
  venv/bin/pip install --quiet --no-deps nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 \
    nvidia-cuda-runtime==13.0.96 nvidia-cuda-sanitizer-api==13.0.85
  NVCC=${NVCC:-$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc)}
  SANITIZER=${SANITIZER:-$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin/compute-sanitizer)}
fi

cat >program.cu <<'CU'
#include <cstdio>
#include <cstdlib>

struct Table {
  const float* rows[8];
  unsigned size;
};

__device__ __noinline__ float look_up(const Table* table, unsigned i) {
  return table->rows[i % 8][i % table->size];
}

__global__ void read(const __grid_constant__ Table table, float* out) {
  if (threadIdx.x == 0) std::printf("parameter %p %d\n", (const void*)&table, int(sizeof(Table)));
  out[threadIdx.x] = look_up(&table, threadIdx.x);
}

__global__ void end_loop(cudaGraphConditionalHandle loop) {
  cudaGraphSetConditional(loop, 0);
}

int main(int, char** argv) {
  const char way = argv[1][0];
  float *values, *out;
  cudaMalloc(&values, 4096);
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(values, 0, 4096);
  Table table{};
  for (const float*& row : table.rows) row = values;
  table.size = 1000;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  if (way == 's') {
    read<<<1, 32, 0, stream>>>(table, out);
  } else {
    cudaGraph_t graph, body;
    cudaGraphCreate(&graph, 0);
    body = graph;
    cudaGraphConditionalHandle loop{};
    if (way == 'w') {
      cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault);
      cudaGraphNodeParams node = {};
      node.type = cudaGraphNodeTypeConditional;
      node.conditional.handle = loop;
      node.conditional.type = cudaGraphCondTypeWhile;
      node.conditional.size = 1;
      cudaGraphNode_t added;
      cudaGraphAddNode(&added, graph, nullptr, nullptr, 0, &node);
      body = node.conditional.phGraph_out[0];
    }
    cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal);
    read<<<1, 32, 0, stream>>>(table, out);
    if (way == 'w') end_loop<<<1, 1, 0, stream>>>(loop);
    cudaStreamEndCapture(stream, nullptr);
    cudaGraphExec_t launched;
    cudaGraphInstantiate(&launched, graph, 0);
    cudaGraphLaunch(launched, stream);
  }
  const cudaError_t status = cudaStreamSynchronize(stream);
  if (status != cudaSuccess) std::printf("failed\n");
  return status == cudaSuccess ? 0 : 1;
}
CU
"$NVCC" -std=c++17 -arch=native -o program program.cu

for way in stream graph while; do
  ./program "$way" >/dev/null || { echo "$way: the program itself fails"; exit 1; }
  "$SANITIZER" --tool memcheck --print-limit 1 ./program "$way" >"$way.txt" 2>&1 || true
  python3 - "$way" <<'PY'
import re, sys

way = sys.argv[1]
text = open(way + ".txt").read()
parameter = re.search(r"parameter (0x[0-9a-f]+) (\d+)", text)
summary = re.search(r"ERROR SUMMARY: (\d+) error", text)
if not parameter or not summary:
    sys.exit(f"{way}: not the output that was expected:\n{text}")
begin, size = parameter.groups()
errors = int(summary[1])
read = re.search(r"Access to (0x[0-9a-f]+)", text)
inside = read and 0 <= int(read[1], 16) - int(begin, 16) < int(size)
print(f"{way}: {'errors' if errors else 'no errors'}{', in the parameter' if inside else ''}")
PY
done | tee seen
diff - seen <<'EXPECTED'
stream: no errors
graph: no errors
while: errors, in the parameter
EXPECTED
