#pragma once

namespace winnow {

// What the program ends with, where not with 0.
inline constexpr int kExitFailure = 1;
inline constexpr int kExitUsage = 2;          ///< the command line cannot be understood
inline constexpr int kExitInterrupted = 130;  ///< as shells report a program that Ctrl-C ended

}  // namespace winnow
