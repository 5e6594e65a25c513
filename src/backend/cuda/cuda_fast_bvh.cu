// SPDX-License-Identifier: MIT
#include <string>

#include "backend/cuda/cuda_bvh_backend.cuh"
#include "backend/cuda/cuda_fast_bvh.h"
#include "bvh/ploc/build_fast_bvh.h"

namespace winnow {
namespace {

template <class T>
Span<const T> copy_of(Span<const T> items, cudaStream_t stream, CudaMemory& memory) {
  const Span<T> copy = memory.allocate<T>(items.size);
  check_cuda(cudaMemcpyAsync(copy.data, items.data, items.size * sizeof(T),
                             cudaMemcpyDeviceToDevice, stream),
             "copying a BVH");
  return copy;
}

}  // namespace

std::optional<WideBvh> build_fast_bvh(const BvhGeometry& geometry, CudaMemory& memory) {
  const size_t count = geometry.triangles.size + geometry.spheres.size;
  if (count > WideBvh::kMaxPrimitives)
    throw Error("the scene has " + std::to_string(count) + " primitives; this BVH holds at most " +
                std::to_string(WideBvh::kMaxPrimitives));
  CudaBvhBackend backend;
  const FastBvh built = FastBvhBuilder(backend, geometry).build();
  if (built.too_deep) return std::nullopt;
  WideBvh bvh;
  if (built.node_count == 0) return bvh;
  bvh.nodes = copy_of(Span<const WideBvhNode>(built.nodes.data, built.node_count), backend.stream(),
                      memory);
  bvh.primitives = copy_of(Span<const BvhPrimitive>(built.primitives.data, built.primitive_count),
                           backend.stream(), memory);
  check_cuda(backend.launcher().status(), "building a BVH");
  check_cuda(cudaStreamSynchronize(backend.stream()), "building a BVH");
  return bvh;
}

std::optional<WideBvhArrays> build_fast_bvh(const HostScene& scene) {
  CudaMemory memory;
  const BvhGeometry geometry{memory.upload(scene.positions), memory.upload(scene.triangles),
                             memory.upload(scene.spheres)};
  const std::optional<WideBvh> bvh = build_fast_bvh(geometry, memory);
  if (!bvh) return std::nullopt;
  return WideBvhArrays{download(bvh->nodes), download(bvh->primitives)};
}

}  // namespace winnow
