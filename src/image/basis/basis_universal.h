// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/ext/vector_uint3_sized.hpp>
#include <glm/ext/vector_uint4_sized.hpp>
#include <string_view>
#include <vector>

#include "image/basis/bit_reader.h"

namespace winnow {

// The codecs of Basis Universal textures that KTX files of glTF have: ETC1S, compressed by BasisLZ,
// and UASTC. The distributions have no package of a transcoder.

/// A canonical Huffman code, as in Deflate.
class HuffmanCode {
 public:
  HuffmanCode() = default;
  /// @param lengths  [symbol], bits; 0 for unused symbols. Throws Error if they are no code.
  explicit HuffmanCode(const std::vector<uint8_t>& lengths);

  /// Returns the next symbol. Throws Error if the bits are no code of a symbol.
  uint32_t decode(BitReader& bits) const;

 private:
  static constexpr size_t kMaxLength = 16;
  std::array<uint32_t, kMaxLength + 1> counts_{};  ///< [length], symbols
  std::vector<uint32_t> symbols_;                  ///< in the order of their codes
};

/// Decoder of ETC1S with the global data of a KTX file: codebooks and Huffman codes that all images
/// share.
/// Khronos, "KTX File Format Specification", version 2, appendices B and C.
class Etc1sDecoder {
 public:
  /// Throws Error if the bytes are broken.
  Etc1sDecoder(std::string_view endpoints, uint32_t endpoint_count, std::string_view selectors,
               uint32_t selector_count, std::string_view tables);

  /// Decodes an image.
  /// @return  [height][width]. Throws Error if the bytes are broken.
  std::vector<glm::u8vec3> decode(std::string_view slice, uint32_t width, uint32_t height) const;

 private:
  struct Endpoint {
    glm::u8vec3 color;  ///< 5 bits per channel
    uint8_t intensity;  ///< 3 bits
  };
  struct Block {
    uint32_t endpoint = 0, selector = 0;  ///< indices in the codebooks
  };
  using Selector = std::array<uint8_t, 4>;  ///< [row], two bits for each of four texels

  void read_endpoints(BitReader bits, uint32_t count);
  void read_selectors(BitReader bits, uint32_t count);
  std::vector<Block> read_blocks(BitReader bits, uint32_t columns, uint32_t rows) const;
  glm::u8vec3 texel(const Block& block, uint32_t x, uint32_t y) const;

  std::vector<Endpoint> endpoints_;
  std::vector<Selector> selectors_;
  HuffmanCode predictions_, endpoint_deltas_, selector_symbols_, run_lengths_;
  uint32_t history_size_ = 0;
};

/// Decodes a block of 4x4 texels of UASTC LDR 4x4.
/// @param bytes  16 bytes
/// @return       [y][x]. Throws Error if the bytes are broken.
/// Geldreich, "UASTC LDR 4x4 Texture Specification"; Khronos, "Data Format Specification" 1.3,
/// chapter "ASTC", of which UASTC is a subset.
std::array<glm::u8vec4, 16> decode_uastc_block(std::string_view bytes);

}  // namespace winnow
