// SPDX-License-Identifier: MIT
#pragma once

#include <OpenEXR/ImfForward.h>

#include <span>
#include <string>
#include <vector>

#include "base/known_keys.h"

namespace winnow {

/// Returns the table of attributes: those of the format, and those that common programs add. A name
/// that ends in '/', ':' or '.' stands for all names that begin with it.
std::span<const KnownKey> exr_attributes();

/// Adds a line for the attributes of a header that are not read.
void warn_of_exr_attributes(const Imf::Header& header, std::vector<std::string>& warnings);

}  // namespace winnow
