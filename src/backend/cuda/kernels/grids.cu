// SPDX-License-Identifier: MIT
// Kernels that lead light through media with grids. Such scenes share their other kernels with all
// scenes that have media. path_loops.cu has the path loop of grids that emit.
#include "backend/cuda/launch_stages.cuh"
#include "bvh/instanced_bvh.h"
#include "device_scene/device_scene.h"
#include "shading/bsdf/bsdf_by_type.h"
#include "wavefront/stage/follow_path.h"
#include "wavefront/stage/grid_media.h"
#include "wavefront/stage/shadow.h"
#include "wavefront/stage/volume_light.h"

namespace winnow {

using Scene = DeviceScene<kMedia>;
using A = InstancedBvh;

template void CudaBackend::for_each(WaveState*, const WorkQueue&,
                                    const SampleMedium<A, Scene, GridMedia<false>>&);
template void CudaBackend::for_each(WaveState*, const AllShadowRays&,
                                    const TraceShadowRays<A, Scene, GridMedia<false>>&);
template void CudaBackend::for_each(WaveState*, const ManyShadowRays&,
                                    const TrackShadowRays<Scene>&);
template void CudaBackend::for_each(WaveState*, const AllPaths&,
                                    const FollowPath<A, Scene, GridMedia<false>>&);

// Media that emit.
template void CudaBackend::for_each(WaveState*, const WorkQueue&,
                                    const SampleMedium<A, Scene, GridMedia<true>>&);
template void CudaBackend::once(const EndRaysToVolumeLight&);
template void CudaBackend::for_each(WaveState*, const WorkQueue&,
                                    const CastRaysToVolumeLight<Scene>&);

}  // namespace winnow
