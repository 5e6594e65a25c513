// SPDX-License-Identifier: MIT
#include "load/gltf/glb_document.h"

#include <fmt/format.h>

#include <array>
#include <glm/common.hpp>
#include <limits>
#include <ostream>

#include "base/error.h"
#include "base/files.h"

namespace winnow {
namespace {

// OpenGL enumerators.
constexpr int kGlUnsignedInt = 5125, kGlFloat = 5126;

constexpr size_t kGlbAlignment = 4;  // alignment of all parts of the file

template <class Item>
std::string_view view_of(std::span<const Item> items) {
  return {reinterpret_cast<const char*>(items.data()), items.size_bytes()};
}

void pad(std::string& text, char with) {
  text.resize((text.size() + kGlbAlignment - 1) / kGlbAlignment * kGlbAlignment, with);
}

void write_word(std::ostream& stream, uint32_t word) {
  stream.write(reinterpret_cast<const char*>(&word), sizeof word);
}

void write_chunk(std::ostream& stream, const char (&type)[5], const std::string& content) {
  write_word(stream, uint32_t(content.size()));
  stream.write(type, 4);
  stream.write(content.data(), std::streamsize(content.size()));
}

}  // namespace

GlbDocument::GlbDocument() {
  root["asset"] = {{"version", "2.0"}, {"generator", "winnow convert"}};
}

uint32_t GlbDocument::add(const char* array, Json item) {
  Json& items = root[array];
  items.push_back(std::move(item));
  return uint32_t(items.size() - 1);
}

uint32_t GlbDocument::add_view(std::string_view bytes) {
  pad(bytes_, '\0');
  const size_t offset = bytes_.size();
  bytes_ += bytes;
  return add("bufferViews", {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", bytes.size()}});
}

uint32_t GlbDocument::add_accessor(std::string_view bytes, size_t count, int component,
                                   const char* type) {
  const uint32_t view = add_view(bytes);
  return add(
      "accessors",
      {{"bufferView", view}, {"componentType", component}, {"count", count}, {"type", type}});
}

uint32_t GlbDocument::add_indices(std::span<const uint32_t> indices) {
  return add_accessor(view_of(indices), indices.size(), kGlUnsignedInt, "SCALAR");
}

uint32_t GlbDocument::add_vectors(std::span<const glm::vec3> vectors, bool has_bounds) {
  const uint32_t accessor = add_accessor(view_of(vectors), vectors.size(), kGlFloat, "VEC3");
  if (!has_bounds) return accessor;
  glm::vec3 min(std::numeric_limits<float>::max()), max(std::numeric_limits<float>::lowest());
  for (glm::vec3 vector : vectors) min = glm::min(min, vector), max = glm::max(max, vector);
  root["accessors"][accessor]["min"] = {min.x, min.y, min.z};
  root["accessors"][accessor]["max"] = {max.x, max.y, max.z};
  return accessor;
}

uint32_t GlbDocument::add_uvs(std::span<const glm::vec2> uvs) {
  return add_accessor(view_of(uvs), uvs.size(), kGlFloat, "VEC2");
}

uint32_t GlbDocument::add_colors(std::span<const glm::vec4> colors) {
  return add_accessor(view_of(colors), colors.size(), kGlFloat, "VEC4");
}

void GlbDocument::write(const std::filesystem::path& file) {
  for (const std::string& extension : extensions_) root["extensionsUsed"].push_back(extension);
  pad(bytes_, '\0');
  root["buffers"] = Json::array({Json{{"byteLength", bytes_.size()}}});
  std::string json = root.dump(-1, ' ', false, Json::error_handler_t::replace);
  pad(json, ' ');
  constexpr size_t kHeader = 12, kChunkHeader = 8;  // bytes
  const size_t length = kHeader + 2 * kChunkHeader + json.size() + bytes_.size();
  if (length > std::numeric_limits<uint32_t>::max())
    throw Error(fmt::format("{}: the scene has {} bytes; a .glb file holds at most 4 GiB",
                            file.string(), length));
  replace_file(file, [&](std::ostream& stream) {
    constexpr uint32_t kVersion = 2;
    stream.write("glTF", 4);
    write_word(stream, kVersion);
    write_word(stream, uint32_t(length));
    write_chunk(stream, "JSON", json);
    write_chunk(stream, {'B', 'I', 'N', '\0', '\0'}, bytes_);
  });
}

}  // namespace winnow
