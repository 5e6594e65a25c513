// SPDX-License-Identifier: MIT
#include "film/film_packing.h"

#include <lz4.h>

#include <algorithm>
#include <vector>

#include "base/error.h"

namespace winnow {
namespace {

/// Number of values whose bytes a first-level cache holds while they are split.
constexpr size_t kPlaneBlock = 512;

/// Calls move(value_byte, plane_byte) for each byte of `count` values: its position among the
/// values, and its position among planes, which hold the first bytes of all values, then the second
/// bytes.
///
/// @tparam kStride  bytes of a value, known to the compiler for speed; 0 to use `stride`
template <size_t kStride, class Move>
void for_each_plane_byte(size_t count, size_t stride, Move move) {
  if constexpr (kStride > 0) stride = kStride;
  for (size_t first = 0; first < count; first += kPlaneBlock) {
    const size_t end = std::min(first + kPlaneBlock, count);
    for (size_t plane = 0; plane < stride; ++plane)
      for (size_t value = first; value < end; ++value)
        move(value * stride + plane, plane * count + value);
  }
}

template <class Move>
void for_each_plane_byte(size_t count, size_t stride, Move move) {
  switch (stride) {
    case 4:
      return for_each_plane_byte<4>(count, stride, move);
    case 24:
      return for_each_plane_byte<24>(count, stride, move);
    case 28:
      return for_each_plane_byte<28>(count, stride, move);
    default:
      return for_each_plane_byte<0>(count, stride, move);
  }
}

/// Returns memory of this thread for planes. It only grows: allocating it in each call would take
/// as long as LZ4.
std::byte* planes_for(size_t bytes) {
  thread_local std::vector<std::byte> planes;
  if (planes.size() < bytes) planes.resize(bytes);
  return planes.data();
}

}  // namespace

size_t pack_values(const std::byte* values, size_t bytes, size_t bytes_per_value,
                   std::byte* packed) {
  std::byte* planes = planes_for(bytes);
  for_each_plane_byte(bytes / bytes_per_value, bytes_per_value,
                      [values, planes](size_t value_byte, size_t plane_byte) {
                        planes[plane_byte] = values[value_byte];
                      });
  const int used =
      bytes < 2 ? 0
                : LZ4_compress_default(reinterpret_cast<const char*>(planes),
                                       reinterpret_cast<char*>(packed), int(bytes), int(bytes - 1));
  if (used > 0) return size_t(used);
  std::copy_n(values, bytes, packed);
  return bytes;
}

void unpack_values(const std::byte* packed, size_t packed_bytes, size_t bytes_per_value,
                   std::byte* values, size_t bytes) {
  if (packed_bytes == bytes) {
    std::copy_n(packed, bytes, values);
    return;
  }
  std::byte* planes = planes_for(bytes);
  const int found =
      LZ4_decompress_safe(reinterpret_cast<const char*>(packed), reinterpret_cast<char*>(planes),
                          int(packed_bytes), int(bytes));
  if (found < 0 || size_t(found) != bytes) throw Error("is damaged: an array cannot be unpacked");
  for_each_plane_byte(bytes / bytes_per_value, bytes_per_value,
                      [values, planes](size_t value_byte, size_t plane_byte) {
                        values[value_byte] = planes[plane_byte];
                      });
}

}  // namespace winnow
