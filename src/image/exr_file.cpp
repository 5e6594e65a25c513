// SPDX-License-Identifier: MIT
#include "image/exr_file.h"

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfInputPart.h>
#include <OpenEXR/ImfMultiPartOutputFile.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfOutputPart.h>
#include <OpenEXR/ImfPartType.h>

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <ostream>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "image/exr_checks.h"
#include "image/exr_colors.h"
#include "image/exr_layers.h"
#include "image/exr_pixels.h"
#include "image/exr_streams.h"

namespace winnow {

// Not in the anonymous namespace: ExrFile::Contents has members of these types.

/// A channel that is kept.
struct KeptChannel {
  Imf::Channel description;
  std::vector<char> values;
};

struct KeptPart {
  Imf::Header header;
  std::map<std::string, KeptChannel> channels;
};

namespace {

size_t bytes_of(Imf::PixelType type) {
  return type == Imf::HALF ? 2 : 4;
}

Imf::Slice slice_of(const KeptChannel& channel, const Imath::Box2i& window) {
  const Imf::Channel& of = channel.description;
  return Imf::Slice::Make(of.type, channel.values.data(), window, 0, 0, of.xSampling, of.ySampling);
}

/// Returns the number of samples of a row or a column: every `sampling`-th coordinate has one.
size_t sample_count(int min, int max, int sampling) {
  return size_t((int64_t(max) - min) / sampling + 1);
}

/// Reads the channels of a part except those named.
KeptPart read_part(Imf::MultiPartInputFile& file, int index,
                   const std::set<std::string>& left_out) {
  KeptPart kept{.header = file.header(index), .channels = {}};
  const Imath::Box2i window = kept.header.dataWindow();
  Imf::FrameBuffer frame;
  const Imf::ChannelList& list = kept.header.channels();
  for (auto at = list.begin(); at != list.end(); ++at) {
    if (left_out.contains(at.name())) continue;
    KeptChannel& channel = kept.channels[at.name()];
    channel.description = at.channel();
    const size_t samples = sample_count(window.min.x, window.max.x, channel.description.xSampling) *
                           sample_count(window.min.y, window.max.y, channel.description.ySampling);
    channel.values.resize(samples * bytes_of(channel.description.type));
    frame.insert(at.name(), slice_of(channel, window));
  }
  if (kept.channels.empty()) return kept;  // OpenEXR refuses to read nothing
  Imf::InputPart part(file, index);
  part.setFrameBuffer(frame);
  part.readPixels(window.min.y, window.max.y);
  return kept;
}

/// Channels that hold a picture, by the colour of a pixel: grey is one channel, of green.
std::map<std::string, int> color_channels(const ExrLayer& layer) {
  std::array<std::string, 3> names = layer.colors().value();
  if (layer.has_chroma()) {
    const std::string prefix = names[0].substr(0, names[0].size() - 1);
    names = {prefix + "R", prefix + "G", prefix + "B"};
  }
  std::map<std::string, int> channels;
  for (int color : {1, 0, 2})
    if (!names[size_t(color)].empty()) channels.emplace(names[size_t(color)], color);
  return channels;
}

/// Returns a header without channels for lines of pixels that lose nothing. Header::erase() of the
/// library would leak.
Imf::Header header_to_write(const Imf::Header& from) {
  Imf::Header header(from.displayWindow(), from.dataWindow());
  for (auto attribute = from.begin(); attribute != from.end(); ++attribute) {
    const std::string_view name = attribute.name();
    if (name != "tiles" && name != "chunkCount" && name != "channels")
      header.insert(attribute.name(), attribute.attribute());
  }
  header.setType(Imf::SCANLINEIMAGE);
  if (header.lineOrder() == Imf::RANDOM_Y) header.lineOrder() = Imf::INCREASING_Y;
  constexpr std::array kLossless = {Imf::NO_COMPRESSION, Imf::RLE_COMPRESSION,
                                    Imf::ZIPS_COMPRESSION, Imf::ZIP_COMPRESSION,
                                    Imf::PIZ_COMPRESSION};
  if (std::ranges::find(kLossless, header.compression()) == kLossless.end())
    header.compression() = Imf::ZIP_COMPRESSION;
  return header;
}

}  // namespace

struct ExrFile::Contents {
  std::vector<KeptPart> parts;  ///< as in the file; deep ones without channels
  std::vector<ExrLayer> layers;
  std::vector<size_t> picture_layers;  ///< [picture], indices in `layers`
  std::vector<ExrPicture> pictures;
  std::vector<std::string> warnings, other_channels;

  const ExrLayer& layer_of(size_t picture) const { return layers[picture_layers[picture]]; }
  const Imf::Header& header_of(size_t picture) const {
    return parts[layer_of(picture).part].header;
  }
};

ExrFile::ExrFile(std::istream& stream) : contents_(std::make_unique<Contents>()) {
  open_exr(stream, [&](Imf::MultiPartInputFile& file) {
    Contents& contents = *contents_;
    contents.layers = exr_layers_of(file);
    contents.picture_layers = exr_pictures_of(contents.layers);
    std::vector<std::set<std::string>> known(size_t(file.parts()));  // channels, by part
    const auto guide_of = [&](size_t picture, ExrGuide kind) -> Image {
      const auto guide = guide_among(contents.layers, picture, kind);
      if (!guide) return {};
      const ExrLayer& layer = contents.layers[*guide];
      for (const auto& [component, name] : layer.channels) known[layer.part].insert(name);
      return move_to_window(read_exr_pixels(stream, file, layer),
                            file.header(int(layer.part)).dataWindow(),
                            file.header(int(contents.layers[picture].part)).dataWindow());
    };
    std::vector<std::set<std::string>> replaced(size_t(file.parts()));  // channels, by part
    for (const size_t picture : contents.picture_layers) {
      const ExrLayer& layer = contents.layers[picture];
      contents.pictures.push_back({.name = layer.text(),
                                   .image = read_exr_pixels(stream, file, layer),
                                   .albedo = guide_of(picture, ExrGuide::kAlbedo),
                                   .normal = guide_of(picture, ExrGuide::kNormal)});
      known[layer.part].insert(layer.alpha());
      for (const auto& [name, color] : color_channels(layer)) replaced[layer.part].insert(name);
      if (layer.has_chroma())
        for (const char* component : {"y", "ry", "by"})
          replaced[layer.part].insert(layer.channels.at(component));
    }
    for (int part = 0; part < file.parts(); ++part) {
      const bool is_left_out = is_deep(file.header(part));
      if (is_left_out) contents.warnings.push_back("a part with deep pixels is left out");
      contents.parts.push_back(is_left_out ? KeptPart{.header = file.header(part), .channels = {}}
                                           : read_part(file, part, replaced[size_t(part)]));
      for (const auto& [name, channel] : contents.parts.back().channels)
        if (!known[size_t(part)].contains(name)) contents.other_channels.push_back(name);
    }
  });
}

ExrFile::ExrFile(ExrFile&&) noexcept = default;
ExrFile::~ExrFile() = default;

std::vector<ExrPicture> ExrFile::take_pictures() {
  return std::move(contents_->pictures);
}

const std::vector<std::string>& ExrFile::warnings() const {
  return contents_->warnings;
}

const std::vector<std::string>& ExrFile::other_channels() const {
  return contents_->other_channels;
}

Image ExrFile::shown(size_t picture, const Image& image) const {
  const Imf::Header& header = contents_->header_of(picture);
  Image shown = move_to_window(image, header.dataWindow(), header.displayWindow());
  convert_to_rec709(read_exr_colors(header, ImageRules::kPlain, shown.warnings), shown);
  return shown;
}

Image ExrFile::in_data_window(size_t picture, const Image& image) const {
  const auto has_size_of = [&](const Imath::Box2i& window) {
    return int64_t{image.width} == int64_t(window.max.x) - window.min.x + 1 &&
           int64_t{image.height} == int64_t(window.max.y) - window.min.y + 1;
  };
  const Imf::Header& header = contents_->header_of(picture);
  if (has_size_of(header.dataWindow())) return image;
  if (!has_size_of(header.displayWindow())) return {};
  return move_to_window(image, header.displayWindow(), header.dataWindow());
}

void ExrFile::write(std::ostream& stream, const std::vector<Image>& images) const {
  std::vector<Imf::Header> headers;
  std::vector<Imf::FrameBuffer> frames;
  std::vector<size_t> index_of;  // index in `headers` by part of the file
  for (const KeptPart& part : contents_->parts) {
    index_of.push_back(headers.size());
    if (is_deep(part.header)) continue;
    Imf::Header& header = headers.emplace_back(header_to_write(part.header));
    Imf::FrameBuffer& frame = frames.emplace_back();
    for (const auto& [name, channel] : part.channels) {
      header.channels().insert(name, channel.description);
      frame.insert(name, slice_of(channel, header.dataWindow()));
    }
  }
  for (size_t picture = 0; picture < images.size(); ++picture) {
    const ExrLayer& layer = contents_->layer_of(picture);
    Imf::Header& header = headers[index_of[layer.part]];
    const Image& image = images[picture];
    for (const auto& [name, color] : color_channels(layer)) {
      header.channels().insert(name, Imf::Channel(Imf::FLOAT));
      frames[index_of[layer.part]].insert(
          name, Imf::Slice::Make(Imf::FLOAT, &image.pixels[0][color], header.dataWindow(),
                                 sizeof(glm::vec3), sizeof(glm::vec3) * image.width));
    }
  }
  const auto lines_of = [&](size_t part) {
    const Imath::Box2i& window = headers[part].dataWindow();
    return window.max.y - window.min.y + 1;
  };
  try {
    ExrOutput output(stream);
    if (headers.size() == 1) {
      Imf::OutputFile file(output, headers[0]);
      file.setFrameBuffer(frames[0]);
      file.writePixels(lines_of(0));
      return;
    }
    Imf::MultiPartOutputFile file(output, headers.data(), int(headers.size()));
    for (size_t index = 0; index < headers.size(); ++index) {
      Imf::OutputPart part(file, int(index));
      part.setFrameBuffer(frames[index]);
      part.writePixels(lines_of(index));
    }
  } catch (const std::exception& error) {
    throw Error(error.what());
  }
}

}  // namespace winnow
