// SPDX-License-Identifier: MIT
#include <webp/decode.h>

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "image/image_formats.h"
#include "image/image_io.h"

namespace winnow {
namespace {

const uint8_t* webp_bytes(std::string_view file) {
  return reinterpret_cast<const uint8_t*>(file.data());
}

/// Checks the size and the kind before decoding.
WebPBitstreamFeatures read_webp_header(std::string_view file) {
  WebPBitstreamFeatures header;
  const VP8StatusCode status = WebPGetFeatures(webp_bytes(file), file.size(), &header);
  if (status == VP8_STATUS_NOT_ENOUGH_DATA) throw Error("truncated");
  if (status != VP8_STATUS_OK) throw Error("not a readable WebP file");
  if (header.has_animation) throw Error("this WebP file is animated; expected a single image");
  check_image_size(header.width, header.height);
  check_image_bytes(header.width, header.height,
                    std::max(kMaxFreeWebpPixels, kMaxPixelsPerWebpByte * file.size()));
  return header;
}

}  // namespace

bool is_webp(std::string_view file) {
  constexpr size_t kName = 8;  // bytes of "RIFF" and the size of the file
  return file.starts_with("RIFF") && file.substr(std::min(kName, file.size())).starts_with("WEBP");
}

ByteImage decode_webp(std::string_view file) {
  constexpr int kChannels = 4;
  const WebPBitstreamFeatures header = read_webp_header(file);
  const int stride = header.width * kChannels;
  ByteImage image{uint32_t(header.width), uint32_t(header.height), {}};
  image.values.resize(size_t(stride) * image.height);
  if (!WebPDecodeRGBAInto(webp_bytes(file), file.size(), image.values.data(), image.values.size(),
                          stride))
    throw Error("cannot be decoded: truncated or broken");
  return image;
}

}  // namespace winnow
