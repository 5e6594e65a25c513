// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

// TEST, TEST_F and TEST_P that compile faster. GoogleTest's macros define a class and one or two
// factory classes for each test. Here, TEST defines only a function, and TEST_F and TEST_P only the
// class of the test. This header is precompiled. Tests include GoogleTest's headers, and compile
// with its macros as well.

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

template <class Fixture>
struct TestsOf {};

}  // namespace winnow

/// Makes one test with one parameter. Only specialisations of this template may set the parameter.
template <class Fixture>
class testing::internal::ParameterizedTestFactory<winnow::TestsOf<Fixture>>
    : public TestFactoryBase {
 public:
  using ParamType = typename Fixture::ParamType;

  ParameterizedTestFactory(Fixture* (*make)(), const ParamType& parameter)
      : make_(make), parameter_(parameter) {}

  Test* CreateTest() override {
    Fixture::SetParam(&parameter_);
    return make_();
  }

 private:
  Fixture* (*make_)();
  const ParamType parameter_;
};

namespace winnow {

/// Makes the factories of one test, one factory for each parameter.
template <class Fixture>
class TestWithParameters
    : public testing::internal::TestMetaFactoryBase<typename Fixture::ParamType> {
 public:
  explicit TestWithParameters(Fixture* (*make)()) : make_(make) {}

  testing::internal::TestFactoryBase* CreateTestFactory(
      typename Fixture::ParamType parameter) override {
    return new testing::internal::ParameterizedTestFactory<TestsOf<Fixture>>(make_, parameter);
  }

 private:
  Fixture* (*make_)();
};

/// @return true
template <class Fixture>
bool register_test_with_parameters(const char* suite, const char* name, const char* file, int line,
                                   Fixture* (*make)()) {
  testing::internal::CodeLocation location(file, line);
  testing::UnitTest::GetInstance()
      ->parameterized_test_registry()
      .GetTestSuitePatternHolder<Fixture>(suite, location)
      ->AddTestPattern(suite, name, new TestWithParameters<Fixture>(make), location);
  return true;
}

}  // namespace winnow

#undef TEST
#define TEST(suite, name)                                                                     \
  static void suite##_##name##_TestBody();                                                    \
  [[maybe_unused]] static const testing::TestInfo* const suite##_##name##_TestInfo =          \
      ::winnow::register_test(#suite, #name, __FILE__, __LINE__, &suite##_##name##_TestBody); \
  static void suite##_##name##_TestBody()

// The class of a test that is derived from `fixture`.
#define WINNOW_TEST_CLASS(fixture, name)                                           \
  class fixture##_##name##_Test : public fixture {                                 \
   public:                                                                         \
    static fixture* make_registered_test() { return new fixture##_##name##_Test; } \
                                                                                   \
   private:                                                                        \
    void TestBody() override;                                                      \
  };
#undef TEST_F
#define TEST_F(fixture, name)                                                           \
  WINNOW_TEST_CLASS(fixture, name)                                                      \
  [[maybe_unused]] static const testing::TestInfo* const fixture##_##name##_TestInfo =  \
      ::winnow::register_test<fixture>(#fixture, #name, __FILE__, __LINE__,             \
                                       &fixture##_##name##_Test::make_registered_test); \
  void fixture##_##name##_Test::TestBody()

#undef TEST_P
#define TEST_P(fixture, name)                                                                   \
  WINNOW_TEST_CLASS(fixture, name)                                                              \
  [[maybe_unused]] static const bool fixture##_##name##_registered =                            \
      ::winnow::register_test_with_parameters<fixture>(                                         \
          #fixture, #name, __FILE__, __LINE__, &fixture##_##name##_Test::make_registered_test); \
  void fixture##_##name##_Test::TestBody()
