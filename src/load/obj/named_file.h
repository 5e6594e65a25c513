// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "load/text/repeated_warnings.h"

namespace winnow {

/// Finds the files that statements of an OBJ file and its libraries name. Such a name is often a
/// path of another system: with backslashes, in quotes, absolute, or with other upper and lower
/// case. Folders are not found. Each folder is listed at most once.
class NamedFiles {
 public:
  /// Folders to search, in this order; at least one.
  using Folders = std::vector<std::filesystem::path>;

  /// Returns the file at the path that `name` states, relative to the first folder that has one
  /// there. The path is empty if none has.
  std::filesystem::path find(const Folders& folders, const std::string& name);

  /// Returns a file whose path in one of the folders is an end of the path that `name` states, and
  /// adds a warning. The longest end is preferred: for C:/me/maps/wall.png, maps/wall.png comes
  /// before wall.png. The path is empty if there is none.
  /// @param place  where the statement is, for the warning
  std::filesystem::path find_end(const Folders& folders, const std::string& name,
                                 const std::string& place);

  /// Returns what find() finds, or else find_end(), or else the path of `name` in the first folder.
  std::filesystem::path path_of(const Folders& folders, const std::string& name,
                                const std::string& place);

  /// Returns the first warnings of find_end(), and one with the number of the others. A file that
  /// is named several times has one warning.
  std::vector<std::string> warnings() const;

 private:
  /// Names of the entries of a folder, by their names in lower case. If several differ in case
  /// only, it has the first of them.
  using Listing = std::map<std::string, std::string>;

  const Listing& listing(const std::filesystem::path& folder);

  /// Returns the entry of `folder` with this name, or else one that differs in case only; an empty
  /// path if there is none.
  std::filesystem::path find_entry(const std::filesystem::path& folder,
                                   const std::filesystem::path& name);

  /// Returns the file whose path below `folder` consists of the parts from `first` to `last`; an
  /// empty path if there is none.
  template <class Iterator>
  std::filesystem::path find_below(const std::filesystem::path& folder, Iterator first,
                                   Iterator last);

  std::map<std::string, Listing> listings_;  ///< by the path of the folder
  RepeatedWarnings warnings_;
};

}  // namespace winnow
