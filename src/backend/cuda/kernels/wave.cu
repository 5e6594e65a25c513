// SPDX-License-Identifier: MIT
// Kernels that exist once for all scenes: bookkeeping, camera rays, the film.
#include "backend/cuda/cuda_pixels.h"
#include "backend/cuda/launch_stages.cuh"
#include "compaction/device_loop.cuh"
#include "wavefront/bookkeeping.h"
#include "wavefront/stage/add_to_film.h"
#include "wavefront/stage/generate.h"

namespace winnow {
namespace {

struct WorkIsQueued {
  const WaveState* state;

  SIMT_KERNEL bool operator()() const { return state->iteration.queued > 0; }
};

}  // namespace

void CudaBackend::load_a_kernel() {
  cudaFuncAttributes attributes;
  check_cuda(cudaFuncGetAttributes(&attributes, simt::cuda::run<simt::RunOnce<EndWave>>),
             "loading the kernels");
}

void CudaBackend::record_loop(const WaveState* state, void (*iterations)(const void* body),
                              const void* body) {
  const auto record = [&](cudaStream_t stream) {
    launch_on(stream, [&] { iterations(body); });
    recording_->end_loop(stream);
    return status_;
  };
  check_cuda(compaction::while_loop(target_, WorkIsQueued{state}, record), "recording a loop");
}

template void CudaBackend::once(const BeginWave&);
template void CudaBackend::once(const EndIteration&);
template void CudaBackend::once(const EndGrouping&);
template void CudaBackend::once(const MarkCullStart&);
template void CudaBackend::once(const EndWave&);

template void CudaBackend::for_each(WaveState*, const AllSlots&, const GenerateCameraRays&);
template void CudaBackend::for_each(WaveState*, const AliveWords&, const RecordMask&);
template void CudaBackend::for_each(WaveState*, const AllPixels&, const AddToLayers&);
template void CudaBackend::for_each(WaveState*, const AllPixels&, const AddToBackground&);
template void CudaBackend::for_each_tally(WaveState*, const AllPixels&, const AddToFilm&);

cudaError_t launch_copy_pixels(const CopyPixels& kernel) {
  simt::cuda::Launcher launcher(nullptr);
  launcher.launch(launcher.resident_blocks<CopyPixels>(), kernel);
  return launcher.status();
}

}  // namespace winnow
