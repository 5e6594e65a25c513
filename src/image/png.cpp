// SPDX-License-Identifier: MIT
#include <spng.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string>

#include "base/error.h"
#include "base/limits.h"
#include "image/image_formats.h"
#include "image/image_io.h"

namespace winnow {
namespace {

void check_png(int status) {
  if (status == SPNG_OK) return;
  if (status == SPNG_IO_EOF || status == SPNG_EOF) throw Error("truncated");
  if (status == SPNG_EMEM) throw std::bad_alloc();
  throw Error(std::string("cannot be decoded: ") + spng_strerror(status));
}

}  // namespace

ByteImage decode_png(std::string_view file) {
  std::unique_ptr<spng_ctx, void (*)(spng_ctx*)> context(spng_ctx_new(0), spng_ctx_free);
  if (!context) throw std::bad_alloc();
  check_png(spng_set_png_buffer(context.get(), file.data(), file.size()));
  constexpr size_t kMaxPngChunk = 0x7fffffff;  // largest chunk of the format
  const size_t chunk_limit = std::min(file.size(), kMaxPngChunk);
  check_png(spng_set_chunk_limits(context.get(), chunk_limit, chunk_limit + kMaxPngChunkBytes));
  // All viewers show images with wrong checksums as long as they can be inflated.
  check_png(spng_set_crc_action(context.get(), SPNG_CRC_USE, SPNG_CRC_USE));

  spng_ihdr header;
  check_png(spng_get_ihdr(context.get(), &header));
  check_image_size(header.width, header.height);
  check_image_bytes(header.width, header.height, kMaxPixelsPerPngByte * file.size());

  ByteImage image{header.width, header.height, {}};
  size_t size = 0;
  check_png(spng_decoded_image_size(context.get(), SPNG_FMT_RGBA8, &size));
  image.values.resize(size);
  check_png(spng_decode_image(context.get(), image.values.data(), size, SPNG_FMT_RGBA8,
                              SPNG_DECODE_TRNS));
  return image;
}

}  // namespace winnow
