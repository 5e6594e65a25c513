// SPDX-License-Identifier: MIT
#include <draco/compression/decode.h>
#include <draco/compression/point_cloud/point_cloud_decoder.h>
#include <draco/core/varint_decoding.h>
#include <draco/metadata/metadata_decoder.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "base/one_line.h"
#include "load/gltf/compression.h"

namespace winnow {
namespace {

/// Numbers of triangles and vertices that a file claims.
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
    extension.fail(
        fmt::format("found {} triangles of {} vertices in {} bytes, which cannot hold "
                    "as many",
                    counts->triangles, counts->vertices, bytes.size()));
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

}  // namespace

GltfDracoMesh decode_gltf_draco(const JsonReader& extension, std::string_view bytes,
                                const std::vector<std::string>& wanted) {
  check_counts(extension, bytes);
  draco::DecoderBuffer buffer;
  buffer.Init(bytes.data(), bytes.size());
  draco::Decoder decoder;
  draco::StatusOr<std::unique_ptr<draco::Mesh>> decoded = decoder.DecodeMeshFromBuffer(&buffer);
  if (!decoded.ok())
    extension.fail(fmt::format("the Draco mesh cannot be decoded: {}",
                               one_line(decoded.status().error_msg_string())));
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

}  // namespace winnow
