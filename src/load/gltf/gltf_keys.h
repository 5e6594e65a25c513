// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/known_keys.h"
#include "load/gltf/document.h"

namespace winnow {

/// Returns a row for each key of the objects of glTF 2.0 and for each extension of its registry, as
/// well as common ones beside it. The owner of a key is the path of its object without indices,
/// such as "root", "nodes" or "meshes.primitives"; "textureInfo" for all that refers to a texture;
/// "materials.extensions" for the extensions of a material; and the name of an extension for its
/// object. A number at the end of the name of an attribute is an n.
/// Khronos Group, "glTF 2.0 Specification", 2021, and "glTF 2.0 Extension Registry", 2026.
const KeyTable& gltf_keys();

/// Returns the row of a key; null if there is none.
const KnownKey* find_gltf_key(std::string_view owner, std::string_view name);

/// Returns the owner of the keys of an object that is the value of `key`, or an item of it.
std::string gltf_owner(std::string_view owner, std::string_view key);

/// Warns of keys and extensions in a file that can change a picture and are not read, each once.
void account_for_gltf_keys(GltfDocument& document);

}  // namespace winnow
