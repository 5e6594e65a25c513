#include "load/gltf/document.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/one_line.h"
#include "load/gltf/bytes.h"
#include "load/json/json_document.h"
#include "load/json/json_reader.h"

namespace winnow {
namespace {

using nlohmann::json;

/// Extensions without which meshes cannot be read.
constexpr std::string_view kUnreadable[] = {"KHR_draco_mesh_compression",
                                            "EXT_meshopt_compression"};

/// Those that are read, whole or in part, beside KHR_materials_...
constexpr std::string_view kRead[] = {"KHR_texture_transform", "KHR_lights_punctual",
                                      "KHR_mesh_quantization"};

template <size_t N>
bool is_one_of(std::string_view name, const std::string_view (&names)[N]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

size_t array_size(const json& object, const char* key) {
  const auto member = object.find(key);
  return member != object.end() && member->is_array() ? member->size() : 0;
}

/// A member of a member, null where there is none.
const json& member(const json& object, const char* key) {
  static const json kNone;
  const auto found = object.find(key);
  return found != object.end() ? *found : kNone;
}

}  // namespace

GltfDocument::GltfDocument(std::string_view bytes, const std::filesystem::path& file)
    : name_(file.string()), folder_(file.parent_path()) {
  GlbParts parts{bytes, std::nullopt};
  if (is_glb(bytes)) parts = split_glb(bytes, name_);
  json_ = parse_json(parts.json, name_);
  check_asset();
  if (array_size(json_, "animations") > 0)
    warn("/animations", "animations are left out: everything is as it is at rest");
  read_buffers(parts.binary);
  fill_model();
}

void GltfDocument::check_asset() {
  const JsonReader root(json_, name_);
  const JsonReader version = root.at("asset").at("version");
  if (!version.text().starts_with("2."))
    version.fail(fmt::format("expected version 2 of glTF, found {}", in_quotes(version.text())));
  const auto required = root.find("extensionsRequired");
  for (size_t i = 0; required && i < required->size(); ++i) {
    const JsonReader extension = (*required)[i];
    const std::string name = extension.text();
    if (is_one_of(name, kUnreadable))
      extension.fail(
          fmt::format("Winnow cannot read {}; expected meshes that are not compressed", name));
    if (!is_one_of(name, kRead) && !name.starts_with("KHR_materials_"))
      warn(extension.pointer(),
           fmt::format("the file needs {}, which is read past", in_quotes(name)));
  }
}

void GltfDocument::read_buffers(std::optional<std::string_view> binary) {
  const auto buffers = JsonReader(json_, name_).find("buffers");
  for (size_t i = 0; buffers && i < buffers->size(); ++i) {
    const JsonReader buffer = (*buffers)[i];
    const size_t length = buffer.at("byteLength").integer(1, std::numeric_limits<uint32_t>::max());
    std::string bytes;
    if (const auto uri = buffer.find("uri"); !uri) {
      if (i > 0 || !binary) buffer.fail("expected a \"uri\", which says where the buffer is");
      bytes = std::string(*binary);
    } else if (is_data_uri(uri->text())) {
      std::optional<std::string> data = decode_data_uri(uri->text());
      if (!data) uri->fail("expected data in base 64, found something else");
      bytes = std::move(*data);
    } else {
      const std::filesystem::path file = folder_ / decode_uri(uri->text());
      std::error_code error;
      if (!std::filesystem::is_regular_file(file, error))
        uri->fail(fmt::format("there is no file {}", one_line(file.string(), kMaxPathLength)));
      bytes = read_file(file);
    }
    if (bytes.size() < length)
      buffer.fail(fmt::format("the buffer should have {} bytes, but is cut off after {}", length,
                              bytes.size()));
    bytes.resize(length);
    buffers_.push_back(std::move(bytes));
  }
}

void GltfDocument::fill_model() {
  json shown = json::object();
  for (const char* key : {"asset", "bufferViews", "accessors", "meshes", "nodes", "scene", "scenes",
                          "skins", "materials", "textures", "samplers", "cameras", "extensions"})
    if (json_.contains(key)) shown[key] = json_[key];
  const std::string text = shown.dump(-1, ' ', false, json::error_handler_t::replace);
  if (const std::string error = parse_gltf_model(text, model_); !error.empty())
    fail(error.starts_with("primitive") || error.starts_with("accessor[") ? "/meshes"
                                                                          : first_unread_place(),
         one_line(error, 120));

  // tinygltf leaves out a primitive that it cannot read.
  for (size_t i = 0; i < model_.meshes.size(); ++i)
    if (model_.meshes[i].primitives.size() != array_size(json_["meshes"][i], "primitives"))
      fail(fmt::format("/meshes/{}/primitives", i), "a primitive has no \"attributes\"");
  for (size_t i = 0; i < model_.bufferViews.size(); ++i) {
    const tinygltf::BufferView& view = model_.bufferViews[i];
    const std::string place = fmt::format("/bufferViews/{}", i);
    const size_t size = item(buffers_, view.buffer, place + "/buffer").size();
    if (view.byteOffset > size || view.byteLength > size - view.byteOffset)
      fail(place, fmt::format("the view reaches from byte {} over {} bytes, but buffer {} has {}",
                              view.byteOffset, view.byteLength, view.buffer, size));
  }
}

/// Where tinygltf stopped: it reads these in this order.
std::string GltfDocument::first_unread_place() const {
  const std::pair<const char*, size_t> kRead[] = {
      {"bufferViews", model_.bufferViews.size()}, {"accessors", model_.accessors.size()},
      {"meshes", model_.meshes.size()},           {"nodes", model_.nodes.size()},
      {"scenes", model_.scenes.size()},           {"materials", model_.materials.size()},
      {"textures", model_.textures.size()},       {"skins", model_.skins.size()},
      {"samplers", model_.samplers.size()},       {"cameras", model_.cameras.size()},
  };
  for (const auto& [key, count] : kRead)
    if (count < array_size(json_, key)) return fmt::format("/{}/{}", key, count);
  return "/extensions/KHR_lights_punctual/lights";
}

std::string_view GltfDocument::view(int number, const std::string& place) const {
  const tinygltf::BufferView& view = item(model_.bufferViews, number, place);
  return std::string_view(buffers_[size_t(view.buffer)]).substr(view.byteOffset, view.byteLength);
}

GltfImage GltfDocument::image(int number, const std::string& place) const {
  const json& images = member(json_, "images");
  if (number < 0 || size_t(number) >= images.size() || !images.is_array())
    fail(place,
         fmt::format("expected one of the file's {} images, found {}", images.size(), number));
  const JsonReader image(images[size_t(number)], name_, fmt::format("/images/{}", number));
  if (const auto view_number = image.find("bufferView"))
    return {{},
            std::string(view(int(view_number->integer(0, std::numeric_limits<int32_t>::max())),
                             view_number->pointer()))};
  const JsonReader uri = image.at("uri");
  if (!is_data_uri(uri.text())) return {folder_ / decode_uri(uri.text()), std::nullopt};
  std::optional<std::string> bytes = decode_data_uri(uri.text());
  if (!bytes) uri.fail("expected data in base 64, found something else");
  return {{}, std::move(bytes)};
}

void GltfDocument::fail(const std::string& place, const std::string& what) const {
  throw Error(fmt::format("{}: {}: {}", name_, place, what));
}

void GltfDocument::warn(const std::string& place, const std::string& what) {
  const auto known = std::find_if(warnings_.begin(), warnings_.end(),
                                  [&](const Warning& warning) { return warning.what == what; });
  if (known != warnings_.end())
    ++known->count;
  else
    warnings_.push_back({what, place, 1});
}

std::vector<std::string> GltfDocument::warnings() const {
  std::vector<std::string> lines;
  for (const Warning& warning : warnings_)
    lines.push_back(
        fmt::format("{}: {}: {}{}", name_, warning.where, warning.what,
                    warning.count > 1 ? fmt::format(" ({} times)", warning.count) : std::string()));
  return lines;
}

}  // namespace winnow
