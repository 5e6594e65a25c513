#pragma once

namespace winnow {

/// Coordinates and other values of a scene lie in [-kMaxSceneValue, kMaxSceneValue]. The square of
/// a larger length would come too close to the largest float.
inline constexpr double kMaxSceneValue = 1e9;

}  // namespace winnow
