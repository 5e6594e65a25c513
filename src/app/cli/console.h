// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>

namespace winnow {

// Exit codes of the program other than 0, success.
inline constexpr int kExitFailure = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitInterrupted = 130;  ///< what shells report for a program ended by Ctrl-C

struct ExitCode {
  int code;
  const char* meaning;
};
inline constexpr std::array<ExitCode, 4> kExitCodes = {
    {{0, "success"},
     {kExitFailure, "a file, scene or device failed"},
     {kExitUsage, "the command line is not valid"},
     {kExitInterrupted, "interrupted before there was an image to write"}}};

/// Prints `text` on stderr as one line. Control characters, which file names may contain, become
/// spaces.
void print_message(std::string text);

/// Prints a warning on stderr as one line.
void print_warning(const std::string& text);

/// Turns messages off or on. Of several processes that render one image, only one prints them.
void mute_messages(bool mute);

/// Breaks `text` at spaces into lines of at most `columns` characters, if its words allow that.
std::string wrapped(std::string text, size_t columns);

}  // namespace winnow
