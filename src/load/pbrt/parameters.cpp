// SPDX-License-Identifier: MIT
#include "load/pbrt/parameters.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "base/limits.h"
#include "base/one_line.h"
#include "load/text/number.h"

namespace winnow {
namespace {

/// Returns the current name of a type that may have an older name.
std::string modern_type(std::string_view type) {
  constexpr std::pair<std::string_view, std::string_view> kOld[] = {
      {"color", "rgb"},      {"point", "point3"}, {"vector", "vector3"},
      {"normal", "normal3"}, {"int", "integer"},  {"vec3", "vector3"}};
  for (const auto& [old, modern] : kOld)
    if (type == old) return std::string(modern);
  return std::string(type);
}

float read_float(const PbrtToken& token) {
  std::string_view digits = token.text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  float number = 0.0f;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc() && end == digits.data() + digits.size() && std::isfinite(number))
    return number;
  switch (read_number(token.text, number)) {
    case NumberKind::kFinite:
      return number;
    case NumberKind::kNotFinite:
      return std::numeric_limits<float>::quiet_NaN();
    case NumberKind::kNone:
      break;
  }
  fail_at(token.place, fmt::format("expected a number, found {}", in_quotes(token.text)));
}

int32_t read_integer(const PbrtToken& token) {
  std::string_view digits = token.text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  int32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc() && end == digits.data() + digits.size()) return number;
  // Some exporters write 3.0 or 1e3.
  const double value = double(read_float(token));
  constexpr double kMax = double(1 << 24);  // integers up to this are exact as floats
  if (!(std::abs(value) <= kMax && value == std::floor(value)))
    fail_at(token.place, fmt::format("expected an integer, found {}", in_quotes(token.text)));
  return int32_t(value);
}

/// Splits "type name". Throws Error for any other text.
PbrtParameter read_declaration(const PbrtToken& token) {
  constexpr std::string_view kBlanks = " \t";
  const std::string_view text = token.text;
  const size_t type = text.find_first_not_of(kBlanks);
  const size_t type_end = text.find_first_of(kBlanks, type);
  const size_t name = text.find_first_not_of(kBlanks, type_end);
  if (type == text.npos || type_end == text.npos || name == text.npos)
    fail_at(token.place,
            fmt::format("expected \"type name\" of a parameter, found {}", in_quotes(text)));
  size_t name_end = text.find_first_of(kBlanks, name);
  if (name_end == text.npos) name_end = text.size();
  PbrtParameter parameter;
  parameter.type = modern_type(text.substr(type, type_end - type));
  parameter.name = std::string(text.substr(name, name_end - name));
  parameter.place = token.place;
  return parameter;
}

void add_parameter_value(const PbrtToken& token, PbrtParameter& to) {
  const bool is_bool = token.text == "true" || token.text == "false";
  if (to.type == "bool" && is_bool)
    to.bools.push_back(token.text == "true");
  else if (token.kind == PbrtTokenKind::kString)
    to.strings.push_back(pbrt_string(token.text));
  else if (to.type == "integer")
    to.integers.push_back(read_integer(token));
  else
    to.numbers.push_back(read_float(token));
}

void read_values(PbrtTokens& tokens, PbrtParameter& to) {
  std::optional<PbrtToken> token = tokens.take();
  if (!token || token->kind == PbrtTokenKind::kClose)
    fail_at(to.place, fmt::format("the parameter {} has no value", in_quotes(to.name)));
  if (token->kind != PbrtTokenKind::kOpen) return add_parameter_value(*token, to);
  while ((token = tokens.take())) {
    if (token->kind == PbrtTokenKind::kClose) return;
    if (token->kind == PbrtTokenKind::kOpen)
      fail_at(token->place, "expected a value or ], found [");
    add_parameter_value(*token, to);
  }
  fail_at(to.place,
          fmt::format("the list of the parameter {} has no end: expected ]", in_quotes(to.name)));
}

[[noreturn]] void fail_type(const PbrtParameter& parameter, const char* expected) {
  fail_at(parameter.place,
          fmt::format("expected {} for the parameter {}", expected, in_quotes(parameter.name)));
}

}  // namespace

PbrtParameters PbrtParameters::read(PbrtTokens& tokens) {
  PbrtParameters read;
  while (tokens.peek() && tokens.peek()->kind == PbrtTokenKind::kString) {
    PbrtParameter parameter = read_declaration(*tokens.take());
    read_values(tokens, parameter);
    read.parameters_.push_back(std::move(parameter));
  }
  return read;
}

const PbrtParameter* PbrtParameters::find(std::string_view name) const {
  for (const PbrtParameter& parameter : parameters_)
    if (parameter.name == name) {
      parameter.is_used = true;
      return &parameter;
    }
  return nullptr;
}

bool PbrtParameters::has(std::string_view name) const {
  for (const PbrtParameter& parameter : parameters_)
    if (parameter.name == name) return true;
  return false;
}

float PbrtParameters::number(std::string_view name, float fallback) const {
  const PbrtParameter* parameter = find(name);
  if (!parameter) return fallback;
  if (parameter->integers.size() == 1) return float(parameter->integers[0]);
  if (parameter->numbers.size() != 1 || !std::isfinite(parameter->numbers[0]))
    fail_type(*parameter, "one finite number");
  return parameter->numbers[0];
}

int PbrtParameters::integer(std::string_view name, int fallback) const {
  const PbrtParameter* parameter = find(name);
  if (!parameter) return fallback;
  if (parameter->integers.size() == 1) return parameter->integers[0];
  if (parameter->numbers.size() == 1 && std::abs(parameter->numbers[0]) <= float(kMaxSceneValue))
    return int(parameter->numbers[0]);
  fail_type(*parameter, "one integer");
}

bool PbrtParameters::boolean(std::string_view name, bool fallback) const {
  const PbrtParameter* parameter = find(name);
  if (!parameter) return fallback;
  if (parameter->bools.size() != 1) fail_type(*parameter, "true or false");
  return parameter->bools[0];
}

std::string PbrtParameters::text(std::string_view name, const std::string& fallback) const {
  const PbrtParameter* parameter = find(name);
  if (!parameter) return fallback;
  if (parameter->strings.size() != 1) fail_type(*parameter, "one string");
  return parameter->strings[0];
}

glm::vec3 PbrtParameters::point(std::string_view name, glm::vec3 fallback) const {
  const PbrtParameter* parameter = find(name);
  if (!parameter) return fallback;
  const std::vector<float>& n = parameter->numbers;
  if (n.size() != 3 || !std::isfinite(n[0] + n[1] + n[2])) fail_type(*parameter, "three numbers");
  return {n[0], n[1], n[2]};
}

std::span<const float> PbrtParameters::numbers(std::string_view name) const {
  const PbrtParameter* parameter = find(name);
  if (!parameter) return {};
  if (!parameter->strings.empty() || !parameter->integers.empty())
    fail_type(*parameter, "numbers that are not of the type integer");
  return parameter->numbers;
}

std::span<const int32_t> PbrtParameters::integers(std::string_view name) const {
  const PbrtParameter* parameter = find(name);
  if (!parameter) return {};
  if (parameter->type != "integer" || !parameter->strings.empty())
    fail_type(*parameter, "integers");
  return parameter->integers;
}

void PbrtParameters::fail_length(std::string_view name, size_t count, size_t expected) const {
  fail_at(find(name)->place, fmt::format("expected a multiple of {} numbers for the parameter {}, "
                                         "found {}",
                                         expected, in_quotes(name), count));
}

void PbrtParameters::add_defaults(const PbrtParameters& defaults) {
  for (const PbrtParameter& parameter : defaults.parameters_)
    if (!has(parameter.name)) {
      parameters_.push_back(parameter);
      parameters_.back().is_used = true;  // a default may be unused
    }
}

std::vector<std::string> PbrtParameters::unused() const {
  std::vector<std::string> names;
  for (const PbrtParameter& parameter : parameters_)
    if (!parameter.is_used) names.push_back(parameter.name);
  return names;
}

}  // namespace winnow
