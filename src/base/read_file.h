#pragma once

#include <filesystem>
#include <string>

namespace winnow {

/// All bytes of a file. Throws Error, naming it and why, when it cannot be read.
std::string read_file(const std::filesystem::path& file);

}  // namespace winnow
