// SPDX-License-Identifier: MIT
// Kernels of basic scenes, and rays of extended ones but for their alpha tests.
#include "backend/cuda/launch_stages.cuh"
#include "bvh/wide_bvh.h"
#include "shading/bsdf/bsdf_by_type.h"
#include "wavefront/cull/group.h"
#include "wavefront/stage/add_first_hits.h"
#include "wavefront/stage/follow_path.h"
#include "wavefront/stage/intersect.h"
#include "wavefront/stage/shade.h"
#include "wavefront/stage/shadow.h"

namespace winnow {

using Scene = DeviceScene<kBasic>;

template void CudaBackend::for_each(WaveState*, const WorkQueue&, const ClassifyHits<Scene>&);

template void CudaBackend::for_each_push(WaveState*, const WorkQueue&, const ShadeSurface<Scene>&,
                                         AppendSurvivors, AllEntries);
template void CudaBackend::for_each_push(WaveState*, const WorkQueue&, const ShadeSurface<Scene>&,
                                         AppendSurvivors, EntriesOfClasses);

template void CudaBackend::for_each_ray(WaveState*, const WorkQueue&,
                                        const IntersectClosest<WideBvh>&);
template void CudaBackend::for_each_ray(WaveState*, const AllShadowRays&,
                                        const TraceShadowRays<WideBvh, Scene>&);

template void CudaBackend::for_each(WaveState*, const AllPaths&, const FollowPath<WideBvh, Scene>&);
template void CudaBackend::for_each(WaveState*, const AllPixels&,
                                    const AddFirstHits<WideBvh, Scene>&);

}  // namespace winnow
