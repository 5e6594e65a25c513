// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "backend/cuda/cuda_memory.h"
#include "compaction/simt/simt.h"
#include "film/film_tiles.h"

namespace winnow {

/// Staging memory on one GPU for copies of pixels. Films are copied in many parts, so it is
/// allocated once.
class CudaPixelBuffers {
 public:
  struct Buffers {
    uint32_t* pixels;   ///< [pixel]
    std::byte* packed;  ///< [byte]
  };

  Buffers reserve(size_t pixels, size_t bytes) {
    if (pixels > pixels_.size || bytes > packed_.size) {
      const size_t max_pixels = std::max(pixels, pixels_.size);
      const size_t max_bytes = std::max(bytes, packed_.size);
      memory_.emplace();
      pixels_ = memory_->allocate<uint32_t>(max_pixels);
      packed_ = memory_->allocate<std::byte>(max_bytes);
    }
    return {pixels_.data, packed_.data};
  }

 private:
  std::optional<CudaMemory> memory_;
  simt::Span<uint32_t> pixels_{};
  simt::Span<std::byte> packed_{};
};

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

/// Starts the kernel on the default stream of the current GPU: kernels/wave.cu.
cudaError_t launch_copy_pixels(const CopyPixels& kernel);

/// Copies the pixels of `tiles` between an array of a film on the current GPU and items in host
/// memory, in the order of for_each_run(). No work on the film may be in flight.
class CudaPixels {
 public:
  CudaPixels(const FilmField& field, const FilmTiles& tiles, CudaPixelBuffers& buffers)
      : field_(field), tiles_(tiles), rows_(rows_of(tiles)), buffers_(buffers) {}

  void download(std::byte* packed) {
    if (has_whole_rows()) return copy(packed, rows_data(), rows_bytes(), cudaMemcpyDeviceToHost);
    for_each_batch([&](const CopyPixels& kernel, size_t bytes) {
      launch(kernel);
      copy(packed, kernel.packed, bytes, cudaMemcpyDeviceToHost);
      packed += bytes;
    });
  }

  void upload(const std::byte* packed) {
    if (has_whole_rows())
      copy(rows_data(), packed, rows_bytes(), cudaMemcpyHostToDevice);
    else
      for_each_batch([&](CopyPixels kernel, size_t bytes) {
        copy(kernel.packed, packed, bytes, cudaMemcpyHostToDevice);
        kernel.to_film = true;
        launch(kernel);
        packed += bytes;
      });
    check_cuda(cudaStreamSynchronize(nullptr), kCopying);
  }

 private:
  static constexpr const char* kCopying = "copying pixels";
  /// Pixels per copy. Their memory is small compared with that of a wave.
  static constexpr size_t kBatch = size_t(1) << 20;

  /// Whether the pixels are whole rows of the film, which need no kernel.
  bool has_whole_rows() const { return tiles_.pixel_count() == tiles_.all_pixels(rows_); }
  size_t rows_bytes() const { return tiles_.all_pixels(rows_) * field_.bytes_per_pixel; }
  std::byte* rows_data() const {
    return field_.data + tiles_.first_pixel(rows_) * field_.bytes_per_pixel;
  }

  static void copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    check_cuda(cudaMemcpy(to, from, bytes, kind), kCopying);
  }

  static void launch(const CopyPixels& kernel) { check_cuda(launch_copy_pixels(kernel), kCopying); }

  /// Calls use(kernel, bytes of `kernel.packed`) for each batch of pixels.
  template <class Use>
  void for_each_batch(Use use) {
    const size_t batch = std::min(tiles_.pixel_count(), kBatch);
    const auto [pixels, packed] = buffers_.reserve(batch, batch * field_.bytes_per_pixel);
    std::vector<uint32_t> list;
    list.reserve(batch);
    auto flush = [&] {
      copy(pixels, list.data(), list.size() * sizeof(uint32_t), cudaMemcpyHostToDevice);
      use(CopyPixels{.pixels = {pixels, list.size()},
                     .words_per_pixel = uint32_t(field_.bytes_per_pixel / sizeof(uint32_t)),
                     .film = reinterpret_cast<uint32_t*>(field_.data),
                     .packed = reinterpret_cast<uint32_t*>(packed)},
          list.size() * field_.bytes_per_pixel);
      list.clear();
    };
    for_each_run(tiles_, [&](size_t first, size_t run) {
      for (size_t pixel = first; pixel < first + run; ++pixel) {
        list.push_back(uint32_t(pixel));
        if (list.size() == batch) flush();
      }
    });
    if (!list.empty()) flush();
  }

  FilmField field_;
  const FilmTiles& tiles_;
  TileRows rows_;
  CudaPixelBuffers& buffers_;
};

}  // namespace winnow
