// SPDX-License-Identifier: MIT
#pragma once

#include <OpenEXR/ImfForward.h>

#include <iosfwd>
#include <string>
#include <vector>

#include "base/known_keys.h"

namespace winnow {

/// Throws Error if a header claims more than the file can hold, or pixels that the library cannot
/// decode: OpenEXR allocates memory by the headers alone. The stream stays at its start.
void check_exr_headers(std::istream& stream);

/// True if the pixels of a part have any number of samples.
bool is_deep(const Imf::Header& header);

/// Returns the table of attributes: those of the format, and those that common programs add. A name
/// that ends in '/', ':' or '.' stands for all names that begin with it.
const KeyTable& exr_attributes();

/// Adds a line for the attributes of a header that are not read.
void warn_of_exr_attributes(const Imf::Header& header, std::vector<std::string>& warnings);

}  // namespace winnow
