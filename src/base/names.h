// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace winnow {

/// Returns the least number of inserted, deleted and replaced characters that turns `a` into `b`.
/// Wagner & Fischer, "The String-to-String Correction Problem", 1974.
size_t edit_distance(std::string_view a, std::string_view b);

/// Returns the name that `misspelled` most likely means, if one is close enough.
std::optional<std::string> nearest_name(std::string_view misspelled,
                                        const std::vector<std::string>& names);

/// Returns "did you mean "x"?" or, if no name is close, "known are a, b, c".
std::string suggest_name(std::string_view misspelled, const std::vector<std::string>& names);

/// Returns the keys of a map whose keys are names, in its order.
template <class Map>
std::vector<std::string> names_of(const Map& map) {
  std::vector<std::string> names;
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

/// Names of the values of `Enum`, in their order, as options, scene files and statistics spell
/// them. Specialized beside each enumeration that has names.
template <class Enum>
inline constexpr std::array<const char*, 0> kEnumNames{};

/// Returns kEnumNames<Enum> as strings; [Enum].
template <class Enum>
const std::vector<std::string>& enum_names() {
  static_assert(!kEnumNames<Enum>.empty(), "kEnumNames is not specialized for this enumeration");
  static const std::vector<std::string> names(kEnumNames<Enum>.begin(), kEnumNames<Enum>.end());
  return names;
}

template <class Enum>
const std::string& enum_name(Enum value) {
  return enum_names<Enum>()[size_t(value)];
}

}  // namespace winnow
