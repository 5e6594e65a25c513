#pragma once

#include <iosfwd>

#include "image/image.h"

namespace winnow {

/// Portable float map: every bit of every float, bottom row first, in this machine's byte order.
void write_pfm(std::ostream& stream, const Image& image);

/// Reads a colour (PF) or grey (Pf) map of either byte order; the scale is not applied.
/// Throws Error with the reason, without the name of the file.
Image read_pfm(std::istream& stream);

}  // namespace winnow
