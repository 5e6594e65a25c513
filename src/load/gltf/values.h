#pragma once

#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "load/gltf/model.h"

namespace winnow {

// What extensions say. What is missing, or of another type than it should be, is as by default.

/// An extension; nothing where there is none.
const tinygltf::Value* find_extension(const tinygltf::ExtensionMap& extensions,
                                      const std::string& name);

/// A member of an object; nothing where there is none.
const tinygltf::Value* find_value(const tinygltf::Value& object, const std::string& key);

double number_of(const tinygltf::Value& object, const std::string& key, double by_default);
int integer_of(const tinygltf::Value& object, const std::string& key, int by_default);
std::vector<double> numbers_of(const tinygltf::Value& object, const std::string& key);

/// The number within [0, 1].
float fraction(double number);
float fraction_of(const tinygltf::Value& object, const std::string& key, double by_default);

/// The first three numbers, moved into [0, max]; `by_default` where there are fewer.
glm::vec3 color(const std::vector<double>& numbers, glm::vec3 by_default, double max = 1.0);
glm::vec3 color_of(const tinygltf::Value& object, const std::string& key, glm::vec3 by_default);

}  // namespace winnow
