// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace winnow {

enum class PlyEncoding { kAscii, kLittleEndian, kBigEndian };

enum class PlyType { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kFloat32, kFloat64 };

/// Bytes of one value in a binary file.
size_t ply_type_size(PlyType type);

/// One value of each row of an element, or a list of them.
struct PlyProperty {
  std::string name;
  PlyType type = PlyType::kFloat32;
  bool is_list = false;
  PlyType size_type = PlyType::kUint8;  ///< of the length of a list
};

/// A table: the vertices, the faces, or one that is ignored.
struct PlyElement {
  static constexpr size_t kNone = ~size_t{0};

  std::string name;
  uint64_t count = 0;  ///< rows, according to the header
  std::vector<PlyProperty> properties;

  /// Index of a property in a row, or kNone.
  size_t find(std::string_view property) const;
};

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::kAscii;
  std::vector<PlyElement> elements;
  size_t size = 0;  ///< bytes

  /// The element of this name, or nullptr.
  const PlyElement* find(std::string_view element) const;
};

/// Reads the header of a PLY file.
/// Throws Error "file:line:column: what is wrong, what was expected".
/// Greg Turk, "The PLY Polygon File Format", 1994.
PlyHeader read_ply_header(std::string_view bytes, const std::string& file);

}  // namespace winnow
