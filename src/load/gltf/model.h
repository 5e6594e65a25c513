#pragma once

// tinygltf as Winnow uses it: it turns JSON into structs. Files, images and bytes are read here.
#define TINYGLTF_NO_FS
#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_EXTERNAL_IMAGE
#define TINYGLTF_NO_INCLUDE_JSON
#define TINYGLTF_NO_INCLUDE_STB_IMAGE
#define TINYGLTF_NO_INCLUDE_STB_IMAGE_WRITE
#include <nlohmann/json.hpp>
//
#include <tiny_gltf.h>

#include <string>
#include <string_view>

namespace winnow {

/// Fills `model` from the text of a glTF document without buffers and images.
///
/// Returns what is wrong, in tinygltf's words; empty if nothing is. Then `model` has what stands in
/// front of it.
std::string parse_gltf_model(std::string_view json, tinygltf::Model& model);

}  // namespace winnow
