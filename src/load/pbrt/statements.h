// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "load/pbrt/syntax.h"

namespace winnow {

class PbrtReader;
struct PbrtStatement;

/// First word of a statement, the arguments that follow it, and what executes it.
struct PbrtDirective {
  std::string_view name;
  int min_strings = 0, max_strings = 0, numbers = 0;
  bool has_parameters = false;
  void (PbrtReader::*execute)(const PbrtStatement&) = nullptr;  ///< null to ignore the statement

  static std::span<const PbrtDirective> all();
};

struct PbrtStatement {
  const PbrtDirective* directive = nullptr;
  std::vector<std::string> strings;  ///< strings before the parameters
  std::array<float, 16> numbers{};   ///< finite
  PbrtParameters parameters;
  PbrtPlace place;
};

/// Returns all bytes of a file, decompressed if gzip compressed them. Throws Error, which names the
/// file, if it cannot be read or is damaged.
/// @param most  largest number of bytes after decompression
std::string read_maybe_compressed(const std::filesystem::path& file,
                                  uint64_t most = kMaxDecompressedBytes);

/// Returns the path of a file that a pbrt scene names, relative to the scene or to the file that
/// names it; nothing if there is no such file.
std::optional<std::filesystem::path> find_pbrt_file(const std::filesystem::path& folder,
                                                    const std::string& name,
                                                    const std::string& named_by);

/// Reads the statements of a pbrt scene one by one, with those of included files in their places.
/// An Import becomes a block from "AttributeBegin" to "AttributeEnd".
class PbrtStatements {
 public:
  /// @param text  of the file, as read_maybe_compressed() returns it
  PbrtStatements(const std::filesystem::path& file, std::shared_ptr<const std::string> text);

  /// Returns the next statement; nothing at the end. Throws Error "file:line:column: ...".
  std::optional<PbrtStatement> next();

  /// True if the scene is of version 3 or older, which have WorldEnd.
  bool is_old() const { return is_old_; }

  const std::filesystem::path& folder() const { return folder_; }
  const std::string& name() const { return names_.front(); }

 private:
  struct File {
    std::shared_ptr<const std::string> text;
    PbrtTokens tokens;
    std::filesystem::path path;
    bool is_import;
    File(std::shared_ptr<const std::string> bytes, const std::string& name,
         std::filesystem::path path, bool is_import)
        : text(std::move(bytes)),
          tokens(*text, name),
          path(std::move(path)),
          is_import(is_import) {}
    File(const File&) = delete;
  };

  void open(const std::filesystem::path& file, std::shared_ptr<const std::string> text,
            bool is_import);
  void include(const PbrtStatement& statement);
  PbrtStatement read(const PbrtToken& word);

  std::filesystem::path folder_;
  std::list<std::string> names_;  ///< names of all files, to which places point
  std::list<File> files_;         ///< files being read, the innermost last
  size_t included_ = 0;
  bool is_old_ = false;
};

}  // namespace winnow
