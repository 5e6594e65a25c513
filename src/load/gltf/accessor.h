// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "load/gltf/document.h"

namespace winnow {

/// The numbers of an accessor, item after item, sparse items included. Normalized integers become
/// fractions, other integers floats of the same value.
///
/// @param reference  the index of the accessor
/// @param type       that it must have: "VEC3" and the like
std::vector<float> read_gltf_floats(const GltfDocument& document, const JsonReader& reference,
                                    std::string_view type);

/// The unsigned integers of an accessor of the type "SCALAR".
std::vector<uint32_t> read_gltf_indices(const GltfDocument& document, const JsonReader& reference);

}  // namespace winnow
