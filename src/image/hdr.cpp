// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <glm/common.hpp>
#include <istream>
#include <iterator>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/known_keys.h"
#include "base/limits.h"
#include "image/byte_reader.h"
#include "image/image_formats.h"
#include "image/image_io.h"
#include "image/primaries.h"

namespace winnow {
namespace {

using Rgbe = std::array<uint8_t, 4>;

constexpr int kExponentBias = 128 + 8;   // mantissas are 8-bit integers
constexpr double kMaxHdr = 0x1.FEp+126;  // mantissa 255, exponent 255
constexpr uint32_t kMinRunWidth = 8,
                   kMaxRunWidth = 0x7fff;        // widths that may be run-length encoded
constexpr size_t kMaxHdrLine = size_t{1} << 20;  // programs leave long commands in headers

Rgbe to_rgbe(const glm::vec3& radiance) {
  std::array<double, 3> value;
  for (int channel = 0; channel < 3; ++channel)  // NaN compares false
    value[channel] = radiance[channel] > 0.0f ? std::min<double>(radiance[channel], kMaxHdr) : 0.0;
  double largest = std::max({value[0], value[1], value[2]});
  if (largest < 0x1p-128) return {};

  int exponent = std::ilogb(largest) + 1;
  if (std::lround(std::ldexp(largest, 8 - exponent)) > 255) ++exponent;  // rounds up to 256
  Rgbe rgbe;
  for (int channel = 0; channel < 3; ++channel)
    rgbe[channel] = uint8_t(std::lround(std::ldexp(value[channel], 8 - exponent)));
  rgbe[3] = uint8_t(exponent + 128);
  return rgbe;
}

glm::vec3 from_rgbe(const Rgbe& rgbe) {
  if (rgbe[3] == 0) return glm::vec3(0.0f);
  float scale = std::ldexp(1.0f, rgbe[3] - kExponentBias);
  return scale * glm::vec3(rgbe[0], rgbe[1], rgbe[2]);
}

/// Names of a header in the specification of Radiance and in files of other programs.
/// Ward, "The RADIANCE Picture File Format", radsite.lbl.gov/radiance/refer/filefmts.pdf.
constexpr KnownKey kHdrKeys[] = {
    {"", "FORMAT EXPOSURE COLORCORR PRIMARIES"},
    {"", "SOFTWARE", KeyUse::kHarmless, "a note"},
    {"", "VIEW", KeyUse::kHarmless, "the view that the picture shows; a scene says where it is"},
    {"", "PIXASPECT", KeyUse::kHarmless, "the shape of pixels on a screen"},
    {"", "CAPDATE GMT", KeyUse::kHarmless, "a note"},
    {"", "LATLONG", KeyUse::kHarmless, "where a photograph was taken"},
    {"", "OWNER", KeyUse::kHarmless, "a note"},
    {"", "NCOMP", KeyUse::kHarmless, "the number of channels, which the format says, too"},
    {"", "GAMMA", KeyUse::kIgnored, "the values are taken as linear"},
};

/// What the header of a file says about its values.
struct HdrHeader {
  double exposure = 1.0;       ///< product of all exposures, by which radiance was multiplied
  glm::dvec3 correction{1.0};  ///< product of all colour corrections
  bool is_xyz = false;         ///< values are XYZ
  std::optional<Primaries> primaries{};
  bool is_by_columns = false;  ///< scanlines are columns
  bool is_right_first = false, is_bottom_first = false;
};

std::string read_line(std::istream& stream) {
  std::string line;
  for (int next = stream.get(); next != '\n'; next = stream.get()) {
    if (!stream || line.size() == kMaxHdrLine)
      throw Error("not a Radiance HDR file: its header has no end");
    line += char(next);
  }
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

/// Reads up to `count` numbers that are separated by spaces. Returns false if one is missing.
bool read_hdr_numbers(const std::string& text, double* numbers, int count) {
  const char* at = text.c_str();
  for (int i = 0; i < count; ++i) {
    char* end = nullptr;
    numbers[i] = std::strtod(at, &end);
    if (end == at || !std::isfinite(numbers[i])) return false;
    at = end;
  }
  return true;
}

/// Reads a line NAME=VALUE. Returns false if its value is not what it has to be.
bool read_hdr_value(const std::string& name, const std::string& value, HdrHeader& header) {
  if (name == "FORMAT") {
    header.is_xyz = value == "32-bit_rle_xyze";
    if (!header.is_xyz && value != "32-bit_rle_rgbe")
      throw Error("its pixels have another format; expected 32-bit_rle_rgbe or 32-bit_rle_xyze");
  } else if (name == "EXPOSURE") {
    double exposure = 0.0;
    if (!read_hdr_numbers(value, &exposure, 1) || !(exposure > 0.0)) return false;
    header.exposure *= exposure;
  } else if (name == "COLORCORR") {
    glm::dvec3 correction;
    if (!read_hdr_numbers(value, &correction.x, 3)) return false;
    if (!(glm::min(correction.x, glm::min(correction.y, correction.z)) > 0.0)) return false;
    header.correction *= correction;
  } else if (name == "PRIMARIES") {
    std::array<double, 8> xy{};
    if (!read_hdr_numbers(value, xy.data(), int(xy.size()))) return false;
    if (xy == std::array<double, 8>{}) return true;  // some programs write zeros and mean nothing
    header.primaries = {{xy[0], xy[1]}, {xy[2], xy[3]}, {xy[4], xy[5]}, {xy[6], xy[7]}};
    return to_rec709(*header.primaries).has_value();
  }
  return true;
}

/// Returns the name in front of the first "=" of a line; nothing for commands and notes.
std::string name_of_line(const std::string& line) {
  const size_t end = line.find('=');
  const std::string name = end == line.npos ? "" : line.substr(0, end);
  const bool is_name =
      std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  return is_name ? name : "";
}

void read_hdr_line(const std::string& line, HdrHeader& header, Image& image) {
  const std::string name = name_of_line(line);
  if (name.empty()) return;
  const std::string value = line.substr(name.size() + 1);
  const KnownKey* key = hdr_keys().find("", name);
  if (key && key->use == KeyUse::kHarmless) return;
  if (key && key->use == KeyUse::kUsed) {
    if (!read_hdr_value(name, value, header))
      image.warnings.push_back(
          fmt::format("its line {} has no usable value; it is ignored", in_quotes(line)));
    return;
  }
  double number = 0.0;
  if (name == "GAMMA" && read_hdr_numbers(value, &number, 1) && number == 1.0) return;
  image.warnings.push_back(fmt::format("its line {} is ignored{}{}", in_quotes(line),
                                       key ? ": " : "", key ? key->why : ""));
}

/// Reads the line of the size: two axes, each with its direction; that of the scanlines is first.
void read_hdr_size(const std::string& line, HdrHeader& header, Image& image) {
  std::array<char, 2> axes{}, signs{};
  std::array<long long, 2> sizes{};
  const bool is_read = std::sscanf(line.c_str(), "%c%c %11lld %c%c %11lld", &signs[0], &axes[0],
                                   &sizes[0], &signs[1], &axes[1], &sizes[1]) == 6;
  auto is_sign = [](char c) { return c == '+' || c == '-'; };
  header.is_by_columns = axes[0] == 'X';
  const size_t x = header.is_by_columns ? 0 : 1, y = 1 - x;
  if (!is_read || axes[x] != 'X' || axes[y] != 'Y' || !is_sign(signs[0]) || !is_sign(signs[1]))
    throw Error("its size cannot be read; expected a line like -Y HEIGHT +X WIDTH");
  header.is_right_first = signs[x] == '-';
  header.is_bottom_first = signs[y] == '+';
  check_image_size(sizes[x], sizes[y]);
  image.width = uint32_t(sizes[x]);
  image.height = uint32_t(sizes[y]);
}

/// Reads up to the first scanline. Returns an image that has a size but no pixels yet.
Image read_hdr_header(std::istream& stream, HdrHeader& header) {
  Image image;
  if (!read_line(stream).starts_with("#?"))
    throw Error("not a Radiance HDR file: it does not begin with #?");
  for (std::string line = read_line(stream); !line.empty(); line = read_line(stream))
    read_hdr_line(line, header, image);
  read_hdr_size(read_line(stream), header, image);
  check_image_bytes(image.width, image.height, kMaxPixelsPerHdrByte * bytes_left(stream));
  return image;
}

/// Returns the matrix from the values of a file to its radiance in Rec.709.
glm::mat3 hdr_to_radiance(const HdrHeader& header) {
  constexpr double kLumensPerWatt = 179.0;  // Radiance's WHTEFFICACY: XYZ is photometric
  constexpr glm::dvec2 kEqualEnergy(1.0 / 3.0);
  glm::dmat3 matrix(1.0);
  if (header.is_xyz)
    matrix =
        glm::inverse(to_xyz(kRec709)) * adaptation(kEqualEnergy, kRec709.white) / kLumensPerWatt;
  else if (header.primaries)
    matrix = to_rec709(*header.primaries).value_or(glm::mat3(1.0f));
  for (int i = 0; i < 3; ++i) matrix[i] /= header.exposure * header.correction[i];
  return glm::mat3(matrix);
}

/// Reads one channel of a run-length encoded scanline: runs of 1 to 127, literals of 1 to 128.
void read_runs(ByteReader& reader, std::vector<Rgbe>& row, int channel) {
  for (size_t x = 0; x < row.size();) {
    size_t count = reader.read_8();
    bool run = count > 128;
    if (run) count -= 128;
    if (count == 0 || count > row.size() - x) throw Error("corrupt: a run exceeds its row");
    uint8_t value = 0;
    for (size_t end = x + count, first = x; x < end; ++x) {
      if (!run || x == first) value = reader.read_8();
      row[x][channel] = value;
    }
  }
}

/// Reads a scanline of plain pixels after its first one, and of runs as in old files: 1, 1, 1, n
/// repeats the last pixel n times. A run directly after a run counts 256 times as much.
void read_old_row(ByteReader& reader, std::vector<Rgbe>& row) {
  constexpr int kShift = 8, kMaxShift = 24;
  int shift = 0;
  for (size_t x = 1; x < row.size();) {
    const auto pixel = std::bit_cast<Rgbe>(reader.read_32());
    if (pixel[0] != 1 || pixel[1] != 1 || pixel[2] != 1) {
      row[x++] = pixel;
      shift = 0;
      continue;
    }
    const size_t count = shift > kMaxShift ? row.size() : size_t{pixel[3]} << shift;
    if (count > row.size() - x) throw Error("corrupt: a run exceeds its row");
    std::fill_n(&row[x], count, row[x - 1]);
    x += count;
    shift += kShift;
  }
}

void read_row(ByteReader& reader, std::vector<Rgbe>& row) {
  row[0] = std::bit_cast<Rgbe>(reader.read_32());
  bool may_run = row.size() >= kMinRunWidth && row.size() <= kMaxRunWidth;
  if (may_run && row[0][0] == 2 && row[0][1] == 2 && row[0][2] < 128) {
    if ((row[0][2] << 8 | row[0][3]) != int(row.size()))
      throw Error("corrupt: a row has the wrong width");
    for (int channel = 0; channel < 4; ++channel) read_runs(reader, row, channel);
  } else {
    read_old_row(reader, row);
  }
}

/// Puts pixels that are stored line by line into rows from the top, each from the left.
void turn_upright(const HdrHeader& header, Image& image) {
  if (!header.is_by_columns && !header.is_right_first && !header.is_bottom_first) return;
  const std::vector<glm::vec3> stored = std::exchange(image.pixels, {});
  image.pixels.reserve(stored.size());
  for (uint32_t y = 0; y < image.height; ++y)
    for (uint32_t x = 0; x < image.width; ++x) {
      const size_t from_x = header.is_right_first ? image.width - 1 - x : x,
                   from_y = header.is_bottom_first ? image.height - 1 - y : y;
      image.pixels.push_back(stored[header.is_by_columns ? from_x * image.height + from_y
                                                         : from_y * image.width + from_x]);
    }
}

}  // namespace

void write_hdr(std::ostream& stream, const Image& image) {
  // Scanlines are written flat: no pixel resembles the start of a run-length encoded row, which has
  // small mantissas.
  stream << fmt::format("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {} +X {}\n", image.height,
                        image.width);
  for (const glm::vec3& pixel : image.pixels) {
    Rgbe rgbe = to_rgbe(pixel);
    stream.write(reinterpret_cast<const char*>(rgbe.data()), rgbe.size());
  }
}

Image read_hdr(std::istream& stream) {
  HdrHeader header;
  Image image = read_hdr_header(stream, header);
  const glm::mat3 to_radiance = hdr_to_radiance(header);
  const bool is_plain = to_radiance == glm::mat3(1.0f);
  image.is_corrected = !is_plain;
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  ByteReader reader(bytes);
  const uint32_t lines = header.is_by_columns ? image.width : image.height;
  std::vector<Rgbe> line(header.is_by_columns ? image.height : image.width);
  // A file may claim more lines than it holds, so memory is touched only as lines are read.
  image.pixels.reserve(size_t(image.width) * image.height);
  for (uint32_t i = 0; i < lines; ++i) {
    read_row(reader, line);
    for (const Rgbe& rgbe : line) {
      const glm::vec3 pixel = from_rgbe(rgbe);
      image.pixels.push_back(is_plain ? pixel : to_radiance * pixel);
    }
  }
  turn_upright(header, image);
  return image;
}

const KeyTable& hdr_keys() {
  static const KeyTable kTable(kHdrKeys);
  return kTable;
}

}  // namespace winnow
