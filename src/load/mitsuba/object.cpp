// SPDX-License-Identifier: MIT
#include "load/mitsuba/object.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include "base/error.h"
#include "load/text/number.h"
#include "math/frame.h"

namespace winnow {
namespace {

float read_float(const MitsubaObject& property, std::string_view word) {
  float number = 0.0f;
  if (read_number(word, number) != NumberKind::kFinite)
    property.fail(fmt::format("expected a number, found {}", in_quotes(word)));
  return number;
}

/// Reads the numbers of an attribute. Throws Error unless there are `count`.
std::vector<float> read_list(const MitsubaObject& property, const char* attribute, size_t count,
                             const char* count_in_words) {
  const char* text = property.node().attribute(attribute).value();
  std::vector<float> numbers = property.numbers_of(text);
  if (numbers.size() != count)
    property.fail(fmt::format("expected {} in {}=\"\", found {}", count_in_words, attribute,
                              in_quotes(text)));
  return numbers;
}

float attribute_number(const MitsubaObject& property, const char* name, float fallback) {
  if (!property.node().attribute(name)) return fallback;
  return read_list(property, name, 1, "one number")[0];
}

glm::vec3 read_list_of_three(const MitsubaObject& property, const char* attribute) {
  const std::vector<float> numbers = read_list(property, attribute, 3, "three numbers");
  return {numbers[0], numbers[1], numbers[2]};
}

/// Reads <... value="x, y, z"/> or <... x="" y="" z=""/>.
glm::vec3 read_vector(const MitsubaObject& property, float fallback) {
  if (property.node().attribute("value")) return read_list_of_three(property, "value");
  return {attribute_number(property, "x", fallback), attribute_number(property, "y", fallback),
          attribute_number(property, "z", fallback)};
}

glm::mat4 read_matrix(const MitsubaObject& step) {
  constexpr size_t kThreeRows = 9, kFourRows = 16;
  const std::vector<float> numbers = step.numbers_of(step.node().attribute("value").value());
  if (numbers.size() != kThreeRows && numbers.size() != kFourRows)
    step.fail(fmt::format("expected 9 or 16 numbers, found {}", numbers.size()));
  const size_t rows = numbers.size() == kFourRows ? 4 : 3;
  glm::mat4 matrix(1.0f);
  for (size_t i = 0; i < numbers.size(); ++i) matrix[int(i % rows)][int(i / rows)] = numbers[i];
  if (glm::vec4(matrix[0][3], matrix[1][3], matrix[2][3], matrix[3][3]) != glm::vec4(0, 0, 0, 1))
    step.fail("expected the last row 0 0 0 1; shapes cannot have a perspective transform");
  return matrix;
}

/// Returns what Mitsuba takes for the direction up where a file gives none: the first vector of an
/// orthonormal basis, since version 2 that of Duff et al. 2017.
/// @param forward  unit length
glm::vec3 default_up(glm::vec3 forward, bool is_old) {
  if (!is_old) return Frame(forward).s;
  const glm::vec3 across = std::abs(forward.x) > std::abs(forward.y)
                               ? glm::vec3(forward.z, 0.0f, -forward.x)
                               : glm::vec3(0.0f, forward.z, -forward.y);
  return glm::cross(glm::normalize(across), forward);
}

/// Reads the transform from a space whose z axis points from "origin" to "target" and whose x axis
/// points to the left.
glm::mat4 read_look_at(const MitsubaObject& step) {
  constexpr float kMin = 1e-15f;
  const glm::vec3 origin = read_list_of_three(step, "origin");
  glm::vec3 forward = read_list_of_three(step, "target") - origin;
  if (!(glm::length(forward) > kMin)) step.fail("expected a target other than the origin");
  forward = glm::normalize(forward);
  const glm::vec3 given =
      step.node().attribute("up") ? read_list_of_three(step, "up") : glm::vec3(0.0f);
  const glm::vec3 up =
      given != glm::vec3(0.0f) ? given : default_up(forward, step.document().version() < 2);
  glm::vec3 left = glm::cross(up, forward);
  if (!(glm::length(left) > kMin))  // up is parallel to the view: the roll is arbitrary
    left =
        glm::cross(std::abs(forward.y) < 0.5f ? glm::vec3(0, 1, 0) : glm::vec3(0, 0, 1), forward);
  left = glm::normalize(left);
  return glm::mat4(glm::vec4(left, 0.0f), glm::vec4(glm::cross(forward, left), 0.0f),
                   glm::vec4(forward, 0.0f), glm::vec4(origin, 1.0f));
}

/// Returns what Rodrigues' formula gives for an axis of any length. Since version 2, Mitsuba does
/// not normalize axes.
glm::mat3 rotation_of_any_axis(glm::vec3 axis, float angle) {
  const float sine = std::sin(angle), cosine = std::cos(angle);
  const glm::mat3 cross(0.0f, axis.z, -axis.y, -axis.z, 0.0f, axis.x, axis.y, -axis.x, 0.0f);
  return cosine * glm::mat3(1.0f) + sine * cross + (1.0f - cosine) * glm::outerProduct(axis, axis);
}

glm::mat4 read_step(const MitsubaObject& step) {
  constexpr float kMaxOffUnit = 1e-3f;  // relative error of a length, by rounding in the file
  const glm::mat4 kIdentity(1.0f);
  const std::string tag = step.tag();
  if (tag == "matrix") return read_matrix(step);
  if (tag == "translate") return glm::translate(kIdentity, read_vector(step, 0.0f));
  if (tag == "lookat" || tag == "lookAt" || tag == "look_at") return read_look_at(step);
  if (tag == "rotate") {
    const glm::vec3 axis = read_vector(step, 0.0f);
    const float length = glm::length(axis);
    if (!(length > 0.0f)) step.fail("expected an axis other than zero");
    const float angle = glm::radians(attribute_number(step, "angle", 0.0f));
    if (step.document().version() < 2 || std::abs(length - 1.0f) <= kMaxOffUnit)
      return glm::rotate(kIdentity, angle, axis / length);
    step.warn("a rotation whose axis is not of unit length also scales and skews, as in Mitsuba 3");
    return glm::mat4(rotation_of_any_axis(axis, angle));
  }
  if (tag == "scale") {
    const std::vector<float> same = step.numbers_of(step.node().attribute("value").value());
    return glm::scale(kIdentity, same.size() == 1 ? glm::vec3(same[0]) : read_vector(step, 1.0f));
  }
  step.fail(fmt::format("expected translate, rotate, scale, lookat or matrix, found <{}>",
                        one_line(tag)));
}

}  // namespace

std::string snake_case(std::string_view name) {
  std::string snake;
  for (size_t i = 0; i < name.size(); ++i) {
    bool upper = std::isupper(static_cast<unsigned char>(name[i]));
    if (upper && i > 0 && std::islower(static_cast<unsigned char>(name[i - 1]))) snake += '_';
    snake += char(std::tolower(static_cast<unsigned char>(name[i])));
  }
  return snake;
}

std::vector<float> MitsubaObject::numbers_of(std::string_view text) const {
  constexpr const char* kBetween = " ,\t\r\n";
  std::vector<float> numbers;
  for (size_t at = text.find_first_not_of(kBetween); at != std::string_view::npos;
       at = text.find_first_not_of(kBetween, at)) {
    const size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    numbers.push_back(read_float(*this, text.substr(at, end - at)));
    at = end;
  }
  return numbers;
}

pugi::xml_node MitsubaObject::find(std::string_view name) const {
  return node_.find_child([&](pugi::xml_node child) {
    return child.attribute("name") && snake_case(child.attribute("name").value()) == name;
  });
}

float MitsubaObject::number(std::string_view name, float fallback) const {
  if (!has(name)) return fallback;
  const MitsubaObject property(*document_, find(name));
  if (const pugi::xml_attribute value = property.node().attribute("value"))
    return read_float(property, value.value());
  property.warn(fmt::format("a <{}> is ignored where a number is expected: {} is {}",
                            one_line(property.tag()), one_line(name), fallback));
  return fallback;
}

int MitsubaObject::integer(std::string_view name, int fallback) const {
  constexpr float kMax = 1e9f;
  const float value = number(name, float(fallback));
  const float whole = std::round(std::clamp(value, -kMax, kMax));
  if (whole != value)
    document_->warn(find(name), fmt::format("{} becomes {}: expected a whole number, found {}",
                                            one_line(name), whole, value));
  return int(whole);
}

bool MitsubaObject::boolean(std::string_view name, bool fallback) const {
  pugi::xml_node property = find(name);
  if (!property) return fallback;
  const std::string value = snake_case(property.attribute("value").value());
  if (value == "true" || value == "1") return true;
  if (value == "false" || value == "0") return false;
  document_->warn(property, fmt::format("{} stays {}: expected true or false, found {}",
                                        one_line(name), fallback, in_quotes(value)));
  return fallback;
}

std::string MitsubaObject::text(std::string_view name, const std::string& fallback) const {
  pugi::xml_node property = find(name);
  return property ? property.attribute("value").value() : fallback;
}

glm::vec3 MitsubaObject::point(std::string_view name, glm::vec3 fallback) const {
  pugi::xml_node property = find(name);
  return property ? read_vector({*document_, property}, 0.0f) : fallback;
}

glm::mat4 MitsubaObject::transform(std::string_view name) const {
  glm::mat4 transform(1.0f);
  pugi::xml_node property = find(name);
  if (!property)  // some exporters omit the name
    property = node_.find_child([](pugi::xml_node child) {
      return std::string_view(child.name()) == "transform" && !child.attribute("name");
    });
  if (property)
    for (pugi::xml_node step : property.children())
      if (step.type() == pugi::node_element) transform = read_step({*document_, step}) * transform;
  return transform;
}

std::vector<MitsubaObject> MitsubaObject::children() const {
  std::vector<MitsubaObject> found;
  for (pugi::xml_node child : node_.children())
    if (child.type() == pugi::node_element) found.emplace_back(*document_, child);
  return found;
}

std::vector<MitsubaObject> MitsubaObject::children(std::string_view tag) const {
  std::vector<MitsubaObject> found = children();
  std::erase_if(found, [&](const MitsubaObject& child) { return child.node().name() != tag; });
  return found;
}

std::vector<MitsubaObject> MitsubaObject::textures() const {
  std::vector<MitsubaObject> found = children();
  std::erase_if(found, [](const MitsubaObject& child) { return !child.is_texture(); });
  return found;
}

std::optional<MitsubaObject> MitsubaObject::texture(std::string_view name) const {
  const pugi::xml_node node = find(name);
  if (!node) return {};
  MitsubaObject texture(*document_, node);
  return texture.is_texture() ? std::optional(texture) : std::nullopt;
}

}  // namespace winnow
