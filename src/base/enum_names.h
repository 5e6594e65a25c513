// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <vector>

namespace winnow {

/// The name of each value of `Enum`, in the order of the values, as options, scene files and
/// statistics spell it. Specialized beside each enumeration that has names.
template <class Enum>
inline constexpr std::array<const char*, 0> kEnumNames{};

/// kEnumNames<Enum> as strings; [Enum].
template <class Enum>
const std::vector<std::string>& enum_names() {
  static_assert(!kEnumNames<Enum>.empty(), "kEnumNames is not specialized for this enumeration");
  static const std::vector<std::string> names(kEnumNames<Enum>.begin(), kEnumNames<Enum>.end());
  return names;
}

/// The name of one value.
template <class Enum>
const std::string& enum_name(Enum value) {
  return enum_names<Enum>()[size_t(value)];
}

}  // namespace winnow
