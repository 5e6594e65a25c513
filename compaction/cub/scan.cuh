// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/cub/combine.cuh"

// Scans with CUB's names and arguments, see cub_compat.cuh.

namespace compaction::cub_compat {

/// cub::FutureValue: an initial value that is read on the device when the scan runs.
template <class T, class It = T*>
class FutureValue {
 public:
  using value_type = T;
  using iterator_type = It;
  SIMT_HOST_DEVICE explicit FutureValue(It it) : it_(it) {}
#pragma nv_exec_check_disable
  SIMT_HOST_DEVICE operator T() const {
    return *it_;
  }

 private:
  It it_;
};

/// cub::DeviceScan. Items are combined in CUB's accumulator type. With an operator that has no
/// identity, they are combined in pairs of a value and whether there is one.
struct DeviceScan {
  template <class In, class Out>
  static cudaError_t ExclusiveSum(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                                  cudaStream_t stream = nullptr) {
    return ExclusiveScan(temp, temp_bytes, in, out, detail::plus(), detail::ValueOf<In>(), n,
                         stream);
  }
  template <class In, class Out>
  static cudaError_t InclusiveSum(void* temp, size_t& temp_bytes, In in, Out out, ItemCount n,
                                  cudaStream_t stream = nullptr) {
    return InclusiveScan(temp, temp_bytes, in, out, detail::plus(), n, stream);
  }
  template <class In, class Out, class Op, class Init>
  static cudaError_t ExclusiveScan(void* temp, size_t& temp_bytes, In in, Out out, Op op, Init init,
                                   ItemCount n, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, Out>)
      return ExclusiveScan(temp, temp_bytes, detail::unwrap(in), detail::unwrap(out), op, init, n,
                           stream);
    else if constexpr (compaction::detail::is_named<Init>("FutureValue")) {
      using T = Accumulator<Op, typename Init::value_type, In, Out>;
      using Combining = detail::Combining<T, Op>;
      return compaction::scan_loaded<ScanKind::kExclusive>(
          temp, temp_bytes, detail::Lifted<Combining, T, detail::LoadOf<In>>{detail::load_of(in)},
          detail::StoreAfter<Combining, T, Out, Op, Init>{out, op, init}, n, Combining::op(op),
          Combining::op(op).identity(), stream);
    } else {
      using T = Accumulator<Op, Init, In, Out>;
      const auto first = detail::Combining<T, Op>::lift(T(init));
      return scan<ScanKind::kExclusive, T>(temp, temp_bytes, in, out, op, first, n, stream);
    }
  }
  template <class In, class Out, class Op>
  static cudaError_t InclusiveScan(void* temp, size_t& temp_bytes, In in, Out out, Op op,
                                   ItemCount n, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, Out>)
      return InclusiveScan(temp, temp_bytes, detail::unwrap(in), detail::unwrap(out), op, n,
                           stream);
    else {
      using T = Accumulator<Op, detail::ValueOf<In>, In, Out>;
      const auto none = detail::Combining<T, Op>::op(op).identity();
      return scan<ScanKind::kInclusive, T>(temp, temp_bytes, in, out, op, none, n, stream);
    }
  }
  template <class In, class Out, class Op, class Init>
  static cudaError_t InclusiveScanInit(void* temp, size_t& temp_bytes, In in, Out out, Op op,
                                       Init init, ItemCount n, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, Out>)
      return InclusiveScanInit(temp, temp_bytes, detail::unwrap(in), detail::unwrap(out), op, init,
                               n, stream);
    else {
      using T = Accumulator<Op, Init, In, Out>;
      const auto first = detail::Combining<T, Op>::lift(T(init));
      return scan<ScanKind::kInclusive, T>(temp, temp_bytes, in, out, op, first, n, stream);
    }
  }

  // --- in place ---
  template <class Data>
  static cudaError_t ExclusiveSum(void* temp, size_t& temp_bytes, Data data, ItemCount n,
                                  cudaStream_t stream = nullptr) {
    return ExclusiveSum(temp, temp_bytes, data, data, n, stream);
  }
  template <class Data>
  static cudaError_t InclusiveSum(void* temp, size_t& temp_bytes, Data data, ItemCount n,
                                  cudaStream_t stream = nullptr) {
    return InclusiveSum(temp, temp_bytes, data, data, n, stream);
  }
  template <class Data, class Op, class Init>
  requires std::is_invocable_v<Op&, detail::ValueOf<Data>, detail::ValueOf<Data>>
  static cudaError_t ExclusiveScan(void* temp, size_t& temp_bytes, Data data, Op op, Init init,
                                   ItemCount n, cudaStream_t stream = nullptr) {
    return ExclusiveScan(temp, temp_bytes, data, data, op, init, n, stream);
  }
  template <class Data, class Op>
  requires std::is_invocable_v<Op&, detail::ValueOf<Data>, detail::ValueOf<Data>>
  static cudaError_t InclusiveScan(void* temp, size_t& temp_bytes, Data data, Op op, ItemCount n,
                                   cudaStream_t stream = nullptr) {
    return InclusiveScan(temp, temp_bytes, data, data, op, n, stream);
  }

  // --- by key ---
  template <class Keys, class In, class Out, class Equal = Equals>
  requires(detail::kIsComparison<Equal>) static cudaError_t
      ExclusiveSumByKey(void* temp, size_t& temp_bytes, Keys keys, In in, Out out, ItemCount n,
                        Equal equal = {}, cudaStream_t stream = nullptr) {
    return scan_by_key<ScanKind::kExclusive, true>(
        temp, temp_bytes, detail::unwrap(keys), detail::unwrap(in), detail::unwrap(out),
        detail::plus(), detail::ValueOf<In>(), n, equal, stream);
  }
  template <class Keys, class In, class Out, class Equal = Equals>
  requires(detail::kIsComparison<Equal>) static cudaError_t
      InclusiveSumByKey(void* temp, size_t& temp_bytes, Keys keys, In in, Out out, ItemCount n,
                        Equal equal = {}, cudaStream_t stream = nullptr) {
    return InclusiveScanByKey(temp, temp_bytes, keys, in, out, detail::plus(), n, equal, stream);
  }
  template <class Keys, class In, class Out, class Op, class Init, class Equal = Equals>
  requires(detail::kIsComparison<Equal>) static cudaError_t
      ExclusiveScanByKey(void* temp, size_t& temp_bytes, Keys keys, In in, Out out, Op op,
                         Init init, ItemCount n, Equal equal = {}, cudaStream_t stream = nullptr) {
    return scan_by_key<ScanKind::kExclusive, false>(temp, temp_bytes, detail::unwrap(keys),
                                                    detail::unwrap(in), detail::unwrap(out), op,
                                                    init, n, equal, stream);
  }
  template <class Keys, class In, class Out, class Op, class Equal = Equals>
  requires(detail::kIsComparison<Equal>) static cudaError_t
      InclusiveScanByKey(void* temp, size_t& temp_bytes, Keys keys, In in, Out out, Op op,
                         ItemCount n, Equal equal = {}, cudaStream_t stream = nullptr) {
    return scan_by_key<ScanKind::kInclusive, true>(temp, temp_bytes, detail::unwrap(keys),
                                                   detail::unwrap(in), detail::unwrap(out), op,
                                                   detail::ValueOf<In>(), n, equal, stream);
  }

  // Without temporary storage, optionally in an environment.
  COMPACTION_FORM_WITH_ENVIRONMENT(ExclusiveSum)
  COMPACTION_FORM_WITH_ENVIRONMENT(InclusiveSum)
  COMPACTION_FORM_WITH_ENVIRONMENT(ExclusiveScan)
  COMPACTION_FORM_WITH_ENVIRONMENT(InclusiveScan)
  COMPACTION_FORM_WITH_ENVIRONMENT(InclusiveScanInit)
  COMPACTION_FORM_WITH_ENVIRONMENT(ExclusiveSumByKey)
  COMPACTION_FORM_WITH_ENVIRONMENT(InclusiveSumByKey)
  COMPACTION_FORM_WITH_ENVIRONMENT(ExclusiveScanByKey)
  COMPACTION_FORM_WITH_ENVIRONMENT(InclusiveScanByKey)

 private:
  template <class Op, class Init, class In, class Out>
  using Accumulator = detail::OutputAccumulator<Op, Init, In, Out>;

  template <ScanKind kKind, class T, class In, class Out, class Op, class First>
  static cudaError_t scan(void* temp, size_t& temp_bytes, In in, Out out, Op op, First first,
                          ItemCount n, cudaStream_t stream) {
    using Combining = detail::Combining<T, Op>;
    constexpr bool kFast = detail::kAreArrays<In, Out> && std::is_same_v<detail::ValueOf<In>, T> &&
                           std::is_same_v<First, T>;
    if constexpr (kFast && kKind == ScanKind::kInclusive) {
      return compaction::inclusive_scan(temp, temp_bytes, in, out, n, Combining::op(op), stream,
                                        first);
    } else if constexpr (kFast) {
      return compaction::exclusive_scan(temp, temp_bytes, in, out, n, Combining::op(op), stream,
                                        first);
    } else {
      using Load = detail::Lifted<Combining, T, detail::LoadOf<In>>;
      return compaction::scan_loaded<kKind>(temp, temp_bytes, Load{detail::load_of(in)},
                                            detail::StoreLowered<Combining, Out>{out}, n,
                                            Combining::op(op), first, stream);
    }
  }

  /// `kFromIdentity` says whether `init` is the identity of an operator that has one, or not used.
  template <ScanKind kKind, bool kFromIdentity, class Keys, class In, class Out, class Op,
            class Init, class Equal>
  static cudaError_t scan_by_key(void* temp, size_t& temp_bytes, Keys keys, In in, Out out, Op op,
                                 Init init, ItemCount n, Equal equal, cudaStream_t stream) {
    using T = Accumulator<Op, Init, In, Out>;
    const BeginsRunOf<detail::LoadOf<Keys>, Equal> begins{detail::load_of(keys), equal};
    if constexpr (std::is_pointer_v<Keys> && std::is_pointer_v<Out>)
      if (static_cast<const void*>(keys) == static_cast<const void*>(out))
        return scan_onto_keys<kKind>(temp, temp_bytes, begins, in, out, op, T(init), n, stream);
    if constexpr (kFromIdentity && std::is_same_v<Out, T*> && detail::is_known<T, Op>()) {
      using Combining = detail::Combining<T, Op>;
      return compaction::segmented_scan<kKind>(
          temp, temp_bytes, detail::Lifted<Combining, T, detail::LoadOf<In>>{detail::load_of(in)},
          begins, out, n, Combining::op(op), T(init), stream);
    } else {
      return scan_runs<kKind>(temp, temp_bytes, begins, in, out, op, T(init), n, stream);
    }
  }

  /// Compares all keys before the scan overwrites them, because each tile needs the last key of the
  /// tile before. Takes another kernel, and one byte per item.
  template <ScanKind kKind, class Begins, class In, class Out, class Op, class T>
  static cudaError_t scan_onto_keys(void* temp, size_t& temp_bytes, const Begins& begins, In in,
                                    Out out, Op op, T init, ItemCount n, cudaStream_t stream) {
    const size_t flag_bytes = workspace_part(n.capacity);
    auto* flags = static_cast<uint8_t*>(temp);
    const auto scan = [&](void* scan_temp, size_t& bytes) {
      return scan_runs<kKind>(scan_temp, bytes, BeginsAtFlag{flags}, in, out, op, init, n, stream);
    };
    size_t scan_bytes = 0;
    cudaError_t status = scan(nullptr, scan_bytes);
    if (status != cudaSuccess) return status;
    if (temp == nullptr) return temp_bytes = flag_bytes + scan_bytes, cudaSuccess;
    if (temp_bytes < flag_bytes + scan_bytes) return cudaErrorInvalidValue;

    using Mark = detail::MarkRuns<Begins>;
    simt::cuda::Launcher launcher(stream);
    launcher.launch(launcher.template resident_blocks<Mark>(), Mark{begins, flags, n});
    status = launcher.status();
    return status != cudaSuccess ? status : scan(flags + flag_bytes, scan_bytes);
  }

  template <ScanKind kKind, class Begins, class In, class Out, class Op, class T>
  static cudaError_t scan_runs(void* temp, size_t& temp_bytes, const Begins& begins, In in, Out out,
                               Op op, T init, ItemCount n, cudaStream_t stream) {
    using Combining = detail::Combining<T, Op>;
    using Load = detail::SegmentItems<detail::Lifted<Combining, T, detail::LoadOf<In>>, Begins>;
    using Combine = CombineRuns<typename Combining::Value, decltype(Combining::op(op))>;
    const Combine combine{Combining::op(op)};
    return compaction::scan_loaded<kKind>(
        temp, temp_bytes, Load{{detail::load_of(in)}, begins},
        detail::StoreByKey<Combining, T, Out, Begins, Op, kKind>{out, begins, op, init}, n, combine,
        combine.identity(), stream);
  }
};

}  // namespace compaction::cub_compat
