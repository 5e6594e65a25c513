// SPDX-License-Identifier: MIT
// Rays in two-level trees, whose kernel any scene can use; stages that trace rays with OptiX, and
// the kernels that complete its results.
#include "backend/cuda/launch_stages.cuh"
#include "backend/cuda/optix_stages.h"
#include "backend/cuda/optix_tracer.h"
#include "bvh/instanced_bvh.h"
#include "wavefront/stage/intersect.h"
#include "wavefront/stage/shadow.h"

namespace winnow {

template <class A>
void CudaBackend::trace_by_optix(WaveState* state, const WorkQueue& work,
                                 const IntersectClosest<A>& stage, Occluders) {
  if (status_ != cudaSuccess) return;
  optix_->launch(target_,
                 FindHits{.scene = optix_->scene(),
                          .state = state,
                          .work = work,
                          .rays = {{}, stage.camera, stage.paths, stage.hits, state}},
                 &state->iteration.queued, uint32_t(stage.hits.size));
  fill_device(ForEach<WorkQueue, CompleteHits<IntersectClosest<A>>>{
      state, work, {stage, optix_->geometry()}});
}

template <class A, class Scene>
void CudaBackend::trace_by_optix(WaveState* state, const AllShadowRays& all,
                                 const TraceShadowRays<A, Scene, HomogeneousMedia>& stage,
                                 Occluders occluders) {
  if (status_ != cudaSuccess) return;
  const Span<FoundHit> found = optix_->occluders();
  optix_->launch(
      target_,
      FindOccluders{
          .scene = optix_->scene(), .state = state, .rays = stage.shadow_rays, .occluders = found},
      &state->iteration.shadow_rays, uint32_t(found.size));
  fill_device(ForEach<AllShadowRays, ConfirmOccluders<TraceShadowRays<A, Scene, HomogeneousMedia>>>{
      state, all, {stage, found, optix_->geometry(), occluders == Occluders::kMayBePassed}});
}

template void CudaBackend::for_each_ray(WaveState*, const WorkQueue&,
                                        const IntersectClosest<InstancedBvh>&);

template void CudaBackend::trace_by_optix(WaveState*, const WorkQueue&,
                                          const IntersectClosest<InstancedBvh>&, Occluders);
template void CudaBackend::trace_by_optix(WaveState*, const AllShadowRays&,
                                          const TraceShadowRays<InstancedBvh, DeviceScene<kMedia>>&,
                                          Occluders);
#ifndef WINNOW_ONE_FEATURE_SET
template void CudaBackend::trace_by_optix(WaveState*, const WorkQueue&,
                                          const IntersectClosest<WideBvh>&, Occluders);
template void CudaBackend::trace_by_optix(WaveState*, const AllShadowRays&,
                                          const TraceShadowRays<WideBvh, DeviceScene<kBasic>>&,
                                          Occluders);
template void CudaBackend::trace_by_optix(WaveState*, const AllShadowRays&,
                                          const TraceShadowRays<WideBvh, DeviceScene<kExtended>>&,
                                          Occluders);
#endif

}  // namespace winnow
