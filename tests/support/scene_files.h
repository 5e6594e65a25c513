// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <glm/geometric.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "image/image_formats.h"
#include "load/load_scene.h"
#include "tests/support/folder_test.h"

namespace winnow {

/// Writes scene files to a folder of the test, and loads them.
class SceneFiles : public FolderTest {
 protected:
  std::filesystem::path write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  /// Writes a PNG of one texel.
  void write_texel(const std::string& name, std::vector<uint8_t> rgba) const {
    std::ofstream stream(folder_ / name, std::ios::binary);
    write_rgba_png(stream, {1, 1, std::move(rgba)});
  }

  /// Writes `text` to a file of this name and loads it.
  HostScene load(const std::string& name, std::string_view text) const {
    return load_scene(write(name, text));
  }

  /// Error message of loading `text` as a file of this name, with paths relative to the folder;
  /// empty if it loads.
  std::string error_of(const std::string& name, std::string_view text) const {
    return error_of_file(write(name, text));
  }
  std::string error_of_file(const std::filesystem::path& file) const {
    try {
      load_scene(file);
    } catch (const Error& error) {
      std::string message = error.what();
      EXPECT_EQ(message.find('\n'), std::string::npos) << "more than one line: " << message;
      std::string folder = folder_.string() + "/";
      for (size_t at; (at = message.find(folder)) != std::string::npos;)
        message.erase(at, folder.size());
      return message;
    }
    return "";
  }
};

/// The error message, in one line, of a function that parses the bytes of a file of this name;
/// empty if it reads them.
template <class Parse>
std::string error_of_bytes(Parse parse, const std::string& bytes, const std::string& file) {
  try {
    parse(bytes, file);
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_EQ(message.rfind(file + ":", 0), 0u) << message;
    return message;
  }
  return "";
}

/// Pseudorandom numbers, the same in every run.
class ByteNoise {
 public:
  uint32_t operator()() { return (state_ = state_ * 1664525u + 1013904223u) >> 8; }

 private:
  uint32_t state_ = 1;
};

/// A scene in Winnow JSON under a white sky, with the materials `white` and `wood`.
///
/// @param more  members of the top level, each after a comma
inline std::string scene_of(const std::string& shapes, const std::string& more = "") {
  return R"({"materials": {"white": {"type": "diffuse"}, "wood": {"type": "diffuse"}}, "shapes": [)" +
         shapes + R"(], "sky": {"radiance": 1})" + more + "}";
}

/// An OBJ of one triangle.
inline const std::string kObjTriangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

/// Expects as many warnings as `parts`, each of which is in one of them.
inline void expect_warnings(const HostScene& scene, const std::vector<std::string>& parts) {
  EXPECT_EQ(scene.warnings.size(), parts.size()) << testing::PrintToString(scene.warnings);
  for (const std::string& part : parts) {
    auto has_part = [&](const std::string& warning) { return warning.find(part) != warning.npos; };
    EXPECT_EQ(std::ranges::count_if(scene.warnings, has_part), 1)
        << part << " in " << testing::PrintToString(scene.warnings);
  }
}

/// Area of a triangle times its normal.
inline glm::vec3 area_vector(const Mesh& mesh, glm::uvec3 triangle) {
  const glm::vec3 corner = mesh.positions[triangle.x];
  return 0.5f *
         glm::cross(mesh.positions[triangle.y] - corner, mesh.positions[triangle.z] - corner);
}

}  // namespace winnow
