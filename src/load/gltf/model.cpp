#include <fstream>  // tinygltf needs it, though it opens no file here

#define TINYGLTF_IMPLEMENTATION
#include <exception>

#include "load/gltf/model.h"

namespace winnow {
namespace {

/// tinygltf gathers lines; the last one is where it stopped.
std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ' || text.back() == '.'))
    text.remove_suffix(1);
  const size_t end = text.rfind('\n');
  return std::string(end == std::string_view::npos ? text : text.substr(end + 1));
}

}  // namespace

std::string parse_gltf_model(std::string_view json, tinygltf::Model& model) {
  tinygltf::TinyGLTF parser;
  std::string errors, warnings;
  try {
    if (parser.LoadASCIIFromString(&model, &errors, &warnings, json.data(),
                                   static_cast<unsigned int>(json.size()), ""))
      return "";
  } catch (const std::exception& error) {
    return error.what();
  }
  const std::string line = last_line(errors);
  return line.empty() ? "this is not glTF" : line;
}

}  // namespace winnow
