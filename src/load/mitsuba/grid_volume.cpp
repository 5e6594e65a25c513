// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <string>

#include "base/error.h"
#include "base/files.h"
#include "base/limits.h"
#include "image/byte_reader.h"
#include "load/mitsuba/media.h"

namespace winnow {
namespace {

// Mitsuba 0.5 documentation, section "Grid-based volume data source".
constexpr uint8_t kVolVersion = 3;
enum VolEncoding : uint32_t { kVolFloat = 1, kVolByte = 3 };
constexpr size_t kVolBoundsBytes = 24;

float read_value(ByteReader& reader, uint32_t encoding) {
  constexpr float kMaxByte = 255.0f;
  return encoding == kVolFloat ? std::bit_cast<float>(reader.read_32())
                               : float(reader.read_8()) / kMaxByte;
}

glm::vec3 read_mean(ByteReader reader) {
  if (reader.take(3) != "VOL" || reader.read_8() != kVolVersion)
    throw Error(fmt::format("expected a volume of version {}", kVolVersion));
  const uint32_t encoding = reader.read_32();
  if (encoding != kVolFloat && encoding != kVolByte)
    throw Error(
        fmt::format("expected values of 32-bit floats or bytes, found the encoding {}", encoding));
  uint64_t cells = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const uint64_t side = reader.read_32();
    if (side == 0 || side > kMaxVolumeSide)
      throw Error(
          fmt::format("expected 1 to {} cells along an axis, found {}", kMaxVolumeSide, side));
    cells *= side;
  }
  const uint32_t channels = reader.read_32();
  if (channels != 1 && channels != 3)
    throw Error(fmt::format("expected 1 or 3 channels, found {}", channels));
  reader.take(kVolBoundsBytes);
  const size_t cell_bytes = channels * (encoding == kVolFloat ? sizeof(float) : 1);
  if (cells > reader.left() / cell_bytes) throw Error("truncated");

  glm::dvec3 sum(0.0);
  for (uint64_t cell = 0; cell < cells; ++cell)
    for (uint32_t channel = 0; channel < channels; ++channel)
      sum[int(channel)] += double(read_value(reader, encoding));
  if (channels == 1) sum = glm::dvec3(sum.x);
  const glm::vec3 mean(sum / double(cells));
  for (int channel = 0; channel < 3; ++channel)
    if (!(std::isfinite(mean[channel]) && mean[channel] >= 0.0f))
      throw Error("the mean is negative or not a number");
  return mean;
}

}  // namespace

glm::vec3 mean_of_grid_volume(const std::filesystem::path& file) {
  const std::string bytes = read_file(file);
  try {
    return read_mean(ByteReader(bytes));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", file.string(), error.what()));
  }
}

}  // namespace winnow
