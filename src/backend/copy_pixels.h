// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/simt/simt.h"

namespace winnow {

/// Copies some pixels of one film array to consecutive items, or back. Threads copy words of 32
/// bits; a pixel of any array consists of a few words.
struct CopyPixels {
  static constexpr unsigned kBlockSize = 256;
  using Shared = simt::NoShared;

  simt::Span<const uint32_t> pixels = {};  ///< positions on the film
  uint32_t words_per_pixel = 1;
  uint32_t* film = nullptr;    ///< [pixel of the film][word]
  uint32_t* packed = nullptr;  ///< [item][word]
  bool to_film = false;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const auto words = uint32_t(pixels.size) * words_per_pixel;
    const uint32_t stride = block.num_groups() * kBlockSize;
    for (uint32_t i = block.group_index() * kBlockSize + block.thread_rank(); i < words;
         i += stride) {
      const uint32_t item = i / words_per_pixel, word = i % words_per_pixel;
      uint32_t& on_film = film[uint64_t(pixels[item]) * words_per_pixel + word];
      if (to_film)
        on_film = packed[i];
      else
        packed[i] = on_film;
    }
  }
};

}  // namespace winnow
