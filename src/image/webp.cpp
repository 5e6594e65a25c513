// SPDX-License-Identifier: MIT
#include <webp/decode.h>

#include <array>
#include <istream>
#include <iterator>
#include <string>

#include "base/error.h"
#include "image/image_formats.h"
#include "image/image_io.h"

namespace winnow {
namespace {

const uint8_t* data_of(const std::string& bytes) {
  return reinterpret_cast<const uint8_t*>(bytes.data());
}

/// Checks size and kind before anything is decoded.
WebPBitstreamFeatures read_webp_header(const std::string& bytes) {
  WebPBitstreamFeatures header;
  const VP8StatusCode status = WebPGetFeatures(data_of(bytes), bytes.size(), &header);
  if (status == VP8_STATUS_NOT_ENOUGH_DATA) throw Error("truncated");
  if (status != VP8_STATUS_OK) throw Error("not a readable WebP file");
  if (header.has_animation) throw Error("an animated WebP file; expected a single image");
  check_image_size(header.width, header.height);
  return header;
}

}  // namespace

bool is_webp(std::istream& stream) {
  constexpr size_t kName = 8;  // bytes of "RIFF" and the size of the file
  std::array<char, 12> start{};
  stream.read(start.data(), start.size());
  const bool is_whole = stream.gcount() == std::streamsize(start.size());
  stream.clear();
  stream.seekg(0);
  const std::string_view text(start.data(), start.size());
  return is_whole && text.starts_with("RIFF") && text.substr(kName) == "WEBP";
}

ByteImage read_webp(std::istream& stream, int channels) {
  const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const WebPBitstreamFeatures header = read_webp_header(bytes);
  const int stride = header.width * channels;
  ByteImage image{uint32_t(header.width), uint32_t(header.height), {}};
  image.values.resize(size_t(stride) * image.height);
  const auto decode = channels == 4 ? WebPDecodeRGBAInto : WebPDecodeRGBInto;
  if (!decode(data_of(bytes), bytes.size(), image.values.data(), image.values.size(), stride))
    throw Error("cannot be decoded: truncated or broken");
  return image;
}

}  // namespace winnow
