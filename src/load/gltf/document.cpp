// SPDX-License-Identifier: MIT
#include "load/gltf/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/files.h"
#include "base/limits.h"
#include "load/gltf/compression.h"
#include "load/gltf/values.h"
#include "scene/scene_hash.h"

namespace winnow {
namespace {

constexpr uint32_t kMaxInteger = std::numeric_limits<uint32_t>::max();

struct GlbParts {
  std::string_view json;
  std::optional<std::string_view> binary;  ///< buffer without a URI
};

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

/// Splits a GLB file into its chunks. Throws Error "file: byte N: what is wrong".
GlbParts split_glb(std::string_view bytes, const std::string& file) {
  constexpr size_t kHeader = 12, kVersion = 4, kLength = 8;  // bytes, and offsets of fields
  constexpr size_t kChunkHeader = 8, kChunkType = 4;
  constexpr uint32_t kJson = 0x4e4f534a, kBinary = 0x004e4942;  // "JSON", "BIN"
  auto fail = [&]<class... Args>(size_t at, fmt::format_string<Args...> what, Args&&... args) {
    throw Error(
        fmt::format("{}: byte {}: {}", file, at, fmt::format(what, std::forward<Args>(args)...)));
  };
  if (bytes.size() < kHeader) fail(bytes.size(), "the file ends in its header");
  if (uint32_t version = word_at(bytes, kVersion); version != 2)
    fail(kVersion, "expected version 2 of GLB, found {}", version);
  if (uint32_t length = word_at(bytes, kLength); length > bytes.size())
    fail(kLength, "the header gives a length of {} bytes, but the file is cut off after {}", length,
         bytes.size());
  bytes = bytes.substr(0, word_at(bytes, kLength));

  std::optional<std::string_view> json, binary;
  for (size_t at = kHeader; at < bytes.size();) {
    const size_t left = bytes.size() - at;
    if (left < kChunkHeader) fail(at, "the file ends in the header of a chunk");
    const uint32_t size = word_at(bytes, at), type = word_at(bytes, at + kChunkType);
    if (size > left - kChunkHeader)
      fail(at, "the chunk has {} bytes, but the file ends after {} more", size,
           left - kChunkHeader);
    const std::string_view chunk = bytes.substr(at + kChunkHeader, size);
    if (type == kJson && !json) json = chunk;
    if (type == kBinary && !binary) binary = chunk;
    at += kChunkHeader + size;
  }
  if (!json) fail(kHeader, "the file has no JSON chunk");
  return {*json, binary};
}

/// Decodes the escapes of a URI: %20 is a blank.
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

std::string decode_data(const JsonReader& uri) {
  const std::string text = uri.text();
  const size_t comma = std::min(text.find(','), text.size());
  const std::string_view head = std::string_view(text).substr(0, comma);
  std::optional<std::string> bytes;
  if (comma < text.size()) {
    const std::string_view data = std::string_view(text).substr(comma + 1);
    bytes = head.ends_with(";base64") ? decode_base64(data) : decode_uri(data);
  }
  if (!bytes) uri.fail("expected data in base 64, found something else");
  return std::move(*bytes);
}

/// Returns the compression of a buffer or view under either of its names; nothing if it has none.
std::optional<JsonReader> find_meshopt(const JsonReader& object) {
  const auto ratified = find_extension(object, kGltfMeshoptKhr);
  return ratified ? ratified : find_extension(object, kGltfMeshopt);
}

/// True for a buffer whose bytes are not needed, since its views are compressed: one that says so,
/// or one without a URI.
/// @param index  of the buffer
bool is_fallback(const JsonReader& root, const JsonReader& buffer, size_t index) {
  if (const auto fallback = find_member(find_meshopt(buffer), "fallback"))
    return fallback->boolean();
  if (buffer.has("uri")) return false;
  bool is_used = false;
  for (const JsonReader& view : items_of(root.find("bufferViews"))) {
    if (number_of(view, "buffer", -1.0) != double(index)) continue;
    if (!find_meshopt(view)) return false;
    is_used = true;
  }
  return is_used;
}

/// Splits an error "file: /json/pointer: what" into pointer and text.
std::pair<std::string, std::string> split_error(const std::string& name, std::string_view error) {
  if (error.starts_with(name + ": ")) error.remove_prefix(name.size() + 2);
  const size_t colon = error.find(": ");
  if (!error.starts_with('/') || colon == std::string_view::npos) return {"/", std::string(error)};
  return {std::string(error.substr(0, colon)), std::string(error.substr(colon + 2))};
}

/// Largest number of kinds of warnings: a file may have thousands of broken parts.
constexpr size_t kMaxKinds = 50;

}  // namespace

uint32_t check_gltf_index(const JsonReader& reference, size_t count) {
  const uint32_t index = reference.integer(0, kMaxInteger);
  if (count == 0) reference.fail("found {}, but the file has none of these", index);
  if (index >= count) reference.fail("expected an index below {}, found {}", count, index);
  return index;
}

size_t gltf_bytes(const JsonReader& object, std::string_view key) {
  const std::optional<JsonReader> member = object.find(key);
  return member ? member->integer(0, kMaxInteger) : 0;
}

GltfDocument::GltfDocument(std::string_view bytes, const std::filesystem::path& file)
    : name_(file.string()), folder_(file.parent_path()) {
  GlbParts parts{bytes, std::nullopt};
  if (bytes.starts_with("glTF")) parts = split_glb(bytes, name_);
  json_ = parse_json(parts.json, name_);
  check_asset();
  read_buffers(parts.binary);
}

void GltfDocument::check_asset() {
  const JsonReader version = root().at("asset").at("version");
  if (!version.text().starts_with("2."))
    version.fail("expected version 2 of glTF, found {}", in_quotes(version.text()));
  const auto least = root().at("asset").find("minVersion");
  if (least && least->is_text() && least->text() != "2.0")
    warn(least->pointer(),
         fmt::format("the file needs version {} of glTF and is read as one of 2.0",
                     one_line(least->text())));
}

void GltfDocument::read_buffers(std::optional<std::string_view> binary) {
  for (size_t i = 0; i < count("buffers"); ++i) {
    const JsonReader buffer = item("buffers", uint32_t(i));
    const size_t length = buffer.at("byteLength").integer(1, kMaxInteger);
    std::string_view bytes;
    const bool is_in_file = i == 0 && binary;
    if (!is_in_file && is_fallback(root(), buffer, i)) {
      buffers_.emplace_back();
      continue;
    }
    if (const auto uri = buffer.find("uri"); !uri) {
      if (!is_in_file) buffer.fail("expected a \"uri\" with the location of the buffer");
      bytes = *binary;
    } else if (is_data_uri(uri->text())) {
      bytes = owned_buffers_.emplace_back(decode_data(*uri));
    } else {
      const std::filesystem::path file = folder_ / decode_uri(uri->text());
      std::error_code error;
      if (!std::filesystem::is_regular_file(file, error))
        uri->fail("there is no file {}", one_line(file.string(), kMaxPathLength));
      bytes = owned_buffers_.emplace_back(read_file(file));
    }
    if (bytes.size() < length)
      buffer.fail("expected {} bytes, but the buffer is cut off after {}", length, bytes.size());
    buffers_.push_back(bytes.substr(0, length));
  }
}

uint32_t GltfDocument::hash() const {
  MotionHash hash;
  hash.add(json_.dump());
  for (const std::string_view buffer : buffers_) hash.add(buffer);
  return hash.value();
}

bool GltfDocument::is_by_blender() const {
  return text_of(root().at("asset"), "generator", "").find("Blender") != std::string::npos;
}

size_t GltfDocument::count(const char* array) const {
  // Does not use JsonReader, for speed: each index of a file is checked against a count.
  const auto items = json_.find(array);
  if (items == json_.end()) return 0;
  return items->is_array() ? items->size() : root().at(array).size();  // fails
}

uint32_t GltfDocument::index(const char* array, const JsonReader& reference) const {
  return check_gltf_index(reference, count(array));
}

JsonReader GltfDocument::item(const char* array, uint32_t index) const {
  const JsonReader item = root().at(array)[index];
  if (!item.is_object()) item.fail("expected an object");
  return item;
}

std::string_view GltfDocument::view(const JsonReader& reference) const {
  const JsonReader view = item("bufferViews", reference);
  const auto compressed = find_meshopt(view);
  if (!compressed) return bytes_of(view);
  const uint32_t index = this->index("bufferViews", reference);
  const auto known = decompressed_.find(index);
  if (known != decompressed_.end()) return known->second;
  return decompressed_[index] = decode_gltf_meshopt(*compressed, bytes_of(*compressed));
}

std::string_view GltfDocument::bytes_of(const JsonReader& view) const {
  const uint32_t buffer = check_gltf_index(view.at("buffer"), buffers_.size());
  const size_t size = buffers_[buffer].size(), offset = gltf_bytes(view, "byteOffset");
  const size_t length = view.at("byteLength").integer(0, kMaxInteger);
  if (offset > size || length > size - offset)
    view.fail("the view covers {} bytes from byte {}, but buffer {} has {}", length, offset, buffer,
              size);
  return buffers_[buffer].substr(offset, length);
}

void GltfDocument::add_zeros(const JsonReader& accessor, uint64_t numbers) const {
  uint64_t bytes = 0;
  for (const std::string_view buffer : buffers_) bytes += buffer.size();
  if (numbers > kMaxFreeGltfZeros + kMaxGltfZerosPerByte * bytes - zeros_)
    accessor.fail(
        "found {} numbers without a bufferView; together with others, they are too many for "
        "buffers of {} bytes",
        numbers, bytes);
  zeros_ += numbers;
}

void GltfDocument::warn(const std::runtime_error& error, const char* consequence) {
  const auto [pointer, what] = split_error(name_, error.what());
  if (warnings_.lines().size() >= kMaxKinds) return warn(pointer, "more parts are broken");
  warn(pointer, fmt::format("{}; {}", what, consequence));
}

void GltfDocument::leave_out(const std::runtime_error& error, const char* consequence) {
  warn(error, consequence);
  const auto place_and_reason = split_error(name_, error.what());
  if (left_out_.lines().size() < kMaxKinds)
    left_out_.add(place_and_reason.second, [&] { return place_and_reason.first; });
}

GltfImage GltfDocument::image(const JsonReader& reference) const {
  const JsonReader image = item("images", reference);
  if (const auto view_reference = image.find("bufferView"))
    return {{}, std::string(view(*view_reference))};
  const JsonReader uri = image.at("uri");
  if (is_data_uri(uri.text())) return {{}, decode_data(uri)};
  return {folder_ / decode_uri(uri.text()), std::nullopt};
}

}  // namespace winnow
