// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "load/json/json_reader.h"
#include "load/text/repeated_warnings.h"

namespace winnow {

/// An image of a glTF file: a file of its own, or bytes inside the glTF file.
struct GltfImage {
  std::filesystem::path file;
  std::optional<std::string> bytes;
};

/// A glTF file and its buffers. What is wrong with it is an Error "file: /json/pointer: ...".
class GltfDocument {
 public:
  /// @param bytes  of a .gltf or .glb file, which must outlive the document
  /// @param file   its name; the files that it refers to are relative to its folder
  GltfDocument(std::string_view bytes, const std::filesystem::path& file);
  GltfDocument(const GltfDocument&) = delete;

  const std::string& name() const { return name_; }
  JsonReader root() const { return JsonReader(json_, name_); }

  /// Number of items of a top-level array: "nodes" and the like.
  size_t count(const char* array) const;

  /// Checks that `reference`, an index of a top-level array, is in range.
  uint32_t index(const char* array, const JsonReader& reference) const;

  /// An item of a top-level array. Throws Error unless it is an object.
  JsonReader item(const char* array, uint32_t index) const;
  JsonReader item(const char* array, const JsonReader& reference) const {
    return item(array, index(array, reference));
  }

  /// The bytes of a buffer view, decompressed.
  std::string_view view(const JsonReader& reference) const;

  /// Counts numbers of an accessor that no bytes stand for. Throws Error at the accessor if there
  /// are too many for the size of the buffers.
  void add_zeros(const JsonReader& accessor, uint64_t numbers) const;

  GltfImage image(const JsonReader& reference) const;

  /// Adds a warning. Each text is reported once, with its first pointer and how often it occurs.
  void warn(const std::string& pointer, const std::string& what) {
    warnings_.add(what, [&] { return name_ + ": " + pointer; });
  }
  /// The same for a part that is broken, as an error with its pointer says.
  /// @param consequence  "it is left out", and the like
  void warn(const std::runtime_error& error, const char* consequence);
  std::vector<std::string> warnings() const { return warnings_.lines(); }

  /// Warns of geometry that is left out.
  void leave_out(const std::string& pointer, const std::string& what) {
    warn(pointer, what);
    left_out_.add(what, [&] { return pointer; });
  }
  void leave_out(const std::runtime_error& error, const char* consequence);

  /// "/json/pointer: what is left out, and why": each text once.
  std::vector<std::string> left_out() const { return left_out_.lines(); }

 private:
  void check_asset();
  void read_buffers(std::optional<std::string_view> binary);

  /// The bytes that a buffer view, or an extension that replaces it, covers.
  std::string_view bytes_of(const JsonReader& view) const;

  std::string name_;
  std::filesystem::path folder_;
  nlohmann::json json_;
  std::deque<std::string> owned_buffers_;  ///< those that are not in the file itself
  std::vector<std::string_view> buffers_;
  mutable uint64_t zeros_ = 0;                            ///< numbers, see add_zeros()
  mutable std::map<uint32_t, std::string> decompressed_;  ///< by buffer view, at its first use
  RepeatedWarnings warnings_, left_out_;
};

/// An index of `count` items. Throws Error at `reference` unless it is below `count`.
uint32_t check_gltf_index(const JsonReader& reference, size_t count);

/// A member that counts bytes, 0 where it is missing.
size_t gltf_bytes(const JsonReader& object, std::string_view key);

}  // namespace winnow
