// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load/json/json_reader.h"

namespace winnow {

// Members of materials, textures and their extensions. A member that is missing, or of another type
// than glTF requires, has its default value.

/// Returns a member of `object`; nothing if there is none or `object` is not an object.
std::optional<JsonReader> find_member(const JsonReader& object, std::string_view key);
inline std::optional<JsonReader> find_member(const std::optional<JsonReader>& object,
                                             std::string_view key) {
  return object ? find_member(*object, key) : std::nullopt;
}

/// Returns the items of an array; none if there is no value. Throws Error unless it is an array.
std::vector<JsonReader> items_of(const std::optional<JsonReader>& array);

/// Returns an extension of `object`, if it is an object; otherwise nothing.
std::optional<JsonReader> find_extension(const JsonReader& object, std::string_view name);

double number_of(const JsonReader& object, std::string_view key, double by_default);
int integer_of(const JsonReader& object, std::string_view key, int by_default);
std::string text_of(const JsonReader& object, std::string_view key, const char* by_default);

/// Returns an array of numbers; empty if there is none.
std::vector<double> numbers_of(const JsonReader& object, std::string_view key);

/// Clamps a number to [0, 1].
float fraction(double number);
float fraction_of(const JsonReader& object, std::string_view key, double by_default);

/// Returns a number clamped to [min, max].
float number_in(const JsonReader& object, std::string_view key, double by_default, double min,
                double max);

/// Returns the first three numbers of an array, clamped to [0, max].
glm::vec3 color_of(const JsonReader& object, std::string_view key, glm::vec3 by_default,
                   double max = 1.0);

}  // namespace winnow
