// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <glm/vec3.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/limits.h"
#include "base/names.h"

namespace winnow {

/// Parses JSON. Unlike the library, refuses duplicate keys and nesting of more than 64 levels.
/// Throws Error "file:line:column: expected ..., found ...".
nlohmann::json parse_json(std::string_view text, const std::string& file);

/// Returns `key` as a step of a JSON pointer (RFC 6901).
std::string pointer_step(std::string_view key);

struct Range {
  double min, max;
  bool min_excluded = false, max_excluded = false;

  bool contains(double x) const {
    return (min_excluded ? x > min : x >= min) && (max_excluded ? x < max : x <= max);
  }

  /// Returns the range after rounding to float: the float of 0.999 is larger than 0.999.
  Range of_floats() const { return {float(min), float(max), min_excluded, max_excluded}; }
};

inline constexpr Range kCoordinate{-kMaxSceneValue, kMaxSceneValue};
inline constexpr Range kNonNegative{0.0, kMaxSceneValue};
inline constexpr Range kPositive{0.0, kMaxSceneValue, true};
inline constexpr Range kFraction{0.0, 1.0};

/// A value of a JSON document with its JSON pointer. Its functions check the value that they read
/// and throw Error "file: /json/pointer: what is wrong, what was expected".
class JsonReader {
 public:
  /// @param value, file  must outlive the reader
  JsonReader(const nlohmann::json& value, const std::string& file, std::string pointer = "")
      : value_(&value), file_(&file), pointer_(std::move(pointer)) {}

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> what, Args&&... args) const {
    fail_with(fmt::format(what, std::forward<Args>(args)...));
  }

  bool is_object() const { return value_->is_object(); }
  bool is_array() const { return value_->is_array(); }
  bool is_number() const { return value_->is_number(); }
  bool is_null() const { return value_->is_null(); }
  bool is_text() const { return value_->is_string(); }
  const std::string& file() const { return *file_; }
  const std::string& pointer() const { return pointer_; }
  const nlohmann::json& value() const { return *value_; }

  /// Checks that this is an object and that all its keys are in `keys`.
  void expect_keys(const std::vector<std::string>& keys) const;
  std::vector<std::string> keys() const;
  bool has(std::string_view key) const { return find(key).has_value(); }
  std::optional<JsonReader> find(std::string_view key) const;
  JsonReader at(std::string_view key) const;

  /// Sets `to` to the member `key`, a number or colour, if there is one.
  void read(std::string_view key, float& to, Range range) const {
    if (auto member = find(key)) to = member->number(range);
  }
  void read(std::string_view key, glm::vec3& to, Range range) const {
    if (auto member = find(key)) to = member->color(range);
  }

  /// Sets `to` to the member `key`, one of `names`, if there is one.
  /// @param names  in the order of the values of `Enum`
  template <class Enum>
  void read(std::string_view key, Enum& to, const std::vector<std::string>& names) const {
    if (auto member = find(key)) to = Enum(member->choice(names));
  }

  /// Returns the value in `known` whose name is this text. Throws Error, with the nearest name, if
  /// there is none.
  /// @param kind  kind of the values, for the message
  template <class Map>
  auto& look_up(Map& known, const char* kind) const {
    const auto found = known.find(text());
    if (found != known.end()) return found->second;
    fail("unknown {} {}; {}", kind, in_quotes(text()), suggest_name(text(), names_of(known)));
  }

  /// Checks that this is an array. Returns the number of its items.
  size_t size(std::string_view expected = "an array") const;

  /// Checks that this is an array of `count` items. Throws Error "expected `expected`" otherwise.
  void expect_size(size_t count, std::string_view expected) const {
    if (size(expected) != count) fail("expected {}", expected);
  }
  JsonReader operator[](size_t item) const;
  float number(Range range) const;
  double any_number() const;

  /// Returns a number of any size, or `by_default` if this is not a number.
  double number_or(double by_default) const {
    return is_number() ? value_->get<double>() : by_default;
  }
  uint32_t integer(uint32_t min, uint32_t max) const;
  std::string text() const;
  bool boolean() const;

  /// Returns the index of this text in `names`.
  size_t choice(const std::vector<std::string>& names) const;

  glm::vec3 vector(Range range = kCoordinate) const;  ///< [x, y, z]
  glm::vec3 direction() const;                        ///< [x, y, z], normalized
  glm::vec3 color(Range range) const;                 ///< a number or [r, g, b]

 private:
  [[noreturn]] void fail_with(const std::string& what) const;

  /// Returns the value as text for a message.
  std::string found() const;

  JsonReader child(const nlohmann::json& value, std::string_view step) const;

  const nlohmann::json* value_;
  const std::string* file_;
  std::string pointer_;
};

}  // namespace winnow
