// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <meshoptimizer.h>

#include <cstdint>
#include <limits>

#include "base/limits.h"
#include "load/gltf/compression.h"
#include "load/gltf/values.h"

namespace winnow {
namespace {

enum class MeshoptMode { kAttributes, kTriangles, kIndices };
enum class MeshoptFilter { kNone, kOctahedral, kQuaternion, kExponential };

/// Layout of the items of a decoded view.
struct MeshoptItems {
  size_t count, stride;  ///< stride: bytes from one to the next
  MeshoptMode mode;
  MeshoptFilter filter;
};

/// Throws Error unless the stride is one that the library accepts; it asserts this.
void check_stride(const JsonReader& extension, const MeshoptItems& items) {
  constexpr size_t kWord = 4, kMaxStride = 256, kShort = 2, kQuaternion = 8, kCorners = 3;
  const bool is_index = items.mode != MeshoptMode::kAttributes;
  bool fits = is_index ? items.stride == kShort || items.stride == kWord
                       : items.stride % kWord == 0 && items.stride <= kMaxStride;
  if (items.filter == MeshoptFilter::kOctahedral)
    fits = fits && (items.stride == kWord || items.stride == 2 * kWord);
  if (items.filter == MeshoptFilter::kQuaternion) fits = fits && items.stride == kQuaternion;
  if (!fits)
    extension.at("byteStride")
        .fail(fmt::format("{} bytes do not suit its mode and filter", items.stride));
  if (items.mode == MeshoptMode::kTriangles && items.count % kCorners != 0)
    extension.at("count").fail("expected three indices of each triangle");
}

MeshoptItems read_items(const JsonReader& extension, size_t compressed_bytes) {
  // 16 vertices share at least 4 bits for each of their bytes; a triangle has at least one byte. A
  // file that claims more is broken.
  constexpr uint32_t kMax = std::numeric_limits<uint32_t>::max();
  MeshoptItems items{
      .count = extension.at("count").integer(1, kMax),
      .stride = extension.at("byteStride").integer(1, kMax),
      .mode = MeshoptMode(extension.at("mode").choice({"ATTRIBUTES", "TRIANGLES", "INDICES"})),
      .filter = MeshoptFilter::kNone};
  if (const auto filter = extension.find("filter"))
    items.filter =
        MeshoptFilter(filter->choice({"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"}));
  if (items.mode != MeshoptMode::kAttributes) items.filter = MeshoptFilter::kNone;
  check_stride(extension, items);
  if (uint64_t(items.count) * items.stride > kMaxMeshoptRatio * compressed_bytes)
    extension.fail(fmt::format("found {} items of {} bytes in {} bytes, which cannot hold as many",
                               items.count, items.stride, compressed_bytes));
  return items;
}

/// Throws Error unless vertices have version 0, the one of EXT_meshopt_compression, which the
/// library reads. KHR_meshopt_compression also has another one.
void check_version(const JsonReader& extension, const MeshoptItems& items,
                   std::string_view compressed) {
  constexpr unsigned kVertices = 0xa0, kVersionMask = 0x0f;  // masks of the first byte
  if (items.mode != MeshoptMode::kAttributes || compressed.empty()) return;
  const unsigned first = static_cast<unsigned char>(compressed.front());
  const unsigned version = first & kVersionMask;
  if ((first & ~kVersionMask) == kVertices && version > 0)
    extension.fail(
        fmt::format("the vertices are encoded by version {}; expected version 0", version));
}

/// Decodes items.
/// @return  0, or an error of the library
int decode_items(const MeshoptItems& items, std::string_view compressed, void* to) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(compressed.data());
  const size_t size = compressed.size();
  switch (items.mode) {
    case MeshoptMode::kTriangles:
      return meshopt_decodeIndexBuffer(to, items.count, items.stride, bytes, size);
    case MeshoptMode::kIndices:
      return meshopt_decodeIndexSequence(to, items.count, items.stride, bytes, size);
    case MeshoptMode::kAttributes:
      break;
  }
  return meshopt_decodeVertexBuffer(to, items.count, items.stride, bytes, size);
}

void apply_filter(const MeshoptItems& items, void* to) {
  switch (items.filter) {
    case MeshoptFilter::kNone:
      return;
    case MeshoptFilter::kOctahedral:
      return meshopt_decodeFilterOct(to, items.count, items.stride);
    case MeshoptFilter::kQuaternion:
      return meshopt_decodeFilterQuat(to, items.count, items.stride);
    case MeshoptFilter::kExponential:
      return meshopt_decodeFilterExp(to, items.count, items.stride);
  }
}

}  // namespace

std::string decode_gltf_meshopt(const JsonReader& extension, std::string_view compressed) {
  const MeshoptItems items = read_items(extension, compressed.size());
  check_version(extension, items, compressed);
  std::string decoded(items.count * items.stride, '\0');
  if (const int error = decode_items(items, compressed, decoded.data()))
    extension.fail(fmt::format("the compressed bytes cannot be decoded (error {})", error));
  apply_filter(items, decoded.data());
  return decoded;
}

}  // namespace winnow
