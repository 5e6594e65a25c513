// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <vector>

namespace winnow {

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
