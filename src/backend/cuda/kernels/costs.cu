// SPDX-License-Identifier: MIT
// Path loops that measure the costs of paths. They are in a file of their own, because in that of
// the extended scenes nvcc 13.0 would give the other path loop 175 registers in place of 128, and
// because they are compiled with fewer optimisations.
#include "backend/cuda/launch_stages.cuh"
#include "bvh/instanced_bvh.h"
#include "device_scene/device_scene.h"
#include "shading/bsdf/bsdf_by_type.h"
#include "wavefront/stage/follow_path.h"
#include "wavefront/stage/grid_media.h"

namespace winnow {

template void CudaBackend::for_each(
    WaveState*, const AllPaths&, const MeasurePath<InstancedBvh, DeviceScene<kMedia>, AnyMedia>&);
#ifndef WINNOW_ONE_FEATURE_SET
template void CudaBackend::for_each(WaveState*, const AllPaths&,
                                    const MeasurePath<WideBvh, DeviceScene<kBasic>>&);
template void CudaBackend::for_each(WaveState*, const AllPaths&,
                                    const MeasurePath<WideBvh, DeviceScene<kExtended>>&);
#endif

}  // namespace winnow
