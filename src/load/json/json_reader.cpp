// SPDX-License-Identifier: MIT
#include "load/json/json_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "base/error.h"
#include "base/nearest_name.h"
#include "base/one_line.h"
#include "load/json/json_document.h"
#include "scene/mesh.h"

namespace winnow {
namespace {

std::string range_text(Range range) {
  return fmt::format("{}{:g}, {:g}{}", range.min_excluded ? '(' : '[', range.min, range.max,
                     range.max_excluded ? ')' : ']');
}

}  // namespace

void JsonReader::fail(const std::string& what) const {
  throw Error(fmt::format("{}: {}: {}", *file_, pointer_.empty() ? "top level" : pointer_, what));
}

std::string JsonReader::found() const {
  switch (value_->type()) {
    case nlohmann::json::value_t::object:
      return "an object";
    case nlohmann::json::value_t::array:
      return fmt::format("an array of {}", value_->size());
    case nlohmann::json::value_t::string:
      return in_quotes(value_->get_ref<const std::string&>());
    default:
      return value_->dump();
  }
}

void JsonReader::expect_keys(const std::vector<std::string>& keys) const {
  if (!value_->is_object()) fail(fmt::format("expected an object, found {}", found()));
  for (const auto& [key, value] : value_->items())
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      fail(fmt::format("unknown key {}; {}", in_quotes(key), suggest_name(key, keys)));
}

std::vector<std::string> JsonReader::keys() const {
  if (!value_->is_object()) fail(fmt::format("expected an object, found {}", found()));
  std::vector<std::string> keys;
  for (const auto& [key, value] : value_->items()) keys.push_back(key);
  return keys;
}

bool JsonReader::has(std::string_view key) const {
  return find(key).has_value();
}

std::optional<JsonReader> JsonReader::find(std::string_view key) const {
  if (!value_->is_object()) fail(fmt::format("expected an object, found {}", found()));
  auto member = value_->find(key);
  if (member == value_->end()) return std::nullopt;
  return JsonReader(*member, *file_, pointer_ + "/" + one_line(pointer_step(key)));
}

JsonReader JsonReader::at(std::string_view key) const {
  std::optional<JsonReader> member = find(key);
  if (!member) fail(fmt::format("the key {} is missing", in_quotes(key)));
  return *member;
}

size_t JsonReader::size(std::string_view expected) const {
  if (!value_->is_array()) fail(fmt::format("expected {}, found {}", expected, found()));
  return value_->size();
}

JsonReader JsonReader::operator[](size_t item) const {
  return JsonReader((*value_)[item], *file_, pointer_ + "/" + std::to_string(item));
}

float JsonReader::number(Range range) const {
  if (!value_->is_number())
    fail(fmt::format("expected a number in {}, found {}", range_text(range), found()));
  double number = value_->get<double>();
  float rounded = static_cast<float>(number);
  // A double inside the range may round to an excluded bound.
  if (!range.contains(number) || !range.contains(rounded))
    fail(fmt::format("expected a number in {}, found {}", range_text(range), found()));
  return rounded;
}

double JsonReader::any_number() const {
  if (!is_number()) fail(fmt::format("expected a number, found {}", found()));
  return value_->get<double>();
}

uint32_t JsonReader::integer(uint32_t min, uint32_t max) const {
  double number = value_->is_number() ? value_->get<double>() : NAN;
  if (!(number >= min && number <= max) || number != std::floor(number))
    fail(fmt::format("expected a whole number in [{}, {}], found {}", min, max, found()));
  return static_cast<uint32_t>(number);
}

std::string JsonReader::text() const {
  if (!value_->is_string()) fail(fmt::format("expected a text in quotes, found {}", found()));
  return value_->get<std::string>();
}

bool JsonReader::boolean() const {
  if (!value_->is_boolean()) fail(fmt::format("expected true or false, found {}", found()));
  return value_->get<bool>();
}

size_t JsonReader::choice(const std::vector<std::string>& names) const {
  std::string name = text();
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return i;
  fail(fmt::format("expected one of {}, found {}; {}", fmt::join(names, ", "), in_quotes(name),
                   suggest_name(name, names)));
}

glm::vec3 JsonReader::vector(Range range) const {
  if (!value_->is_array() || value_->size() != 3)
    fail(fmt::format("expected three numbers [x, y, z], found {}", found()));
  return {(*this)[0].number(range), (*this)[1].number(range), (*this)[2].number(range)};
}

glm::vec3 JsonReader::direction() const {
  glm::vec3 v = vector();
  float length = glm::length(v);
  constexpr float kMinLength = 1e-15f;
  if (length < kMinLength) fail("expected a direction, found a vector of length 0");
  return with_unit_length(v, length);
}

glm::vec3 JsonReader::color(Range range) const {
  if (value_->is_number()) return glm::vec3(number(range));
  if (!value_->is_array() || value_->size() != 3)
    fail(fmt::format("expected a number or [r, g, b], found {}", found()));
  return vector(range);
}

}  // namespace winnow
