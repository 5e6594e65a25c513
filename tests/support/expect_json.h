// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace winnow {

/// Expects `actual` to hold every value of `expected`, which may leave out others.
///
/// @param expected  JSON text
inline void expect_json(const nlohmann::json& actual, const std::string& expected) {
  const nlohmann::json values = nlohmann::json::parse(expected).flatten();
  for (const auto& [pointer, value] : values.items()) {
    const nlohmann::json::json_pointer place(pointer);
    ASSERT_TRUE(actual.contains(place)) << pointer << " is missing";
    EXPECT_EQ(actual.at(place), value) << pointer;
  }
}

}  // namespace winnow
