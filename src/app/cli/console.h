// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "scene/host_scene.h"

namespace winnow {

// Exit codes of the program other than 0, success.
inline constexpr int kExitFailure = 1;        ///< a scene, file or device failed
inline constexpr int kExitUsage = 2;          ///< the command line is not valid
inline constexpr int kExitInterrupted = 130;  ///< what shells report for a program ended by Ctrl-C

/// Prints `text` on stderr as one line. Control characters, which file names may contain, become
/// spaces.
void print_message(std::string text);

/// Keeps print_message() silent from now on, or no longer: of several processes that do the same,
/// one talks to the user.
void mute_messages(bool mute);

/// Prints each distinct warning of a scene on stderr once.
void print_warnings(const HostScene& scene);

}  // namespace winnow
