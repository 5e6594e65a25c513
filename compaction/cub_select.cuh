// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/cub_iterators.cuh"

// Select and partition with CUB's names and arguments, see cub_compat.cuh.

namespace compaction::cub_compat {

/// cub::DeviceSelect.
struct DeviceSelect {
  template <class In, class Out, class Count, class Predicate>
  static cudaError_t If(void* temp, size_t& temp_bytes, In in, Out out, Count count, ItemCount n,
                        Predicate predicate, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, Out, Count>)
      return If(temp, temp_bytes, detail::unwrap(in), detail::unwrap(out), detail::unwrap(count), n,
                predicate, stream);
    else if constexpr (detail::kAreArrays<In, Out>)
      return compaction::select_if(temp, temp_bytes, in, out, detail::count_at(count), n,
                                   detail::ConstCallable<Predicate>{predicate}, stream);
    else
      return select_loaded(temp, temp_bytes, detail::load_of(in),
                           detail::ConstCallable<Predicate>{predicate}, in, out, {}, count, n,
                           stream);
  }
  /// In place.
  template <class Data, class Count, class Predicate>
  static cudaError_t If(void* temp, size_t& temp_bytes, Data data, Count count, ItemCount n,
                        Predicate predicate, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<Data, Count>)
      return If(temp, temp_bytes, detail::unwrap(data), detail::unwrap(count), n, predicate,
                stream);
    else if constexpr (detail::kAreArrays<Data, Data> && simt::kHasVectors<detail::ValueOf<Data>>)
      return compaction::select_if(temp, temp_bytes, data, data, detail::count_at(count), n,
                                   detail::ConstCallable<Predicate>{predicate}, stream);
    else
      return select_loaded(temp, temp_bytes, detail::load_of(data),
                           detail::ConstCallable<Predicate>{predicate}, data, data,
                           {.count = {}, .in_place = true}, count, n, stream);
  }

  template <class In, class Flags, class Out, class Count>
  static cudaError_t Flagged(void* temp, size_t& temp_bytes, In in, Flags flags, Out out,
                             Count count, ItemCount n, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, Flags, Out, Count>)
      return Flagged(temp, temp_bytes, detail::unwrap(in), detail::unwrap(flags),
                     detail::unwrap(out), detail::unwrap(count), n, stream);
    else if constexpr (detail::kAreArrays<In, Out> && kAreBytes<Flags>)
      return compaction::select_flagged(temp, temp_bytes, in,
                                        reinterpret_cast<const uint8_t*>(flags), out,
                                        detail::count_at(count), n, stream);
    else
      return FlaggedIf(temp, temp_bytes, in, flags, out, count, n, detail::IsSet(), stream);
  }
  /// In place.
  template <class Data, class Flags, class Count>
  static cudaError_t Flagged(void* temp, size_t& temp_bytes, Data data, Flags flags, Count count,
                             ItemCount n, cudaStream_t stream = nullptr) {
    return FlaggedIf(temp, temp_bytes, data, flags, count, n, detail::IsSet(), stream);
  }

  template <class In, class Flags, class Out, class Count, class Predicate>
  static cudaError_t FlaggedIf(void* temp, size_t& temp_bytes, In in, Flags flags, Out out,
                               Count count, ItemCount n, Predicate predicate,
                               cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, Flags, Out, Count>)
      return FlaggedIf(temp, temp_bytes, detail::unwrap(in), detail::unwrap(flags),
                       detail::unwrap(out), detail::unwrap(count), n, predicate, stream);
    else if constexpr (detail::kAreArrays<In, Out> && std::is_pointer_v<Flags>)
      return compaction::select_flagged_if(temp, temp_bytes, in, flags, out,
                                           detail::count_at(count), n,
                                           detail::ConstCallable<Predicate>{predicate}, stream);
    else
      return select_pairs(temp, temp_bytes, in, flags, out, {}, count, n, predicate, stream);
  }
  /// In place.
  template <class Data, class Flags, class Count, class Predicate>
  static cudaError_t FlaggedIf(void* temp, size_t& temp_bytes, Data data, Flags flags, Count count,
                               ItemCount n, Predicate predicate, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<Data, Flags, Count>)
      return FlaggedIf(temp, temp_bytes, detail::unwrap(data), detail::unwrap(flags),
                       detail::unwrap(count), n, predicate, stream);
    else {
      return select_pairs(temp, temp_bytes, data, flags, data, {.count = {}, .in_place = true},
                          count, n, predicate, stream);
    }
  }

  template <class In, class Out, class Count>
  static cudaError_t Unique(void* temp, size_t& temp_bytes, In in, Out out, Count count,
                            ItemCount n, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, Out, Count>)
      return Unique(temp, temp_bytes, detail::unwrap(in), detail::unwrap(out),
                    detail::unwrap(count), n, stream);
    else if constexpr (detail::kAreArrays<In, Out>) {
      return compaction::unique(temp, temp_bytes, in, out, detail::count_at(count), n, stream);
    } else {
      using Source = detail::FirstsOfLoad<detail::LoadOf<In>, Equals>;
      return compaction::select(temp, temp_bytes, Source{detail::load_of(in), {}},
                                detail::WriteTo<detail::ValueOf<In>, Out>{out}, n,
                                detail::count_at(count), stream);
    }
  }

  template <class Keys, class In, class KeysOut, class Out, class Count, class Equal>
  requires(!std::is_convertible_v<Equal, cudaStream_t>) static cudaError_t
      UniqueByKey(void* temp, size_t& temp_bytes, Keys keys, In in, KeysOut keys_out, Out out,
                  Count count, ItemCount n, Equal equal, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<Keys, In, KeysOut, Out, Count>)
      return UniqueByKey(temp, temp_bytes, detail::unwrap(keys), detail::unwrap(in),
                         detail::unwrap(keys_out), detail::unwrap(out), detail::unwrap(count), n,
                         equal, stream);
    else {
      using Pairs = Zipped<detail::LoadOf<Keys>, detail::LoadOf<In>>;
      using Places = detail::PairOutput<KeysOut, Out>;
      return compaction::select(temp, temp_bytes,
                                detail::FirstsOfLoad<Pairs, detail::EqualFirst<Equal>>{
                                    {detail::load_of(keys), detail::load_of(in)}, {equal}},
                                detail::WriteTo<Loaded<Pairs>, Places>{{keys_out, out}}, n,
                                detail::count_at(count), stream);
    }
  }
  template <class Keys, class In, class KeysOut, class Out, class Count>
  static cudaError_t UniqueByKey(void* temp, size_t& temp_bytes, Keys keys, In in, KeysOut keys_out,
                                 Out out, Count count, ItemCount n, cudaStream_t stream = nullptr) {
    return UniqueByKey(temp, temp_bytes, keys, in, keys_out, out, count, n, Equals(), stream);
  }

 private:
  template <class Flags>
  static constexpr bool kAreBytes = std::is_pointer_v<Flags> && sizeof(detail::ValueOf<Flags>) == 1;

  template <class Load, class Predicate, class In, class Out, class Count>
  static cudaError_t select_loaded(void* temp, size_t& temp_bytes, Load load, Predicate predicate,
                                   In, Out out, SelectedCount to, Count count, ItemCount n,
                                   cudaStream_t stream) {
    to.count = detail::count_at(count);
    return compaction::select(temp, temp_bytes, LoadedIf<Load, Predicate>{load, predicate},
                              detail::WriteTo<detail::ValueOf<In>, Out>{out}, n, to, stream);
  }
  template <class In, class Flags, class Out, class Count, class Predicate>
  static cudaError_t select_pairs(void* temp, size_t& temp_bytes, In in, Flags flags, Out out,
                                  SelectedCount to, Count count, ItemCount n, Predicate predicate,
                                  cudaStream_t stream) {
    const Zipped<detail::LoadOf<Flags>, detail::LoadOf<In>> pairs{detail::load_of(flags),
                                                                  detail::load_of(in)};
    return select_loaded(temp, temp_bytes, pairs,
                         detail::FirstIs<detail::ConstCallable<Predicate>>{
                             detail::ConstCallable<Predicate>{predicate}},
                         in, out, to, count, n, stream);
  }
};

/// cub::DevicePartition, apart from partitions into three.
struct DevicePartition {
  template <class In, class Out, class Count, class Predicate>
  static cudaError_t If(void* temp, size_t& temp_bytes, In in, Out out, Count count, ItemCount n,
                        Predicate predicate, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, Out, Count>)
      return If(temp, temp_bytes, detail::unwrap(in), detail::unwrap(out), detail::unwrap(count), n,
                predicate, stream);
    else if constexpr (detail::kAreArrays<In, Out>)
      return compaction::partition_in_one_reversed_if(
          temp, temp_bytes, in, out, detail::count_at(count), n,
          detail::ConstCallable<Predicate>{predicate}, stream);
    else
      return partition_loaded(temp, temp_bytes, detail::load_of(in),
                              detail::ConstCallable<Predicate>{predicate}, in, out, count, n,
                              stream);
  }
  template <class In, class Flags, class Out, class Count>
  static cudaError_t Flagged(void* temp, size_t& temp_bytes, In in, Flags flags, Out out,
                             Count count, ItemCount n, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, Flags, Out, Count>)
      return Flagged(temp, temp_bytes, detail::unwrap(in), detail::unwrap(flags),
                     detail::unwrap(out), detail::unwrap(count), n, stream);
    else {
      const Zipped<detail::LoadOf<Flags>, detail::LoadOf<In>> pairs{detail::load_of(flags),
                                                                    detail::load_of(in)};
      return partition_loaded(temp, temp_bytes, pairs, detail::FirstIs<detail::IsSet>(), in, out,
                              count, n, stream);
    }
  }

 private:
  template <class Load, class Predicate, class In, class Out, class Count>
  static cudaError_t partition_loaded(void* temp, size_t& temp_bytes, Load load,
                                      Predicate predicate, In, Out out, Count count, ItemCount n,
                                      cudaStream_t stream) {
    using Source = LoadedIf<Load, Predicate>;
    using Sink = detail::WriteTo<detail::ValueOf<In>, Out>;
    const size_t bytes = partition_in_one_reversed_bytes<Source, Sink>(n.capacity);
    const SelectedCount to{.count = detail::count_at(count)};
    return compaction::detail::in_temp_storage(
        temp, temp_bytes, bytes, stream, [&](const Storage& storage) {
          return compaction::detail::launch({"cub_compat::DevicePartition"}, n, bytes, storage,
                                            stream, [&](auto& launcher, Span<std::byte> workspace) {
                                              partition_in_one_reversed(
                                                  launcher, Source{load, predicate}, Sink{out}, n,
                                                  to, workspace);
                                            });
        });
  }
};

}  // namespace compaction::cub_compat
