// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>

namespace winnow {

// Hours of work should not be lost to a full disk or a folder that vanished.

/// A file of the same name in a new folder for temporary files, which only this user can read;
/// empty if there can be none.
std::filesystem::path fallback_for(const std::filesystem::path& file);

/// Calls write(file). If that throws an Error, writes to fallback_for(file) and throws an Error
/// that names both.
void write_or_fall_back(const std::filesystem::path& file,
                        const std::function<void(const std::filesystem::path&)>& write);

}  // namespace winnow
