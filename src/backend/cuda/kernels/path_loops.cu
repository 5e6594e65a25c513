// SPDX-License-Identifier: MIT
// Path loops that are compiled with fewer optimisations: those that measure the costs of paths, and
// those of scenes with layers or media. Through grids without emission, such a loop would take 1.12
// times as long; grids.cu has it.
#include "backend/cuda/launch_stages.cuh"
#include "bvh/instanced_bvh.h"
#include "device_scene/device_scene.h"
#include "shading/bsdf/bsdf_by_type.h"
#include "wavefront/stage/follow_path.h"
#include "wavefront/stage/grid_media.h"

namespace winnow {

template void CudaBackend::for_each(
    WaveState*, const AllPaths&, const MeasurePath<InstancedBvh, DeviceScene<kMedia>, AnyMedia>&);
template void CudaBackend::for_each(WaveState*, const AllPaths&,
                                    const FollowPath<InstancedBvh, DeviceScene<kMedia>>&);
template void CudaBackend::for_each(
    WaveState*, const AllPaths&,
    const FollowPath<InstancedBvh, DeviceScene<kMedia>, GridMedia<true>>&);
#ifndef WINNOW_ONE_FEATURE_SET
template void CudaBackend::for_each(WaveState*, const AllPaths&,
                                    const MeasurePath<WideBvh, DeviceScene<kBasic>>&);
template void CudaBackend::for_each(WaveState*, const AllPaths&,
                                    const MeasurePath<WideBvh, DeviceScene<kExtended>>&);
#endif

}  // namespace winnow
