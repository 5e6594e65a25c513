#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load/gltf/model.h"

namespace winnow {

/// An image of a glTF file: in a file of its own, or bytes of one.
struct GltfImage {
  std::filesystem::path file;
  std::optional<std::string> bytes;
};

/// A glTF file with its buffers. Places in it are JSON pointers.
class GltfDocument {
 public:
  /// @param bytes  of a .gltf or .glb file
  /// @param file   its name; what it refers to is beside it
  /// Throws Error, in one line, where it is broken.
  GltfDocument(std::string_view bytes, const std::filesystem::path& file);

  const tinygltf::Model& model() const { return model_; }
  const std::string& name() const { return name_; }

  /// `items[number]`, checked.
  template <class T>
  const T& item(const std::vector<T>& items, int number, const std::string& place) const {
    if (number < 0 || size_t(number) >= items.size())
      fail(place, items.empty()
                      ? fmt::format("found {}, but the file has none of these", number)
                      : fmt::format("expected a number below {}, found {}", items.size(), number));
    return items[size_t(number)];
  }

  /// The bytes of a buffer view.
  std::string_view view(int number, const std::string& place) const;

  GltfImage image(int number, const std::string& place) const;

  [[noreturn]] void fail(const std::string& place, const std::string& what) const;

  /// Notes what is read past: each kind once, with the first place and how often.
  void warn(const std::string& place, const std::string& what);
  std::vector<std::string> warnings() const;

 private:
  void check_asset();
  void read_buffers(std::optional<std::string_view> binary);
  void fill_model();
  std::string first_unread_place() const;

  std::string name_;
  std::filesystem::path folder_;
  nlohmann::json json_;
  tinygltf::Model model_;
  std::vector<std::string> buffers_;

  struct Warning {
    std::string what, where;
    size_t count;
  };
  std::vector<Warning> warnings_;
};

}  // namespace winnow
