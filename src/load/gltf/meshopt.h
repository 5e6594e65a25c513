// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace winnow {

// Parts of KHR_meshopt_compression that the packaged versions of meshoptimizer (0.18 to 0.20) lack.
// Kapoulkine et al., "KHR_meshopt_compression", appendices A and B.

/// Decodes vertices of version 1 of the codec.
/// @param compressed  all bytes, of which the first is 0xa1
/// @param stride      bytes per vertex, a multiple of 4 from 4 to 256
/// @param vertices    gets the vertices; its size is a multiple of `stride`
/// @return            false if the bytes are broken; then `vertices` has undefined values
bool decode_meshopt_vertices(std::string_view compressed, size_t stride,
                             std::span<uint8_t> vertices);

/// Applies the filter COLOR: replaces luma, chroma and alpha of each item by red, green, blue and
/// alpha.
/// @param stride  bytes per item: 4 for components of 8 bits, 8 for components of 16 bits
void decode_meshopt_colors(size_t stride, std::span<uint8_t> items);

}  // namespace winnow
