// SPDX-License-Identifier: MIT
#include "image/exr_checks.h"

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfCompression.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfPartType.h>
#include <OpenEXR/ImfTileDescription.h>
#include <OpenEXR/ImfVersion.h>
#include <OpenEXR/OpenEXRConfig.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <istream>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/limits.h"
#include "image/exr_streams.h"
#include "image/image_io.h"

namespace winnow {
namespace {

int64_t blocks_along(int64_t length, int64_t block) {
  return (length + block - 1) / block;
}

/// A compression of the format, by its number.
struct ExrCodec {
  const char* name;
  int64_t lines;      ///< lines that are compressed together
  const char* since;  ///< first version of OpenEXR that reads it
};
constexpr ExrCodec kExrCodecs[] = {
    {"none", 1, "1.0"},   {"RLE", 1, "1.0"},    {"ZIPS", 1, "1.0"},       {"ZIP", 16, "1.0"},
    {"PIZ", 32, "1.0"},   {"PXR24", 16, "1.2"}, {"B44", 32, "1.4"},       {"B44A", 32, "1.4"},
    {"DWAA", 32, "2.2"},  {"DWAB", 256, "2.2"}, {"HTJ2K256", 256, "3.4"}, {"HTJ2K32", 32, "3.4"},
    {"LJ2K", 256, "3.5"}, {"ZSTD", 256, "3.5"}};

/// Throws Error if the library cannot decode a compression.
void check_exr_codec(uint8_t codec) {
  if (codec < Imf::NUM_COMPRESSION_METHODS) return;
  const bool is_known = codec < std::size(kExrCodecs);
  throw Error(fmt::format(
      "it is compressed by {}, which OpenEXR {} reads, not {}, with which this program was built; "
      "convert it by pip install OpenEXR and python3 -c 'import OpenEXR, sys; f = "
      "OpenEXR.File(sys.argv[1], separate_channels=True); "
      "[p.header.update(compression=OpenEXR.ZIP_COMPRESSION) for p in f.parts]; "
      "f.write(sys.argv[2])' IN.exr OUT.exr",
      is_known ? kExrCodecs[codec].name : fmt::format("the method {}", codec),
      is_known ? fmt::format("{} or newer", kExrCodecs[codec].since) : "of a newer version",
      OPENEXR_VERSION_STRING));
}

/// Returns the number of lines that are compressed together.
int64_t lines_in_block(Imf::Compression compression) {
  constexpr int64_t kMost = 256;
  return size_t(compression) < std::size(kExrCodecs) ? kExrCodecs[compression].lines : kMost;
}

/// Position of the first header's attributes, after the magic number and the version.
constexpr std::streamoff kExrVersionEnd = 8;

/// Bytes of an attribute's value by type, which OpenEXR reads whatever size the attribute states.
constexpr std::pair<std::string_view, int32_t> kExrValueBytes[] = {
    {"box2f", 16},         {"box2i", 16},   {"chromaticities", 32},
    {"compression", 1},    {"double", 8},   {"envmap", 1},
    {"deepImageState", 1}, {"float", 4},    {"int", 4},
    {"m33d", 72},          {"keycode", 28}, {"lineOrder", 1},
    {"m33f", 36},          {"m44d", 128},   {"m44f", 64},
    {"rational", 8},       {"tiledesc", 9}, {"v2d", 16},
    {"timecode", 8},       {"v2f", 8},      {"v2i", 8},
    {"v3d", 24},           {"v3f", 12},     {"v3i", 12}};

/// True if a list of channels ends at the end of its attribute.
bool is_channel_list(std::string_view list) {
  constexpr size_t kChannelBytes = 16;  // size of a channel after its name
  size_t at = 0;
  while (at < list.size() && list[at] != '\0') {
    const size_t name_end = list.find('\0', at);
    if (name_end == list.npos) return false;
    at = name_end + 1 + kChannelBytes;
  }
  return at + 1 == list.size();
}

/// True if the strings of a list, each after its size, end at the end of their attribute.
bool is_string_list(std::string_view list) {
  while (!list.empty()) {
    uint32_t size = 0;
    if (list.size() < sizeof size) return false;
    std::memcpy(&size, list.data(), sizeof size);
    list.remove_prefix(sizeof size);
    if (size > list.size()) return false;
    list.remove_prefix(size);
  }
  return true;
}

/// True if OpenEXR reads exactly the bytes of a value.
bool is_exr_value(std::string_view type, std::string_view value) {
  if (type == "chlist") return is_channel_list(value);
  if (type == "stringvector") return is_string_list(value);
  if (type == "floatvector") return value.size() % sizeof(float) == 0;
  if (type == "preview") {
    std::array<uint32_t, 2> size;
    if (value.size() < sizeof size) return false;
    std::memcpy(size.data(), value.data(), sizeof size);
    const uint64_t pixel_bytes = value.size() - sizeof size;
    return pixel_bytes % 4 == 0 && uint64_t{size[0]} * size[1] == pixel_bytes / 4;
  }
  const auto* known = std::ranges::find(kExrValueBytes, type, [](auto& of) { return of.first; });
  return known == std::end(kExrValueBytes) || known->second == int32_t(value.size());
}

/// Throws Error if an attribute of a header claims more bytes than the file has, or not the bytes
/// of its value: OpenEXR allocates them before it reads, and would take bytes of one attribute for
/// the size of another.
/// @param has_parts  true if several headers follow each other up to an empty one
void check_exr_attributes(std::istream& stream, uint64_t bytes, bool has_parts) {
  stream.seekg(kExrVersionEnd);
  bool is_at_start = false;  // true at the start of a header that is not the first
  for (std::string name, type; std::getline(stream, name, '\0');) {
    if (name.empty() && (!has_parts || is_at_start)) break;
    is_at_start = name.empty();
    if (name.empty()) continue;
    int32_t size = 0;
    std::getline(stream, type, '\0').read(reinterpret_cast<char*>(&size), sizeof size);
    if (!stream || size < 0 || uint64_t(size) > bytes - uint64_t(stream.tellg()))
      throw Error("truncated: its header does not end");
    std::string value(size_t(size), '\0');
    stream.read(value.data(), size);
    if (!is_exr_value(type.c_str(), value))
      throw Error("its attribute \"" + one_line(name) + "\" is damaged");
    if (name == "compression" && !value.empty()) check_exr_codec(uint8_t(value[0]));
  }
  stream.clear();
  stream.seekg(0);
}

/// Throws Error if a display window has many more pixels than the data window: those outside are
/// black and take no bytes.
void check_display_window(const Imath::Box2i& window, int64_t data_pixels) {
  const int64_t width = int64_t(window.max.x) - window.min.x + 1,
                height = int64_t(window.max.y) - window.min.y + 1;
  check_image_size(width, height);
  if (width * height > std::max(kMaxFreeExrPixels, kMaxExrDisplayRatio * data_pixels))
    throw Error(fmt::format("its display window is {}x{}, too large for its {} pixels", width,
                            height, data_pixels));
}

/// Throws Error if a header claims more pixels than the file can hold: OpenEXR allocates tables and
/// buffers by the header alone. In an image with levels, the largest level counts.
void check_exr_header(const Imf::Header& header, uint64_t bytes) {
  const Imath::Box2i& window = header.dataWindow();
  const int64_t width = int64_t(window.max.x) - window.min.x + 1,
                height = int64_t(window.max.y) - window.min.y + 1;
  check_image_size(width, height);
  check_display_window(header.displayWindow(), width * height);
  int64_t blocks = blocks_along(height, lines_in_block(header.compression()));
  if (header.hasTileDescription()) {
    const Imf::TileDescription& tile = header.tileDescription();
    if (tile.xSize == 0 || tile.ySize == 0) throw Error("its tiles have no size");
    if (tile.xSize > kMaxImageSide || tile.ySize > kMaxImageSide)
      throw Error(
          fmt::format("its tiles are {}x{}, larger than any image", tile.xSize, tile.ySize));
    blocks = blocks_along(width, tile.xSize) * blocks_along(height, tile.ySize);
  }
  if (header.hasChunkCount()) blocks = std::max<int64_t>(blocks, header.chunkCount());
  uint64_t pixel_bytes = 0;
  for (auto channel = header.channels().begin(); channel != header.channels().end(); ++channel)
    pixel_bytes += channel.channel().type == Imf::HALF ? 2 : 4;
  if (uint64_t(blocks) * kMinExrBlockBytes > bytes) throw Error("truncated");
  check_image_bytes(width, height, kMaxExrRatio * bytes / std::max<uint64_t>(pixel_bytes, 1));
}

}  // namespace

bool is_deep(const Imf::Header& header) {
  return header.hasType() && Imf::isDeepData(header.type());
}

void check_exr_headers(std::istream& stream) {
  const uint64_t bytes = bytes_left(stream);
  ExrInput input(stream);
  int version = 0;
  input.seekg(kExrVersionEnd - sizeof version);
  input.read(reinterpret_cast<char*>(&version), sizeof version);
  const bool has_parts = Imf::isMultiPart(version);
  // OpenEXR would flatten a deep image, which takes as much memory as the file claims.
  const Error deep("it is a deep image, with many samples in a pixel; expected a flat one");
  if (Imf::isNonImage(version) && !has_parts) throw deep;
  check_exr_attributes(stream, bytes, has_parts);
  stream.seekg(kExrVersionEnd);
  bool has_flat = false;
  do {
    Imf::Header header;
    header.readFrom(input, version);
    check_exr_header(header, bytes);
    has_flat = has_flat || !is_deep(header);
  } while (has_parts && stream.peek() > 0);
  if (!has_flat) throw deep;
  stream.clear();
  stream.seekg(0);
}

}  // namespace winnow
