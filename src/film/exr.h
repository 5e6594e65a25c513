#pragma once

#include <iosfwd>

#include "film/image.h"

namespace winnow {

/// OpenEXR with the channels R, G and B as 32-bit floats, ZIP-compressed: every bit is kept.
/// Throws Error with the reason, without the name of the file.
void write_exr(std::ostream& stream, const Image& image);

/// Reads the channels R, G and B, or Y alone as grey, of the data window of a flat OpenEXR file.
/// Throws Error with the reason, without the name of the file.
Image read_exr(std::istream& stream);

}  // namespace winnow
