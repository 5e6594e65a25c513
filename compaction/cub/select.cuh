// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/cub/combine.cuh"
#include "compaction/cub/iterators.cuh"

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
    else if constexpr (!detail::kFits<detail::ValueOf<In>>) {
      using Load = detail::LoadOf<In>;
      using Test = detail::PredicateAt<Load, detail::ConstCallable<Predicate>>;
      const Load items = detail::load_of(in);
      return compaction::select(temp, temp_bytes, IndicesIf<Test>{{items, {predicate}}},
                                detail::WriteLoaded<Load, Out>{items, out}, n,
                                detail::count_at(count), stream);
    } else if constexpr (detail::kAreArrays<In, Out>)
      return compaction::select_if(temp, temp_bytes, in, out, detail::count_at(count), n,
                                   detail::ConstCallable<Predicate>{predicate}, stream);
    else
      return select_loaded(temp, temp_bytes, detail::load_of(in),
                           detail::ConstCallable<Predicate>{predicate}, in, out, {}, count, n,
                           stream);
  }
  /// Selects in place.
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

  template <class In, class Out, class Count, class Equal>
  requires(detail::kIsComparison<Equal>) static cudaError_t
      Unique(void* temp, size_t& temp_bytes, In in, Out out, Count count, ItemCount n, Equal equal,
             cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, Out, Count>)
      return Unique(temp, temp_bytes, detail::unwrap(in), detail::unwrap(out),
                    detail::unwrap(count), n, equal, stream);
    else if constexpr (detail::kAreArrays<In, Out>)
      return compaction::unique(temp, temp_bytes, in, out, detail::count_at(count), n, stream,
                                equal);
    else
      return select_firsts(temp, temp_bytes, in, out, {}, count, n, equal, stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t Unique(void* temp, size_t& temp_bytes, In in, Out out, Count count,
                            ItemCount n, cudaStream_t stream = nullptr) {
    return Unique(temp, temp_bytes, in, out, count, n, Equals(), stream);
  }
  /// Selects in place: each tile is read before a later tile knows where to write.
  template <class Data, class Count, class Equal>
  requires(detail::kIsComparison<Equal>) static cudaError_t
      Unique(void* temp, size_t& temp_bytes, Data data, Count count, ItemCount n, Equal equal,
             cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<Data, Count>)
      return Unique(temp, temp_bytes, detail::unwrap(data), detail::unwrap(count), n, equal,
                    stream);
    else
      return select_firsts(temp, temp_bytes, data, data, {.count = {}, .in_place = true}, count, n,
                           equal, stream);
  }
  template <class Data, class Count>
  static cudaError_t Unique(void* temp, size_t& temp_bytes, Data data, Count count, ItemCount n,
                            cudaStream_t stream = nullptr) {
    return Unique(temp, temp_bytes, data, count, n, Equals(), stream);
  }

  template <class Keys, class In, class KeysOut, class Out, class Count, class Equal>
  requires(detail::kIsComparison<Equal>) static cudaError_t
      UniqueByKey(void* temp, size_t& temp_bytes, Keys keys, In in, KeysOut keys_out, Out out,
                  Count count, ItemCount n, Equal equal, cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<Keys, In, KeysOut, Out, Count>)
      return UniqueByKey(temp, temp_bytes, detail::unwrap(keys), detail::unwrap(in),
                         detail::unwrap(keys_out), detail::unwrap(out), detail::unwrap(count), n,
                         equal, stream);
    else {
      using Values = detail::WriteLoaded<detail::LoadOf<In>, Out>;
      const Values values{detail::load_of(in), out};
      using Key = detail::ValueOf<Keys>;
      if constexpr (detail::kAreArrays<Keys, KeysOut>)
        return compaction::select(temp, temp_bytes, FirstsOfRuns<Key, Equal>{keys, equal},
                                  WriteBoth<WriteItems<Key>, Values>{{keys_out}, values}, n,
                                  detail::count_at(count), stream);
      else
        return compaction::select(
            temp, temp_bytes,
            FirstsOfLoad<detail::LoadOf<Keys>, Equal>{detail::load_of(keys), equal},
            WriteBoth<detail::WriteTo<Key, KeysOut>, Values>{{keys_out}, values}, n,
            detail::count_at(count), stream);
    }
  }
  template <class Keys, class In, class KeysOut, class Out, class Count>
  static cudaError_t UniqueByKey(void* temp, size_t& temp_bytes, Keys keys, In in, KeysOut keys_out,
                                 Out out, Count count, ItemCount n, cudaStream_t stream = nullptr) {
    return UniqueByKey(temp, temp_bytes, keys, in, keys_out, out, count, n, Equals(), stream);
  }

  // Without temporary storage, optionally in an environment.
  COMPACTION_FORM_WITH_ENVIRONMENT(If)
  COMPACTION_FORM_WITH_ENVIRONMENT(Flagged)
  COMPACTION_FORM_WITH_ENVIRONMENT(FlaggedIf)
  COMPACTION_FORM_WITH_ENVIRONMENT(Unique)
  COMPACTION_FORM_WITH_ENVIRONMENT(UniqueByKey)

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
  /// Selects the first items of runs. The output may be the input if `to.in_place` is set.
  template <class In, class Out, class Count, class Equal>
  static cudaError_t select_firsts(void* temp, size_t& temp_bytes, In in, Out out, SelectedCount to,
                                   Count count, ItemCount n, Equal equal, cudaStream_t stream) {
    using Source = FirstsOfLoad<detail::LoadOf<In>, Equal>;
    to.count = detail::count_at(count);
    return compaction::select(temp, temp_bytes, Source{detail::load_of(in), equal},
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

/// cub::DevicePartition.
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

  /// Partitions into three parts, each in order. Calls the predicates twice. A number of items that
  /// is read on the device must not be 0.
  template <class In, class First, class Second, class Rest, class Count, class IsFirst,
            class IsSecond>
  static cudaError_t If(void* temp, size_t& temp_bytes, In in, First first, Second second,
                        Rest rest, Count count, ItemCount n, IsFirst is_first, IsSecond is_second,
                        cudaStream_t stream = nullptr) {
    if constexpr (detail::kAreWrapped<In, First, Second, Rest, Count>)
      return If(temp, temp_bytes, detail::unwrap(in), detail::unwrap(first), detail::unwrap(second),
                detail::unwrap(rest), detail::unwrap(count), n, is_first, is_second, stream);
    else {
      using Parts = detail::PartOf<detail::LoadOf<In>, detail::ConstCallable<IsFirst>,
                                   detail::ConstCallable<IsSecond>>;
      if (n.capacity == 0 && temp != nullptr) return no_parts(count, stream);
      const Parts parts{detail::load_of(in), {is_first}, {is_second}};
      return compaction::scan_loaded<ScanKind::kInclusive>(
          temp, temp_bytes, parts,
          detail::StoreParts<Parts, First, Second, Rest, Count>{parts, first, second, rest, count,
                                                                n},
          n, detail::AddPartCounts(), detail::PartCounts{0, 0}, stream);
    }
  }

  // Without temporary storage, optionally in an environment.
  COMPACTION_FORM_WITH_ENVIRONMENT(If)
  COMPACTION_FORM_WITH_ENVIRONMENT(Flagged)

 private:
  /// Writes the sizes of the parts of no items. `count` may be null, as in CUB.
  template <class Count>
  static cudaError_t no_parts(Count count, cudaStream_t stream) {
    if constexpr (std::is_pointer_v<Count>)
      if (count == nullptr) return cudaSuccess;
    detail::write_one<<<1, 1, 0, stream>>>(count, 0);
    return detail::write_result_of_none(count + 1, 0, stream);
  }
  template <class Load, class Predicate, class In, class Out, class Count>
  static cudaError_t partition_loaded(void* temp, size_t& temp_bytes, Load load,
                                      Predicate predicate, In, Out out, Count count, ItemCount n,
                                      cudaStream_t stream) {
    using Source = LoadedIf<Load, Predicate>;
    using Sink = detail::WriteTo<detail::ValueOf<In>, Out>;
    using Job = SelectJob<Source, Sink, RejectedReversed<Sink>>;
    const Job job{
        Source{load, predicate}, Sink{out}, {Sink{out}}, {.count = detail::count_at(count)}};
    return compaction::detail::run_job({"cub_compat::DevicePartition"}, job, n,
                                       Storage(temp, temp_bytes), stream);
  }
};

}  // namespace compaction::cub_compat
