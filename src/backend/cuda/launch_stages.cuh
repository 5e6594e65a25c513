// SPDX-License-Identifier: MIT
#pragma once

#include "backend/cuda/cuda_backend.h"
#include "compaction/simt/cuda/launch.cuh"
#include "wavefront/kernels/for_each.h"

namespace winnow {

// Definitions of the members of CudaBackend that launch kernels. The files of kernels/, which
// instantiate them, include this header.

template <class Use>
void CudaBackend::with_launcher(Use use) {
  if (status_ != cudaSuccess) return;
  simt::cuda::Launcher launcher(target_);
  use(launcher);
  status_ = launcher.status();
}

template <class Kernel>
void CudaBackend::fill_device(const Kernel& kernel) {
  with_launcher([&](simt::cuda::Launcher& launcher) {
    launcher.launch(launcher.resident_blocks<Kernel>(), kernel);
  });
}

template <class Step>
void CudaBackend::once(const Step& step) {
  with_launcher(
      [&](simt::cuda::Launcher& launcher) { launcher.launch(1, simt::RunOnce<Step>{step}); });
}

template <class Source, class Stage>
void CudaBackend::for_each(WaveState* state, const Source& source, const Stage& stage) {
  if constexpr (requires { trace_by_optix(state, source, stage, Occluders::kMayBePassed); })
    if (uses_optix_) return trace_by_optix(state, source, stage, Occluders::kMayBePassed);
  fill_device(ForEach<Source, Stage>{state, source, stage});
}

template <class Source, class Stage>
void CudaBackend::for_each_ray(WaveState* state, const Source& source, const Stage& stage) {
  if (uses_optix_) return trace_by_optix(state, source, stage, Occluders::kOpaque);
  fill_device(ForEachRay<Source, Stage>{state, source, stage});
}

template <class Source, class Stage>
void CudaBackend::for_each_tally(WaveState* state, const Source& source, const Stage& stage) {
  fill_device(ForEachTally<Source, Stage>{state, source, stage});
}

template <class Stage, class Range>
void CudaBackend::for_each_push(WaveState* state, const WorkQueue& work, const Stage& stage,
                                AppendSurvivors append, Range range) {
  fill_device(ForEachPush<Stage, Range>{state, work, stage, append, range});
}

}  // namespace winnow
