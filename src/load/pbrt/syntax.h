// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// A parameter of a pbrt statement: "type name" [values].
struct PbrtParameter {
  std::string type;  ///< older names are replaced: color by rgb, point by point3, ...
  std::string name;
  std::vector<float> numbers;     ///< NaN for a number that is not finite
  std::vector<int32_t> integers;  ///< values of the type integer; `numbers` is then empty
  std::vector<std::string> strings;
  std::vector<bool> bools;
  PbrtPlace place;
  mutable bool is_used = false;
};

/// Parameters of a pbrt statement. Each accessor marks the parameter that it finds as used, and
/// throws Error if a value has another type or is not finite.
class PbrtParameters {
 public:
  /// Reads all following parameters.
  static PbrtParameters read(PbrtTokens& tokens);
  /// Reads the name of an option and its value, or else parameters.
  static PbrtParameters read_option(PbrtTokens& tokens);

  /// Returns the parameter of this name, or nullptr. The last one counts, as in pbrt. Marks it as
  /// used.
  const PbrtParameter* find(std::string_view name) const;
  bool has(std::string_view name) const;

  float number(std::string_view name, float fallback) const;
  int integer(std::string_view name, int fallback) const;
  bool boolean(std::string_view name, bool fallback) const;
  std::string text(std::string_view name, const std::string& fallback = "") const;
  glm::vec3 point(std::string_view name, glm::vec3 fallback) const;

  /// Returns all numbers of a parameter; none if it is missing. Some may not be finite.
  std::span<const float> numbers(std::string_view name) const;
  std::span<const int32_t> integers(std::string_view name) const;

  /// Returns points of `kSize` numbers. Some may not be finite.
  template <class Vector>
  std::vector<Vector> vectors(std::string_view name) const {
    const std::span<const float> values = numbers(name);
    constexpr size_t kSize = size_t(Vector::length());
    if (values.size() % kSize != 0) fail_length(name, values.size(), kSize);
    std::vector<Vector> vectors(values.size() / kSize);
    for (size_t i = 0; i < values.size(); ++i) vectors[i / kSize][int(i % kSize)] = values[i];
    return vectors;
  }

  /// Adds the parameters of `defaults` with new names.
  void add_defaults(const PbrtParameters& defaults);

  std::vector<std::string> unused() const;

  /// Marks parameters as used that have no effect here.
  void ignore(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) find(name);
  }
  void ignore_all() const {
    for (const PbrtParameter& parameter : parameters_) parameter.is_used = true;
  }

  const std::vector<PbrtParameter>& all() const { return parameters_; }

 private:
  [[noreturn]] void fail_length(std::string_view name, size_t count, size_t expected) const;

  std::vector<PbrtParameter> parameters_;
};

}  // namespace winnow
