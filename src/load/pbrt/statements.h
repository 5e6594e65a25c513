// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "load/pbrt/files.h"
#include "load/pbrt/parameters.h"
#include "load/pbrt/tokens.h"

namespace winnow {

/// A statement of a pbrt scene.
struct PbrtStatement {
  std::string_view directive;        ///< first word, with static lifetime
  std::vector<std::string> strings;  ///< strings before the parameters
  std::array<float, 16> numbers{};   ///< finite
  PbrtParameters parameters;
  PbrtPlace place;
};

/// Reads the statements of a pbrt scene one by one, with those of included files in their places.
/// An Import becomes a block from "AttributeBegin" to "AttributeEnd".
class PbrtStatements {
 public:
  /// Throws Error, in one line, if the file cannot be read.
  explicit PbrtStatements(const std::filesystem::path& file);

  /// Returns the next statement; nothing at the end of the scene. Throws Error "file:line:column:
  /// ...".
  std::optional<PbrtStatement> next();

  /// True if the scene is of version 3 or older, which have WorldEnd.
  bool is_old() const { return is_old_; }

  const PbrtFolders& folders() const { return folders_; }
  const std::string& name() const { return names_.front(); }

 private:
  struct File {
    std::string text;
    PbrtTokens tokens;
    std::filesystem::path path;
    bool is_import;
    File(std::string bytes, const std::string& name, std::filesystem::path path, bool is_import)
        : text(std::move(bytes)), tokens(text, name), path(std::move(path)), is_import(is_import) {}
    File(const File&) = delete;
  };

  void open(const std::filesystem::path& file, bool is_import);
  void include(const PbrtStatement& statement);
  PbrtStatement read(const PbrtToken& word);

  PbrtFolders folders_;
  std::list<std::string> names_;  ///< names of all files, to which places point
  std::list<File> files_;         ///< files being read, the innermost last
  size_t included_ = 0;
  bool is_old_ = false;
};

}  // namespace winnow
