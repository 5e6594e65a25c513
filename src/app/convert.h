#pragma once

#include <filesystem>

namespace winnow {

/// `winnow convert`: writes the scene in `from` as a Winnow scene, its meshes beside it.
void convert(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace winnow
