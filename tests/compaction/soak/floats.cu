// SPDX-License-Identifier: MIT
#include <cmath>
#include <vector>

#include "tests/compaction/soak/keys.cuh"
#include "tests/compaction/support/order_of_runs.h"

// Sums of floats, whose bits are those of the documented order of combination.

namespace soak {
namespace {

using compaction::Items;
using compaction::ScanKind;
using compaction::Sum;

/// `n` finite numbers, none of them 0, whose exponents differ by up to 63.
template <class T>
Array<T> numbers(Case& one, const char* name, uint64_t n) {
  const Array<T> array = one.output<T>(name, n);
  const unsigned exponents = 1 + one.draw().below(64u);
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t bits = one.draw().next();
    const T fraction = T(int32_t(bits | 1));
    array.uploaded[i] = std::ldexp(fraction, int((bits >> 32) % exponents) - 40);
  }
  one.copy(array, n);
  return array;
}

template <class T>
std::vector<T> counted(const Array<T>& array, const Size& size) {
  return {array.uploaded, array.uploaded + size.count};
}

template <class In, class T>
void reduce(Case& one) {
  const Size size = one.size(sizeof(In));
  const Array<In> in = numbers<In>(one, "in", size.capacity);
  const Array<T> result = one.output<T>("the result", 1);
  *result.expected = ordered::reduce<T>(counted(in, size), Sum<T>());
  one.run(compaction::reduce_bytes<T>(),
          [=](const compaction::Storage& storage, cudaStream_t stream) {
            return compaction::reduce(in.device, result.device, size.n, Sum<T>(), storage, stream);
          });
}

template <ScanKind kKind, class T>
void scan(Case& one) {
  const Size size = one.size(2 * sizeof(T));
  const Array<T> in = numbers<T>(one, "in", size.capacity);
  const bool in_place = one.draw().one_in(4);
  if (in_place) one.note("in place");
  const Array<T> out = in_place ? in : one.output<T>("out", size.count);
  const Array<T> total = one.output<T>("the total", 1);
  const T init = one.draw().one_in(2) ? T(0) : *numbers<T>(one, "init", 1).uploaded;
  const auto scanned = ordered::scan(kKind, counted(in, size), init, Sum<T>());
  std::copy(scanned.out.begin(), scanned.out.end(), out.expected);
  *total.expected = scanned.total;
  one.run(
      compaction::scan_bytes<T, Sum<T>, T>(size.capacity),
      [=](const compaction::Storage& storage, cudaStream_t stream) {
        if constexpr (kKind == ScanKind::kInclusive)
          return compaction::inclusive_scan(in.device, out.device, size.n, Sum<T>(), storage,
                                            stream, init, total.device);
        else
          return compaction::exclusive_scan(in.device, out.device, size.n, Sum<T>(), storage,
                                            stream, init, total.device);
      },
      !in_place);
}

template <class Key, class T>
void reduce_by_key(Case& one) {
  const Keys<Key> in(one, 2 * (sizeof(Key) + sizeof(T)));
  const Size size = in.size;
  const Array<T> values = numbers<T>(one, "the values", size.capacity);
  const CountOut count = one.count_out(size.capacity);
  const uint64_t room = count.fitting(in.runs());
  const Array<Key> run_keys = one.output<Key>("the keys of the runs", room);
  const Array<T> run_values = one.output<T>("the values of the runs", room);
  const auto runs = ordered::reduce_by_key(counted(in.keys, size), counted(values, size), Sum<T>());
  std::copy_n(runs.keys.begin(), room, run_keys.expected);
  std::copy_n(runs.values.begin(), room, run_values.expected);
  count.expect(in.runs());
  const Key* keys = in.keys.device;
  one.run(compaction::reduce_by_key_bytes<Key, Items<T>, Sum<T>>(size.capacity),
          [=](const compaction::Storage& storage, cudaStream_t stream) {
            return compaction::reduce_by_key(keys, values.device, run_keys.device,
                                             run_values.device, count.to, size.n, Sum<T>(), storage,
                                             stream);
          });
}

template <ScanKind kKind, class Key, class T>
void scan_by_key(Case& one) {
  const Keys<Key> in(one, sizeof(Key) + 2 * sizeof(T));
  const Size size = in.size;
  const Array<T> values = numbers<T>(one, "the values", size.capacity);
  const Array<T> out = one.output<T>("out", size.count);
  std::vector<uint8_t> begins(size.count);
  for (uint64_t run = 0; run < in.runs(); ++run) begins[in.first[run]] = 1;
  const auto scanned =
      ordered::segmented_scan(kKind, counted(values, size), begins, T(0), Sum<T>());
  std::copy(scanned.begin(), scanned.end(), out.expected);
  const Key* keys = in.keys.device;
  using Begins = compaction::BeginsRun<Key, compaction::Equals>;
  one.run(compaction::segmented_scan_bytes<Items<T>, Begins, Sum<T>>(size.capacity),
          [=](const compaction::Storage& storage, cudaStream_t stream) {
            return compaction::scan_by_key<kKind>(keys, values.device, out.device, size.n, Sum<T>(),
                                                  storage, stream);
          });
}

}  // namespace

std::vector<Function> float_functions() {
  return {{"reduce of floats", reduce<float, float>},
          {"reduce of floats in doubles", reduce<float, double>},
          {"inclusive_scan of floats", scan<ScanKind::kInclusive, float>},
          {"exclusive_scan of floats", scan<ScanKind::kExclusive, float>},
          {"inclusive_scan of doubles", scan<ScanKind::kInclusive, double>},
          {"reduce_by_key of floats", reduce_by_key<uint32_t, float>},
          {"reduce_by_key of doubles", reduce_by_key<uint64_t, double>},
          {"scan_by_key of floats", scan_by_key<ScanKind::kInclusive, uint32_t, float>}};
}

}  // namespace soak
