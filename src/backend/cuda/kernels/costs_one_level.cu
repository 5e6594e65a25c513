// SPDX-License-Identifier: MIT
// Path loops that measure the costs of paths, for scenes without instances, layers and media.
#include "backend/cuda/launch_stages.cuh"
#include "bvh/wide_bvh.h"
#include "device_scene/device_scene.h"
#include "shading/bsdf/bsdf_by_type.h"
#include "wavefront/stage/follow_path.h"

namespace winnow {

template void CudaBackend::for_each(WaveState*, const AllPaths&,
                                    const MeasurePath<WideBvh, DeviceScene<kBasic>>&);
template void CudaBackend::for_each(WaveState*, const AllPaths&,
                                    const MeasurePath<WideBvh, DeviceScene<kExtended>>&);

}  // namespace winnow
