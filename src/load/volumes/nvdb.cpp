// SPDX-License-Identifier: MIT
#include "load/volumes/nvdb.h"

#include <blosc.h>
#include <fmt/format.h>
#include <nanovdb/NanoVDB.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/limits.h"
#include "image/byte_reader.h"

namespace winnow {
namespace {

// NanoVDB's own functions do not check the sizes and offsets in a file, and refuse files of newer
// versions. So this file parses files itself. It uses NanoVDB's structs for grids and nodes only,
// whose layout is the same in all versions of one major number.

constexpr uint32_t kNvdbMajor = NANOVDB_MAJOR_VERSION_NUMBER;
constexpr std::string_view kFileMagics[] = {"NanoVDB0", "NanoVDB2"};
constexpr std::string_view kGridMagic = "NanoVDB1";  ///< in files that are one grid after another

enum class NvdbCodec : uint16_t { kNone, kZip, kBlosc };

uint64_t read_64(ByteReader& reader) {
  const uint64_t low = reader.read_32();
  return low | uint64_t{reader.read_32()} << 32;
}

void expect_major(uint32_t version) {
  constexpr uint32_t kMajorShift = 21;
  if (version >> kMajorShift != kNvdbMajor)
    throw Error(
        fmt::format("expected a file of NanoVDB {}, found {}", kNvdbMajor, version >> kMajorShift));
}

/// The bytes of a grid, aligned as NanoVDB requires.
class NvdbBytes {
 public:
  explicit NvdbBytes(size_t size) : size_(size), units_((size + sizeof(Unit) - 1) / sizeof(Unit)) {}
  char* data() { return units_.data()->bytes; }
  size_t size() const { return size_; }

  /// Returns what is at an offset. Throws Error unless it is inside, and aligned.
  /// @param more  bytes that must follow it
  template <class T>
  const T& at(uint64_t offset, uint64_t more = 0) const {
    if (offset % NANOVDB_DATA_ALIGNMENT != 0 || offset > size_ || sizeof(T) > size_ - offset ||
        more > size_ - offset - sizeof(T))
      throw Error("a node is outside of its grid");
    return *reinterpret_cast<const T*>(units_.data()->bytes + offset);
  }

 private:
  struct alignas(NANOVDB_DATA_ALIGNMENT) Unit {
    char bytes[NANOVDB_DATA_ALIGNMENT];
  };
  size_t size_;
  std::vector<Unit> units_;
};

/// @param size  of the result
NvdbBytes decompress_nvdb(std::string_view bytes, NvdbCodec codec, uint64_t size) {
  constexpr uint64_t kMaxBloscRatio = 256;  // highest compression ratio of LZ4
  const uint64_t ratio = codec == NvdbCodec::kNone  ? 1
                         : codec == NvdbCodec::kZip ? kMaxDeflateRatio
                                                    : kMaxBloscRatio;
  if (size / ratio > bytes.size()) throw Error("truncated");
  NvdbBytes grid(size);
  ByteReader reader(bytes);
  if (codec == NvdbCodec::kNone) {
    std::memcpy(grid.data(), reader.take(size).data(), size);
    return grid;
  }
  for (uint64_t done = 0; done < size;) {  // Blosc's chunks have at most a gigabyte
    const std::string_view chunk = reader.take(read_64(reader));
    uLongf count = size - done;
    if (codec == NvdbCodec::kZip) {
      if (uncompress(reinterpret_cast<Bytef*>(grid.data()), &count,
                     reinterpret_cast<const Bytef*>(chunk.data()), chunk.size()) != Z_OK ||
          count != size)
        throw Error("the compressed grid is damaged");
    } else {
      size_t unpacked = 0;
      if (blosc_cbuffer_validate(chunk.data(), chunk.size(), &unpacked) != 0 || unpacked == 0 ||
          unpacked > count ||
          blosc_decompress_ctx(chunk.data(), grid.data() + done, unpacked, 1) != int(unpacked))
        throw Error("the compressed grid is damaged");
      count = unpacked;
    }
    done += count;
  }
  return grid;
}

/// A grid in a file.
struct NvdbEntry {
  std::string name;
  uint64_t size = 0;       ///< bytes in memory
  std::string_view bytes;  ///< in the file
  NvdbCodec codec = NvdbCodec::kNone;
};

/// Returns the grids of a file that is a list of grids.
std::vector<NvdbEntry> bare_grids(std::string_view bytes) {
  std::vector<NvdbEntry> entries;
  while (!bytes.empty()) {
    if (bytes.size() < sizeof(nanovdb::GridData)) throw Error("truncated");
    ByteReader reader(bytes.substr(offsetof(nanovdb::GridData, mGridSize)));
    const uint64_t size = read_64(reader);
    if (size < sizeof(nanovdb::GridData) || size > bytes.size()) throw Error("truncated");
    const std::string_view name = reader.take(nanovdb::GridData::MaxNameSize);
    entries.push_back({.name = std::string(name.substr(0, name.find('\0'))),
                       .size = size,
                       .bytes = bytes.substr(0, size)});
    bytes.remove_prefix(size);
  }
  return entries;
}

/// Returns the grids of a file of segments, each with the descriptions of its grids before them.
std::vector<NvdbEntry> grids_of_segments(std::string_view bytes) {
  std::vector<NvdbEntry> entries;
  ByteReader reader(bytes);
  while (reader.left() > 0) {
    if (const auto magic = reader.take(kGridMagic.size());
        magic != kFileMagics[0] && magic != kFileMagics[1])
      throw Error("expected a NanoVDB file");
    expect_major(reader.read_32());
    const uint16_t count = reader.read_16();
    const uint16_t codec = reader.read_16();
    if (codec > uint16_t(NvdbCodec::kBlosc))
      throw Error(fmt::format("the codec {} is unknown", codec));
    const size_t first = entries.size();
    std::vector<uint64_t> sizes_in_file;
    for (uint16_t i = 0; i < count; ++i) {
      NvdbEntry entry;
      entry.codec = NvdbCodec(codec);
      entry.size = read_64(reader);
      sizes_in_file.push_back(read_64(reader));
      constexpr size_t kBeforeNameSize = 120, kAfterNameSize = 36;  // what the grid itself says
      reader.take(kBeforeNameSize);
      const uint32_t name_size = reader.read_32();
      reader.take(kAfterNameSize);
      const std::string_view name = reader.take(name_size);
      entry.name = name.substr(0, name.find('\0'));
      entries.push_back(std::move(entry));
    }
    for (uint16_t i = 0; i < count; ++i) entries[first + i].bytes = reader.take(sizes_in_file[i]);
  }
  return entries;
}

std::vector<NvdbEntry> nvdb_entries(std::string_view bytes) {
  const std::string_view magic = bytes.substr(0, kGridMagic.size());
  if (magic == kGridMagic) return bare_grids(bytes);
  if (magic != kFileMagics[0] && magic != kFileMagics[1]) throw Error("expected a NanoVDB file");
  return grids_of_segments(bytes);
}

template <class T>
requires std::is_arithmetic_v<T>
float number_of(T value) {
  return float(value);
}
/// @param value  may be any byte in a damaged file
float number_of(const bool& value) {
  uint8_t byte = 0;
  std::memcpy(&byte, &value, sizeof byte);
  return byte == 0 ? 0.0f : 1.0f;
}
template <class T>
float number_of(const nanovdb::Vec3<T>& value) {
  return float((value[0] + value[1] + value[2]) / T(3));
}

/// Returns the place of child n of a node whose sides have 2^log2_side children.
glm::ivec3 child_place(uint32_t n, uint32_t log2_side) {
  const uint32_t mask = (1u << log2_side) - 1;
  return {int(n >> 2 * log2_side), int(n >> log2_side & mask), int(n & mask)};  // z is fastest
}

/// Collects the values of a tree of a type. Masks of active values are ignored: values that are
/// stored count, as in NanoVDB's samplers.
template <class Build>
class NvdbTree {
  using Root = typename nanovdb::NanoRoot<Build>::DataType;
  using Upper = typename nanovdb::NanoUpper<Build>::DataType;
  using Lower = typename nanovdb::NanoLower<Build>::DataType;
  using Leaf = typename nanovdb::NanoLeaf<Build>::DataType;
  static constexpr int kLeafSide = 8, kLowerSide = 128, kUpperSide = 4096;

 public:
  NvdbTree(const NvdbBytes& bytes, SparseValues& values) : bytes_(bytes), values_(values) {}

  void collect() {
    constexpr uint64_t kTree = sizeof(nanovdb::GridData);
    const auto& tree = bytes_.at<nanovdb::TreeData<3>>(kTree);
    const uint64_t at = kTree + tree.mNodeOffset[3];
    const Root& root = bytes_.at<Root>(at);
    for (uint32_t i = 0; i < root.mTableSize; ++i) {
      const auto& tile =
          bytes_.at<typename Root::Tile>(at + sizeof(Root) + i * sizeof(typename Root::Tile));
      const nanovdb::Coord key = Root::KeyToCoord(tile.key);
      const glm::ivec3 low{key[0], key[1], key[2]};
      for (int axis = 0; axis < 3; ++axis)
        if (std::abs(int64_t(low[axis])) > kMaxCoordinate || low[axis] % kUpperSide != 0)
          throw Error("a node is at a place that is too far away, or none of its kind");
      if (tile.child != 0)
        add_upper(at + uint64_t(tile.child), low);
      else
        add_tile(tile.value, low, kUpperSide);
    }
  }

 private:
  static constexpr int64_t kMaxCoordinate = int64_t{1} << 30;

  void add_upper(uint64_t at, glm::ivec3 low) {
    const auto& node = node_at<Upper>(at);
    constexpr uint64_t kBlocksPerTile = uint64_t{1} << 12;
    uint64_t blocks = 0;
    for (uint32_t n = 0; n < 1u << 15; ++n)
      if (!node.mChildMask.isOn(n) && number_of(node.mTable[n].value) > 0.0f)
        blocks += kBlocksPerTile;
    if (blocks > kMaxStoredBricks) throw Error("expected at most 2^30 values other than 0");
    for (uint32_t n = 0; n < 1u << 15; ++n) {
      const glm::ivec3 place = low + kLowerSide * child_place(n, 5);
      if (node.mChildMask.isOn(n))
        add_lower(at + uint64_t(node.mTable[n].child), place);
      else
        add_tile(node.mTable[n].value, place, kLowerSide);
    }
  }

  void add_lower(uint64_t at, glm::ivec3 low) {
    const auto& node = node_at<Lower>(at);
    for (uint32_t n = 0; n < 1u << 12; ++n) {
      const glm::ivec3 place = low + kLeafSide * child_place(n, 4);
      if (node.mChildMask.isOn(n))
        add_leaf(at + uint64_t(node.mTable[n].child), place);
      else
        add_tile(node.mTable[n].value, place, kLeafSide);
    }
  }

  void add_leaf(uint64_t at, glm::ivec3 low) {
    const auto& leaf = node_at<Leaf>(at);
    if constexpr (std::is_same_v<Build, nanovdb::FpN>) {
      constexpr uint32_t kMaxLog2Bits = 4;
      if (leaf.mFlags >> 5 > kMaxLog2Bits) throw Error("a leaf has more than 16 bits per value");
      bytes_.at<Leaf>(at, leaf.memUsage() - sizeof(Leaf));
    }
    SparseValues::Block block;
    for (uint32_t n = 0; n < block.size(); ++n) {
      const glm::ivec3 in = child_place(n, 3);
      block[size_t((in.z * kLeafSide + in.y) * kLeafSide + in.x)] =
          density_of(leaf.getValue(n), low + in);
    }
    values_.add(low, block);
  }

  /// Returns a node. Throws Error if there are more nodes than the grid has bytes for.
  template <class Node>
  const Node& node_at(uint64_t offset) {
    seen_ += sizeof(Node);
    if (seen_ > bytes_.size()) throw Error("its nodes overlap");
    return bytes_.at<Node>(offset);
  }

  template <class T>
  void add_tile(const T& value, glm::ivec3 low, int side) {
    const float density = density_of(value, low);
    if (density == 0.0f) return;
    if (side == kUpperSide) throw Error("a tile of 4096^3 equal values is too large");
    for (int z = 0; z < side; z += kLeafSide)
      for (int y = 0; y < side; y += kLeafSide)
        for (int x = 0; x < side; x += kLeafSide)
          values_.add_uniform(low + glm::ivec3(x, y, z), density);
  }

  template <class T>
  static float density_of(const T& value, glm::ivec3 place) {
    const float number = number_of(value);
    if (!(std::abs(number) <= float(kMaxSceneValue)))
      throw Error(fmt::format("expected values of at most 1e9, found {} at ({}, {}, {})", number,
                              place.x, place.y, place.z));
    return std::max(number, 0.0f);
  }

  const NvdbBytes& bytes_;
  SparseValues& values_;
  uint64_t seen_ = 0;  ///< bytes of nodes so far
};

/// Collects the values of a tree of one of these types. Returns false if `type` is none of them.
template <class... Builds>
bool collect_as(nanovdb::GridType type, const NvdbBytes& bytes, SparseValues& values) {
  const auto collect = [&]<class Build>(const Build*) {
    if (type != nanovdb::mapToGridType<Build>()) return false;
    NvdbTree<Build>(bytes, values).collect();
    return true;
  };
  return (collect(static_cast<const Builds*>(nullptr)) || ...);
}

SparseGrid read_nvdb_grid(const NvdbBytes& bytes) {
  const auto& data = bytes.at<nanovdb::GridData>(0);
  expect_major(std::bit_cast<uint32_t>(data.mVersion));
  SparseGrid grid;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column)
      grid.index_to_world[column][row] = data.mMap.mMatD[3 * row + column];
    grid.index_to_world[3][row] = data.mMap.mVecD[row];
  }
  grid.is_level_set = data.mGridClass == nanovdb::GridClass::LevelSet;
  if (!collect_as<float, double, int16_t, int32_t, int64_t, uint32_t, bool, nanovdb::Fp4,
                  nanovdb::Fp8, nanovdb::Fp16, nanovdb::FpN, nanovdb::Vec3f, nanovdb::Vec3d>(
          data.mGridType, bytes, grid.values))
    throw Error(fmt::format("its values are of the kind {}; expected numbers or vectors",
                            uint32_t(data.mGridType)));
  return grid;
}

}  // namespace

NvdbFile::NvdbFile(const std::filesystem::path& file) : NvdbFile(read_file(file), file.string()) {}

NvdbFile::NvdbFile(std::string bytes, std::string name)
    : bytes_(std::move(bytes)), name_(std::move(name)) {}

bool NvdbFile::has_grid(std::string_view grid) const {
  try {
    const std::vector<NvdbEntry> entries = nvdb_entries(bytes_);
    return std::ranges::any_of(entries, [&](const NvdbEntry& entry) { return entry.name == grid; });
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", name_, error.what()));
  }
}

SparseGrid NvdbFile::read(std::string_view grid) const {
  try {
    std::string others;
    for (const NvdbEntry& entry : nvdb_entries(bytes_)) {
      if (entry.name == grid)
        return read_nvdb_grid(decompress_nvdb(entry.bytes, entry.codec, entry.size));
      others += fmt::format("{}\"{}\"", others.empty() ? "" : ", ", one_line(entry.name));
    }
    throw Error(fmt::format("has no grid \"{}\"; its grids are {}", grid,
                            others.empty() ? "none" : others));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", name_, error.what()));
  }
}

}  // namespace winnow
