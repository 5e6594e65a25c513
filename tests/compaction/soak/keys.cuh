// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "tests/compaction/soak/case.cuh"

namespace soak {

/// Keys in runs of random lengths. `first` of each run, and of the end, in order.
template <class Key>
struct Keys {
  Size size;
  Array<Key> keys;
  std::vector<uint64_t> first;  ///< [run + 1], its first item

  Keys(Case& one, size_t item_bytes) : size(one.size(item_bytes)) {
    keys = one.output<Key>("the keys", size.capacity);
    Pattern begins(one.draw());
    uint32_t key = 0;
    for (uint64_t i = 0; i < size.capacity; ++i) {
      const bool is_first = begins.next() || i == 0;
      key += is_first;
      if (is_first && i < size.count) first.push_back(i);
      set(keys.uploaded[i], key);
    }
    first.push_back(size.count);
    one.copy(keys, size.capacity);
  }
  uint64_t runs() const { return first.size() - 1; }

 private:
  static void set(Key& to, uint32_t key) {
    if constexpr (requires { to.words; })
      to = Key{{7, 7, key}};
    else
      to = Key(key);
  }
};

}  // namespace soak
