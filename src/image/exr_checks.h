// SPDX-License-Identifier: MIT
#pragma once

#include <OpenEXR/ImfHeader.h>

#include <iosfwd>

namespace winnow {

/// Throws Error if a header claims more than the file can hold, or pixels that the library cannot
/// decode: OpenEXR allocates memory by the headers alone. The stream stays at its start.
void check_exr_headers(std::istream& stream);

/// True if the pixels of a part have any number of samples.
bool is_deep(const Imf::Header& header);

}  // namespace winnow
