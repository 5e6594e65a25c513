#pragma once

#include <filesystem>
#include <string>

namespace winnow {

/// The whole file. Throws Error, naming it and why, when it cannot be read or holds no text.
std::string read_text_file(const std::filesystem::path& file);

}  // namespace winnow
