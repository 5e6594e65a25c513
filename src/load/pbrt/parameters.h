// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "load/pbrt/tokens.h"

namespace winnow {

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

  /// Returns the parameter of this name, or nullptr. Marks it as used.
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

  /// Appends the parameters of `defaults` with new names.
  void add_defaults(const PbrtParameters& defaults);

  /// Returns the names of unused parameters.
  std::vector<std::string> unused() const;

  /// Marks a parameter as used that has no effect here.
  void ignore(std::string_view name) const { find(name); }

  const std::vector<PbrtParameter>& all() const { return parameters_; }

 private:
  [[noreturn]] void fail_length(std::string_view name, size_t count, size_t expected) const;

  std::vector<PbrtParameter> parameters_;
};

}  // namespace winnow
