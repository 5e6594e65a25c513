#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "compaction/bench/device_array.cuh"

namespace compaction::bench {

/// A call of CUB with the temporary storage that it asks for, which is allocated here once.
///
/// @param call  call(storage, bytes): one of CUB's functions with all arguments but these two
template <class Call>
std::function<void()> cub_call(Call call) {
  size_t bytes = 0;
  check(call(nullptr, bytes));
  auto storage = std::make_shared<DeviceArray<std::byte>>(bytes);
  return [call, storage] {
    size_t bytes = storage->bytes();
    check(call(storage->data(), bytes));
  };
}

}  // namespace compaction::bench
