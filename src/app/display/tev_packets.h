// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "image/image.h"

namespace winnow {

// Messages to tev, the image viewer by Thomas Mueller (github.com/Tom94/tev, "Over the network"). A
// message contains its length in bytes, including these four, its operation, and the operands:
// little-endian numbers and texts that end with a zero.

/// Operations of the protocol.
enum class TevOperation : uint8_t { kCreateImage = 4, kUpdateImageV3 = 6 };

/// Opens a black image with the channels R, G and B and shows it.
///
/// @param name  identifies the image in later messages
std::string tev_create_image(const std::string& name, uint32_t width, uint32_t height);

/// Replaces some rows of that image.
///
/// @param image  the whole image
std::string tev_update_image(const std::string& name, const Image& image, uint32_t first_row,
                             uint32_t row_count);

}  // namespace winnow
