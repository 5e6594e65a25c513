// SPDX-License-Identifier: MIT
// Kernels of scenes with thin films, textured layers, dispersion or vertex colours, without media.
#include "backend/cuda/launch_stages.cuh"
#include "bvh/instanced_bvh.h"
#include "shading/bsdf/bsdf_by_type.h"
#include "wavefront/cull/group.h"
#include "wavefront/stage/add_first_hits.h"
#include "wavefront/stage/alpha_test.h"
#include "wavefront/stage/follow_path.h"
#include "wavefront/stage/shade.h"
#include "wavefront/stage/shadow.h"

namespace winnow {

using Scene = DeviceScene<kLayered>;

template void CudaBackend::for_each(WaveState*, const WorkQueue&,
                                    const AlphaTest<InstancedBvh, Scene>&);
template void CudaBackend::for_each(WaveState*, const WorkQueue&, const ClassifyHits<Scene>&);

template void CudaBackend::for_each_push(WaveState*, const WorkQueue&, const ShadeSurface<Scene>&,
                                         AppendSurvivors, AllEntries);
template void CudaBackend::for_each_push(WaveState*, const WorkQueue&,
                                         const ShadeSurface<Scene, ShadedHits::kSimple>&,
                                         AppendSurvivors, EntriesOfClasses);
template void CudaBackend::for_each_push(WaveState*, const WorkQueue&,
                                         const ShadeSurface<Scene, ShadedHits::kNotPrincipled>&,
                                         AppendSurvivors, EntriesOfClasses);
template void CudaBackend::for_each_push(WaveState*, const WorkQueue&,
                                         const ShadeSurface<Scene, ShadedHits::kPrincipled>&,
                                         AppendSurvivors, EntriesOfClasses);

template void CudaBackend::for_each_ray(WaveState*, const AllShadowRays&,
                                        const TraceShadowRays<InstancedBvh, Scene>&);
template void CudaBackend::for_each(WaveState*, const AllShadowRays&,
                                    const TraceShadowRays<InstancedBvh, Scene>&);

template void CudaBackend::for_each(WaveState*, const AllPaths&,
                                    const FollowPath<InstancedBvh, Scene>&);
template void CudaBackend::for_each(WaveState*, const AllPixels&,
                                    const AddFirstHits<InstancedBvh, Scene>&);

}  // namespace winnow
