// SPDX-License-Identifier: MIT
#include "load/gltf/glb_document.h"

#include <fmt/format.h>

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

uint32_t GlbDocument::add_accessor(std::string_view bytes, size_t count, size_t components) {
  const bool are_indices = components == 1;
  const uint32_t view = add_view(bytes);
  return add("accessors", {{"bufferView", view},
                           {"componentType", are_indices ? kGlUnsignedInt : kGlFloat},
                           {"count", count},
                           {"type", are_indices ? "SCALAR" : fmt::format("VEC{}", components)}});
}

uint32_t GlbDocument::add_positions(const std::vector<glm::vec3>& positions) {
  const uint32_t accessor = add_items(positions);
  glm::vec3 min(std::numeric_limits<float>::max()), max(std::numeric_limits<float>::lowest());
  for (glm::vec3 position : positions) min = glm::min(min, position), max = glm::max(max, position);
  root["accessors"][accessor]["min"] = {min.x, min.y, min.z};
  root["accessors"][accessor]["max"] = {max.x, max.y, max.z};
  return accessor;
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
