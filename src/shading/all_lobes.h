#pragma once

#include "shading/bsdf.h"

namespace winnow {

/// The BSDFs of all materials, for a FullScene.
struct AllLobes : PlainLobes {};

}  // namespace winnow
