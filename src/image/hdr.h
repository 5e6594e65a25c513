#pragma once

#include <iosfwd>

#include "image/image.h"

namespace winnow {

/// Radiance RGBE: linear, 8 bits for each channel under the exponent of the largest. Negative
/// values and NaN become 0, too large ones the largest that fits (1.7e38), those below 2^-128 zero.
/// Ward, "Real Pixels", Graphics Gems II, 1991.
void write_hdr(std::ostream& stream, const Image& image);

/// Reads flat and run-length encoded scanlines, top to bottom; the exposure is not applied.
/// Throws Error with the reason, without the name of the file.
Image read_hdr(std::istream& stream);

}  // namespace winnow
