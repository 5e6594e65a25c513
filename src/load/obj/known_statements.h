// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/known_keys.h"

namespace winnow {

/// Returns a row for each statement of OBJ. Wavefront, "Advanced Visualizer Manual, Appendix B1:
/// Object Files", version 3.0.
const KeyTable& obj_statements();

/// Returns a row for each statement of MTL, its extensions included; options of textures have the
/// owner "map". Wavefront, "MTL Material Format", version 4.2, and Exocortex, "Extending Wavefront
/// MTL for Physically-Based Rendering".
const KeyTable& mtl_statements();

/// Statements of a file that are not read but may change the picture.
class IgnoredStatements {
 public:
  /// @param keyword  as a warning names it
  /// @param why      empty: the format does not define the statement
  void add(std::string_view keyword, std::string_view why, size_t line);

  /// Adds the statements of a later part of the file.
  void add(const IgnoredStatements& later);

  /// Returns one warning for each kind of statement, and one for all that the format does not
  /// define: "file:line: curv is ignored: why (3 times)".
  std::vector<std::string> warnings(const std::string& file, std::string_view format) const;

 private:
  struct Kind {
    std::string_view why;
    size_t line;  ///< line of the first statement
    size_t count = 1;
  };
  std::map<std::string, Kind, std::less<>> kinds_;  ///< by keyword
  std::string undefined_;                           ///< first keyword that is not defined
  size_t undefined_line_ = 0, undefined_count_ = 0;
};

}  // namespace winnow
