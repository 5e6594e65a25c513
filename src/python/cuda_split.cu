// SPDX-License-Identifier: MIT
#include "compaction/split.cuh"
#include "python/cuda_call.cuh"

namespace winnow::python {
namespace {

using Source = compaction::IndicesByKey<int32_t>;
constexpr unsigned kConvertBlock = 256;

/// Writes keys of any type as int32_t, one a thread.
__global__ void convert_keys(IndicesByAnyKey keys, uint64_t n, int32_t* converted) {
  const uint64_t item = uint64_t(blockIdx.x) * kConvertBlock + threadIdx.x;
  if (item < n) converted[item] = keys.load(item).key;
}

/// The keys of a call as int32_t: a kernel of split() for each type of keys would be much code.
/// Keys of other types are converted in memory that the stream allocates and frees.
class ConvertedKeys {
 public:
  ConvertedKeys(const SplitCall& call, CudaPlace place)
      : device_(place.device), stream_(reinterpret_cast<cudaStream_t>(place.stream)) {
    if (call.n == 0 || call.key_type.is<int32_t>()) {
      keys_ = static_cast<const int32_t*>(call.keys);
      return;
    }
    check_cuda(cudaMallocAsync(&memory_, call.n * sizeof(int32_t), stream_), "converting keys");
    const auto blocks = unsigned((call.n + kConvertBlock - 1) / kConvertBlock);
    convert_keys<<<blocks, kConvertBlock, 0, stream_>>>({call.keys, call.key_type}, call.n,
                                                        memory_);
    keys_ = memory_;
    check_cuda(cudaGetLastError(), "converting keys");
  }
  ~ConvertedKeys() {
    if (memory_) cudaFreeAsync(memory_, stream_);
  }
  ConvertedKeys(const ConvertedKeys&) = delete;

  Source source() const { return {keys_}; }

 private:
  CurrentDevice device_;
  cudaStream_t stream_;
  int32_t* memory_ = nullptr;
  const int32_t* keys_ = nullptr;
};

template <unsigned kClasses, class T>
void split(const SplitCall& call, CudaPlace place) {
  using Sink = compaction::WriteColumns<T>;
  const Sink sink({static_cast<const T*>(call.items), static_cast<T*>(call.out)});
  const ConvertedKeys keys(call, place);
  with_workspace("splitting", place, compaction::split_bytes<kClasses, Source, Sink>(call.n),
                 [&](const compaction::Storage& storage, cudaStream_t stream) {
                   return compaction::split<kClasses>(keys.source(), sink, call.n, {call.offsets},
                                                      storage, stream);
                 });
}

}  // namespace

void run_on_cuda(const SplitCall& call, CudaPlace place) {
  with_item(call.item_bytes, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    if (call.classes_of_kernel() == SplitCall::kFewClasses)
      split<SplitCall::kFewClasses, T>(call, place);
    else
      split<SplitCall::kMaxClasses, T>(call, place);
  });
}

}  // namespace winnow::python
