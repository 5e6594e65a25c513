#pragma once

#include <vector>

#include "image/image.h"

namespace winnow {

/// How different two pictures look to someone who flips between them: [0, 1] for each pixel, row by
/// row. Both are taken as a screen shows them, linear values clamped to [0, 1], seen from 0.7 m, at
/// 67 pixels a degree. Andersson et al., "FLIP: A Difference Evaluator for Alternating Images",
/// 2020, whose LDR-FLIP this is, with its constants.
///
/// Throws Error when the sizes differ, or where a value is not a number.
std::vector<float> flip(const Image& image, const Image& reference);

}  // namespace winnow
