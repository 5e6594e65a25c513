#pragma once

#include <iosfwd>
#include <vector>

#include "image/image.h"
#include "image/image_channel.h"

namespace winnow {

/// OpenEXR with the channels R, G and B and further ones as 32-bit floats or whole numbers,
/// ZIP-compressed: every bit is kept.
///
/// @param channels  of the image's size, their names all different
/// Throws Error with the reason, without the name of the file.
void write_exr(std::ostream& stream, const Image& image,
               const std::vector<ImageChannel>& channels = {});

/// Reads the channels R, G and B, or Y alone as grey, of the data window of a flat OpenEXR file.
/// Throws Error with the reason, without the name of the file.
Image read_exr(std::istream& stream);

/// Reads the channels besides R, G and B, in the order of their names. Throws Error like read_exr.
std::vector<ImageChannel> read_exr_channels(std::istream& stream);

}  // namespace winnow
