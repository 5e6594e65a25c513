// SPDX-License-Identifier: MIT
#include "load/mitsuba/serialized.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <limits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/folder_watch.h"
#include "base/limits.h"

namespace winnow {
namespace {

constexpr uint16_t kSerializedId = 0x041C;
constexpr uint16_t kOldVersion = 3, kNewVersion = 4;  ///< version 4 has names and 64-bit offsets

/// Attributes and properties of a mesh.
enum SerializedFlags : uint32_t {
  kHasNormals = 0x0001,
  kHasUvs = 0x0002,
  kHasColors = 0x0008,
  kFaceNormals = 0x0010,
  kSinglePrecision = 0x1000,
  kDoublePrecision = 0x2000,
};

/// Decompresses a zlib stream piece by piece.
class Inflater {
 public:
  Inflater(std::string_view bytes, const std::string& file) : compressed_(bytes), file_(file) {
    // zlib does not change its input.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = uInt(std::min<size_t>(bytes.size(), std::numeric_limits<uInt>::max()));
    if (inflateInit(&stream_) != Z_OK) fail("cannot be decompressed");
  }
  Inflater(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  /// Decompresses `size` bytes to `to`.
  void read(void* to, size_t size) {
    auto* next = static_cast<Bytef*>(to);
    while (size > 0) {
      const size_t part = std::min<size_t>(size, std::numeric_limits<uInt>::max());
      stream_.next_out = next;
      stream_.avail_out = uInt(part);
      const int status = inflate(&stream_, Z_NO_FLUSH);
      const size_t got = part - stream_.avail_out;
      if (status != Z_OK && status != Z_STREAM_END)
        fail(stream_.avail_in == 0 ? "the mesh is cut off" : "the compressed mesh is damaged");
      if (got == 0) fail("the mesh is cut off");
      next += got;
      size -= got;
    }
  }

  template <class T>
  T read() {
    T value;
    read(&value, sizeof value);
    return value;
  }

  /// Throws Error unless the stream can hold `count` items of `size` bytes.
  void expect_room_for(uint64_t count, size_t size, const char* what) const {
    const uint64_t most = (compressed_.size() + 1) * kMaxDeflateRatio;
    if (count > most / size)
      fail(fmt::format("has {} {}, more than its {} bytes can hold", count, what,
                       compressed_.size()));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}: {}", file_, what));
  }

 private:
  std::string_view compressed_;
  const std::string& file_;
  z_stream stream_ = {};
};

/// Reads vectors of `kSize` numbers of the type `From`.
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
        inflater.fail(fmt::format("triangle {} has the vertex {}, but there are {}", i, corner,
                                  mesh.positions.size()));
    mesh.triangles.emplace_back(corners[0], corners[1], corners[2]);
  }
}

/// Identifier and version of a file or of a mesh in it.
struct SerializedHeader {
  uint16_t id, version;
};

SerializedHeader check_header(SerializedHeader header, const std::string& file) {
  if (header.id != kSerializedId)
    throw Error(fmt::format("{}: expected a mesh of the format .serialized", file));
  if (header.version != kOldVersion && header.version != kNewVersion)
    throw Error(fmt::format("{}: expected version 3 or 4 of the format .serialized, found {}", file,
                            header.version));
  return header;
}

/// Reads parts of a file of known size.
class FileParts {
 public:
  explicit FileParts(const std::filesystem::path& file) : name_(file.string()) {
    FolderWatch::check(file);
    stream_.open(file, std::ios::binary);
    stream_.seekg(0, std::ios::end);
    if (!stream_) fail("cannot be read");
    size_ = uint64_t(stream_.tellg());
  }

  uint64_t size() const { return size_; }
  const std::string& name() const { return name_; }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}: {}", name_, what));
  }

  std::string read(uint64_t offset, uint64_t size) {
    if (offset > size_ || size > size_ - offset) fail("the file is cut off");
    std::string bytes(size, '\0');
    stream_.seekg(std::streamoff(offset));
    if (!stream_.read(bytes.data(), std::streamsize(size))) fail("cannot be read");
    return bytes;
  }

  template <class T>
  T read_number(uint64_t offset) {
    T value;
    std::memcpy(&value, read(offset, sizeof value).data(), sizeof value);
    return value;
  }

 private:
  std::ifstream stream_;
  std::string name_;
  uint64_t size_ = 0;
};

/// Returns first byte and end of a mesh, from the table of offsets at the end of the file.
std::pair<uint64_t, uint64_t> find_mesh(FileParts& parts, uint32_t index, uint16_t version) {
  constexpr uint64_t kCountSize = sizeof(uint32_t);
  if (parts.size() < sizeof(SerializedHeader) + kCountSize) parts.fail("the file is cut off");
  const uint64_t count = parts.read_number<uint32_t>(parts.size() - kCountSize);
  const uint64_t offset_size = version == kNewVersion ? sizeof(uint64_t) : sizeof(uint32_t);
  if (count * offset_size > parts.size() - kCountSize)
    parts.fail(fmt::format("is too short for its table of {} meshes", count));
  if (index >= count)
    parts.fail(
        fmt::format("has {} meshes; expected a shape_index below that, found {}", count, index));
  const uint64_t table = parts.size() - kCountSize - count * offset_size;
  auto offset_of = [&](uint64_t mesh) -> uint64_t {
    if (mesh == count) return table;
    const uint64_t at = table + mesh * offset_size;
    return version == kNewVersion ? parts.read_number<uint64_t>(at)
                                  : parts.read_number<uint32_t>(at);
  };
  const uint64_t begin = offset_of(index), end = std::min(offset_of(index + 1ull), table);
  if (begin >= table) parts.fail(fmt::format("mesh {} starts after its end", index));
  return {begin, end > begin ? end : table};
}

}  // namespace

SerializedMesh parse_serialized_mesh(std::string_view bytes, const std::string& file) {
  SerializedHeader header;
  if (bytes.size() < sizeof header) throw Error(fmt::format("{}: the mesh is cut off", file));
  std::memcpy(&header, bytes.data(), sizeof header);
  check_header(header, file);

  Inflater inflater(bytes.substr(sizeof header), file);
  const uint32_t flags = inflater.read<uint32_t>();
  if (header.version == kNewVersion)
    while (inflater.read<char>() != '\0') {  // the name of the mesh
    }
  const auto vertex_count = inflater.read<uint64_t>(), triangle_count = inflater.read<uint64_t>();
  if (vertex_count > std::numeric_limits<uint32_t>::max())
    inflater.fail(fmt::format("has {} vertices; expected at most 2^32 - 1", vertex_count));
  SerializedMesh read{.mesh = {}, .is_flat = (flags & kFaceNormals) != 0};
  if (flags & kDoublePrecision)
    read_serialized_vertices<double>(inflater, flags, vertex_count, read.mesh);
  else
    read_serialized_vertices<float>(inflater, flags, vertex_count, read.mesh);
  read_serialized_triangles(inflater, triangle_count, read.mesh);
  if (read.mesh.triangles.empty()) inflater.fail("has no triangle");
  return read;
}

SerializedMesh read_serialized_mesh(const std::filesystem::path& file, uint32_t index) {
  FileParts parts(file);
  const auto header = check_header(parts.read_number<SerializedHeader>(0), parts.name());
  const auto [begin, end] = find_mesh(parts, index, header.version);
  return parse_serialized_mesh(parts.read(begin, end - begin),
                               fmt::format("{}: mesh {}", parts.name(), index));
}

}  // namespace winnow
