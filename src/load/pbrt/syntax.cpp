// SPDX-License-Identifier: MIT
#include "load/pbrt/syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/limits.h"
#include "load/text/number.h"

namespace winnow {
namespace {

bool is_pbrt_blank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

bool ends_word(char c) {
  return is_pbrt_blank(c) || c == '"' || c == '[' || c == ']' || c == '#';
}

/// Returns the current name of a type that may have an older name.
std::string modern_type(std::string_view type) {
  constexpr std::pair<std::string_view, std::string_view> kOld[] = {
      {"color", "rgb"},      {"point", "point3"}, {"vector", "vector3"},
      {"normal", "normal3"}, {"int", "integer"},  {"vec3", "vector3"}};
  for (const auto& [old, modern] : kOld)
    if (type == old) return std::string(modern);
  return std::string(type);
}

/// Converts a word that is a number of this type as a whole; nothing otherwise.
template <class Number>
std::optional<Number> parse(std::string_view digits) {
  if (digits.starts_with('+')) digits.remove_prefix(1);
  Number number{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return {};
  return number;
}

float read_float(const PbrtToken& token) {
  const std::optional<float> parsed = parse<float>(token.text);
  if (parsed && std::isfinite(*parsed)) return *parsed;
  float number = 0.0f;
  const NumberKind kind = read_number(token.text, number);
  if (kind == NumberKind::kNone)
    fail_at(token.place, fmt::format("expected a number, found {}", in_quotes(token.text)));
  return kind == NumberKind::kFinite ? number : std::numeric_limits<float>::quiet_NaN();
}

int32_t read_integer(const PbrtToken& token) {
  if (const std::optional<int32_t> parsed = parse<int32_t>(token.text)) return *parsed;
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
  PbrtParameter parameter;
  parameter.type = modern_type(text.substr(type, type_end - type));
  parameter.name = std::string(text.substr(name, text.find_first_of(kBlanks, name) - name));
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

template <class Value>
Value the_only(const PbrtParameter& parameter, const std::vector<Value>& values,
               const char* expected) {
  if (values.size() != 1) fail_type(parameter, expected);
  return values[0];
}

}  // namespace

std::string PbrtPlace::text() const {
  return fmt::format("{}:{}:{}", *file, line, column);
}

void fail_at(const PbrtPlace& place, const std::string& what) {
  throw Error(fmt::format("{}: {}", place.text(), what));
}

void PbrtTokens::skip_blanks() {
  while (next_ != end_) {
    if (*next_ == '\n') {
      ++line_;
      line_start_ = next_ + 1;
    } else if (*next_ == '#') {
      const void* newline = std::memchr(next_, '\n', size_t(end_ - next_));
      next_ = newline ? static_cast<const char*>(newline) : end_;
      continue;
    } else if (!is_pbrt_blank(*next_)) {
      return;
    }
    ++next_;
  }
}

PbrtPlace PbrtTokens::place() {
  if (peek()) return peeked_->place;
  return place_of(next_);
}

PbrtToken PbrtTokens::read_string(PbrtPlace place) {
  const char* start = ++next_;
  while (next_ != end_ && *next_ != '"' && *next_ != '\n') {
    if (*next_ == '\\' && next_ + 1 != end_) ++next_;
    ++next_;
  }
  if (next_ == end_ || *next_ == '\n')
    fail_at(place, fmt::format("the string {} has no end: expected \" in the same line",
                               in_quotes(std::string_view(start, size_t(next_ - start)))));
  const std::string_view text(start, size_t(next_ - start));
  ++next_;
  return {PbrtTokenKind::kString, text, place};
}

std::optional<PbrtToken> PbrtTokens::read() {
  skip_blanks();
  if (next_ == end_) return {};
  const PbrtPlace place = place_of(next_);
  const char* start = next_;
  if (*next_ == '"') return read_string(place);
  if (*next_ == '[' || *next_ == ']') {
    ++next_;
    return PbrtToken{
        *start == '[' ? PbrtTokenKind::kOpen : PbrtTokenKind::kClose, {start, 1}, place};
  }
  while (next_ != end_ && !ends_word(*next_)) ++next_;
  return PbrtToken{PbrtTokenKind::kWord, {start, size_t(next_ - start)}, place};
}

std::string pbrt_string(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      plain += text[i];
      continue;
    }
    const char escaped = text[++i];
    constexpr std::string_view kEscapes = "bfnrt", kMeanings = "\b\f\n\r\t";
    const size_t known = kEscapes.find(escaped);
    plain += known == std::string_view::npos ? escaped : kMeanings[known];
  }
  return plain;
}

PbrtParameters PbrtParameters::read(PbrtTokens& tokens) {
  PbrtParameters read;
  while (tokens.peek() && tokens.peek()->kind == PbrtTokenKind::kString) {
    PbrtParameter parameter = read_declaration(*tokens.take());
    read_values(tokens, parameter);
    read.parameters_.push_back(std::move(parameter));
  }
  return read;
}

PbrtParameters PbrtParameters::read_option(PbrtTokens& tokens) {
  const std::optional<PbrtToken> first = tokens.peek();
  if (!first || first->kind != PbrtTokenKind::kString || first->text.find(' ') != first->text.npos)
    return read(tokens);
  PbrtParameter option;
  option.place = tokens.take()->place;
  for (const char c : first->text)
    if (c != '-' && c != '_') option.name += char(std::tolower(static_cast<unsigned char>(c)));
  const std::optional<PbrtToken> value = tokens.take();
  if (!value)
    fail_at(option.place, fmt::format("the option {} has no value", in_quotes(option.name)));
  if (value->text == "true" || value->text == "false")
    option.bools.push_back(value->text == "true");
  else
    option.strings.push_back(pbrt_string(value->text));
  PbrtParameters read;
  read.parameters_.push_back(std::move(option));
  return read;
}

bool PbrtParameters::has(std::string_view name) const {
  return std::ranges::find(parameters_, name, &PbrtParameter::name) != parameters_.end();
}

const PbrtParameter* PbrtParameters::find(std::string_view name) const {
  const PbrtParameter* last = nullptr;
  for (const PbrtParameter& parameter : parameters_)
    if (parameter.name == name) {
      parameter.is_used = true;
      last = &parameter;
    }
  return last;
}

float PbrtParameters::number(std::string_view name, float fallback) const {
  const PbrtParameter* parameter = find(name);
  if (!parameter) return fallback;
  if (parameter->integers.size() == 1) return float(parameter->integers[0]);
  const float number = the_only(*parameter, parameter->numbers, "one finite number");
  if (!std::isfinite(number)) fail_type(*parameter, "one finite number");
  return number;
}

int PbrtParameters::integer(std::string_view name, int fallback) const {
  const PbrtParameter* parameter = find(name);
  if (!parameter) return fallback;
  if (parameter->integers.size() == 1) return parameter->integers[0];
  const float number = the_only(*parameter, parameter->numbers, "one integer");
  if (!(std::abs(number) <= float(kMaxSceneValue))) fail_type(*parameter, "one integer");
  return int(number);
}

bool PbrtParameters::boolean(std::string_view name, bool fallback) const {
  const PbrtParameter* parameter = find(name);
  return parameter ? the_only(*parameter, parameter->bools, "true or false") : fallback;
}

std::string PbrtParameters::text(std::string_view name, const std::string& fallback) const {
  const PbrtParameter* parameter = find(name);
  return parameter ? the_only(*parameter, parameter->strings, "one string") : fallback;
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
  std::vector<PbrtParameter> all;
  for (const PbrtParameter& parameter : defaults.parameters_)
    if (!has(parameter.name)) {
      all.push_back(parameter);
      all.back().is_used = true;  // a default may be unused
    }
  std::ranges::move(parameters_, std::back_inserter(all));
  parameters_ = std::move(all);
}

std::vector<std::string> PbrtParameters::unused() const {
  std::vector<std::string> names;
  for (const PbrtParameter& parameter : parameters_)
    if (!parameter.is_used) names.push_back(parameter.name);
  return names;
}

}  // namespace winnow
