// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <optional>
#include <string>

#include "backend/cuda/cuda_fast_bvh.h"
#include "backend/cuda/cuda_memory.h"
#include "backend/cuda/optix_tracer.h"
#include "backend/ray_set_stages.h"
#include "backend/ray_tracer.h"
#include "compaction/simt/cuda/event.h"
#include "compaction/simt/cuda/launch.cuh"
#include "wavefront/kernels/for_each.h"

namespace winnow {
namespace {

constexpr const char* kTracing = "tracing rays";

class CudaWideBvh : public RayTracer {
 public:
  CudaWideBvh(const WideBvhArrays& arrays, int device) : launcher_(nullptr), device_(device) {
    check_cuda(cudaSetDevice(device), "selecting GPU " + std::to_string(device));
    bvh_ = {.nodes = tree_memory_.upload(arrays.nodes),
            .primitives = tree_memory_.upload(arrays.primitives)};
    state_ = tree_memory_.allocate<WaveState>(1).data;
  }

  void load(const RaySet& rays) override {
    check_cuda(cudaSetDevice(device_), "selecting the GPU");
    set_.emplace(rays);
  }

  double trace() override {
    double milliseconds = 0.0;
    const size_t size = set_->rays.origins.size;
    for (size_t first = 0; first < size; first += kBatch) {
      const size_t count = std::min(kBatch, size - first);
      set_item_count(count);
      milliseconds += trace_batch(first, count);
    }
    return milliseconds;
  }

  double sort(const RayOrder& order) override {
    if (!set_->sorting) set_->sorting.emplace(set_->loaded.origins.size);
    const RayColumns& loaded = set_->loaded;
    Sorting& s = *set_->sorting;
    set_item_count(s.keys.size);
    double milliseconds =
        timed_launch(ForEach<AllSlots, KeyRays>{state_, {}, {loaded, order, s.keys, s.indices}});
    milliseconds += timed([&] { s.sort(launcher_.stream()); });
    set_item_count(s.keys.size);
    milliseconds += timed_launch(ForEach<AllSlots, GatherRays>{
        state_, {}, {loaded, s.sorted_indices, s.origins, s.directions}});
    set_->rays = {.origins = s.origins, .directions = s.directions};
    return milliseconds;
  }

  RayResults results() override {
    return {.hits = download(set_->hits), .occluded = download(set_->occluded)};
  }

  std::string name() const override { return kWideBvhTracer; }

 protected:
  /// Traces rays [first, first + count) of the set. Returns the time in ms.
  virtual double trace_batch(size_t first, size_t count) {
    if (is_shadow(set_->kind))
      return timed_launch(
          ForEachRay<AllSlots, TraceAny<WideBvh>>{state_, {}, any_hits(first, count)});
    return timed_launch(
        ForEachRay<AllSlots, TraceClosest<WideBvh>>{state_, {}, closest_hits(first, count)});
  }

  bool traces_shadow_rays() const { return is_shadow(set_->kind); }

  TraceAny<WideBvh> any_hits(size_t first, size_t count) const {
    return {bvh_, set_->rays_of(first, count), set_->occluded.subspan(first, count)};
  }
  TraceClosest<WideBvh> closest_hits(size_t first, size_t count) const {
    return {bvh_, set_->rays_of(first, count), set_->hits.subspan(first, count),
            set_->kind == RayKind::kPrimary};
  }

  template <class Kernel>
  void launch(const Kernel& kernel) {
    launcher_.launch(launcher_.resident_blocks<Kernel>(), kernel);
  }
  template <class Work>
  double timed(const Work& work) {
    check_cuda(start_.record(launcher_.stream()), kTracing);
    work();
    check_cuda(end_.record(launcher_.stream()), kTracing);
    check_cuda(launcher_.status(), kTracing);
    check_cuda(end_.synchronize(), kTracing);
    float milliseconds = 0.0f;
    check_cuda(end_.elapsed_since(start_, milliseconds), kTracing);
    return milliseconds;
  }

  simt::cuda::Launcher launcher_;
  CudaMemory tree_memory_;
  WaveState* state_;

 private:
  /// Rays per launch: about the number of pixels of a 1920x1080 image.
  static constexpr size_t kBatch = 1u << 21;

  struct Sorting {
    CudaMemory memory;
    Span<uint32_t> keys, sorted_keys, indices, sorted_indices;
    Span<Packed> origins, directions;
    size_t bytes = 0;
    void* workspace = nullptr;

    explicit Sorting(size_t size) {
      for (Span<uint32_t>* span : {&keys, &sorted_keys, &indices, &sorted_indices})
        *span = memory.allocate<uint32_t>(size);
      for (Span<Packed>* span : {&origins, &directions}) *span = memory.allocate<Packed>(size);
      sort(nullptr);
      workspace = memory.allocate<std::byte>(bytes).data;
    }

    /// Sorts the keys, or sets `bytes` if there is no workspace yet.
    void sort(cudaStream_t stream) {
      check_cuda(cub::DeviceRadixSort::SortPairs(workspace, bytes, keys.data, sorted_keys.data,
                                                 indices.data, sorted_indices.data, keys.size, 0,
                                                 RayOrder::kKeyBits, stream),
                 "sorting rays");
    }
  };

  struct LoadedSet {
    RayKind kind;
    CudaMemory memory;
    RayColumns loaded,
        rays;  ///< `loaded` in the order of the set, `rays` in the order of tracing
    std::optional<Sorting> sorting;
    Span<Hit> hits;
    Span<uint32_t> occluded;

    RayColumns rays_of(size_t first, size_t count) const {
      return {.origins = rays.origins.subspan(first, count),
              .directions = rays.directions.subspan(first, count)};
    }

    explicit LoadedSet(const RaySet& set)
        : kind(set.kind),
          loaded{.origins = memory.upload(set.origins),
                 .directions = memory.upload(set.directions)},
          rays(loaded) {
      if (is_shadow(set.kind))
        occluded = memory.allocate<uint32_t>(set.size());
      else
        hits = memory.allocate<Hit>(set.size());
    }
  };

  void set_item_count(size_t count) {
    WaveState state;
    state.slot_count = uint32_t(count);
    check_cuda(cudaMemcpy(state_, &state, sizeof state, cudaMemcpyHostToDevice), kTracing);
  }

  template <class Kernel>
  double timed_launch(const Kernel& kernel) {
    return timed([&] { launch(kernel); });
  }

  int device_;
  WideBvh bvh_;
  std::optional<LoadedSet> set_;
  simt::cuda::Event start_, end_;
};

/// OptiX, with the distances of Winnow's own tests as in a render.
class CudaOptix : public CudaWideBvh {
 public:
  CudaOptix(const HostScene& scene, const WideBvhArrays& arrays, int device)
      : CudaWideBvh(arrays, device),
        optix_(scene, {.mesh = {.positions = tree_memory_.upload(scene.positions),
                                .normals = {},
                                .triangles = tree_memory_.upload(scene.triangles),
                                .triangle_materials = {}},
                       .spheres = tree_memory_.upload(scene.spheres),
                       .instanced = {}}) {}

  std::string name() const override { return kOptixTracer; }
  uint64_t tree_bytes() const override { return optix_.tree_bytes(); }

 protected:
  double trace_batch(size_t first, size_t count) override {
    const auto size = uint32_t(count);
    if (traces_shadow_rays())
      return timed([&] {
        optix_.launch(launcher_.stream(),
                      FindOccludedOfSet{optix_.scene(), size, any_hits(first, count)}, size);
      });
    const TraceClosest<WideBvh> rays = closest_hits(first, count);
    return timed([&] {
      optix_.launch(launcher_.stream(), FindHitsOfSet{optix_.scene(), size, rays}, size);
      launch(ForEach<AllSlots, CompleteHits<TraceClosest<WideBvh>>>{
          state_, {}, {rays, optix_.geometry()}});
    });
  }

 private:
  OptixTracer optix_;
};

}  // namespace

std::unique_ptr<RayTracer> make_cuda_wide_bvh(const WideBvhArrays& bvh, int device) {
  return std::make_unique<CudaWideBvh>(bvh, device);
}

std::unique_ptr<RayTracer> make_cuda_optix(const HostScene& scene, const WideBvhArrays& bvh,
                                           int device) {
  return std::make_unique<CudaOptix>(scene, bvh, device);
}

WideBvhArrays build_wide_bvh_on_gpu(const HostScene& scene, int device) {
  check_cuda(cudaSetDevice(device), "selecting GPU " + std::to_string(device));
  std::optional<WideBvhArrays> arrays = build_fast_bvh(scene);
  if (!arrays) throw Error("the tree of --bvh fast is too deep for rays; use --bvh quality");
  return *std::move(arrays);
}

}  // namespace winnow
