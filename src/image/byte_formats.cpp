// SPDX-License-Identifier: MIT
#include <oneapi/tbb/parallel_for.h>
#include <turbojpeg.h>
#include <webp/decode.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <istream>
#include <iterator>
#include <memory>
#include <new>
#include <ostream>
#include <string>
#include <type_traits>

#include "base/error.h"
#include "base/limits.h"
#include "image/exif.h"
#include "image/icc_profile.h"
#include "image/image_formats.h"
#include "image/image_io.h"
#include "image/srgb.h"

namespace winnow {
namespace {

// If an allocation throws, stb loses its memory, but the program ends soon after.

void* memory_for_stb(void* memory) {
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace
}  // namespace winnow

#define STBIW_MALLOC(bytes) winnow::memory_for_stb(std::malloc(bytes))
#define STBIW_REALLOC(memory, bytes) winnow::memory_for_stb(std::realloc(memory, bytes))
#define STBIW_FREE(memory) std::free(memory)
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

namespace winnow {
namespace {

constexpr int kJpgQuality = 95;
constexpr uint8_t kOpaqueByte = 255;

void put(void* stream, void* bytes, int count) {
  static_cast<std::ostream*>(stream)->write(static_cast<const char*>(bytes), count);
}

/// @param alpha  values that follow the colours; none if empty
std::vector<uint8_t> to_8_bits(const Image& image, const ToneMapping& mapping,
                               const std::vector<float>& alpha = {}) {
  const size_t channels = alpha.empty() ? 3 : 4;
  std::vector<uint8_t> bytes(image.pixels.size() * channels);
  oneapi::tbb::parallel_for(size_t(0), image.pixels.size(), [&](size_t i) {
    uint8_t* pixel = &bytes[i * channels];
    std::ranges::copy(tone_map(image.pixels[i], mapping), pixel);
    if (alpha.empty()) return;
    const float covered = alpha[i] > 0.0f ? std::min(alpha[i], 1.0f) : 0.0f;
    pixel[3] = uint8_t(std::lround(covered * float(kOpaqueByte)));
  });
  return bytes;
}

/// Decodes a file by its content. TGA is tried last, as it has no magic number.
ByteImage decode_image(std::string_view file) {
  if (file.starts_with("\x89PNG")) return decode_png(file);
  if (file.starts_with("\xff\xd8")) return decode_jpg(file);
  if (file.starts_with("BM")) return decode_bmp(file);
  constexpr size_t kName = 8;  // bytes of "RIFF" and the size of the file
  if (file.starts_with("RIFF") && file.substr(std::min(kName, file.size())).starts_with("WEBP"))
    return decode_webp(file);
  if (is_ktx2(file)) return decode_ktx2(file);
  if (is_tga(file)) return decode_tga(file);
  throw Error("not a readable PNG, JPEG, WebP, KTX2, TGA or BMP file");
}

template <class T>
void drop_alpha(std::vector<T>& values) {
  size_t kept = 0;
  for (size_t i = 0; i + 3 < values.size(); i += 4)
    for (size_t channel = 0; channel < 3; ++channel) values[kept++] = values[i + channel];
  values.resize(kept);
}

/// Returns linear radiance and, unless all of it is 1, alpha.
/// @param values   four channels
/// @param linear   [value], linear value of an encoded one
template <class T>
void decode_srgb(const std::vector<T>& values, const std::vector<float>& linear, Image& image) {
  constexpr size_t kChannels = 4, kAlpha = 3;
  const auto opaque = T(linear.size() - 1);
  bool is_opaque = true;
  image.pixels.reserve(values.size() / kChannels);
  for (size_t i = 0; i < values.size(); i += kChannels) {
    image.pixels.emplace_back(linear[values[i]], linear[values[i + 1]], linear[values[i + 2]]);
    is_opaque = is_opaque && values[i + kAlpha] == opaque;
  }
  if (is_opaque) return;
  for (size_t i = kAlpha; i < values.size(); i += kChannels)
    image.alpha.push_back(float(values[i]) / float(opaque));
}

/// Returns the linear values of all sRGB values below `count`.
std::vector<float> linear_table(size_t count) {
  std::vector<float> linear(count);
  for (size_t i = 0; i < count; ++i) linear[i] = linear_from_srgb(float(i) / float(count - 1));
  return linear;
}

/// Notes in the segments of a JPEG file.
struct JpgNotes {
  std::string profile;    ///< colour profile
  std::string_view exif;  ///< the first Exif data
};

JpgNotes find_jpg_notes(std::string_view file) {
  constexpr std::string_view kMark("ICC_PROFILE\0", 12), kExifMark("Exif\0\0", 6);
  constexpr size_t kPart = 2, kHeader = 4;  // bytes of the part's number; of marker and size
  constexpr uint8_t kFirstSegment = 0xc0, kScan = 0xda, kExif = 0xe1, kProfile = 0xe2;
  JpgNotes notes;
  for (size_t at = 2; at + kHeader <= file.size();) {
    const auto marker = uint8_t(file[at + 1]);
    const size_t size = size_t{uint8_t(file[at + 2])} << 8 | uint8_t(file[at + 3]);
    if (uint8_t(file[at]) != 0xff || marker < kFirstSegment || marker == kScan || size < 2) break;
    const std::string_view data = file.substr(at + kHeader, size - 2);
    if (marker == kProfile && data.starts_with(kMark) && data.size() >= kMark.size() + kPart)
      notes.profile += data.substr(kMark.size() + kPart);  // in order in most files
    if (marker == kExif && data.starts_with(kExifMark) && notes.exif.empty()) notes.exif = data;
    at += 2 + size;
  }
  return notes;
}

/// Returns the data of a chunk of a WebP file; empty if there is none.
std::string_view webp_chunk(std::string_view file, std::string_view type) {
  constexpr size_t kFirst = 12, kHeader = 8;  // bytes of the file's header, and of a chunk's
  for (size_t at = kFirst; at + kHeader <= file.size();) {
    size_t size = 0;
    for (size_t i = 4; i-- > 0;) size = size << 8 | uint8_t(file[at + 4 + i]);
    if (file.substr(at, 4) == type) return file.substr(at + kHeader, size);
    at += kHeader + size + size % 2;
  }
  return {};
}

void add_warnings(std::string_view profile, std::string_view exif, ByteImage& image) {
  if (auto warning = warn_of_orientation(exif)) image.warnings.push_back(*warning);
  if (profile.empty()) return;
  if (auto warning = warn_of_profile(profile)) image.color_warnings.push_back(*warning);
}

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

const uint8_t* webp_bytes(std::string_view file) {
  return reinterpret_cast<const uint8_t*>(file.data());
}

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

void write_png(std::ostream& stream, const Image& image, const ToneMapping& mapping) {
  (image.alpha.empty() ? write_rgb_png : write_rgba_png)(
      stream, {image.width, image.height, to_8_bits(image, mapping, image.alpha)});
}

void write_jpg(std::ostream& stream, const Image& image, const ToneMapping& mapping) {
  std::vector<uint8_t> bytes = to_8_bits(image, mapping);
  if (!stbi_write_jpg_to_func(put, &stream, int(image.width), int(image.height), 3, bytes.data(),
                              kJpgQuality))
    throw Error("the image cannot be encoded");
}

ByteImage read_bytes(std::istream& stream, int channels) {
  const std::string file(std::istreambuf_iterator<char>(stream), {});
  ByteImage image = decode_image(file);
  if (channels == 3) {
    drop_alpha(image.values);
    drop_alpha(image.values_16);
  }
  return image;
}

Image read_png_jpg(std::istream& stream) {
  static const std::vector<float> kLinear8 = linear_table(size_t{1} << 8);
  ByteImage bytes = read_bytes(stream, 4);
  Image image{bytes.width, bytes.height, {}};
  if (bytes.values_16.empty())
    decode_srgb(bytes.values, kLinear8, image);
  else
    decode_srgb(bytes.values_16, linear_table(size_t{1} << 16), image);
  image.warnings = std::move(bytes.warnings);
  std::ranges::move(bytes.color_warnings, std::back_inserter(image.warnings));
  return image;
}

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
  if (has_inks) {
    convert_inks(image.values);
    image.color_warnings.push_back(
        "its inks (CMYK) become red, green and blue without a colour profile");
  }
  const JpgNotes notes = find_jpg_notes(file);
  add_warnings(has_inks ? "" : notes.profile, notes.exif, image);
  return image;
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
  add_warnings(webp_chunk(file, "ICCP"), webp_chunk(file, "EXIF"), image);
  return image;
}

}  // namespace winnow
