// SPDX-License-Identifier: MIT
#include "tests/image/support/exr_files.h"

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfChromaticitiesAttribute.h>
#include <OpenEXR/ImfDeepFrameBuffer.h>
#include <OpenEXR/ImfDeepScanLineOutputPart.h>
#include <OpenEXR/ImfEnvmapAttribute.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfInputPart.h>
#include <OpenEXR/ImfIntAttribute.h>
#include <OpenEXR/ImfMultiPartInputFile.h>
#include <OpenEXR/ImfMultiPartOutputFile.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfOutputPart.h>
#include <OpenEXR/ImfPartType.h>
#include <OpenEXR/ImfRgbaFile.h>
#include <OpenEXR/ImfStandardAttributes.h>
#include <OpenEXR/ImfStdIO.h>
#include <OpenEXR/ImfStringAttribute.h>
#include <OpenEXR/ImfTileDescriptionAttribute.h>
#include <OpenEXR/ImfTiledOutputPart.h>

#include <cstring>
#include <memory>
#include <sstream>

namespace winnow {
namespace {

Imath::Box2i box_of(const ExrWindow& window) {
  return {{window[0], window[1]}, {window[2], window[3]}};
}
ExrWindow window_of(const Imath::Box2i& box) {
  return {box.min.x, box.min.y, box.max.x, box.max.y};
}

Imf::PixelType type_of(ExrType type) {
  return type == ExrType::kHalf ? Imf::HALF : type == ExrType::kFloat ? Imf::FLOAT : Imf::UINT;
}

/// Values of a channel as the file stores them.
std::vector<char> stored(const ExrChannel& channel) {
  std::vector<char> bytes;
  const auto add = [&](auto value) {
    bytes.resize(bytes.size() + sizeof value);
    std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
  };
  for (const double value : channel.values)
    if (channel.type == ExrType::kHalf)
      add(Imath::half(float(value)));
    else if (channel.type == ExrType::kFloat)
      add(float(value));
    else
      add(uint32_t(value));
  return bytes;
}

Imf::Header header_of(const ExrPart& part) {
  Imf::Header header(box_of(part.display), box_of(part.data));
  header.compression() = Imf::Compression(part.compression);
  header.setType(part.has_tiles ? Imf::TILEDIMAGE : Imf::SCANLINEIMAGE);
  constexpr unsigned kTile = 4;
  if (part.has_tiles)
    header.setTileDescription(
        {kTile, kTile, part.has_levels ? Imf::MIPMAP_LEVELS : Imf::ONE_LEVEL, Imf::ROUND_DOWN});
  if (!part.name.empty()) header.setName(part.name);
  if (!part.view.empty()) header.setView(part.view);
  for (const auto& [name, value] : part.strings) header.insert(name, Imf::StringAttribute(value));
  for (const auto& [name, value] : part.numbers) header.insert(name, Imf::IntAttribute(value));
  if (const std::vector<float>& xy = part.chromaticities; !xy.empty())
    Imf::addChromaticities(header,
                           {{xy[0], xy[1]}, {xy[2], xy[3]}, {xy[4], xy[5]}, {xy[6], xy[7]}});
  if (const std::vector<float>& xy = part.adopted_neutral; !xy.empty())
    Imf::addAdoptedNeutral(header, {xy[0], xy[1]});
  if (!part.views.empty()) Imf::addMultiView(header, part.views);
  if (part.is_cube_map) Imf::addEnvmap(header, Imf::ENVMAP_CUBE);
  for (const auto& [name, channel] : part.channels)
    header.channels().insert(
        name, Imf::Channel(type_of(channel.type), channel.sampling, channel.sampling));
  return header;
}

void write_part(Imf::MultiPartOutputFile& file, int index, const ExrPart& part) {
  std::vector<std::vector<char>> values;
  Imf::FrameBuffer frame;
  for (const auto& [name, channel] : part.channels) {
    values.push_back(stored(channel));
    frame.insert(
        name, Imf::Slice::Make(type_of(channel.type), values.back().data(), box_of(part.data), 0, 0,
                               channel.sampling, channel.sampling));
  }
  if (!part.has_tiles) {
    Imf::OutputPart output(file, index);
    output.setFrameBuffer(frame);
    output.writePixels(part.data[3] - part.data[1] + 1);
    return;
  }
  Imf::TiledOutputPart output(file, index);
  output.setFrameBuffer(frame);  // smaller levels get the first pixels of the largest
  for (int level = 0; level < output.numLevels(); ++level)
    output.writeTiles(0, output.numXTiles(level) - 1, 0, output.numYTiles(level) - 1, level);
}

std::string write_parts(const std::vector<ExrPart>& parts, int deep_count) {
  std::vector<Imf::Header> headers;
  for (const ExrPart& part : parts) headers.push_back(header_of(part));
  for (int i = 0; i < deep_count; ++i) {
    Imf::Header& deep = headers.emplace_back(1, 1);
    deep.displayWindow() = headers[0].displayWindow();
    deep.setName("deep" + std::to_string(i));
    deep.setType(Imf::DEEPSCANLINE);
    deep.compression() = Imf::ZIPS_COMPRESSION;
    deep.channels().insert("Z", Imf::Channel(Imf::FLOAT));
  }
  Imf::StdOSStream stream;
  {
    Imf::MultiPartOutputFile file(stream, headers.data(), int(headers.size()));
    for (size_t i = 0; i < parts.size(); ++i) write_part(file, int(i), parts[i]);
    for (int i = 0; i < deep_count; ++i) {
      Imf::DeepScanLineOutputPart deep(file, int(parts.size()) + i);
      unsigned count = 2;
      float depths[] = {1.0f, 2.0f};
      float* first = depths;
      Imf::DeepFrameBuffer frame;
      frame.insertSampleCountSlice(Imf::Slice(Imf::UINT, reinterpret_cast<char*>(&count), 4, 4));
      frame.insert("Z", Imf::DeepSlice(Imf::FLOAT, reinterpret_cast<char*>(&first), sizeof first,
                                       sizeof first, sizeof(float)));
      deep.setFrameBuffer(frame);
      deep.writePixels(1);
    }
  }
  return stream.str();
}

}  // namespace

ExrPart exr_part(int width, int height, const std::map<std::string, double>& values) {
  const ExrWindow window = {0, 0, width - 1, height - 1};
  ExrPart part{.data = window, .display = window, .channels = {}};
  for (const auto& [name, value] : values)
    part.channels[name].values.assign(size_t(width) * size_t(height), value);
  return part;
}

std::string exr_bytes(const std::vector<ExrPart>& parts) {
  return write_parts(parts, 0);
}

std::string exr_bytes_with_deep(const std::vector<ExrPart>& parts, int deep_count) {
  return write_parts(parts, deep_count);
}

std::string exr_luminance_chroma_bytes(int width, int height, std::array<float, 3> color) {
  Imf::StdOSStream stream;
  {
    Imf::Header header(width, height);
    Imf::RgbaOutputFile file(stream, header, Imf::WRITE_YCA);
    const std::vector<Imf::Rgba> pixels(size_t(width) * size_t(height),
                                        {color[0], color[1], color[2], 0.5f});
    file.setFrameBuffer(pixels.data(), 1, size_t(width));
    file.writePixels(height);
  }
  return stream.str();
}

std::vector<ExrPart> read_exr_parts(const std::string& bytes) {
  Imf::StdISStream stream;
  stream.str(bytes);
  Imf::MultiPartInputFile file(stream);
  std::vector<ExrPart> parts;
  for (int index = 0; index < file.parts(); ++index) {
    const Imf::Header& header = file.header(index);
    ExrPart& part = parts.emplace_back();
    part.data = window_of(header.dataWindow());
    part.display = window_of(header.displayWindow());
    if (header.hasName()) part.name = header.name();
    if (header.hasView()) part.view = header.view();
    part.compression = header.compression();
    part.has_tiles = header.hasTileDescription();
    for (auto at = header.begin(); at != header.end(); ++at) {
      if (const auto* text = dynamic_cast<const Imf::StringAttribute*>(&at.attribute()))
        part.strings[at.name()] = text->value();
      if (const auto* number = dynamic_cast<const Imf::IntAttribute*>(&at.attribute()))
        part.numbers[at.name()] = number->value();
    }
    if (Imf::hasChromaticities(header)) {
      const Imf::Chromaticities& xy = Imf::chromaticities(header);
      for (const Imath::V2f& point : {xy.red, xy.green, xy.blue, xy.white})
        part.chromaticities.insert(part.chromaticities.end(), {point.x, point.y});
    }
    const size_t width = size_t(part.data[2] - part.data[0]) + 1,
                 height = size_t(part.data[3] - part.data[1]) + 1;
    std::map<std::string, std::vector<float>> floats;
    std::map<std::string, std::vector<uint32_t>> integers;
    Imf::FrameBuffer frame;
    for (auto at = header.channels().begin(); at != header.channels().end(); ++at) {
      const int sampling = at.channel().xSampling;
      const size_t samples = width * height / size_t(sampling * sampling);
      ExrChannel& channel = part.channels[at.name()];
      channel.sampling = sampling;
      channel.type = at.channel().type == Imf::HALF    ? ExrType::kHalf
                     : at.channel().type == Imf::FLOAT ? ExrType::kFloat
                                                       : ExrType::kUint;
      const bool is_integer = channel.type == ExrType::kUint;
      void* const values = is_integer
                               ? static_cast<void*>((integers[at.name()].resize(samples),
                                                     integers[at.name()].data()))
                               : (floats[at.name()].resize(samples), floats[at.name()].data());
      frame.insert(at.name(), Imf::Slice::Make(is_integer ? Imf::UINT : Imf::FLOAT, values,
                                               header.dataWindow(), 0, 0, sampling, sampling));
    }
    Imf::InputPart input(file, index);
    input.setFrameBuffer(frame);
    input.readPixels(part.data[1], part.data[3]);
    for (const auto& [name, values] : floats)
      part.channels[name].values.assign(values.begin(), values.end());
    for (const auto& [name, values] : integers)
      part.channels[name].values.assign(values.begin(), values.end());
  }
  return parts;
}

}  // namespace winnow
