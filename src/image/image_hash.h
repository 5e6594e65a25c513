#pragma once

#include <string>

#include "image/image.h"

namespace winnow {

/// Fingerprint of an image: 16 hexadecimal digits over its size and the bits of its floats.
///
/// Equal images give equal hashes on every machine; two that differ in one bit never do. Tells -0
/// from 0 and one NaN from another.
std::string image_hash(const Image& image);

}  // namespace winnow
