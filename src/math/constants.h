// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

namespace winnow {

inline constexpr float kPi = 3.14159265358979323846f;
inline constexpr float kTwoPi = 6.28318530717958647693f;
inline constexpr float kInvPi = 0.31830988618379067154f;
inline constexpr float kInvTwoPi = 0.15915494309189533577f;
inline constexpr float kInvFourPi = 0.07957747154594766788f;
inline constexpr float kOneMinusEpsilon = 0x1.fffffep-1f;  ///< the largest float below 1
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kMaxFloat = std::numeric_limits<float>::max();
inline constexpr float kMinNormalFloat = std::numeric_limits<float>::min();

}  // namespace winnow
