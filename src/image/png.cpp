// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <spng.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <ostream>
#include <span>
#include <string>

#include "base/error.h"
#include "base/for_each_at_once.h"
#include "base/limits.h"
#include "image/exif.h"
#include "image/icc_profile.h"
#include "image/image_formats.h"
#include "image/image_io.h"

namespace winnow {
namespace {

/// Chunks of PNG files. W3C, "Portable Network Graphics (PNG) Specification (Third Edition)", 2025,
/// and its "Extensions to the PNG 1.2 Specification".
constexpr KnownKey kPngChunks[] = {
    {"", "IHDR PLTE IDAT IEND tRNS"},
    {"", "cHRM"},  // those of a colour space have a warning unless it is sRGB
    {"", "gAMA iCCP sRGB cICP"},
    {"", "mDCV", KeyUse::kHarmless, "the display on which it was made"},
    {"", "cLLI", KeyUse::kHarmless, "how bright it is"},
    {"", "sBIT", KeyUse::kHarmless, "how many bits its source had; values fill the whole range"},
    {"", "bKGD", KeyUse::kHarmless, "a background, for viewers"},
    {"", "hIST", KeyUse::kHarmless, "how often colours of the palette occur"},
    {"", "sPLT", KeyUse::kHarmless, "a palette for displays of few colours"},
    {"", "pHYs", KeyUse::kHarmless, "the size of pixels"},
    {"", "tEXt zTXt iTXt", KeyUse::kHarmless, "text"},
    {"", "tIME", KeyUse::kHarmless, "a date"},
    {"", "eXIf"},  // an orientation has a warning; the rest is notes of a camera
    {"", "dSIG", KeyUse::kHarmless, "a signature"},
    {"", "oFFs", KeyUse::kHarmless, "a place on a page"},
    {"", "sCAL", KeyUse::kHarmless, "the size of its subject"},
    {"", "gIFg", KeyUse::kHarmless, "how a GIF is shown"},
    {"", "gIFx", KeyUse::kHarmless, "data of programs that write GIF"},
    {"", "gIFt", KeyUse::kHarmless, "text"},
    {"", "fRAc", KeyUse::kHarmless, "parameters of a fractal"},
    {"", "iDOT", KeyUse::kHarmless, "offsets that speed up decoding"},
    {"", "acTL", KeyUse::kIgnored, "it is animated; its still image is used"},
    {"", "fcTL fdAT", KeyUse::kHarmless, "a part of an animation, which acTL announces"},
    {"", "pCAL", KeyUse::kIgnored, "the physical values that its numbers mean"},
    {"", "sTER", KeyUse::kIgnored, "it holds two views of a stereo image side by side"},
};

constexpr size_t kPngSignature = 8;

struct PngChunk {
  std::string_view type, data;
  bool is_intact = true;  ///< its checksum is right
};

uint32_t big_endian(std::string_view bytes, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i)
    value = value << 8 | (at + i < bytes.size() ? uint8_t(bytes[at + i]) : 0u);
  return value;
}

const Bytef* zlib_bytes(std::string_view bytes) {
  return reinterpret_cast<const Bytef*>(bytes.data());
}

/// Returns the chunks up to the end of the file, or up to one that is cut off.
std::vector<PngChunk> find_png_chunks(std::string_view file) {
  constexpr size_t kType = 4, kData = 8, kFrame = 12;  // offsets in a chunk, bytes besides its data
  std::vector<PngChunk> chunks;
  for (size_t at = kPngSignature; at + kFrame <= file.size();) {
    const size_t size = big_endian(file, at);
    if (size > file.size() - at - kFrame) break;
    const std::string_view checked = file.substr(at + kType, kType + size);
    chunks.push_back({.type = checked.substr(0, kType),
                      .data = checked.substr(kType),
                      .is_intact = crc32_z(0, zlib_bytes(checked), checked.size()) ==
                                   big_endian(file, at + kData + size)});
    at += kFrame + size;
    if (chunks.back().type == "IEND") break;
  }
  return chunks;
}

/// Inflates zlib data from several pieces. The result of `keep(bytes)` for each part says whether
/// to go on.
/// @return  the status of zlib
template <class Keep>
int inflate_pieces(const std::vector<std::string_view>& pieces, Keep keep) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_streamp)> end(&stream, inflateEnd);
  std::array<char, size_t{1} << 16> part;
  int status = Z_OK;
  for (const std::string_view piece : pieces) {
    stream.next_in = const_cast<Bytef*>(zlib_bytes(piece));
    stream.avail_in = uInt(piece.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(part.data());
      stream.avail_out = uInt(part.size());
      status = inflate(&stream, Z_NO_FLUSH);
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) return status;
      if (!keep(std::string_view(part.data(), part.size() - stream.avail_out))) return status;
    } while (status != Z_STREAM_END && (stream.avail_in > 0 || stream.avail_out == 0));
    if (status == Z_STREAM_END) break;
  }
  return status;
}

/// True unless the pixels, as they are inflated, have another checksum than the file states.
bool is_png_adler_right(const std::vector<PngChunk>& chunks) {
  std::vector<std::string_view> pieces;
  uint64_t most = 0;  // bytes that the pixels may have
  for (const PngChunk& chunk : chunks) {
    constexpr uint64_t kMaxPixelBytes = 8, kMaxPasses = 8;
    if (chunk.type == "IDAT") pieces.push_back(chunk.data);
    if (chunk.type == "IHDR")
      most = kMaxPixelBytes * (uint64_t{big_endian(chunk.data, 0)} + kMaxPasses) *
             (uint64_t{big_endian(chunk.data, 4)} + kMaxPasses);
  }
  uint64_t inflated = 0;
  auto keep = [&](std::string_view part) { return (inflated += part.size()) <= most; };
  return inflate_pieces(pieces, keep) != Z_DATA_ERROR;
}

bool is_near_chromaticity(uint32_t found, double expected) {
  constexpr double kUnit = 100'000.0, kTolerance = 0.005;
  return std::abs(found / kUnit - expected) <= kTolerance;
}

std::optional<std::string> warn_of_png_profile(std::string_view data) {
  const size_t name = data.find('\0');
  if (name == data.npos || name + 2 > data.size()) return {};
  std::string profile;
  inflate_pieces({data.substr(name + 2)}, [&](std::string_view part) {  // after the method
    profile += part;
    return profile.size() < kMaxPngChunkBytes;
  });
  return warn_of_profile(profile);
}

/// Returns a warning about the chunk that defines the colour space; nothing if it is sRGB. Of
/// several chunks, the specification lets cICP go before iCCP, sRGB, and gAMA with cHRM.
std::optional<std::string> warn_of_png_colors(const std::vector<PngChunk>& chunks) {
  auto find = [&](std::string_view type) -> std::optional<std::string_view> {
    for (const PngChunk& chunk : chunks)
      if (chunk.type == type) return chunk.data;
    return {};
  };
  if (const auto cicp = find("cICP"); cicp && cicp->size() == 4) {
    const auto number = [&](size_t i) { return int(uint8_t((*cicp)[i])); };
    // ITU-T H.273: primaries of BT.709; transfer functions of sRGB or BT.709; RGB; full range.
    if (number(0) == 1 && (number(1) == 13 || number(1) == 1) && number(2) == 0 && number(3) == 1)
      return {};
    return fmt::format(
        "its colour space (cICP {} {} {} {}) is ignored: its colours are taken as "
        "sRGB",
        number(0), number(1), number(2), number(3));
  }
  if (const auto profile = find("iCCP")) return warn_of_png_profile(*profile);
  if (find("sRGB")) return {};
  if (const auto gamma = find("gAMA")) {
    constexpr double kUnit = 100'000.0, kLeast = 0.43, kMost = 0.48;  // about 1 / 2.2
    const double value = big_endian(*gamma, 0) / kUnit;
    if (!(value >= kLeast && value <= kMost))
      return fmt::format("its gamma of {} is ignored: its values are taken as sRGB", value);
  }
  if (const auto primaries = find("cHRM")) {
    constexpr double kSrgb[] = {0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06};
    for (size_t i = 0; i < std::size(kSrgb); ++i)
      if (!is_near_chromaticity(big_endian(*primaries, 4 * i), kSrgb[i]))
        return "its primaries (cHRM) are ignored: its colours are taken as sRGB";
  }
  return {};
}

/// Adds a warning for each kind of chunk that is not used, and one for wrong checksums.
void account_for_png_chunks(const std::vector<PngChunk>& chunks, ByteImage& image) {
  std::map<std::string_view, int> ignored;
  const PngChunk* damaged = nullptr;
  size_t damaged_count = 0;
  for (const PngChunk& chunk : chunks) {
    const KnownKey* key = png_chunks().find("", chunk.type);
    // A small second letter marks data of one program, a small first letter what is not needed.
    const bool is_private = chunk.type[1] & 0x20;
    if (key ? key->use == KeyUse::kIgnored : !is_private) ++ignored[chunk.type];
    if (chunk.type == "eXIf")
      if (auto warning = warn_of_orientation(chunk.data)) image.warnings.push_back(*warning);
    if (chunk.is_intact) continue;
    if (!damaged) damaged = &chunk;
    ++damaged_count;
  }
  if (damaged)
    image.warnings.push_back(fmt::format(
        "damaged: the checksum of its chunk {}{} is wrong; the picture is used as it is",
        one_line(damaged->type),
        damaged_count == 1 ? "" : fmt::format(" and of {} others", damaged_count - 1)));
  if (chunks.empty() || chunks.back().type != "IEND")
    image.warnings.push_back("damaged: its end is missing; the picture is used as it is");
  for (const auto& [type, count] : ignored) {
    const KnownKey* key = png_chunks().find("", type);
    image.warnings.push_back(fmt::format("its chunk {} is ignored{}{}", one_line(type),
                                         key ? ": " : "", key ? key->why : ""));
  }
  if (const auto warning = warn_of_png_colors(chunks)) image.color_warnings.push_back(*warning);
}

void check_png(int status) {
  if (status == SPNG_OK) return;
  if (status == SPNG_IO_EOF || status == SPNG_EOF) throw Error("truncated");
  if (status == SPNG_EMEM) throw std::bad_alloc();
  throw Error(std::string("cannot be decoded: ") + spng_strerror(status));
}

/// Decodes to four channels of T, which is uint8_t or uint16_t.
template <class T>
void decode_png_pixels(spng_ctx* context, spng_format format, std::vector<T>& values) {
  size_t size = 0;
  check_png(spng_decoded_image_size(context, format, &size));
  values.resize(size / sizeof(T));
  check_png(spng_decode_image(context, values.data(), size, format, SPNG_DECODE_TRNS));
}

ByteImage decode_png_image(std::string_view file) {
  std::unique_ptr<spng_ctx, void (*)(spng_ctx*)> context(spng_ctx_new(0), spng_ctx_free);
  if (!context) throw std::bad_alloc();
  check_png(spng_set_png_buffer(context.get(), file.data(), file.size()));
  constexpr size_t kMaxPngChunk = 0x7fffffff;  // largest chunk of the format
  const size_t chunk_limit = std::min(file.size(), kMaxPngChunk);
  check_png(spng_set_chunk_limits(context.get(), chunk_limit, chunk_limit + kMaxPngChunkBytes));
  check_png(spng_set_crc_action(context.get(), SPNG_CRC_USE, SPNG_CRC_USE));

  spng_ihdr header;
  check_png(spng_get_ihdr(context.get(), &header));
  check_image_size(header.width, header.height);
  check_image_bytes(header.width, header.height, kMaxPixelsPerPngByte * file.size());

  ByteImage image{header.width, header.height, {}};
  constexpr int kWide = 16;
  if (header.bit_depth < kWide) {
    decode_png_pixels(context.get(), SPNG_FMT_RGBA8, image.values);
    return image;
  }
  decode_png_pixels(context.get(), SPNG_FMT_RGBA16, image.values_16);
  constexpr unsigned kRatio = 257;  // 65535 / 255
  image.values.reserve(image.values_16.size());
  for (const uint16_t value : image.values_16)
    image.values.push_back(uint8_t((value + kRatio / 2) / kRatio));
  return image;
}

void append_big_endian(uint32_t value, std::string& bytes) {
  for (const int shift : {24, 16, 8, 0}) bytes += char(value >> shift & 0xff);
}

void write_png_chunk(std::ostream& stream, std::string_view type, std::string_view data) {
  std::string begin, end;
  append_big_endian(uint32_t(data.size()), begin);
  const uLong of_type = crc32_z(0, zlib_bytes(type), type.size());
  append_big_endian(uint32_t(crc32_z(of_type, zlib_bytes(data), data.size())), end);
  stream << begin << type << data << end;
}

/// Returns the differences of the bytes of a row from those of its left pixel or of the row above,
/// whichever are smaller, after the type of the filter: sections 9 and 12.7 of the specification.
/// @param above  the row above; empty: zeros
std::vector<uint8_t> filtered_png_row(std::span<const uint8_t> row, std::span<const uint8_t> above,
                                      size_t bytes_per_pixel) {
  constexpr uint8_t kSub = 1, kUp = 2;
  std::vector<uint8_t> left(1 + row.size(), kSub), up(1 + row.size(), kUp);
  for (size_t i = 0; i < row.size(); ++i)
    left[1 + i] = uint8_t(row[i] - (i < bytes_per_pixel ? 0 : row[i - bytes_per_pixel]));
  for (size_t i = 0; i < row.size(); ++i)
    up[1 + i] = uint8_t(row[i] - (above.empty() ? 0 : above[i]));
  const auto sum_of = [](const std::vector<uint8_t>& differences) {
    uint32_t sum = 0;
    for (const uint8_t byte : differences) sum += uint32_t(std::abs(int8_t(byte)));
    return sum;
  };
  return sum_of(left) <= sum_of(up) ? left : up;
}

/// Some rows of a picture, compressed without regard to the others, so that all bands of a picture
/// are compressed at the same time. They are joined as by pigz (Adler).
struct PngBand {
  std::string deflated;
  size_t bytes = 0;  ///< inflated
  uLong checksum = 0;
};

/// Compresses filtered rows. All bands but the last one end at a byte.
PngBand deflate_png_band(const std::vector<uint8_t>& rows, bool is_last) {
  // For rendered pictures, level 6 with all filters takes six times as long and saves 15 %.
  constexpr int kLevel = 2, kRawDeflate = -15, kMemoryLevel = 8;
  z_stream stream{};
  if (deflateInit2(&stream, kLevel, Z_DEFLATED, kRawDeflate, kMemoryLevel, Z_FILTERED) != Z_OK)
    throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_streamp)> end(&stream, deflateEnd);
  constexpr size_t kMarker = 16;  // more than the end of a band takes
  PngBand band{std::string(deflateBound(&stream, uLong(rows.size())) + kMarker, '\0'), rows.size(),
               adler32_z(1, rows.data(), rows.size())};
  stream.next_in = const_cast<Bytef*>(rows.data());
  stream.avail_in = uInt(rows.size());
  stream.next_out = reinterpret_cast<Bytef*>(band.deflated.data());
  stream.avail_out = uInt(band.deflated.size());
  const int status = deflate(&stream, is_last ? Z_FINISH : Z_SYNC_FLUSH);
  if (status != (is_last ? Z_STREAM_END : Z_OK) || stream.avail_out == 0)
    throw Error("zlib cannot compress the picture");
  band.deflated.resize(stream.total_out);
  return band;
}

/// Writes a picture without a chunk about colours. libspng and stb_image_write compress in one
/// thread: a noisy picture of 1920x1080 takes libspng 0.33 s on a Xeon, as long as a render of one
/// sample.
/// @param bytes  [height][width][bytes_per_pixel], big-endian
void encode_png(std::ostream& stream, uint32_t width, uint32_t height, spng_color_type type,
                size_t bytes_per_pixel, int bit_depth, std::span<const uint8_t> bytes) {
  // Bands of this size make a file less than 1 % larger than a single one.
  constexpr size_t kBandBytes = size_t{1} << 18;
  const size_t row_bytes = width * bytes_per_pixel;
  const size_t rows = std::max<size_t>(kBandBytes / row_bytes, 1);
  const auto row_at = [&](size_t y) { return bytes.subspan(y * row_bytes, row_bytes); };
  std::vector<PngBand> bands((height + rows - 1) / rows);
  for_each_at_once(bands.size(), [&](size_t i) {
    const size_t end = std::min<size_t>((i + 1) * rows, height);
    std::vector<uint8_t> filtered;
    for (size_t y = i * rows; y < end; ++y) {
      const auto above = y == 0 ? std::span<const uint8_t>() : row_at(y - 1);
      const std::vector<uint8_t> row = filtered_png_row(row_at(y), above, bytes_per_pixel);
      filtered.insert(filtered.end(), row.begin(), row.end());
    }
    bands[i] = deflate_png_band(filtered, end == height);
  });
  uLong checksum = adler32(0, nullptr, 0);
  for (const PngBand& band : bands)
    checksum = adler32_combine(checksum, band.checksum, z_off_t(band.bytes));
  constexpr std::string_view kZlibHeader = "\x78\x5e";  // a window of 32 KiB, a fast level
  bands.front().deflated.insert(0, kZlibHeader);
  append_big_endian(uint32_t(checksum), bands.back().deflated);

  std::string header;
  append_big_endian(width, header);
  append_big_endian(height, header);
  header += {char(bit_depth), char(type), 0, 0, 0};
  stream << "\x89PNG\r\n\x1a\n";
  write_png_chunk(stream, "IHDR", header);
  for (const PngBand& band : bands) write_png_chunk(stream, "IDAT", band.deflated);
  write_png_chunk(stream, "IEND", "");
}

}  // namespace

ByteImage decode_png(std::string_view file) {
  const std::vector<PngChunk> chunks = find_png_chunks(file);
  const bool is_intact = std::ranges::all_of(chunks, &PngChunk::is_intact);
  ByteImage image;
  bool is_adler_right = true;
  // The library does not read the checksum after the last pixel.
  oneapi::tbb::parallel_invoke([&] { image = decode_png_image(file); },
                               [&] { is_adler_right = !is_intact || is_png_adler_right(chunks); });
  account_for_png_chunks(chunks, image);
  if (!is_adler_right)
    image.warnings.push_back(
        "damaged: the checksum of its pixels is wrong; the picture is used as it is");
  return image;
}

void write_rgba_png(std::ostream& stream, const ByteImage& image) {
  encode_png(stream, image.width, image.height, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 4, 8,
             image.values);
}

void write_rgb_png(std::ostream& stream, const ByteImage& image) {
  encode_png(stream, image.width, image.height, SPNG_COLOR_TYPE_TRUECOLOR, 3, 8, image.values);
}

void write_gray16_png(std::ostream& stream, uint32_t width, uint32_t height,
                      const std::vector<uint16_t>& values) {
  std::vector<uint8_t> bytes;
  bytes.reserve(2 * values.size());
  for (const uint16_t value : values)
    bytes.insert(bytes.end(), {uint8_t(value >> 8), uint8_t(value)});
  encode_png(stream, width, height, SPNG_COLOR_TYPE_GRAYSCALE, 2, 16, bytes);
}

const KeyTable& png_chunks() {
  static const KeyTable kTable(kPngChunks);
  return kTable;
}

}  // namespace winnow
