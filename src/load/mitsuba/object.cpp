// SPDX-License-Identifier: MIT
#include "load/mitsuba/object.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

#include "base/one_line.h"
#include "load/text/number.h"

namespace winnow {
namespace {

/// Converts to snake case: "toWorld" to "to_world", "intIOR" to "int_ior".
std::string snake_case(std::string_view name) {
  std::string snake;
  for (size_t i = 0; i < name.size(); ++i) {
    bool upper = std::isupper(static_cast<unsigned char>(name[i]));
    if (upper && i > 0 && std::islower(static_cast<unsigned char>(name[i - 1]))) snake += '_';
    snake += char(std::tolower(static_cast<unsigned char>(name[i])));
  }
  return snake;
}

float read_float(const MitsubaDocument& document, pugi::xml_node node, std::string_view word) {
  float number = 0.0f;
  if (read_number(word, number) != NumberKind::kFinite)
    document.fail(node, fmt::format("expected a number, found {}", in_quotes(word)));
  return number;
}

float attribute_number(const MitsubaDocument& document, pugi::xml_node node, const char* name,
                       float fallback) {
  pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute) return fallback;
  std::vector<float> numbers = mitsuba_numbers(document, node, attribute.value());
  if (numbers.size() != 1)
    document.fail(node, fmt::format("expected one number in {}=\"\", found {}", name,
                                    in_quotes(attribute.value())));
  return numbers[0];
}

glm::vec3 read_list_of_three(const MitsubaDocument& document, pugi::xml_node node,
                             const char* attribute) {
  std::vector<float> numbers = mitsuba_numbers(document, node, node.attribute(attribute).value());
  if (numbers.size() != 3)
    document.fail(node, fmt::format("expected three numbers in {}=\"\", found {}", attribute,
                                    in_quotes(node.attribute(attribute).value())));
  return {numbers[0], numbers[1], numbers[2]};
}

/// Reads <... value="x, y, z"/> or <... x="" y="" z=""/>.
glm::vec3 read_vector(const MitsubaDocument& document, pugi::xml_node node, float fallback) {
  if (node.attribute("value")) return read_list_of_three(document, node, "value");
  return {attribute_number(document, node, "x", fallback),
          attribute_number(document, node, "y", fallback),
          attribute_number(document, node, "z", fallback)};
}

glm::mat4 read_matrix(const MitsubaDocument& document, pugi::xml_node node) {
  constexpr size_t kThreeRows = 9, kFourRows = 16;
  std::vector<float> numbers = mitsuba_numbers(document, node, node.attribute("value").value());
  if (numbers.size() != kThreeRows && numbers.size() != kFourRows)
    document.fail(node, fmt::format("expected 9 or 16 numbers, found {}", numbers.size()));
  size_t rows = numbers.size() == kFourRows ? 4 : 3;
  glm::mat4 matrix(1.0f);
  for (size_t row = 0; row < rows; ++row)
    for (size_t column = 0; column < rows; ++column)
      matrix[int(column)][int(row)] = numbers[row * rows + column];
  if (glm::vec4(matrix[0][3], matrix[1][3], matrix[2][3], matrix[3][3]) != glm::vec4(0, 0, 0, 1))
    document.fail(node,
                  "expected the last row 0 0 0 1; shapes cannot have a perspective transform");
  return matrix;
}

/// Reads the transform from a space whose z axis points from "origin" to "target" and whose x axis
/// points to the left.
glm::mat4 read_look_at(const MitsubaDocument& document, pugi::xml_node node) {
  constexpr float kMin = 1e-15f;
  glm::vec3 origin = read_list_of_three(document, node, "origin");
  glm::vec3 forward = read_list_of_three(document, node, "target") - origin;
  glm::vec3 up =
      node.attribute("up") ? read_list_of_three(document, node, "up") : glm::vec3(0.0f, 1.0f, 0.0f);
  if (!(glm::length(forward) > kMin))
    document.fail(node, "expected a target other than the origin");
  forward = glm::normalize(forward);
  glm::vec3 left = glm::cross(up, forward);
  if (!(glm::length(left) > kMin))  // up is parallel to the view: the roll is arbitrary
    left =
        glm::cross(std::abs(forward.y) < 0.5f ? glm::vec3(0, 1, 0) : glm::vec3(0, 0, 1), forward);
  left = glm::normalize(left);
  return glm::mat4(glm::vec4(left, 0.0f), glm::vec4(glm::cross(forward, left), 0.0f),
                   glm::vec4(forward, 0.0f), glm::vec4(origin, 1.0f));
}

glm::mat4 read_step(const MitsubaDocument& document, pugi::xml_node node) {
  const glm::mat4 kIdentity(1.0f);
  std::string_view tag = node.name();
  if (tag == "matrix") return read_matrix(document, node);
  if (tag == "translate") return glm::translate(kIdentity, read_vector(document, node, 0.0f));
  if (tag == "lookat" || tag == "lookAt" || tag == "look_at") return read_look_at(document, node);
  if (tag == "rotate") {
    glm::vec3 axis = read_vector(document, node, 0.0f);
    if (!(glm::length(axis) > 0.0f)) document.fail(node, "expected an axis other than zero");
    return glm::rotate(kIdentity, glm::radians(attribute_number(document, node, "angle", 0.0f)),
                       glm::normalize(axis));
  }
  if (tag == "scale") {
    std::vector<float> same = mitsuba_numbers(document, node, node.attribute("value").value());
    return glm::scale(kIdentity,
                      same.size() == 1 ? glm::vec3(same[0]) : read_vector(document, node, 1.0f));
  }
  document.fail(node, fmt::format("expected translate, rotate, scale, lookat or matrix, found <{}>",
                                  one_line(tag)));
}

}  // namespace

std::vector<float> mitsuba_numbers(const MitsubaDocument& document, pugi::xml_node node,
                                   std::string_view text) {
  constexpr const char* kBetween = " ,\t\r\n";
  std::vector<float> numbers;
  for (size_t at = text.find_first_not_of(kBetween); at != std::string_view::npos;
       at = text.find_first_not_of(kBetween, at)) {
    size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    numbers.push_back(read_float(document, node, text.substr(at, end - at)));
    at = end;
  }
  return numbers;
}

pugi::xml_node MitsubaObject::find(std::string_view name) const {
  for (pugi::xml_node child : node_.children())
    if (child.attribute("name") && snake_case(child.attribute("name").value()) == name)
      return child;
  return {};
}

float MitsubaObject::number(std::string_view name, float fallback) const {
  pugi::xml_node property = find(name);
  if (!property) return fallback;
  property = document_->resolve(property);
  if (property.attribute("value"))
    return read_float(*document_, property, property.attribute("value").value());
  document_->warn(property, fmt::format("a <{}> is ignored where a number is expected: {} is {}",
                                        one_line(property.name()), one_line(name), fallback));
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
  return property ? read_vector(*document_, property, 0.0f) : fallback;
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
      if (step.type() == pugi::node_element) transform = read_step(*document_, step) * transform;
  return transform;
}

std::vector<MitsubaObject> MitsubaObject::children(std::string_view tag) const {
  std::vector<MitsubaObject> found;
  for (pugi::xml_node child : node_.children()) {
    if (child.type() != pugi::node_element) continue;
    MitsubaObject object(*document_, child);
    if (object.tag() == tag) found.push_back(object);
  }
  return found;
}

std::vector<MitsubaObject> MitsubaObject::textures() const {
  std::vector<MitsubaObject> found;
  for (pugi::xml_node child : node_.children()) {
    if (child.type() != pugi::node_element) continue;
    MitsubaObject object(*document_, child);
    if (object.is_texture()) found.push_back(object);
  }
  return found;
}

}  // namespace winnow
