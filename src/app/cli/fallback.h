// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>

namespace winnow {

// Other places for files that cannot be written, because a disk is full or a folder is missing.

/// Returns a file of the same name in a new folder for temporary files that only this user can
/// read; empty if the folder cannot be created.
std::filesystem::path fallback_for(const std::filesystem::path& file);

/// Calls write(file). If that throws an Error, writes to fallback_for(file) and throws an Error
/// that names both.
void write_or_fall_back(const std::filesystem::path& file,
                        const std::function<void(const std::filesystem::path&)>& write);

}  // namespace winnow
