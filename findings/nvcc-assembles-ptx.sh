#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# nvcc -ptx also assembles what it writes, for sm_90 and newer, and fails on functions that only OptiX knows.
#
# Expected: nvcc -ptx stops after the compiler; ptxas does not run. PTX with calls of functions that its reader replaces,
#   as OptiX does when it compiles a module, is written for every architecture alike.
# Seen: nvcc 13.0.88 (PyPI), 2026-11-28. For architectures below 90, virtual or real, ptxas does not run. From 90 on it
#   checks the PTX, and reports the function as an unknown symbol; the file is there, but nvcc returns 255 and a build
#   stops. So PTX for OptiX is compiled for an older virtual architecture, or as --optix-ir, which is never checked.
# Winnow: compiles --optix-ir for compute_75, see src/CMakeLists.txt.
#
#   findings/nvcc-assembles-ptx.sh     needs g++; no GPU
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet --no-deps nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 \
  nvidia-cuda-runtime==13.0.96
nvcc=$(echo venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc)

cat >program.cu <<'CU'
// A call as the headers of OptiX have it in their functions for the device.
extern "C" __global__ void __raygen__first(unsigned* out) {
  unsigned x;
  asm("call (%0), _optix_get_launch_index_x, ();" : "=r"(x));
  out[x] = x;
}
CU
for architecture in compute_75 sm_75 compute_89 sm_89 compute_90 sm_90 compute_100 compute_120; do
  status=0
  "$nvcc" -ptx -arch=$architecture program.cu -o program.ptx 2>log || status=$?
  reason=$(grep -o "Unknown symbol.*" log || true)
  echo "-ptx $architecture: $status ${reason%\'*}"
done >seen
status=0
"$nvcc" --optix-ir -arch=sm_90 program.cu -o program.optixir || status=$?
echo "--optix-ir sm_90: $status" >>seen
cat seen
diff --ignore-trailing-space - seen <<'EXPECTED'
-ptx compute_75: 0
-ptx sm_75: 0
-ptx compute_89: 0
-ptx sm_89: 0
-ptx compute_90: 255 Unknown symbol '_optix_get_launch_index_x
-ptx sm_90: 255 Unknown symbol '_optix_get_launch_index_x
-ptx compute_100: 255 Unknown symbol '_optix_get_launch_index_x
-ptx compute_120: 255 Unknown symbol '_optix_get_launch_index_x
--optix-ir sm_90: 0
EXPECTED
