#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "load/gltf/document.h"

namespace winnow {

/// The numbers of an accessor, item after item, sparse ones filled in. Integers that are normalised
/// come as fractions, others as they are.
///
/// @param type   TINYGLTF_TYPE_VEC3 and the like
/// @param place  of the number, for messages
std::vector<float> read_gltf_floats(const GltfDocument& document, int number, int type,
                                    const std::string& place);

/// The same for whole numbers without a sign.
std::vector<uint32_t> read_gltf_indices(const GltfDocument& document, int number,
                                        const std::string& place);

}  // namespace winnow
