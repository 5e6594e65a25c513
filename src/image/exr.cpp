// SPDX-License-Identifier: MIT
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfOutputFile.h>
#include <fmt/format.h>

#include <array>
#include <exception>
#include <ostream>
#include <string>
#include <type_traits>

#include "base/error.h"
#include "image/exr_checks.h"
#include "image/exr_colors.h"
#include "image/exr_layers.h"
#include "image/exr_pixels.h"
#include "image/exr_streams.h"
#include "image/image_formats.h"

namespace winnow {
namespace {

/// Describes values row by row to OpenEXR, which takes non-const pointers for reading and writing.
template <class T>
Imf::Slice slice_of(Imf::PixelType type, const std::vector<T>& values, size_t width) {
  char* first = reinterpret_cast<char*>(const_cast<T*>(values.data()));
  return Imf::Slice(type, first, sizeof(T), sizeof(T) * width);
}

/// True for channels X, Y and Z without a layer: Mitsuba writes CIE XYZ in this way, other programs
/// write normals or positions.
bool is_xyz(const ExrLayer& layer) {
  return layer.name.empty() && layer.channels.contains("x") &&
         layer.colors().value()[0] == layer.channels.at("x");
}

/// Warns of pictures that are not read, and of a picture that may not be the one that is meant.
void warn_of_other_layers(const std::vector<ExrLayer>& layers, const std::vector<size_t>& pictures,
                          std::vector<std::string>& warnings) {
  const ExrLayer& used = layers[pictures[0]];
  if (pictures.size() > 1)
    warnings.push_back(fmt::format("it has {} pictures; {} is used", pictures.size(), used.text()));
  else if (!is_named_picture(used) && layers.size() > 1)
    warnings.push_back(fmt::format("it has no picture with R, G and B; {} is used", used.text()));
}

}  // namespace

void write_exr(std::ostream& stream, const Image& image,
               const std::vector<ImageChannel>& channels) {
  Imf::Header header(int(image.width), int(image.height));
  header.compression() = Imf::ZIP_COMPRESSION;
  Imf::FrameBuffer frame;
  const char* kColorChannels[] = {"R", "G", "B"};
  for (int channel = 0; channel < 3 && !image.pixels.empty(); ++channel) {
    header.channels().insert(kColorChannels[channel], Imf::Channel(Imf::FLOAT));
    const char* first =
        reinterpret_cast<const char*>(image.pixels.data()) + channel * sizeof(float);
    frame.insert(kColorChannels[channel],
                 Imf::Slice(Imf::FLOAT, const_cast<char*>(first), sizeof(glm::vec3),
                            sizeof(glm::vec3) * image.width));
  }
  if (!image.alpha.empty()) {
    header.channels().insert("A", Imf::Channel(Imf::FLOAT));
    frame.insert("A", slice_of(Imf::FLOAT, image.alpha, image.width));
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

Image read_exr(std::istream& stream, ImageRules rules, ImageUse use) {
  Image image;
  open_exr(stream, [&](Imf::MultiPartInputFile& file) {
    const std::vector<ExrLayer> layers = exr_layers_of(file);
    const std::vector<size_t> pictures = exr_pictures_of(layers);
    const ExrLayer& layer = layers[pictures[0]];
    const Imf::Header& header = file.header(int(layer.part));
    image = read_exr_pixels(stream, file, layer);
    if (rules != ImageRules::kMitsuba && rules != ImageRules::kPbrt)
      image = move_to_window(image, header.dataWindow(), header.displayWindow());
    warn_of_other_layers(layers, pictures, image.warnings);
    warn_of_exr_attributes(header, image.warnings);
    const std::array<std::string, 3> names = layer.colors().value();
    const bool is_grey = names[0] == names[1] && !layer.has_chroma();
    const bool are_colors = use == ImageUse::kColors || rules == ImageRules::kMitsuba;
    if (is_xyz(layer) && rules == ImageRules::kMitsuba)
      convert_to_rec709(exr_xyz_colors(), image);
    else if (is_xyz(layer) && are_colors)
      image.warnings.push_back("its channels X, Y and Z are taken as red, green and blue");
    else if (are_colors && !is_grey)
      convert_to_rec709(read_exr_colors(header, rules, image.warnings), image);
  });
  return image;
}

}  // namespace winnow
