// SPDX-License-Identifier: MIT
#include "load/gltf/bytes.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "base/error.h"

namespace winnow {
namespace {

static_assert(std::endian::native == std::endian::little);

uint32_t word_at(std::string_view bytes, size_t at) {
  uint32_t word;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

constexpr int kNoDigit = -1;

/// [byte], value of a base64 digit, or kNoDigit.
constexpr std::array<int, 256> kBase64Digits = [] {
  std::array<int, 256> digits{};
  digits.fill(kNoDigit);
  int value = 0;
  for (char c :
       std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
    digits[static_cast<unsigned char>(c)] = value++;
  return digits;
}();

std::optional<std::string> decode_base64(std::string_view text) {
  constexpr uint32_t kDigitBits = 6, kByteBits = 8;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() * kDigitBits / kByteBits);
  uint32_t bits = 0, bit_count = 0;  // bits not yet written
  for (char c : text) {
    const int digit = kBase64Digits[static_cast<unsigned char>(c)];
    if (digit == kNoDigit) return std::nullopt;
    bits = bits << kDigitBits | uint32_t(digit);
    bit_count += kDigitBits;
    if (bit_count < kByteBits) continue;
    bit_count -= kByteBits;
    bytes += char(bits >> bit_count);
  }
  if (bit_count == kDigitBits) return std::nullopt;  // one digit is less than a byte
  return bytes;
}

}  // namespace

bool is_glb(std::string_view bytes) {
  return bytes.starts_with("glTF");
}

GlbParts split_glb(std::string_view bytes, const std::string& file) {
  constexpr size_t kHeader = 12, kVersion = 4, kLength = 8;  // bytes, and offsets of fields
  constexpr size_t kChunkHeader = 8, kChunkType = 4;
  constexpr uint32_t kJson = 0x4e4f534a, kBinary = 0x004e4942;  // "JSON", "BIN"
  auto fail = [&](size_t at, const std::string& what) {
    throw Error(fmt::format("{}: byte {}: {}", file, at, what));
  };
  if (bytes.size() < kHeader) fail(bytes.size(), "the file ends in its header");
  if (uint32_t version = word_at(bytes, kVersion); version != 2)
    fail(kVersion, fmt::format("expected version 2 of GLB, found {}", version));
  if (uint32_t length = word_at(bytes, kLength); length > bytes.size())
    fail(kLength,
         fmt::format("the header gives a length of {} bytes, but the file is cut off after {}",
                     length, bytes.size()));
  bytes = bytes.substr(0, word_at(bytes, kLength));

  std::optional<std::string_view> json, binary;
  for (size_t at = kHeader; at < bytes.size();) {
    const size_t left = bytes.size() - at;
    if (left < kChunkHeader) fail(at, "the file ends in the header of a chunk");
    const uint32_t size = word_at(bytes, at), type = word_at(bytes, at + kChunkType);
    if (size > left - kChunkHeader)
      fail(at, fmt::format("the chunk has {} bytes, but the file ends after {} more", size,
                           left - kChunkHeader));
    const std::string_view chunk = bytes.substr(at + kChunkHeader, size);
    if (type == kJson && !json) json = chunk;
    if (type == kBinary && !binary) binary = chunk;
    at += kChunkHeader + size;
  }
  if (!json) fail(kHeader, "the file has no JSON chunk");
  return {*json, binary};
}

std::string decode_uri(std::string_view uri) {
  constexpr size_t kEscape = 3;  // characters of %20
  constexpr int kHex = 16;
  std::string decoded;
  for (size_t i = 0; i < uri.size(); ++i) {
    uint8_t byte = 0;
    const char* digits = uri.data() + i + 1;
    const bool is_escape = uri[i] == '%' && uri.size() - i >= kEscape &&
                           std::from_chars(digits, digits + 2, byte, kHex).ptr == digits + 2;
    decoded += is_escape ? char(byte) : uri[i];
    if (is_escape) i += kEscape - 1;
  }
  return decoded;
}

bool is_data_uri(std::string_view uri) {
  return uri.starts_with("data:");
}

std::optional<std::string> decode_data_uri(std::string_view uri) {
  const size_t comma = uri.find(',');
  if (comma == std::string::npos) return std::nullopt;
  const std::string_view data = uri.substr(comma + 1);
  if (uri.substr(0, comma).ends_with(";base64")) return decode_base64(data);
  return decode_uri(data);
}

}  // namespace winnow
