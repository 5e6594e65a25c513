// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/scene_files.h"

namespace winnow {

// "componentType" of accessors, by the enumerators of OpenGL.
inline constexpr int kByte = 5120, kUnsignedByte = 5121, kShort = 5122, kUnsignedShort = 5123,
                     kUnsignedInt = 5125, kFloat = 5126;

// "mode" of primitives.
inline constexpr int kPoints = 0, kTriangles = 4, kTriangleStrip = 5, kTriangleFan = 6;

inline std::string to_base64(std::string_view bytes) {
  const char* const kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? uint8_t(bytes[i + k]) : 0u);
    for (size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * k) & 63];
  }
  return text;
}

/// A glTF document in the making, with one buffer.
struct GltfFile {
  nlohmann::json json = {{"asset", {{"version", "2.0"}}}};
  std::string buffer;

  /// Adds bytes, and returns the index of their view.
  int add_view(std::string_view bytes) {
    json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", buffer.size()}, {"byteLength", bytes.size()}});
    buffer += bytes;
    while (buffer.size() % 4) buffer += '\0';
    return int(json["bufferViews"].size()) - 1;
  }

  template <class T>
  int add_view(const std::vector<T>& values) {
    return add_view(
        std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
  }

  /// Adds an accessor with a view of its own, and returns its index.
  template <class T>
  int add(const std::vector<T>& values, const std::string& type, int component_type,
          bool normalized = false) {
    const size_t components = type == "SCALAR" ? 1 : size_t(type.back() - '0');
    json["accessors"].push_back({{"bufferView", add_view(values)},
                                 {"componentType", component_type},
                                 {"count", values.size() / components},
                                 {"type", type}});
    if (normalized) json["accessors"].back()["normalized"] = true;
    return int(json["accessors"].size()) - 1;
  }
  int add_floats(const std::vector<float>& values, const std::string& type) {
    return add(values, type, kFloat);
  }

  /// A triangle in the plane z = 0 with the corners (0, 0), (1, 0) and (0, 1), as mesh 0 of node 0.
  static GltfFile triangle() {
    GltfFile file;
    const int positions = file.add_floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
    file.json["meshes"] = {{{"primitives", {{{"attributes", {{"POSITION", positions}}}}}}}};
    file.json["nodes"] = {{{"mesh", 0}}};
    return file;
  }
  /// The triangle with texture coordinates.
  static GltfFile textured_triangle() {
    GltfFile file = triangle();
    file.primitive()["attributes"]["TEXCOORD_0"] = file.add_floats({0, 0, 1, 0, 0, 1}, "VEC2");
    return file;
  }
  nlohmann::json& primitive() { return json["meshes"][0]["primitives"][0]; }

  /// Gives the first primitive an attribute of these values.
  template <class T>
  void add_attribute(const std::string& name, const std::vector<T>& values, const std::string& type,
                     int component_type, bool normalized = false) {
    const int accessor = add(values, type, component_type, normalized);
    primitive()["attributes"][name] = accessor;
  }
  void add_attribute(const std::string& name, const std::vector<float>& values,
                     const std::string& type) {
    add_attribute(name, values, type, kFloat);
  }

  /// All in one text.
  std::string text() const {
    nlohmann::json whole = json;
    if (!buffer.empty())
      whole["buffers"] = {{{"byteLength", buffer.size()},
                           {"uri", "data:application/octet-stream;base64," + to_base64(buffer)}}};
    return whole.dump();
  }

  std::string glb() const {
    nlohmann::json whole = json;
    whole["buffers"] = {{{"byteLength", buffer.size()}}};
    std::string text = whole.dump();
    while (text.size() % 4) text += ' ';
    auto word = [](uint32_t value) {
      char bytes[sizeof value];
      std::memcpy(bytes, &value, sizeof value);
      return std::string(bytes, sizeof value);
    };
    const std::string chunks = word(uint32_t(text.size())) + "JSON" + text +
                               word(uint32_t(buffer.size())) + std::string("BIN\0", 4) + buffer;
    return "glTF" + word(2) + word(uint32_t(12 + chunks.size())) + chunks;
  }
};

/// Loads such files.
class GltfTest : public SceneFiles {
 protected:
  HostScene load_file(const GltfFile& file) const { return load("s.gltf", file.text()); }
  std::string error_of_gltf(const GltfFile& file) const { return error_of("s.gltf", file.text()); }
};

}  // namespace winnow
