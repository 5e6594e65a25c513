// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

// TEST and TEST_F that compile faster. GoogleTest's macros define a class and a factory class for
// each test. Here, TEST defines only a function, and TEST_F only the class of the test. This header
// is precompiled. Tests include GoogleTest's headers, and compile with its macros as well.

namespace winnow {

/// A test without a fixture.
class FunctionTest : public testing::Test {
 public:
  explicit FunctionTest(void (*body)()) : body_(body) {}

 private:
  void TestBody() override { body_(); }

  void (*body_)();
};

inline testing::TestInfo* register_test(const char* suite, const char* name, const char* file,
                                        int line, void (*body)()) {
  return testing::RegisterTest(suite, name, nullptr, nullptr, file, line,
                               [body]() -> testing::Test* { return new FunctionTest(body); });
}

/// @param make  returns a test derived from the fixture
template <class Fixture>
testing::TestInfo* register_test(const char* suite, const char* name, const char* file, int line,
                                 Fixture* (*make)()) {
  return testing::RegisterTest(suite, name, nullptr, nullptr, file, line, make);
}

}  // namespace winnow

#undef TEST
#define TEST(suite, name)                                                                     \
  static void suite##_##name##_TestBody();                                                    \
  [[maybe_unused]] static const testing::TestInfo* const suite##_##name##_TestInfo =          \
      ::winnow::register_test(#suite, #name, __FILE__, __LINE__, &suite##_##name##_TestBody); \
  static void suite##_##name##_TestBody()

#undef TEST_F
#define TEST_F(fixture, name)                                                           \
  class fixture##_##name##_Test : public fixture {                                      \
   public:                                                                              \
    static fixture* make_registered_test() { return new fixture##_##name##_Test; }      \
                                                                                        \
   private:                                                                             \
    void TestBody() override;                                                           \
  };                                                                                    \
  [[maybe_unused]] static const testing::TestInfo* const fixture##_##name##_TestInfo =  \
      ::winnow::register_test<fixture>(#fixture, #name, __FILE__, __LINE__,             \
                                       &fixture##_##name##_Test::make_registered_test); \
  void fixture##_##name##_Test::TestBody()
