// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>

#include <cub/device/device_radix_sort.cuh>
#include <string>
#include <vector>

#include "backend/cuda/cuda_fast_bvh.h"
#include "base/cuda_check.h"
#include "bvh/ploc/build_fast_bvh.h"
#include "compaction/simt/cuda/launch.cuh"

namespace winnow {
namespace {

/// Backend of FastBvhBuilder on a GPU: the default stream, and stream-ordered memory that the
/// destructor frees.
class CudaBvhBackend {
 public:
  CudaBvhBackend() = default;
  CudaBvhBackend(const CudaBvhBackend&) = delete;
  ~CudaBvhBackend() {
    for (void* block : blocks_) cudaFreeAsync(block, stream());
    cudaStreamSynchronize(stream());  // makes the memory available to other allocations
  }

  simt::cuda::Launcher& launcher() { return launcher_; }
  cudaStream_t stream() const { return launcher_.stream(); }

  template <class T>
  simt::Span<T> allocate(size_t count) {
    void* data = nullptr;
    check_cuda(cudaMallocAsync(&data, count * sizeof(T), stream()), "allocating memory for a BVH");
    blocks_.push_back(data);
    return {static_cast<T*>(data), count};
  }

  template <class T>
  void clear(simt::Span<T> span) {
    check_cuda(cudaMemsetAsync(span.data, 0, span.size * sizeof(T), stream()), "clearing memory");
  }

  simt::Span<const uint32_t> sort(simt::Span<const uint64_t> keys,
                                  simt::Span<const uint32_t> values) {
    constexpr int kKeyBits = 63;
    auto sorted_keys = allocate<uint64_t>(keys.size);
    auto sorted = allocate<uint32_t>(values.size);
    size_t bytes = 0;
    auto sort_in = [&](void* memory) {
      check_cuda(
          cub::DeviceRadixSort::SortPairs(memory, bytes, keys.data, sorted_keys.data, values.data,
                                          sorted.data, keys.size, 0, kKeyBits, stream()),
          "sorting primitives");
    };
    sort_in(nullptr);
    sort_in(allocate<std::byte>(bytes).data);
    return sorted;
  }

  template <class T>
  T read(simt::Span<T> span) {
    check_cuda(launcher_.status(), "building a BVH");
    T value;
    check_cuda(cudaMemcpyAsync(&value, span.data, sizeof(T), cudaMemcpyDeviceToHost, stream()),
               "building a BVH");
    check_cuda(cudaStreamSynchronize(stream()), "building a BVH");
    return value;
  }

 private:
  simt::cuda::Launcher launcher_{nullptr};
  std::vector<void*> blocks_;
};

}  // namespace

std::optional<WideBvhArrays> build_fast_bvh(const HostScene& scene) {
  const size_t count = scene.triangles.size() + scene.spheres.size();
  if (count > WideBvh::kMaxPrimitives)
    throw Error("the scene has " + std::to_string(count) + " primitives; this BVH holds at most " +
                std::to_string(WideBvh::kMaxPrimitives));
  CudaMemory memory;
  const BvhGeometry geometry{memory.upload(scene.positions), memory.upload(scene.triangles),
                             memory.upload(scene.spheres)};
  CudaBvhBackend backend;
  const FastBvh built = FastBvhBuilder(backend, geometry).build();
  if (built.too_deep) return std::nullopt;
  check_cuda(backend.launcher().status(), "building a BVH");
  return WideBvhArrays{
      download(Span<const WideBvhNode>(built.nodes.data, built.node_count)),
      download(Span<const BvhPrimitive>(built.primitives.data, built.primitive_count))};
}

}  // namespace winnow
