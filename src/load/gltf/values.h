// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load/json/json_reader.h"

namespace winnow {

// Members of materials, textures and their extensions. A member that is missing or of another type
// than glTF demands has its default value.

/// A member of `object`; nothing where there is none, or `object` is not an object.
std::optional<JsonReader> find_member(const JsonReader& object, std::string_view key);

/// An extension of `object`, which is an object; nothing where there is none.
std::optional<JsonReader> find_extension(const JsonReader& object, std::string_view name);

double number_of(const JsonReader& object, std::string_view key, double by_default);
int integer_of(const JsonReader& object, std::string_view key, int by_default);
std::string text_of(const JsonReader& object, std::string_view key, const char* by_default);

/// An array of numbers; empty where there is none.
std::vector<double> numbers_of(const JsonReader& object, std::string_view key);

/// A number, clamped to [0, 1].
float fraction(double number);
float fraction_of(const JsonReader& object, std::string_view key, double by_default);

/// The first three of an array of numbers, clamped to [0, max].
glm::vec3 color_of(const JsonReader& object, std::string_view key, glm::vec3 by_default,
                   double max = 1.0);

}  // namespace winnow
