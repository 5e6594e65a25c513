// SPDX-License-Identifier: MIT
#include "load/gltf/values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace winnow {

std::optional<JsonReader> find_member(const JsonReader& object, std::string_view key) {
  return object.is_object() ? object.find(key) : std::nullopt;
}

std::vector<JsonReader> items_of(const std::optional<JsonReader>& array) {
  std::vector<JsonReader> items;
  for (size_t i = 0; array && i < array->size(); ++i) items.push_back((*array)[i]);
  return items;
}

std::optional<JsonReader> find_extension(const JsonReader& object, std::string_view name) {
  const auto extension = find_member(find_member(object, "extensions"), name);
  return extension && extension->is_object() ? extension : std::nullopt;
}

double number_of(const JsonReader& object, std::string_view key, double by_default) {
  const std::optional<JsonReader> value = find_member(object, key);
  return value ? value->number_or(by_default) : by_default;
}

int integer_of(const JsonReader& object, std::string_view key, int by_default) {
  const double number = number_of(object, key, by_default);
  const bool is_int = std::abs(number) <= std::numeric_limits<int>::max();
  return is_int && number == std::floor(number) ? int(number) : by_default;
}

std::string text_of(const JsonReader& object, std::string_view key, const char* by_default) {
  const std::optional<JsonReader> value = find_member(object, key);
  return value && value->is_text() ? value->text() : by_default;
}

std::vector<double> numbers_of(const JsonReader& object, std::string_view key) {
  const std::optional<JsonReader> array = find_member(object, key);
  std::vector<double> numbers;
  if (!array || !array->is_array()) return numbers;
  for (const JsonReader& item : items_of(array)) {
    if (!item.is_number()) return {};
    numbers.push_back(item.number_or(0.0));
  }
  return numbers;
}

float fraction(double number) {
  return float(std::clamp(number, 0.0, 1.0));
}

float fraction_of(const JsonReader& object, std::string_view key, double by_default) {
  return fraction(number_of(object, key, by_default));
}

float number_in(const JsonReader& object, std::string_view key, double by_default, double min,
                double max) {
  return float(std::clamp(number_of(object, key, by_default), min, max));
}

glm::vec3 color_of(const JsonReader& object, std::string_view key, glm::vec3 by_default,
                   double max) {
  constexpr size_t kChannels = 3;
  const std::vector<double> numbers = numbers_of(object, key);
  if (numbers.size() < kChannels) return by_default;
  auto channel = [&](size_t i) { return float(std::clamp(numbers[i], 0.0, max)); };
  return {channel(0), channel(1), channel(2)};
}

}  // namespace winnow
