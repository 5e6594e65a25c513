#include "load/gltf/values.h"

#include <algorithm>

namespace winnow {

const tinygltf::Value* find_extension(const tinygltf::ExtensionMap& extensions,
                                      const std::string& name) {
  const auto found = extensions.find(name);
  return found == extensions.end() ? nullptr : &found->second;
}

const tinygltf::Value* find_value(const tinygltf::Value& object, const std::string& key) {
  return object.Has(key) ? &object.Get(key) : nullptr;
}

double number_of(const tinygltf::Value& object, const std::string& key, double by_default) {
  const tinygltf::Value* value = find_value(object, key);
  return value && value->IsNumber() ? value->GetNumberAsDouble() : by_default;
}

int integer_of(const tinygltf::Value& object, const std::string& key, int by_default) {
  const tinygltf::Value* value = find_value(object, key);
  return value && value->IsInt() ? value->GetNumberAsInt() : by_default;
}

std::vector<double> numbers_of(const tinygltf::Value& object, const std::string& key) {
  std::vector<double> numbers;
  const tinygltf::Value* value = find_value(object, key);
  for (size_t i = 0; value && i < value->ArrayLen(); ++i)
    numbers.push_back(value->Get(int(i)).IsNumber() ? value->Get(int(i)).GetNumberAsDouble() : 0.0);
  return numbers;
}

float fraction(double number) {
  return float(std::clamp(number, 0.0, 1.0));
}

float fraction_of(const tinygltf::Value& object, const std::string& key, double by_default) {
  return fraction(number_of(object, key, by_default));
}

glm::vec3 color(const std::vector<double>& numbers, glm::vec3 by_default, double max) {
  constexpr size_t kChannels = 3;
  if (numbers.size() < kChannels) return by_default;
  auto channel = [&](size_t i) { return float(std::clamp(numbers[i], 0.0, max)); };
  return {channel(0), channel(1), channel(2)};
}

glm::vec3 color_of(const tinygltf::Value& object, const std::string& key, glm::vec3 by_default) {
  return color(numbers_of(object, key), by_default);
}

}  // namespace winnow
