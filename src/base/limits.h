// SPDX-License-Identifier: MIT
#pragma once

namespace winnow {

/// Limit on the magnitude of coordinates and other values of a scene. The square of a larger length
/// would come too close to the largest float.
inline constexpr double kMaxSceneValue = 1e9;

}  // namespace winnow
