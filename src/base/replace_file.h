#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>

namespace winnow {

/// Writes a file beside its target and renames it, so that the target is the old file or the
/// complete new one. Follows a symbolic link; writes straight into a pipe or a device.
///
/// @param write  puts the content on a binary stream; may seek in it; may throw Error with a reason
/// Throws Error when the file cannot be written, and leaves no temporary file then.
void replace_file(const std::filesystem::path& target,
                  const std::function<void(std::ostream&)>& write);

}  // namespace winnow
