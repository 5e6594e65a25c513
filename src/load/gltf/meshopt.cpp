// SPDX-License-Identifier: MIT
#include "load/gltf/meshopt.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

namespace winnow {
namespace {

constexpr size_t kVertexGroup = 16;      // vertices whose deltas have the same number of bits
constexpr size_t kMaxVertexBlock = 256;  // vertices
constexpr size_t kChannelBytes = 4;      // bytes of a vertex that share a mode
constexpr unsigned kDeltaBits = 8;

/// Bytes that are taken one after another.
class ByteSource {
 public:
  explicit ByteSource(std::string_view bytes) : left_(bytes) {}

  /// Returns the next `count` bytes; nothing if fewer are left.
  std::optional<std::string_view> take(size_t count) {
    if (count > left_.size()) return std::nullopt;
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(count);
    return taken;
  }
  bool is_empty() const { return left_.empty(); }

 private:
  std::string_view left_;
};

unsigned packed_byte(std::string_view bytes, size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

/// Returns two bits of a packed array of these.
unsigned two_bits(std::string_view packed, size_t index) {
  return packed_byte(packed, index / 4) >> (2 * (index % 4)) & 3u;
}

/// How the deltas of one byte of all vertices of a block are stored.
enum class DeltaControl { kFewBits, kManyBits, kZeros, kLiteral };

/// Reads the deltas of a group, of `bits` bits each. A delta with all bits set stands for a byte
/// after the group. One-bit deltas start at the lowest bit of a byte, others at the highest.
bool read_group(ByteSource& source, unsigned bits, uint8_t* deltas) {
  if (bits == 0) {
    std::fill_n(deltas, kVertexGroup, uint8_t{0});
    return true;
  }
  const auto packed = source.take(kVertexGroup * bits / kDeltaBits);
  if (!packed) return false;
  const unsigned all_set = (1u << bits) - 1, per_byte = kDeltaBits / bits;
  for (unsigned i = 0; i < kVertexGroup; ++i) {
    const unsigned place = bits == 1 ? i % per_byte : per_byte - 1 - i % per_byte;
    unsigned delta = packed_byte(*packed, i / per_byte) >> (place * bits) & all_set;
    if (delta == all_set && bits < kDeltaBits) {
      const auto whole = source.take(1);
      if (!whole) return false;
      delta = packed_byte(*whole, 0);
    }
    deltas[i] = uint8_t(delta);
  }
  return true;
}

/// Reads the deltas of one byte of `count` vertices.
bool read_deltas(ByteSource& source, DeltaControl control, size_t count, uint8_t* deltas) {
  constexpr unsigned kBits[2][4] = {{0, 1, 2, 4}, {1, 2, 4, 8}};
  if (control == DeltaControl::kZeros) {
    std::fill_n(deltas, count, uint8_t{0});
    return true;
  }
  if (control == DeltaControl::kLiteral) {
    const auto literal = source.take(count);
    if (literal) std::memcpy(deltas, literal->data(), count);
    return literal.has_value();
  }
  const size_t groups = (count + kVertexGroup - 1) / kVertexGroup;
  const auto header = source.take((groups + 3) / 4);
  if (!header) return false;
  for (size_t group = 0; group < groups; ++group)
    if (!read_group(source, kBits[size_t(control)][two_bits(*header, group)],
                    deltas + group * kVertexGroup))
      return false;
  return true;
}

/// Adds the deltas of a channel to the values of the vertex before.
class ChannelMode {
 public:
  /// @return  nothing if the mode does not exist
  static std::optional<ChannelMode> of(unsigned mode) {
    constexpr unsigned kKind = 0x0f;
    ChannelMode channel;
    channel.kind_ = Kind(mode & kKind);
    channel.rotation_ = int(mode >> 4);
    if (channel.kind_ > Kind::kXor || (channel.kind_ != Kind::kXor && channel.rotation_ != 0))
      return std::nullopt;
    return channel;
  }

  /// @param deltas  four bytes, little-endian
  uint32_t apply(uint32_t before, const std::array<uint8_t, kChannelBytes>& deltas) const {
    const auto delta = std::bit_cast<uint32_t>(deltas);
    if (kind_ == Kind::kXor) return before ^ std::rotr(delta, rotation_);
    const unsigned bits = kind_ == Kind::kShorts ? 2 * kDeltaBits : kDeltaBits;
    uint32_t after = 0;
    for (unsigned at = 0; at < kChannelBytes * kDeltaBits; at += bits) {
      const uint32_t mask = (1u << bits) - 1, part = delta >> at & mask;
      const uint32_t change = part & 1 ? ~(part >> 1) : part >> 1;
      after |= (((before >> at) + change) & mask) << at;
    }
    return after;
  }

 private:
  enum class Kind { kBytes, kShorts, kXor };
  Kind kind_ = Kind::kBytes;
  int rotation_ = 0;
};

template <class Component>
void decode_colors(std::span<uint8_t> items) {
  constexpr size_t kComponents = 4;
  constexpr float kMax = std::numeric_limits<Component>::max();
  using Signed = std::make_signed_t<Component>;
  for (size_t at = 0; at + kComponents * sizeof(Component) <= items.size();
       at += kComponents * sizeof(Component)) {
    Component item[kComponents];
    std::memcpy(item, &items[at], sizeof item);
    // The highest bit of alpha determines how many bits all components have.
    const int all_set = (1 << std::bit_width(item[3])) - 1;
    const int y = item[0], co = Signed(item[1]), cg = Signed(item[2]);
    const int alpha = item[3] & all_set >> 1;
    const int colors[kComponents] = {y + co - cg, y + cg, y - co - cg, alpha << 1 | (alpha & 1)};
    for (size_t i = 0; i < kComponents; ++i) {
      const float value = float(colors[i]) * (kMax / float(std::max(all_set, 1)));
      item[i] = Component(std::lround(std::clamp(value, 0.0f, kMax)));
    }
    std::memcpy(&items[at], item, sizeof item);
  }
}

}  // namespace

bool decode_meshopt_vertices(std::string_view compressed, size_t stride,
                             std::span<uint8_t> vertices) {
  constexpr unsigned kVersion1 = 0xa1;
  constexpr size_t kMaxBlockBytes = 8192, kMinTail = 24;
  const size_t channels = stride / kChannelBytes, tail = stride + channels;
  if (compressed.size() < 1 + std::max(tail, kMinTail) || packed_byte(compressed, 0) != kVersion1)
    return false;
  const std::string_view first = compressed.substr(compressed.size() - tail, stride);
  std::vector<ChannelMode> modes;
  for (const char mode : compressed.substr(compressed.size() - channels)) {
    const auto known = ChannelMode::of(static_cast<unsigned char>(mode));
    if (!known) return false;
    modes.push_back(*known);
  }
  std::vector<uint32_t> before(channels);  // vertex before the current one
  std::memcpy(before.data(), first.data(), stride);

  ByteSource source(compressed.substr(1, compressed.size() - 1 - std::max(tail, kMinTail)));
  const size_t most =
      std::min(kMaxBlockBytes / stride / kVertexGroup * kVertexGroup, kMaxVertexBlock);
  std::array<std::array<uint8_t, kMaxVertexBlock>, kChannelBytes> deltas;
  for (size_t at = 0; at < vertices.size();) {
    const size_t count = std::min(most, (vertices.size() - at) / stride);
    const auto control = source.take(channels);
    if (!control) return false;
    for (size_t channel = 0; channel < channels; ++channel) {
      for (size_t byte = 0; byte < kChannelBytes; ++byte)
        if (!read_deltas(source, DeltaControl(two_bits(*control, channel * kChannelBytes + byte)),
                         count, deltas[byte].data()))
          return false;
      for (size_t vertex = 0; vertex < count; ++vertex) {
        before[channel] = modes[channel].apply(
            before[channel],
            {deltas[0][vertex], deltas[1][vertex], deltas[2][vertex], deltas[3][vertex]});
        std::memcpy(&vertices[at + vertex * stride + channel * kChannelBytes], &before[channel],
                    kChannelBytes);
      }
    }
    at += count * stride;
  }
  return source.is_empty();
}

void decode_meshopt_colors(size_t stride, std::span<uint8_t> items) {
  constexpr size_t kBytes = 4;
  return stride == kBytes ? decode_colors<uint8_t>(items) : decode_colors<uint16_t>(items);
}

}  // namespace winnow
