// SPDX-License-Identifier: MIT
#include "image/exr_pixels.h"

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfInputPart.h>
#include <OpenEXR/ImfRgbaFile.h>
#include <OpenEXR/ImfStandardAttributes.h>

#include <algorithm>
#include <array>
#include <exception>
#include <new>

#include "base/error.h"
#include "image/exr_checks.h"
#include "image/exr_streams.h"

namespace winnow {
namespace {

size_t width_of(const Imath::Box2i& window) {
  return size_t(int64_t(window.max.x) - window.min.x + 1);
}
size_t height_of(const Imath::Box2i& window) {
  return size_t(int64_t(window.max.y) - window.min.y + 1);
}

/// Returns an image of the size of a window whose pixels are not yet there. A file may claim more
/// rows than it holds, so memory is touched only as rows are read.
Image reserve_pixels(const Imath::Box2i& window, bool has_alpha) {
  Image image{uint32_t(width_of(window)), uint32_t(height_of(window)), {}};
  image.pixels.reserve(width_of(window) * height_of(window));
  if (has_alpha) image.alpha.reserve(image.pixels.capacity());
  return image;
}

/// Describes a row of a window to OpenEXR.
Imf::Slice row_slice(std::vector<float>& row, const Imath::Box2i& window) {
  row.resize(width_of(window));
  return Imf::Slice(
      Imf::FLOAT,
      reinterpret_cast<char*>(row.data()) - std::ptrdiff_t(sizeof(float)) * window.min.x,
      sizeof(float), /*yStride=*/0);
}

/// Reads a layer of luminance and chroma.
Image read_chroma(std::istream& stream, const ExrLayer& layer) {
  if (layer.part != 0)
    throw Error("it stores luminance and chroma (Y, RY and BY) in a part other than the first");
  stream.clear();
  stream.seekg(0);
  ExrInput input(stream);
  const std::string& luminance = layer.channels.at("y");
  const size_t dot = luminance.rfind('.');
  Imf::RgbaInputFile file(input, dot == luminance.npos ? "" : luminance.substr(0, dot));
  const Imath::Box2i window = file.dataWindow();
  const bool has_alpha = !layer.alpha().empty();
  Image image = reserve_pixels(window, has_alpha);
  std::vector<Imf::Rgba> row(image.width);
  file.setFrameBuffer(row.data() - window.min.x, 1, 0);
  for (int y = window.min.y; y <= window.max.y; ++y) {
    file.readPixels(y);
    for (const Imf::Rgba& pixel : row) {
      image.pixels.emplace_back(float(pixel.r), float(pixel.g), float(pixel.b));
      if (has_alpha) image.alpha.push_back(float(pixel.a));
    }
  }
  return image;
}

}  // namespace

void open_exr(std::istream& stream, const std::function<void(Imf::MultiPartInputFile&)>& read) {
  try {
    check_exr_headers(stream);
    ExrInput input(stream);
    Imf::MultiPartInputFile file(input);
    read(file);
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    constexpr size_t kMaxReason = 200;  // the reason may contain names from the file
    throw Error("not a readable OpenEXR file: " + one_line(error.what(), kMaxReason));
  }
}

std::vector<ExrLayer> exr_layers_of(const Imf::MultiPartInputFile& file) {
  std::vector<ExrPartNames> parts;
  std::vector<std::string> views;
  for (int i = 0; i < file.parts(); ++i) {
    const Imf::Header& header = file.header(i);
    ExrPartNames& part = parts.emplace_back();
    if (header.hasName()) part.name = header.name();
    if (header.hasView()) part.view = header.view();
    if (Imf::hasMultiView(header)) views = Imf::multiView(header);
    if (is_deep(header)) continue;
    for (auto channel = header.channels().begin(); channel != header.channels().end(); ++channel) {
      const std::string name = channel.name();
      const bool is_chroma = name.ends_with("RY") || name.ends_with("BY");
      if ((channel.channel().xSampling == 1 && channel.channel().ySampling == 1) || is_chroma)
        part.channels.push_back(name);
    }
  }
  return exr_layers(parts, views);
}

std::vector<size_t> exr_pictures_of(const std::vector<ExrLayer>& layers) {
  std::vector<size_t> pictures = pictures_among(layers);
  if (pictures.empty()) throw Error("it has no usable channels; expected R, G and B, or Y alone");
  return pictures;
}

Image read_exr_pixels(std::istream& stream, Imf::MultiPartInputFile& file, const ExrLayer& layer) {
  if (layer.has_chroma()) return read_chroma(stream, layer);
  Imf::InputPart part(file, int(layer.part));
  const Imath::Box2i window = part.header().dataWindow();
  const std::array<std::string, 3> names = layer.colors().value();
  const std::string alpha = layer.alpha();
  Image image = reserve_pixels(window, !alpha.empty());
  std::array<std::vector<float>, 3> row;
  std::vector<float> alpha_row;
  std::array<size_t, 3> row_of;  // rows of the colours: grey has one
  Imf::FrameBuffer frame;
  for (size_t color = 0; color < names.size(); ++color) {
    row_of[color] = size_t(std::ranges::find(names, names[color]) - names.begin());
    const Imf::Slice slice = row_slice(row[color], window);
    if (!names[color].empty() && row_of[color] == color) frame.insert(names[color], slice);
  }
  if (!alpha.empty()) frame.insert(alpha, row_slice(alpha_row, window));
  part.setFrameBuffer(frame);
  for (int y = window.min.y; y <= window.max.y; ++y) {
    part.readPixels(y);
    for (size_t x = 0; x < row[0].size(); ++x)
      image.pixels.emplace_back(row[row_of[0]][x], row[row_of[1]][x], row[row_of[2]][x]);
    image.alpha.insert(image.alpha.end(), alpha_row.begin(), alpha_row.end());
  }
  return image;
}

Image move_to_window(const Image& image, const Imath::Box2i& from, const Imath::Box2i& to) {
  if (from == to) return image;
  Image moved{uint32_t(width_of(to)), uint32_t(height_of(to)), {}};
  moved.pixels.resize(width_of(to) * height_of(to));
  if (!image.alpha.empty()) moved.alpha.resize(moved.pixels.size());
  const Imath::Box2i both({std::max(from.min.x, to.min.x), std::max(from.min.y, to.min.y)},
                          {std::min(from.max.x, to.max.x), std::min(from.max.y, to.max.y)});
  if (both.isEmpty()) return moved;
  for (int y = both.min.y; y <= both.max.y; ++y) {
    const auto row_start = [&](const Imath::Box2i& window) {
      return std::ptrdiff_t(int64_t(y) - window.min.y) * std::ptrdiff_t(width_of(window)) +
             (int64_t(both.min.x) - window.min.x);
    };
    const auto count = std::ptrdiff_t(width_of(both));
    std::copy_n(image.pixels.begin() + row_start(from), count,
                moved.pixels.begin() + row_start(to));
    if (!image.alpha.empty())
      std::copy_n(image.alpha.begin() + row_start(from), count,
                  moved.alpha.begin() + row_start(to));
  }
  return moved;
}

}  // namespace winnow
