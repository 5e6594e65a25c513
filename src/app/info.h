#pragma once

#include <filesystem>

namespace winnow {

/// `winnow info`: prints what is in a scene.
void print_info(const std::filesystem::path& file);

}  // namespace winnow
