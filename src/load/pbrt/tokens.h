// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace winnow {

/// A place in a file of a pbrt scene, for messages.
struct PbrtPlace {
  const std::string* file = nullptr;  ///< name of the file
  uint32_t line = 1, column = 1;      ///< from 1; columns count bytes

  /// Returns "file:line:column".
  std::string text() const;
};

/// Throws Error "file:line:column: what".
[[noreturn]] void fail_at(const PbrtPlace& place, const std::string& what);

enum class PbrtTokenKind : uint8_t { kWord, kString, kOpen, kClose };

struct PbrtToken {
  PbrtTokenKind kind;
  std::string_view text;  ///< string without quotes; escapes as in the file
  PbrtPlace place;
};

/// Splits the text of a pbrt scene into words, strings in double quotes, and brackets. Comments
/// extend from # to the end of the line.
class PbrtTokens {
 public:
  /// @param text, file  must outlive the tokens
  PbrtTokens(std::string_view text, const std::string& file)
      : next_(text.data()), end_(text.data() + text.size()), line_start_(next_), file_(&file) {}

  /// Returns the next token without consuming it; nothing at the end of the text.
  const std::optional<PbrtToken>& peek() {
    if (!has_peeked_) peeked_ = read();
    has_peeked_ = true;
    return peeked_;
  }

  /// Returns and consumes the next token; nothing at the end of the text.
  std::optional<PbrtToken> take() {
    if (has_peeked_) {
      has_peeked_ = false;
      return peeked_;
    }
    return read();
  }

  /// Returns the place of the next token, or the end.
  PbrtPlace place();

 private:
  std::optional<PbrtToken> read();
  void skip_blanks();
  PbrtPlace place_of(const char* at) const {
    return {file_, line_, uint32_t(at - line_start_) + 1};
  }
  PbrtToken read_string(PbrtPlace place);

  const char *next_, *end_, *line_start_;
  uint32_t line_ = 1;
  const std::string* file_;
  std::optional<PbrtToken> peeked_;
  bool has_peeked_ = false;
};

/// Returns the text of a string token with \" and other escapes replaced.
std::string pbrt_string(std::string_view text);

}  // namespace winnow
