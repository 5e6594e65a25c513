// SPDX-License-Identifier: MIT
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfInputFile.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfTileDescriptionAttribute.h>
#include <OpenEXR/ImfVersion.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <istream>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "image/image_formats.h"
#include "image/image_io.h"

namespace winnow {
namespace {

constexpr std::array<const char*, 3> kColorChannels = {"R", "G", "B"};

class ExrOutput : public Imf::OStream {
 public:
  explicit ExrOutput(std::ostream& stream) : Imf::OStream("output"), stream_(stream) {}

  void write(const char bytes[], int count) override {
    if (!stream_.write(bytes, count)) throw std::runtime_error("the write failed");
  }
  uint64_t tellp() override { return uint64_t(stream_.tellp()); }
  void seekp(uint64_t position) override { stream_.seekp(std::streamoff(position)); }

 private:
  std::ostream& stream_;
};

class ExrInput : public Imf::IStream {
 public:
  explicit ExrInput(std::istream& stream) : Imf::IStream("input"), stream_(stream) {}

  bool read(char bytes[], int count) override {
    if (count < 0 || !stream_.read(bytes, count)) throw std::runtime_error("truncated");
    return true;
  }
  uint64_t tellg() override { return uint64_t(stream_.tellg()); }
  void seekg(uint64_t position) override {
    stream_.clear();
    stream_.seekg(std::streamoff(position));
  }
  void clear() override { stream_.clear(); }

 private:
  std::istream& stream_;
};

std::array<std::string, 3> find_channels(const Imf::ChannelList& channels) {
  auto usable = [&](const char* name) {
    const Imf::Channel* channel = channels.findChannel(name);
    return channel && channel->xSampling == 1 && channel->ySampling == 1;
  };
  if (usable("R") && usable("G") && usable("B")) return {"R", "G", "B"};
  if (channels.findChannel("Y") && (channels.findChannel("RY") || channels.findChannel("BY")))
    throw Error("it stores luminance and chroma (Y, RY and BY); expected channels R, G and B");
  if (usable("Y")) return {"Y", "Y", "Y"};
  throw Error("it has no usable channels; expected R, G and B, or Y alone");
}

/// Describes values row by row to OpenEXR, which takes non-const pointers for reading and writing.
template <class T>
Imf::Slice slice_of(Imf::PixelType type, const std::vector<T>& values, size_t width) {
  char* first = reinterpret_cast<char*>(const_cast<T*>(values.data()));
  return Imf::Slice(type, first, sizeof(T), sizeof(T) * width);
}

std::vector<ImageChannel> read_others(std::istream& stream) {
  ExrInput input(stream);
  Imf::InputFile file(input);
  const Imath::Box2i window = file.header().dataWindow();
  if (window.min != Imath::V2i(0, 0))
    throw Error("its data window does not start at 0, 0, as expected");
  const size_t width = size_t(window.max.x) + 1, pixels = width * (size_t(window.max.y) + 1);
  std::vector<ImageChannel> channels;
  const Imf::ChannelList& list = file.header().channels();
  for (auto channel = list.begin(); channel != list.end(); ++channel) {
    const std::string name = channel.name();
    if (std::find(kColorChannels.begin(), kColorChannels.end(), name) != kColorChannels.end())
      continue;
    if (channel.channel().type == Imf::UINT)
      channels.push_back({name, std::vector<uint32_t>(pixels)});
    else
      channels.push_back({name, std::vector<float>(pixels)});
  }
  if (channels.empty()) return channels;  // OpenEXR refuses to read nothing
  Imf::FrameBuffer frame;
  for (ImageChannel& channel : channels)
    std::visit(
        [&]<class T>(const std::vector<T>& values) {
          frame.insert(channel.name,
                       slice_of(std::is_same_v<T, float> ? Imf::FLOAT : Imf::UINT, values, width));
        },
        channel.values);
  file.setFrameBuffer(frame);
  file.readPixels(window.min.y, window.max.y);
  return channels;
}

int64_t blocks_along(int64_t length, int64_t block) {
  return (length + block - 1) / block;
}

/// Returns the number of lines that are compressed together.
int64_t lines_in_block(Imf::Compression compression) {
  // None, RLE, ZIP by line, ZIP, PIZ, PXR24, B44, B44A, DWAA, DWAB.
  static_assert(Imf::DWAB_COMPRESSION == 9);
  constexpr std::array<int64_t, 10> kLines = {1, 1, 1, 16, 32, 16, 32, 32, 32, 256};
  return size_t(compression) < kLines.size() ? kLines[compression] : 1;
}

/// Position of the first header's attributes, behind the magic number and the version.
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

/// True if the strings of a list, each behind its size, end at the end of their attribute.
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
  }
  stream.clear();
  stream.seekg(0);
}

/// Throws Error if a header claims more pixels than the file can hold: OpenEXR allocates tables and
/// buffers by the header alone. In an image with levels, the largest level counts.
void check_exr_header(const Imf::Header& header, uint64_t bytes) {
  const Imath::Box2i& window = header.dataWindow();
  const int64_t width = int64_t(window.max.x) - window.min.x + 1,
                height = int64_t(window.max.y) - window.min.y + 1;
  check_image_size(width, height);
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

/// Checks all headers of a file. The stream stays at its start.
void check_exr_headers(std::istream& stream) {
  const uint64_t bytes = bytes_left(stream);
  ExrInput input(stream);
  int version = 0;
  input.seekg(kExrVersionEnd - sizeof version);
  input.read(reinterpret_cast<char*>(&version), sizeof version);
  // OpenEXR would flatten a deep image, which takes as much memory as the file claims.
  if (Imf::isNonImage(version))
    throw Error("it is a deep image, with many samples in a pixel; expected a flat one");
  const bool has_parts = Imf::isMultiPart(version);
  check_exr_attributes(stream, bytes, has_parts);
  stream.seekg(kExrVersionEnd);
  do {
    Imf::Header header;
    header.readFrom(input, version);
    check_exr_header(header, bytes);
  } while (has_parts && stream.peek() > 0);
  stream.clear();
  stream.seekg(0);
}

/// Calls `read` and converts exceptions of OpenEXR to Error.
template <class Read>
auto read_safely(std::istream& stream, Read read) {
  try {
    check_exr_headers(stream);
    return read();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    constexpr size_t kMaxReason = 200;  // the reason may contain names from the file
    throw Error("not a readable OpenEXR file: " + one_line(error.what(), kMaxReason));
  }
}

Image read_flat(std::istream& stream) {
  ExrInput input(stream);
  Imf::InputFile file(input);
  Imath::Box2i window = file.header().dataWindow();
  const auto width = size_t(int64_t(window.max.x) - window.min.x + 1);
  const auto height = size_t(int64_t(window.max.y) - window.min.y + 1);
  std::array<std::string, 3> names = find_channels(file.header().channels());

  // A file may claim more rows than it holds, so memory is touched only as rows are read.
  Image image{uint32_t(width), uint32_t(height), {}};
  image.pixels.reserve(width * height);
  std::array<std::vector<float>, 3> row;
  std::vector<float> alpha_row;
  Imf::FrameBuffer frame;
  for (int channel = 0; channel < 3; ++channel) {
    row[channel].resize(width);
    frame.insert(names[channel], Imf::Slice(Imf::FLOAT,
                                            reinterpret_cast<char*>(row[channel].data()) -
                                                std::ptrdiff_t(sizeof(float)) * window.min.x,
                                            sizeof(float), /*yStride=*/0));
  }
  const Imf::Channel* alpha = file.header().channels().findChannel("A");
  if (alpha && alpha->xSampling == 1 && alpha->ySampling == 1) {
    alpha_row.resize(width);
    frame.insert("A", Imf::Slice(Imf::FLOAT,
                                 reinterpret_cast<char*>(alpha_row.data()) -
                                     std::ptrdiff_t(sizeof(float)) * window.min.x,
                                 sizeof(float), /*yStride=*/0));
  }
  file.setFrameBuffer(frame);
  bool grey = names[0] == names[1];
  for (int y = window.min.y; y <= window.max.y; ++y) {
    file.readPixels(y);
    for (size_t x = 0; x < width; ++x)
      image.pixels.push_back(grey ? glm::vec3(row[2][x])
                                  : glm::vec3(row[0][x], row[1][x], row[2][x]));
    image.alpha.insert(image.alpha.end(), alpha_row.begin(), alpha_row.end());
  }
  return image;
}

}  // namespace

void write_exr(std::ostream& stream, const Image& image,
               const std::vector<ImageChannel>& channels) {
  Imf::Header header(int(image.width), int(image.height));
  header.compression() = Imf::ZIP_COMPRESSION;
  Imf::FrameBuffer frame;
  for (int channel = 0; channel < 3; ++channel) {
    header.channels().insert(kColorChannels[channel], Imf::Channel(Imf::FLOAT));
    const char* first =
        reinterpret_cast<const char*>(image.pixels.data()) + channel * sizeof(float);
    frame.insert(kColorChannels[channel],
                 Imf::Slice(Imf::FLOAT, const_cast<char*>(first), sizeof(glm::vec3),
                            sizeof(glm::vec3) * image.width));
  }
  for (const ImageChannel& channel : channels)
    std::visit(
        [&]<class T>(const std::vector<T>& values) {
          const Imf::PixelType type = std::is_same_v<T, float> ? Imf::FLOAT : Imf::UINT;
          header.channels().insert(channel.name, Imf::Channel(type));
          frame.insert(channel.name, slice_of(type, values, image.width));
        },
        channel.values);
  try {
    ExrOutput output(stream);
    Imf::OutputFile file(output, header);
    file.setFrameBuffer(frame);
    file.writePixels(int(image.height));
  } catch (const std::exception& error) {
    throw Error(error.what());
  }
}

Image read_exr(std::istream& stream) {
  return read_safely(stream, [&] { return read_flat(stream); });
}

std::vector<ImageChannel> read_exr_channels(std::istream& stream) {
  return read_safely(stream, [&] { return read_others(stream); });
}

}  // namespace winnow
