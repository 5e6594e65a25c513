// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/folder_watch.h"
#include "base/limits.h"
#include "load/mitsuba/convert.h"

namespace winnow {
namespace {

constexpr uint16_t kSerializedId = 0x041C;
constexpr uint16_t kOldVersion = 3, kNewVersion = 4;  ///< version 4 has names and 64-bit offsets

enum SerializedFlags : uint32_t {
  kHasNormals = 0x0001,
  kHasUvs = 0x0002,
  kHasColors = 0x0008,
  kFaceNormals = 0x0010,
  kSinglePrecision = 0x1000,
  kDoublePrecision = 0x2000,
};

[[noreturn]] void fail(const std::string& file, const std::string& what) {
  throw Error(fmt::format("{}: {}", file, what));
}

/// Decompresses a zlib stream piece by piece.
struct Inflater {
  Inflater(std::string_view bytes, const std::string& file) : compressed(bytes), file(file) {
    // zlib does not change its input.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = uInt(std::min<size_t>(bytes.size(), std::numeric_limits<uInt>::max()));
    if (inflateInit(&stream) != Z_OK) fail(file, "cannot be decompressed");
  }
  Inflater(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream); }

  template <class T>
  T read() {
    T value;
    stream.next_out = reinterpret_cast<Bytef*>(&value);
    stream.avail_out = sizeof value;
    while (stream.avail_out > 0) {
      const uInt left = stream.avail_out;
      const int status = inflate(&stream, Z_NO_FLUSH);
      const bool is_damaged = status != Z_OK && status != Z_STREAM_END && stream.avail_in > 0;
      if (is_damaged) fail(file, "the compressed mesh is damaged");
      if (stream.avail_out == left) fail(file, "the mesh is cut off");
    }
    return value;
  }

  /// Throws Error unless the stream can hold `count` items of `size` bytes.
  void expect_room_for(uint64_t count, size_t size, const char* what) const {
    const uint64_t most = (compressed.size() + 1) * kMaxDeflateRatio;
    if (count > most / size)
      fail(file, fmt::format("has {} {}, more than its {} bytes can hold", count, what,
                             compressed.size()));
  }

  std::string_view compressed;
  const std::string& file;
  z_stream stream = {};
};

template <int kSize, class From, class Vector>
void read_vectors(Inflater& inflater, uint64_t count, std::vector<Vector>& to) {
  to.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    const auto numbers = inflater.read<std::array<From, kSize>>();
    Vector& vector = to.emplace_back();
    for (int axis = 0; axis < kSize; ++axis) vector[axis] = float(numbers[size_t(axis)]);
  }
}

template <class Number>
void read_serialized_vertices(Inflater& inflater, uint32_t flags, uint64_t count, Mesh& mesh) {
  const size_t numbers = 3u + (flags & kHasNormals ? 3u : 0u) + (flags & kHasUvs ? 2u : 0u) +
                         (flags & kHasColors ? 3u : 0u);
  inflater.expect_room_for(count, numbers * sizeof(Number), "vertices");
  read_vectors<3, Number>(inflater, count, mesh.positions);
  if (flags & kHasNormals) read_vectors<3, Number>(inflater, count, mesh.normals);
  if (flags & kHasUvs) read_vectors<2, Number>(inflater, count, mesh.uvs);
  if (!(flags & kHasColors)) return;
  std::vector<glm::vec3> colors;
  read_vectors<3, Number>(inflater, count, colors);
  for (const glm::vec3& color : colors) mesh.colors.emplace_back(color, 1.0f);
}

void read_serialized_triangles(Inflater& inflater, uint64_t count, Mesh& mesh) {
  inflater.expect_room_for(count, sizeof(glm::uvec3), "triangles");
  mesh.triangles.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    const auto corners = inflater.read<std::array<uint32_t, 3>>();
    for (uint32_t corner : corners)
      if (corner >= mesh.positions.size())
        fail(inflater.file, fmt::format("triangle {} has the vertex {}, but there are {}", i,
                                        corner, mesh.positions.size()));
    mesh.triangles.emplace_back(corners[0], corners[1], corners[2]);
  }
}

/// Identifier and version of a file or of a mesh in it.
struct SerializedHeader {
  uint16_t id, version;
};

SerializedHeader check_header(SerializedHeader header, const std::string& file) {
  if (header.id != kSerializedId) fail(file, "expected a mesh of the format .serialized");
  if (header.version != kOldVersion && header.version != kNewVersion)
    fail(file, fmt::format("expected version 3 or 4 of the format .serialized, found {}",
                           header.version));
  return header;
}

struct SizedFile {
  explicit SizedFile(const std::filesystem::path& file) : name(file.string()) {
    FolderWatch::check(file);
    stream.open(file, std::ios::binary);
    stream.seekg(0, std::ios::end);
    if (!stream) fail(name, "cannot be read");
    size = uint64_t(stream.tellg());
  }

  std::string read(uint64_t offset, uint64_t length) {
    if (offset > size || length > size - offset) fail(name, "the file is cut off");
    std::string bytes(length, '\0');
    stream.seekg(std::streamoff(offset));
    if (!stream.read(bytes.data(), std::streamsize(length))) fail(name, "cannot be read");
    return bytes;
  }

  template <class T>
  T read_number(uint64_t offset) {
    T value;
    std::memcpy(&value, read(offset, sizeof value).data(), sizeof value);
    return value;
  }

  std::ifstream stream;
  std::string name;
  uint64_t size = 0;
};

/// Returns first byte and end of a mesh, from the table of offsets at the end of the file.
std::pair<uint64_t, uint64_t> find_mesh(SizedFile& file, uint32_t index, uint16_t version) {
  constexpr uint64_t kCountSize = sizeof(uint32_t);
  if (file.size < sizeof(SerializedHeader) + kCountSize) fail(file.name, "the file is cut off");
  const uint64_t count = file.read_number<uint32_t>(file.size - kCountSize);
  const uint64_t offset_size = version == kNewVersion ? sizeof(uint64_t) : sizeof(uint32_t);
  if (count * offset_size > file.size - kCountSize)
    fail(file.name, fmt::format("is too short for its table of {} meshes", count));
  if (index >= count)
    fail(file.name,
         fmt::format("has {} meshes; expected a shape_index below that, found {}", count, index));
  const uint64_t table = file.size - kCountSize - count * offset_size;
  auto offset_of = [&](uint64_t mesh) -> uint64_t {
    if (mesh == count) return table;
    const uint64_t at = table + mesh * offset_size;
    return version == kNewVersion ? file.read_number<uint64_t>(at) : file.read_number<uint32_t>(at);
  };
  const uint64_t begin = offset_of(index), end = std::min(offset_of(index + 1ull), table);
  if (begin >= table) fail(file.name, fmt::format("mesh {} starts after its end", index));
  return {begin, end > begin ? end : table};
}

}  // namespace

SerializedMesh parse_serialized_mesh(std::string_view bytes, const std::string& file) {
  SerializedHeader header;
  if (bytes.size() < sizeof header) fail(file, "the mesh is cut off");
  std::memcpy(&header, bytes.data(), sizeof header);
  check_header(header, file);

  Inflater inflater(bytes.substr(sizeof header), file);
  const uint32_t flags = inflater.read<uint32_t>();
  if (header.version == kNewVersion)
    while (inflater.read<char>() != '\0') {  // the name of the mesh
    }
  const auto vertex_count = inflater.read<uint64_t>(), triangle_count = inflater.read<uint64_t>();
  if (vertex_count > std::numeric_limits<uint32_t>::max())
    fail(inflater.file, fmt::format("has {} vertices; expected at most 2^32 - 1", vertex_count));
  SerializedMesh read{.mesh = {}, .is_flat = (flags & kFaceNormals) != 0};
  if (flags & kDoublePrecision)
    read_serialized_vertices<double>(inflater, flags, vertex_count, read.mesh);
  else
    read_serialized_vertices<float>(inflater, flags, vertex_count, read.mesh);
  read_serialized_triangles(inflater, triangle_count, read.mesh);
  if (read.mesh.triangles.empty()) fail(inflater.file, "has no triangle");
  return read;
}

SerializedMesh read_serialized_mesh(const std::filesystem::path& file, uint32_t index) {
  SizedFile parts(file);
  const auto header = check_header(parts.read_number<SerializedHeader>(0), parts.name);
  const auto [begin, end] = find_mesh(parts, index, header.version);
  return parse_serialized_mesh(parts.read(begin, end - begin),
                               fmt::format("{}: mesh {}", parts.name, index));
}

}  // namespace winnow
