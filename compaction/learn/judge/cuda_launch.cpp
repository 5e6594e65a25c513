// SPDX-License-Identifier: MIT
// Launches kernels in CUDA's syntax, with their indices, shared memory and copies of memory.

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "compaction/learn/judge/cuda_syntax.h"
#include "compaction/learn/judge/watcher.h"

namespace compaction::judge {

namespace {

constexpr size_t kMaxStaticShared = size_t(48) << 10;  // bytes, nvcc's limit
constexpr size_t kMaxDynamicShared = size_t(227) << 10;
constexpr size_t kSharedGap = 64;  // bytes between arrays, in which a wrong index is detected
constexpr unsigned kMaxBlockSize = 1024, kMaxBlockDepth = 64;  // threads, in all and along z
constexpr unsigned kMaxBlocksAlongX = (1u << 31) - 1, kMaxBlocks = 65535;  // along y and z

/// Dynamic shared memory that launches may have, bytes. cudaFuncSetAttribute raises it.
size_t dynamic_shared_limit = kMaxStaticShared;

/// Bytes of the static shared memory of all kernels of the program.
size_t static_shared_end = 0;

struct RunningKernel {
  LaunchShape shape;
  size_t static_offset;                // start of the static shared memory, after the dynamic one
  std::map<size_t, size_t>& declared;  // offset and bytes of the declarations that were reached
};

RunningKernel* running_kernel = nullptr;
struct EndOfKernel {
  RunningKernel* const outer = running_kernel;
  ~EndOfKernel() {
    running_kernel = outer;
    Watcher::instance().set_parameters(nullptr, 0);
  }
};

cudaError_t last_error = cudaSuccess;

size_t rounded(size_t bytes) {
  return simt::ceil_div(bytes, kSharedGap) * kSharedGap;
}

Index3 unfold(unsigned index, dim3 shape) {
  return {index % shape.x, index / shape.x % shape.y, index / shape.x / shape.y};
}

bool is_valid(const LaunchShape& shape) {
  const uint64_t blocks = uint64_t(shape.grid.x) * shape.grid.y * shape.grid.z;
  const uint64_t threads = uint64_t(shape.block.x) * shape.block.y * shape.block.z;
  return blocks > 0 && blocks <= kMaxBlocksAlongX && shape.grid.y <= kMaxBlocks &&
         shape.grid.z <= kMaxBlocks && threads > 0 && threads <= kMaxBlockSize &&
         shape.block.z <= kMaxBlockDepth && shape.dynamic_shared_bytes <= dynamic_shared_limit;
}

}  // namespace

void run_kernel(const LaunchShape& shape, const char* kernel, const KernelCall& call) {
  static std::map<std::string, std::map<size_t, size_t>> declared;
  if (!is_valid(shape)) {
    last_error = cudaErrorInvalidConfiguration;
    return;
  }
  RunningKernel running{shape, rounded(shape.dynamic_shared_bytes) + kSharedGap, declared[kernel]};
  const EndOfKernel end;
  running_kernel = &running;
  const simt::host::Executor::Launch launch{
      .name = kernel,
      .blocks = shape.grid.x * shape.grid.y * shape.grid.z,
      .block_size = shape.block.x * shape.block.y * shape.block.z,
      .shared_size = running.static_offset + static_shared_end,
      .kernel = &call,
      .body = [](const void* call, simt::host::Thread&, void*) {
        const auto& [parameters, bytes, run] = *static_cast<const KernelCall*>(call);
        run(parameters);
      }};
  Watcher::instance().set_parameters(call.parameters, call.bytes);
  Watcher::instance().run(launch, shape.dynamic_shared_bytes);
}

Index3 thread_index() {
  return unfold(simt::host::Executor::Scheduler::current->running().rank,
                running_kernel->shape.block);
}
Index3 block_index() {
  return unfold(simt::host::Executor::Scheduler::current->running().block->index,
                running_kernel->shape.grid);
}
dim3 block_shape() {
  return running_kernel->shape.block;
}
dim3 grid_shape() {
  return running_kernel->shape.grid;
}

size_t place_shared(size_t bytes) {
  return std::exchange(static_shared_end, static_shared_end + rounded(bytes) + kSharedGap);
}

void* static_shared(size_t offset, size_t bytes) {
  std::map<size_t, size_t>& declared = running_kernel->declared;
  if (declared.emplace(offset, bytes).second) {
    size_t all = 0;
    for (const std::pair<const size_t, size_t>& declaration : declared) all += declaration.second;
    if (all > kMaxStaticShared)
      throw std::runtime_error("the kernel declares more than 48 KiB of static shared memory");
  }
  std::byte* start =
      static_cast<std::byte*>(dynamic_shared()) + running_kernel->static_offset + offset;
  Watcher::instance().allow_shared(start, bytes);
  return start;
}

void* dynamic_shared() {
  Watcher::instance().note_shared();
  return simt::host::Executor::Scheduler::current->running().block->shared.data();
}

cudaError_t cuda::set_dynamic_shared_limit(int bytes) {
  if (bytes < 0 || size_t(bytes) > kMaxDynamicShared) return last_error = cudaErrorInvalidValue;
  dynamic_shared_limit = std::max(dynamic_shared_limit, size_t(bytes));
  return cudaSuccess;
}

cudaError_t cuda::cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  Watcher& watcher = Watcher::instance();
  // A static variable may be either.
  const auto is_device = [&](const void* side) { return watcher.memory.contains(side); };
  const auto is_host = [&](const void* side) {
    return !is_device(side) && !Watcher::is_static(side);
  };
  const bool reads_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const bool writes_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  if (kind != cudaMemcpyDefault && bytes > 0 &&
      ((reads_device ? is_host(from) : is_device(from)) ||
       (writes_device ? is_host(to) : is_device(to))))
    return last_error = cudaErrorInvalidValue;
  const DeviceMemory::Opened opened(watcher.memory);
  for (const void* side : {static_cast<const void*>(to), from}) {
    if (bytes == 0 || !watcher.memory.contains(side)) continue;
    const Allocation* array = watcher.memory.find(side);
    if (!array || array->is_freed || uintptr_t(side) - array->start + bytes > array->bytes)
      throw std::runtime_error("cudaMemcpy of " + std::to_string(bytes) + " bytes " +
                               (!array ? "accesses device memory before the first array"
                                : array->is_freed
                                    ? "accesses " + array->name + ", which was freed"
                                    : "accesses memory past the end of " + array->name));
  }
  if (bytes > 0) std::memmove(to, from, bytes);
  watcher.memory.set_written(to, bytes);
  return cudaSuccess;
}

cudaError_t cuda::cudaFree(void* pointer) {
  return Watcher::instance().memory.free(pointer) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cuda::cudaMemset(void* to, int value, size_t bytes) {
  if (bytes > 0) device_memset(to, value, bytes);
  return cudaSuccess;
}

cudaError_t cuda::cudaGetLastError() {
  return std::exchange(last_error, cudaSuccess);
}
cudaError_t cuda::cudaPeekAtLastError() {
  return last_error;
}

}  // namespace compaction::judge
