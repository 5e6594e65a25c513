// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "base/cuda_check.h"
#include "shading/texture/texture.h"

namespace winnow {

/// The textures of a scene on a GPU, freed all at once.
class CudaTextures {
 public:
  CudaTextures() = default;
  CudaTextures(const CudaTextures&) = delete;
  ~CudaTextures() {
    for (cudaTextureObject_t object : objects_) cudaDestroyTextureObject(object);
    for (cudaMipmappedArray_t array : arrays_) cudaFreeMipmappedArray(array);
  }

  /// Returns the bytes of the textures that materials use, with their mip maps, on the GPU.
  static uint64_t bytes(const TextureTable& table) {
    std::vector<bool> counted(table.pyramids.size());
    const std::vector<bool> used = used_textures(table);
    uint64_t bytes = 0;
    for (size_t i = 0; i < table.textures.size(); ++i) {
      const Texture& texture = table.textures[i];
      if (!used[i] || counted[texture.image]) continue;
      counted[texture.image] = true;
      for (const TextureLevel& level : table.pyramids[texture.image].levels)
        bytes += uint64_t{level.width} * level.height * texel_bytes(texture.format);
    }
    return bytes;
  }

  std::vector<Texture> upload(const TextureTable& table) {
    std::vector<Texture> textures = table.textures;
    arrays_.assign(table.pyramids.size(), nullptr);
    const std::vector<bool> used = used_textures(table);
    for (size_t i = 0; i < textures.size(); ++i) {
      Texture& texture = textures[i];
      texture.levels = {};  // these point to host memory
      if (!used[i]) continue;
      const auto image = size_t(texture.image);
      if (!arrays_[image])
        arrays_[image] = upload_levels(texture.format, table.pyramids[image].levels);
      texture.object = make_object(texture, arrays_[image]);
    }
    return textures;
  }

 private:
  static constexpr const char* kUploading = "copying the textures to the GPU";

  static cudaMipmappedArray_t upload_levels(TexelFormat format,
                                            const std::vector<TextureLevel>& levels) {
    const cudaChannelFormatDesc channels =
        format == TexelFormat::kFloat      ? cudaCreateChannelDesc<float4>()
        : format == TexelFormat::kLinear16 ? cudaCreateChannelDesc<ushort4>()
                                           : cudaCreateChannelDesc<uchar4>();
    cudaMipmappedArray_t pyramid;
    check_cuda(cudaMallocMipmappedArray(&pyramid, &channels, {levels[0].width, levels[0].height, 0},
                                        unsigned(levels.size())),
               kUploading);
    for (unsigned i = 0; i < levels.size(); ++i) {
      cudaArray_t level;
      check_cuda(cudaGetMipmappedArrayLevel(&level, pyramid, i), kUploading);
      const size_t row = levels[i].width * texel_bytes(format);
      check_cuda(cudaMemcpy2DToArray(level, 0, 0, levels[i].texels, row, row, levels[i].height,
                                     cudaMemcpyHostToDevice),
                 kUploading);
    }
    return pyramid;
  }

  cudaTextureObject_t make_object(const Texture& texture, cudaMipmappedArray_t pyramid) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = pyramid;

    const bool is_nearest = texture.filter == TextureFilter::kNearest;
    cudaTextureDesc description{};
    description.addressMode[0] = address_mode(texture.wrap_u);
    description.addressMode[1] = address_mode(texture.wrap_v);
    description.filterMode = is_nearest ? cudaFilterModePoint : cudaFilterModeLinear;
    description.mipmapFilterMode = description.filterMode;
    description.readMode = texture.format == TexelFormat::kFloat ? cudaReadModeElementType
                                                                 : cudaReadModeNormalizedFloat;
    description.sRGB = texture.format == TexelFormat::kSrgb8;
    description.normalizedCoords = 1;
    description.maxMipmapLevelClamp =
        texture.filter == TextureFilter::kLinear ? float(kMaxLevels) : 0.0f;
    cudaTextureObject_t object;
    check_cuda(cudaCreateTextureObject(&object, &resource, &description, nullptr), kUploading);
    objects_.push_back(object);
    return object;
  }

  static constexpr int kMaxLevels = 32;  // an image with 2^31 texels a side has fewer levels

  static cudaTextureAddressMode address_mode(TextureWrap wrap) {
    switch (wrap) {
      case TextureWrap::kRepeat:
        return cudaAddressModeWrap;
      case TextureWrap::kMirror:
        return cudaAddressModeMirror;
      case TextureWrap::kClamp:
        break;
    }
    return cudaAddressModeClamp;
  }

  std::vector<cudaMipmappedArray_t> arrays_;  ///< [image], null if no texture uses it
  std::vector<cudaTextureObject_t> objects_;
};

}  // namespace winnow
