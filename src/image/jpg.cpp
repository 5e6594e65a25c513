// SPDX-License-Identifier: MIT
#include <turbojpeg.h>

#include <memory>
#include <new>
#include <string>
#include <type_traits>

#include "base/error.h"
#include "image/image_formats.h"
#include "image/image_io.h"

namespace winnow {
namespace {

constexpr uint8_t kOpaqueByte = 255;

/// Start of libjpeg's message about missing data at the end.
constexpr std::string_view kCutOff = "Premature end of JPEG file";

/// True for warnings of libjpeg about pictures that all viewers show. The message is the only way
/// to tell whether an error has followed a warning.
bool is_harmless(std::string_view reason) {
  for (std::string_view warning :
       {"Corrupt JPEG data", "Unknown Adobe color transform", "Inconsistent progression sequence",
        "Invalid SOS parameters for sequential JPEG", "Warning"})
    if (reason.starts_with(warning)) return true;
  return false;
}

/// Replaces cyan, magenta, yellow and key by red, green, blue and an alpha of 255. JPEG files store
/// inks inverted, as Photoshop does: 255 is no ink.
void convert_inks(std::vector<uint8_t>& values) {
  for (size_t i = 0; i + 3 < values.size(); i += 4) {
    const unsigned key = values[i + 3];
    for (size_t channel = 0; channel < 3; ++channel)
      values[i + channel] = uint8_t((values[i + channel] * key + kOpaqueByte / 2) / kOpaqueByte);
    values[i + 3] = kOpaqueByte;
  }
}

}  // namespace

ByteImage decode_jpg(std::string_view file) {
  using Handle = std::remove_pointer_t<tjhandle>;
  const std::unique_ptr<Handle, int (*)(Handle*)> decoder(tjInitDecompress(), tjDestroy);
  if (!decoder) throw std::bad_alloc();
  const auto* bytes = reinterpret_cast<const unsigned char*>(file.data());
  int width = 0, height = 0, subsampling = -1, color_space = -1;
  // Unusual subsampling is reported as an error here, but can be decoded.
  const int status = tjDecompressHeader3(decoder.get(), bytes, file.size(), &width, &height,
                                         &subsampling, &color_space);
  if (status != 0 && (width < 1 || height < 1 || color_space < 0))
    throw Error(std::string("cannot be decoded: ") + tjGetErrorStr2(decoder.get()));
  check_image_size(width, height);
  check_image_bytes(width, height, kMaxPixelsPerJpgByte * file.size());

  constexpr int kRowsAreAdjacent = 0;
  const bool has_inks = color_space == TJCS_CMYK || color_space == TJCS_YCCK;
  ByteImage image{uint32_t(width), uint32_t(height), {}};
  image.values.resize(size_t(width) * size_t(height) * 4);
  auto decode = [&](int flags) {  // returns the reason of a failure
    constexpr int kFlags = TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS;  // 1e4 scans would take hours
    const int failed =
        tjDecompress2(decoder.get(), bytes, file.size(), image.values.data(), width,
                      kRowsAreAdjacent, height, has_inks ? TJPF_CMYK : TJPF_RGBA, kFlags | flags);
    return std::string(failed ? tjGetErrorStr2(decoder.get()) : "");
  };
  const std::string reason = decode(0);
  if (!reason.empty() && !is_harmless(reason)) {
    const bool is_cut_off = decode(TJFLAG_STOPONWARNING) == kCutOff;
    throw Error(is_cut_off ? "truncated" : "cannot be decoded: " + reason);
  }
  if (has_inks) convert_inks(image.values);
  return image;
}

}  // namespace winnow
