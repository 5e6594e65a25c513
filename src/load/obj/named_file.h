// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace winnow {

/// Returns the path of the file that a statement of OBJ or MTL names. Its own path is often one of
/// another system: with backslashes, in quotes, absolute, or with other upper and lower case. If
/// there is no file at this path, one with the same end of the path is taken, with a warning: of
/// C:/me/maps/wall.png, maps/wall.png in a folder, or else wall.png.
/// @param folders   at least one; relative paths begin at the first in which there is such a file
/// @param place     where the statement is, for the warning
/// @param warnings  grows
/// @return          the path in the first folder, if there is no such file
std::filesystem::path find_named_file(const std::vector<std::filesystem::path>& folders,
                                      const std::string& name, const std::string& place,
                                      std::vector<std::string>& warnings);

}  // namespace winnow
