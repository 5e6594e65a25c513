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
#include <utility>
#include <vector>

#include "base/error.h"
#include "load/json/json_reader.h"
#include "load/text/repeated_warnings.h"

namespace winnow {

/// An image of a glTF file: a separate file, or bytes inside of the glTF file.
struct GltfImage {
  std::filesystem::path file;
  std::optional<std::string> bytes;
};

/// A glTF file and its buffers. Errors are "file: /json/pointer: ...".
class GltfDocument {
 public:
  /// @param bytes  bytes of a .gltf or .glb file; must outlive the document
  /// @param file   name of the file; files that it refers to are relative to its folder
  GltfDocument(std::string_view bytes, const std::filesystem::path& file);
  GltfDocument(const GltfDocument&) = delete;

  const std::string& name() const { return name_; }
  JsonReader root() const { return JsonReader(json_, name_); }

  /// Sets a member of an object, or an item of an array, that the file has. Readers of values that
  /// it replaces are invalid then.
  void set(const nlohmann::json::json_pointer& pointer, nlohmann::json value) {
    json_[pointer] = std::move(value);
  }
  /// Returns a hash of all that the file and its buffers say.
  uint32_t hash() const;

  /// Returns whether Blender wrote the file.
  bool is_by_blender() const;

  /// Removes a member of an object that the file has, if it has this member.
  void erase(const nlohmann::json::json_pointer& object, const char* key) {
    json_[object].erase(key);
  }

  /// Returns the number of items of a top-level array, such as "nodes".
  size_t count(const char* array) const;

  /// Returns `reference`, an index of a top-level array. Throws Error if it is out of range.
  uint32_t index(const char* array, const JsonReader& reference) const;

  /// Returns an item of a top-level array. Throws Error unless it is an object.
  JsonReader item(const char* array, uint32_t index) const;
  JsonReader item(const char* array, const JsonReader& reference) const {
    return item(array, index(array, reference));
  }

  /// Returns the decompressed bytes of a buffer view.
  std::string_view view(const JsonReader& reference) const;

  /// Counts numbers of an accessor without bytes. Throws Error at the accessor if there are too
  /// many for the size of the buffers.
  void add_zeros(const JsonReader& accessor, uint64_t numbers) const;

  GltfImage image(const JsonReader& reference) const;

  /// Adds a warning. Each text is reported once, with its first pointer and number of occurrences.
  void warn(const std::string& pointer, const std::string& what) {
    warnings_.add(what, [&] { return name_ + ": " + pointer; });
  }
  /// Adds a warning about a broken part, from an Error with its pointer.
  /// @param consequence  for example "it is left out"
  void warn(const std::runtime_error& error, const char* consequence);
  /// Calls use(). Returns false after an Error, which becomes a warning about a broken part.
  template <class Use>
  bool attempt(const char* consequence, Use use) {
    try {
      use();
      return true;
    } catch (const Error& error) {
      warn(error, consequence);
      return false;
    }
  }
  std::vector<std::string> warnings() const { return warnings_.lines(); }

  /// Warns about geometry that is left out.
  void leave_out(const std::string& pointer, const std::string& what) {
    warn(pointer, what);
    left_out_.add(what, [&] { return pointer; });
  }
  void leave_out(const std::runtime_error& error, const char* consequence);

  /// Returns "/json/pointer: what is left out, and why", each text once.
  std::vector<std::string> left_out() const { return left_out_.lines(); }

 private:
  void check_asset();
  void read_buffers(std::optional<std::string_view> binary);

  /// Returns the bytes that a buffer view, or an extension that replaces it, covers.
  std::string_view bytes_of(const JsonReader& view) const;

  std::string name_;
  std::filesystem::path folder_;
  nlohmann::json json_;
  std::deque<std::string> owned_buffers_;  ///< buffers outside of the file
  std::vector<std::string_view> buffers_;
  mutable uint64_t zeros_ = 0;                            ///< numbers, see add_zeros()
  mutable std::map<uint32_t, std::string> decompressed_;  ///< by buffer view
  RepeatedWarnings warnings_, left_out_;
};

/// Returns `reference`, an index. Throws Error at it unless it is below `count`.
uint32_t check_gltf_index(const JsonReader& reference, size_t count);

/// Returns a member that counts bytes; 0 if it is missing.
size_t gltf_bytes(const JsonReader& object, std::string_view key);

}  // namespace winnow
