// SPDX-License-Identifier: MIT
#include "load/gltf/compression.h"

#include <draco/compression/decode.h>
#include <draco/compression/point_cloud/point_cloud_decoder.h>
#include <draco/core/varint_decoding.h>
#include <draco/metadata/metadata_decoder.h>
#include <meshoptimizer.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/limits.h"
#include "load/gltf/meshopt.h"

namespace winnow {
namespace {

struct DracoCounts {
  uint32_t triangles = 0, vertices = 0;
};

/// Reads the counts from the start of a file of version 2.2; nothing if it has another version.
std::optional<DracoCounts> claimed_counts(std::string_view bytes) {
  constexpr uint8_t kMajor = 2, kMinor = 2;
  draco::DecoderBuffer buffer;
  buffer.Init(bytes.data(), bytes.size());
  draco::DracoHeader header;
  if (!draco::PointCloudDecoder::DecodeHeader(&buffer, &header).ok()) return std::nullopt;
  if (header.version_major != kMajor || header.version_minor != kMinor) return std::nullopt;
  buffer.set_bitstream_version(DRACO_BITSTREAM_VERSION(kMajor, kMinor));
  if (header.flags & METADATA_FLAG_MASK) {
    draco::GeometryMetadata metadata;
    if (!draco::MetadataDecoder().DecodeGeometryMetadata(&buffer, &metadata)) return std::nullopt;
  }
  uint32_t first = 0, second = 0;
  const bool is_edgebreaker = header.encoder_method == draco::MESH_EDGEBREAKER_ENCODING;
  uint8_t traversal = 0;
  if (is_edgebreaker && !buffer.Decode(&traversal)) return std::nullopt;
  if (!draco::DecodeVarint(&first, &buffer) || !draco::DecodeVarint(&second, &buffer))
    return std::nullopt;
  if (is_edgebreaker) std::swap(first, second);  // the number of vertices comes first
  return DracoCounts{first, second};
}

/// Throws Error if a few bytes claim a large mesh: the decoder allocates what a file claims.
void check_counts(const JsonReader& extension, std::string_view bytes) {
  const std::optional<DracoCounts> counts = claimed_counts(bytes);
  if (!counts) extension.fail("expected a Draco mesh of version 2.2");
  if (std::max(counts->triangles, counts->vertices) > kMaxDracoItemsPerByte * bytes.size())
    extension.fail("found {} triangles of {} vertices in {} bytes, which cannot hold as many",
                   counts->triangles, counts->vertices, bytes.size());
}

GltfDracoMesh::Attribute read_attribute(const draco::Mesh& mesh,
                                        const draco::PointAttribute& attribute) {
  GltfDracoMesh::Attribute read;
  read.component_count = size_t(attribute.num_components());
  read.numbers.resize(mesh.num_points() * read.component_count);
  for (uint32_t vertex = 0; vertex < mesh.num_points(); ++vertex) {
    const draco::AttributeValueIndex value = attribute.mapped_index(draco::PointIndex(vertex));
    if (value.value() >= attribute.size()) continue;
    attribute.ConvertValue<float>(value, attribute.num_components(),
                                  &read.numbers[vertex * read.component_count]);
  }
  return read;
}

enum class MeshoptMode { kAttributes, kTriangles, kIndices };
enum class MeshoptFilter { kNone, kOctahedral, kQuaternion, kExponential, kColor };

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
  if (items.filter == MeshoptFilter::kOctahedral || items.filter == MeshoptFilter::kColor)
    fits = fits && (items.stride == kWord || items.stride == 2 * kWord);
  if (items.filter == MeshoptFilter::kQuaternion) fits = fits && items.stride == kQuaternion;
  if (!fits)
    extension.at("byteStride").fail("{} bytes do not suit its mode and filter", items.stride);
  if (items.mode == MeshoptMode::kTriangles && items.count % kCorners != 0)
    extension.at("count").fail("expected three indices of each triangle");
}

MeshoptItems read_items(const JsonReader& extension, size_t compressed_bytes) {
  constexpr uint32_t kMax = std::numeric_limits<uint32_t>::max();
  MeshoptItems items{
      .count = extension.at("count").integer(1, kMax),
      .stride = extension.at("byteStride").integer(1, kMax),
      .mode = MeshoptMode(extension.at("mode").choice({"ATTRIBUTES", "TRIANGLES", "INDICES"})),
      .filter = MeshoptFilter::kNone};
  if (const auto filter = extension.find("filter"))
    items.filter =
        MeshoptFilter(filter->choice({"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"}));
  if (items.mode != MeshoptMode::kAttributes) items.filter = MeshoptFilter::kNone;
  check_stride(extension, items);
  if (uint64_t(items.count) * items.stride > kMaxMeshoptRatio * compressed_bytes)
    extension.fail("found {} items of {} bytes in {} bytes, which cannot hold as many", items.count,
                   items.stride, compressed_bytes);
  return items;
}

/// True for vertices of version 1 of the codec; the library reads version 0.
bool has_version_1(const MeshoptItems& items, std::string_view compressed) {
  constexpr char kVersion1 = '\xa1';
  return items.mode == MeshoptMode::kAttributes && compressed.starts_with(kVersion1);
}

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

void apply_filter(const MeshoptItems& items, std::span<uint8_t> to) {
  switch (items.filter) {
    case MeshoptFilter::kNone:
      return;
    case MeshoptFilter::kOctahedral:
      return meshopt_decodeFilterOct(to.data(), items.count, items.stride);
    case MeshoptFilter::kQuaternion:
      return meshopt_decodeFilterQuat(to.data(), items.count, items.stride);
    case MeshoptFilter::kExponential:
      return meshopt_decodeFilterExp(to.data(), items.count, items.stride);
    case MeshoptFilter::kColor:
      return decode_meshopt_colors(items.stride, to);
  }
}

}  // namespace

GltfDracoMesh decode_gltf_draco(const JsonReader& extension, std::string_view bytes,
                                const std::vector<std::string>& wanted) {
  check_counts(extension, bytes);
  draco::DecoderBuffer buffer;
  buffer.Init(bytes.data(), bytes.size());
  draco::Decoder decoder;
  draco::StatusOr<std::unique_ptr<draco::Mesh>> decoded = decoder.DecodeMeshFromBuffer(&buffer);
  if (!decoded.ok())
    extension.fail("the Draco mesh cannot be decoded: {}",
                   one_line(decoded.status().error_msg_string()));
  const draco::Mesh& mesh = *decoded.value();

  GltfDracoMesh read;
  const JsonReader ids = extension.at("attributes");
  for (const std::string& name : wanted)
    if (const auto id = ids.find(name)) {
      const draco::PointAttribute* attribute =
          mesh.GetAttributeByUniqueId(id->integer(0, std::numeric_limits<uint32_t>::max()));
      if (!attribute) id->fail("the Draco mesh has no attribute of this id");
      read.attributes[name] = read_attribute(mesh, *attribute);
    }
  for (uint32_t face = 0; face < mesh.num_faces(); ++face)
    for (const draco::PointIndex& corner : mesh.face(draco::FaceIndex(face))) {
      if (corner.value() >= mesh.num_points())
        extension.fail("a triangle of the Draco mesh has a vertex that the mesh lacks");
      read.indices.push_back(corner.value());
    }
  return read;
}

std::string decode_gltf_meshopt(const JsonReader& extension, std::string_view compressed) {
  const MeshoptItems items = read_items(extension, compressed.size());
  std::string decoded(items.count * items.stride, '\0');
  const std::span<uint8_t> bytes(reinterpret_cast<uint8_t*>(decoded.data()), decoded.size());
  const bool is_decoded = has_version_1(items, compressed)
                              ? decode_meshopt_vertices(compressed, items.stride, bytes)
                              : decode_items(items, compressed, bytes.data()) == 0;
  if (!is_decoded) extension.fail("the compressed bytes cannot be decoded");
  apply_filter(items, bytes);
  return decoded;
}

}  // namespace winnow
