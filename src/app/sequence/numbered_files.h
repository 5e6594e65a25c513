// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace winnow {

// The files of the frames of a sequence.

/// Returns the file of a frame: "a-%04d.png" gives "a-0007.png"; a name without a place for the
/// number gets one before its extension, "a.png" gives "a-0007.png". Throws UsageError for more
/// than one place.
///
/// @param pattern  with at most one "%d", or "%0Nd" for at least N digits, N from 1 to 9
std::filesystem::path numbered_file(const std::filesystem::path& pattern, uint32_t number);

/// A value of --frames.
struct FrameRange {
  uint32_t first = 0, last = 0;  ///< both included
  uint32_t step = 1;
};

/// Parses A, A:B or A:B:STEP, with A up to B and STEP from 1. Throws UsageError.
FrameRange parse_frames(const std::string& option, const std::string& text);

inline constexpr uint32_t kMaxFrames = 1'000'000;  ///< maximum number of frames, and maximum id

}  // namespace winnow
