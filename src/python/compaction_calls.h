// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "compaction/op/operators.h"
#include "compaction/simt/qualifiers.h"
#include "compaction/single_pass/split.h"

namespace simt::host {
struct Schedule;
}

namespace winnow::python {

// Calls of the library with the addresses of arrays. The package has checked shapes, types,
// alignment, and that all arrays are in the same memory.

/// A selection by flags, or a partition if `rejected` is not null.
struct SelectCall {
  const void* items;     ///< [n] of `item_bytes`
  const uint8_t* flags;  ///< [n], selected where not 0
  void* selected;        ///< [n]
  void* rejected;        ///< [n] or null
  int64_t* count;        ///< [1], receives the number of selected items
  uint64_t n;
  unsigned item_bytes;  ///< 1, 2, 4, 8, 12 or 16
};

enum class ScanOp { kSum, kMin, kMax };

struct ScanCall {
  const void* in;  ///< [n]
  void* out;       ///< [n], may be `in`
  uint64_t n;
  std::string type;  ///< int32, uint32, int64, float32 or float64
  ScanOp op;
  compaction::ScanKind kind;
};

/// Integers of a width and signedness that are known at run time.
struct IntegerType {
  unsigned bytes = 4;  ///< 1, 2, 4 or 8
  bool is_signed = true;

  template <class Integer>
  bool is() const {
    return bytes == sizeof(Integer) && is_signed == std::is_signed_v<Integer>;
  }
};

/// Keys of split() of any integer type. IndicesByKey is faster, and compiled for each type.
struct IndicesByAnyKey {
  struct Chunk {
    int32_t key;
  };

  const void* keys;  ///< [n]
  IntegerType type;

  SIMT_HOST_DEVICE void prefetch(uint64_t) const {}
  SIMT_HOST_DEVICE Chunk load(uint64_t item) const {
    switch (type.bytes) {
      case 1:
        return type.is_signed ? key<int8_t>(item) : key<uint8_t>(item);
      case 2:
        return type.is_signed ? key<int16_t>(item) : key<uint16_t>(item);
      case 4:
        return type.is_signed ? key<int32_t>(item) : key<uint32_t>(item);
      default:
        return type.is_signed ? key<int64_t>(item) : key<uint64_t>(item);
    }
  }
  SIMT_HOST_DEVICE int32_t class_of(const Chunk& chunk) const { return chunk.key; }

 private:
  /// Returns a key as it is, or -1 if it is greater than that of any class.
  template <class Key>
  SIMT_HOST_DEVICE Chunk key(uint64_t item) const {
    const auto value = int64_t(static_cast<const Key*>(keys)[item]);  // large uint64_t: negative
    return {value >= 0 && value <= INT32_MAX ? int32_t(value) : -1};
  }
};

struct SplitCall {
  const void* items;  ///< [n] of `item_bytes`
  const void* keys;   ///< [n] of `key_type`, classes; items with other keys are dropped
  void* out;          ///< [n]
  int64_t* offsets;   ///< [classes_of_kernel() + 1]
  IntegerType key_type;
  uint64_t n;
  unsigned item_bytes;
  unsigned classes;  ///< at most kMaxClasses

  static constexpr unsigned kFewClasses = 32, kMaxClasses = 256;
  /// Returns the number of classes of the kernel. Kernels are compiled for two numbers.
  unsigned classes_of_kernel() const { return classes <= kFewClasses ? kFewClasses : kMaxClasses; }
};

// Functions that run kernels of the library on the host executor.
void run_on_host(const SelectCall& call, const simt::host::Schedule& schedule);
void run_on_host(const ScanCall& call, const simt::host::Schedule& schedule);
void run_on_host(const SplitCall& call, const simt::host::Schedule& schedule);

/// A stream of a GPU. Its calls share a workspace, which is never freed. A captured call has memory
/// of its graph instead.
struct CudaPlace {
  int device = 0;
  uintptr_t stream = 0;  ///< a cudaStream_t
};

// Functions that run kernels of the library on a GPU. They do not synchronize. They throw Error,
// always in a build without CUDA.
void run_on_cuda(const SelectCall& call, CudaPlace place);
void run_on_cuda(const ScanCall& call, CudaPlace place);
void run_on_cuda(const SplitCall& call, CudaPlace place);

/// Returns the GPU whose memory has this address. Throws Error if none has, or without CUDA.
int cuda_device_of(uintptr_t address);

/// An item of `kBytes` bytes, which is copied as a whole.
template <unsigned kBytes>
struct alignas(kBytes == 12 ? 4 : kBytes) OpaqueItem {
  std::conditional_t<kBytes % 4 == 0, uint32_t, uint8_t>
      parts[kBytes % 4 == 0 ? kBytes / 4 : kBytes];
};

/// Calls `use` with a null pointer to the type among Items that has `bytes` bytes.
template <class... Item, class Use>
bool with_one_of(unsigned bytes, Use use) {
  return ((sizeof(Item) == bytes && (use(static_cast<Item*>(nullptr)), true)) || ...);
}
/// Calls `use` with a null pointer to the type of an item of `bytes` bytes.
template <class Use>
void with_item(unsigned bytes, Use use) {
  if (!with_one_of<uint8_t, uint16_t, uint32_t, uint64_t, OpaqueItem<12>, OpaqueItem<16>>(bytes,
                                                                                          use))
    throw Error("items of " + std::to_string(bytes) + " bytes; expected 1, 2, 4, 8, 12 or 16");
}

/// Calls use(operator) for the operator of a call on values of T.
template <class T, class Use>
void with_operator(ScanOp op, Use use) {
  switch (op) {
    case ScanOp::kSum:
      return use(compaction::Sum<T>());
    case ScanOp::kMin:
      return use(compaction::Min<T>());
    case ScanOp::kMax:
      return use(compaction::Max<T>());
  }
}

/// Calls use(typed input, typed output) for a scan.
template <class Use>
void with_scan_type(const ScanCall& call, Use use) {
  auto as = [&](auto type) {
    using T = decltype(type);
    use(static_cast<const T*>(call.in), static_cast<T*>(call.out));
  };
  if (call.type == "int32") return as(int32_t());
  if (call.type == "uint32") return as(uint32_t());
  if (call.type == "int64") return as(int64_t());
  if (call.type == "float32") return as(float());
  if (call.type == "float64") return as(double());
  throw Error("a scan of " + call.type + "; expected int32, uint32, int64, float32 or float64");
}

/// Calls use(typed input, typed output, operator) for a scan.
template <class Use>
void with_scan(const ScanCall& call, Use use) {
  with_scan_type(call, [&]<class T>(const T* in, T* out) {
    with_operator<T>(call.op, [&](auto op) { use(in, out, op); });
  });
}

}  // namespace winnow::python
