// SPDX-License-Identifier: MIT
#include "load/json/json_reader.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "base/text_position.h"
#include "scene/mesh.h"

namespace winnow {
namespace {

using nlohmann::json;

/// Returns the token before `end`, where the library stopped.
/// @param last_token  token that the library reports: right for numbers and strings; for other
///                    tokens it holds all text since the last of these
std::string_view refused_token(std::string_view text, size_t end, const std::string& last_token,
                               const std::string& message) {
  end = std::min(end, text.size());
  for (const char* kind :
       {"unexpected number", "unexpected string", "invalid number", "invalid string"})
    if (message.find(kind) != std::string::npos)
      return text.substr(end - std::min(end, last_token.size()), std::min(end, last_token.size()));

  constexpr std::string_view kDelimiters = " \t\r\n[]{},:";
  auto is_delimiter = [&](size_t at) {
    return kDelimiters.find(text[at]) != std::string_view::npos;
  };
  if (message.find("invalid literal") != std::string::npos && end > 1 && is_delimiter(end - 1))
    --end;
  size_t start = end;
  while (start > 0 && !is_delimiter(start - 1)) --start;
  if (start == end && start > 0) --start;  // the delimiter itself
  return text.substr(start, end - start);
}

/// Rephrases a message of the library as what was expected and what was found.
std::string describe_syntax_error(const std::string& message, std::string_view token) {
  // The library writes "... - unexpected X; expected Y" for a token in the wrong place, and
  // "... - reason; last read: 'token'" for characters that form no token.
  const std::string kExpected = "; expected ";
  bool at_end = message.find("unexpected end of input") != std::string::npos;
  std::string found = at_end ? "the end of the file" : fmt::format("'{}'", one_line(token));
  if (size_t at = message.find(kExpected); at != std::string::npos) {
    std::string expected = message.substr(at + kExpected.size());
    if (expected == "'}'" || expected == "']'") expected = "',' or " + expected;
    if (expected == "string literal") expected = "a key in quotes";
    if (expected == "end of input") expected = "the end of the file";
    return fmt::format("expected {}, found {}", expected, found);
  }
  if (at_end) return "expected a value, found the end of the file";

  size_t reason = message.find(" - ");
  size_t end = message.find("; last read");
  if (reason == std::string::npos || end == std::string::npos || end < reason)
    return "expected JSON, found " + found;
  return fmt::format("expected JSON, found {}: {}", found,
                     message.substr(reason + 3, end - reason - 3));
}

class DocumentBuilder : public nlohmann::json_sax<json> {
 public:
  DocumentBuilder(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  json document;

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // JSON text has no binary values

  bool start_object(size_t) override { return open(json::object()); }
  bool start_array(size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& key) override {
    if (open_.back()->contains(key))
      throw Error(fmt::format("{}: {}/{}: this key appears twice; expected it once", file_,
                              pointer(), one_line(pointer_step(key))));
    key_ = std::move(key);
    return true;
  }

  /// @param offset  bytes up to the end of the token; the end of the text counts as one more byte
  bool parse_error(size_t offset, const std::string& last_token,
                   const json::exception& error) override {
    std::string message = error.what();
    if (dynamic_cast<const json::out_of_range*>(&error))
      fail(offset - std::min(offset, last_token.size()),
           fmt::format("expected a number that a double can hold, found {}", one_line(last_token)));
    if (message.find("unexpected end of input") != std::string::npos)
      fail(text_.size(), describe_syntax_error(message, ""));
    std::string_view token = refused_token(text_, offset, last_token, message);
    fail(size_t(token.data() - text_.data()), describe_syntax_error(message, token));
  }

 private:
  [[noreturn]] void fail(size_t offset, const std::string& what) const {
    TextPosition position = text_position(text_, offset);
    throw Error(fmt::format("{}:{}:{}: {}", file_, position.line, position.column, what));
  }

  /// Inserts a value into the innermost object or array, and returns it.
  json* insert(json value) {
    if (open_.empty()) return &(document = std::move(value));
    json& parent = *open_.back();
    if (parent.is_object()) return &(parent[key_] = std::move(value));
    parent.push_back(std::move(value));
    return &parent.back();
  }

  bool add(json value) {
    insert(std::move(value));
    return true;
  }

  bool open(json value) {
    if (open_.size() == kMaxJsonDepth)
      throw Error(fmt::format("{}: {}: values are nested deeper than {} levels", file_, pointer(),
                              kMaxJsonDepth));
    if (!open_.empty())
      steps_.push_back(open_.back()->is_object() ? pointer_step(key_)
                                                 : std::to_string(open_.back()->size()));
    open_.push_back(insert(std::move(value)));
    return true;
  }

  bool close() {
    open_.pop_back();
    if (!steps_.empty()) steps_.pop_back();
    return true;
  }

  std::string pointer() const {
    std::string pointer;
    for (const std::string& step : steps_) (pointer += '/') += one_line(step);
    return pointer;
  }

  std::string_view text_;
  const std::string& file_;
  std::vector<json*> open_;         ///< open objects and arrays, outermost first
  std::vector<std::string> steps_;  ///< JSON pointer of the innermost one
  std::string key_;                 ///< key of the next value in an object
};

std::string range_text(Range range) {
  return fmt::format("{}{:g}, {:g}{}", range.min_excluded ? '(' : '[', range.min, range.max,
                     range.max_excluded ? ')' : ']');
}

}  // namespace

json parse_json(std::string_view text, const std::string& file) {
  DocumentBuilder builder(text, file);
  json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder.document);
}

std::string pointer_step(std::string_view key) {
  if (std::ranges::none_of(key, [](char c) { return c == '~' || c == '/'; }))
    return std::string(key);
  return (json::json_pointer() / std::string(key)).to_string().substr(1);
}

void JsonReader::fail_with(const std::string& what) const {
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

JsonReader JsonReader::child(const nlohmann::json& value, std::string_view step) const {
  std::string pointer;
  pointer.reserve(pointer_.size() + 1 + step.size());
  ((pointer += pointer_) += '/') += step;
  return JsonReader(value, *file_, std::move(pointer));
}

void JsonReader::expect_keys(const std::vector<std::string>& keys) const {
  for (const std::string& key : this->keys())
    if (std::ranges::find(keys, key) == keys.end())
      fail("unknown key {}; {}", in_quotes(key), suggest_name(key, keys));
}

std::vector<std::string> JsonReader::keys() const {
  if (!value_->is_object()) fail("expected an object, found {}", found());
  std::vector<std::string> keys;
  for (const auto& [key, value] : value_->items()) keys.push_back(key);
  return keys;
}

std::optional<JsonReader> JsonReader::find(std::string_view key) const {
  if (!value_->is_object()) fail("expected an object, found {}", found());
  auto member = value_->find(key);
  if (member == value_->end()) return std::nullopt;
  return child(*member, one_line(pointer_step(key)));
}

JsonReader JsonReader::at(std::string_view key) const {
  std::optional<JsonReader> member = find(key);
  if (!member) fail("the key {} is missing", in_quotes(key));
  return std::move(*member);
}

size_t JsonReader::size(std::string_view expected) const {
  if (!value_->is_array()) fail("expected {}, found {}", expected, found());
  return value_->size();
}

JsonReader JsonReader::operator[](size_t item) const {
  return child((*value_)[item], std::to_string(item));
}

float JsonReader::number(Range range) const {
  const auto rounded = static_cast<float>(number_or(NAN));
  // Compares the rounded value: a file may contain the digits of a bound rounded up to float.
  if (!range.of_floats().contains(rounded))
    fail("expected a number in {}, found {}", range_text(range), found());
  return rounded;
}

double JsonReader::any_number() const {
  if (!is_number()) fail("expected a number, found {}", found());
  return value_->get<double>();
}

uint32_t JsonReader::integer(uint32_t min, uint32_t max) const {
  const double number = number_or(NAN);
  if (!(number >= min && number <= max) || number != std::floor(number))
    fail("expected a whole number in [{}, {}], found {}", min, max, found());
  return static_cast<uint32_t>(number);
}

std::string JsonReader::text() const {
  if (!value_->is_string()) fail("expected a text in quotes, found {}", found());
  return value_->get<std::string>();
}

bool JsonReader::boolean() const {
  if (!value_->is_boolean()) fail("expected true or false, found {}", found());
  return value_->get<bool>();
}

size_t JsonReader::choice(const std::vector<std::string>& names) const {
  std::string name = text();
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return size_t(found - names.begin());
  fail("expected one of {}, found {}; {}", fmt::join(names, ", "), in_quotes(name),
       suggest_name(name, names));
}

glm::vec3 JsonReader::vector(Range range) const {
  if (!value_->is_array() || value_->size() != 3)
    fail("expected three numbers [x, y, z], found {}", found());
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
    fail("expected a number or [r, g, b], found {}", found());
  return vector(range);
}

}  // namespace winnow
