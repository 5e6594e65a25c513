// SPDX-License-Identifier: MIT
#include "load/gltf/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/limits.h"
#include "base/one_line.h"
#include "load/gltf/bytes.h"
#include "load/gltf/compression.h"
#include "load/gltf/values.h"
#include "load/json/json_reader.h"

namespace winnow {
namespace {

constexpr uint32_t kMaxInteger = std::numeric_limits<uint32_t>::max();

/// Extensions other than KHR_materials_... that are read in whole or in part.
constexpr std::string_view kRead[] = {"KHR_texture_transform",
                                      "KHR_lights_punctual",
                                      "KHR_mesh_quantization",
                                      "EXT_texture_webp",
                                      "EXT_mesh_gpu_instancing",
                                      kGltfDraco,
                                      kGltfMeshopt,
                                      kGltfMeshoptKhr};

template <size_t N>
bool is_one_of(std::string_view name, const std::string_view (&names)[N]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string decode_data(const JsonReader& uri) {
  std::optional<std::string> bytes = decode_data_uri(uri.text());
  if (!bytes) uri.fail("expected data in base 64, found something else");
  return std::move(*bytes);
}

/// Returns the compression of a buffer or a view, under either of its names; nothing if there is
/// none.
std::optional<JsonReader> find_meshopt(const JsonReader& object) {
  const auto ratified = find_extension(object, kGltfMeshoptKhr);
  return ratified ? ratified : find_extension(object, kGltfMeshopt);
}

/// True for a buffer without bytes, whose views are all compressed.
bool is_fallback(const JsonReader& buffer) {
  const auto extension = find_meshopt(buffer);
  const auto fallback = extension ? find_member(*extension, "fallback") : std::nullopt;
  return fallback && fallback->boolean();
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
  if (count == 0) reference.fail(fmt::format("found {}, but the file has none of these", index));
  if (index >= count)
    reference.fail(fmt::format("expected an index below {}, found {}", count, index));
  return index;
}

size_t gltf_bytes(const JsonReader& object, std::string_view key) {
  const std::optional<JsonReader> member = object.find(key);
  return member ? member->integer(0, kMaxInteger) : 0;
}

GltfDocument::GltfDocument(std::string_view bytes, const std::filesystem::path& file)
    : name_(file.string()), folder_(file.parent_path()) {
  GlbParts parts{bytes, std::nullopt};
  if (is_glb(bytes)) parts = split_glb(bytes, name_);
  json_ = parse_json(parts.json, name_);
  check_asset();
  read_buffers(parts.binary);
}

void GltfDocument::check_asset() {
  const JsonReader version = root().at("asset").at("version");
  if (!version.text().starts_with("2."))
    version.fail(fmt::format("expected version 2 of glTF, found {}", in_quotes(version.text())));
  const auto required = root().find("extensionsRequired");
  for (size_t i = 0; required && i < required->size(); ++i) {
    const JsonReader extension = (*required)[i];
    const std::string name = extension.text();
    if (!is_one_of(name, kRead) && !name.starts_with("KHR_materials_"))
      warn(extension.pointer(),
           fmt::format("the file requires {}, which is ignored", in_quotes(name)));
  }
}

void GltfDocument::read_buffers(std::optional<std::string_view> binary) {
  for (size_t i = 0; i < count("buffers"); ++i) {
    const JsonReader buffer = item("buffers", uint32_t(i));
    const size_t length = buffer.at("byteLength").integer(1, kMaxInteger);
    std::string_view bytes;
    if (is_fallback(buffer)) {
      buffers_.emplace_back();
      continue;
    }
    if (const auto uri = buffer.find("uri"); !uri) {
      if (i > 0 || !binary) buffer.fail("expected a \"uri\" with the location of the buffer");
      bytes = *binary;
    } else if (is_data_uri(uri->text())) {
      bytes = owned_buffers_.emplace_back(decode_data(*uri));
    } else {
      const std::filesystem::path file = folder_ / decode_uri(uri->text());
      std::error_code error;
      if (!std::filesystem::is_regular_file(file, error))
        uri->fail(fmt::format("there is no file {}", one_line(file.string(), kMaxPathLength)));
      bytes = owned_buffers_.emplace_back(read_file(file));
    }
    if (bytes.size() < length)
      buffer.fail(fmt::format("expected {} bytes, but the buffer is cut off after {}", length,
                              bytes.size()));
    buffers_.push_back(bytes.substr(0, length));
  }
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
    view.fail(fmt::format("the view covers {} bytes from byte {}, but buffer {} has {}", length,
                          offset, buffer, size));
  return buffers_[buffer].substr(offset, length);
}

void GltfDocument::add_zeros(const JsonReader& accessor, uint64_t numbers) const {
  uint64_t bytes = 0;
  for (const std::string_view buffer : buffers_) bytes += buffer.size();
  if (numbers > kMaxFreeGltfZeros + kMaxGltfZerosPerByte * bytes - zeros_)
    accessor.fail(
        fmt::format("found {} numbers without a bufferView; together with others, they are too "
                    "many for buffers of {} bytes",
                    numbers, bytes));
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
