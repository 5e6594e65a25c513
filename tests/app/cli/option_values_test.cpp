// SPDX-License-Identifier: MIT
#include "app/cli/option_values.h"

#include <gtest/gtest.h>

#include "tests/support/message_of.h"

namespace winnow {
namespace {

TEST(ParseWholeNumber, ReadsTheWholeRange) {
  EXPECT_EQ(parse_whole_number("--n", "1", 1, 9), 1u);
  EXPECT_EQ(parse_whole_number("--n", "9", 1, 9), 9u);
  EXPECT_EQ(parse_whole_number("--n", "010", 1, 99), 10u);  // decimal, not octal
  EXPECT_EQ(parse_whole_number("--n", "18446744073709551615", 0, UINT64_MAX), UINT64_MAX);
}

TEST(ParseWholeNumber, RefusesEverythingElse) {
  for (const char* text : {"", " ", "0", "10", "-1", "+5", "5.0", "5x", " 5", "1e1", "0x5", "nan",
                           "inf", "18446744073709551616", "99999999999999999999999"})
    EXPECT_EQ(message_of<UsageError>([&] { parse_whole_number("--n", text, 1, 9); }),
              std::string("--n: \"") + text + "\" is not a whole number from 1 to 9");
}

TEST(ParseSeconds, ReadsPositiveNumbers) {
  EXPECT_EQ(parse_seconds("--t", "10"), 10.0);
  EXPECT_EQ(parse_seconds("--t", "0.25"), 0.25);
  EXPECT_EQ(parse_seconds("--t", "1e3"), 1000.0);
}

TEST(ParseSeconds, RefusesEverythingElse) {
  for (const char* text :
       {"", "0", "-1", "-0.0", "nan", "inf", "-inf", "1e10", "1e999", "10s", "x"})
    EXPECT_NE(message_of<UsageError>([&] { parse_seconds("--t", text); }), "") << text;
}

TEST(ParseMoment, ReadsFiniteNumbers) {
  EXPECT_EQ(parse_moment("--time", "-0.5"), -0.5);
  EXPECT_EQ(parse_moment("--time", "0"), 0.0);
  for (const char* text : {"", "nan", "inf", "1s"})
    EXPECT_NE(message_of<UsageError>([&] { parse_moment("--time", text); }), "") << text;
}

TEST(ParseExposure, ReadsNumbersWithASignAndAuto) {
  for (const auto& [text, stops] :
       {std::pair("1.5", 1.5f), {"+2", 2.0f}, {"-0.25", -0.25f}, {"-64", -64.0f}, {"0", 0.0f}}) {
    EXPECT_EQ(parse_exposure("--e", text).stops, stops);
    EXPECT_FALSE(parse_exposure("--e", text).is_automatic);
  }
  EXPECT_TRUE(parse_exposure("--e", "auto").is_automatic);
}

TEST(ParseExposure, RefusesEverythingElse) {
  for (const char* text :
       {"", "+", "-", "+-1", "++1", "64.5", "-65", "nan", "+inf", "1EV", " 1", "Auto", "+auto"})
    EXPECT_EQ(message_of<UsageError>([&] { parse_exposure("--e", text); }),
              std::string("--e: \"") + text +
                  "\" is not auto or a number of stops from -64 to 64, as in -1.5");
}

TEST(ParseFilter, ReadsANameAndARadius) {
  EXPECT_EQ(parse_filter("--f", "box").type, FilterType::kBox);
  EXPECT_EQ(parse_filter("--f", "box").radius, 0.5f);
  EXPECT_EQ(parse_filter("--f", "tent").radius, 1.0f);
  EXPECT_EQ(parse_filter("--f", "gaussian").radius, 1.5f);
  EXPECT_EQ(parse_filter("--f", "blackman-harris:2.5").type, FilterType::kBlackmanHarris);
  EXPECT_EQ(parse_filter("--f", "blackman-harris:2.5").radius, 2.5f);
}

TEST(ParseFilter, RefusesEverythingElse) {
  EXPECT_EQ(
      message_of<UsageError>([&] { parse_filter("--f", "gausian:2"); }),
      "--f: \"gausian\" is not box, tent, gaussian or blackman-harris; did you mean gaussian?");
  for (const char* text :
       {"tent:", "tent:0", "tent:-1", "tent:32.5", "tent:nan", "tent:1:2", "tent:1px"})
    EXPECT_EQ(message_of<UsageError>([&] { parse_filter("--f", text); }),
              std::string("--f: \"") + text +
                  "\" is not NAME:RADIUS with a radius above 0, at most 32 pixels");
  for (const char* text : {"", ":1", "Box"})
    EXPECT_NE(message_of<UsageError>([&] { parse_filter("--f", text); }), "") << text;
}

TEST(ParseSize, ReadsWidthAndHeight) {
  Size size = parse_size("--size", "1920x1080");
  EXPECT_EQ(size.width, 1920u);
  EXPECT_EQ(size.height, 1080u);
  EXPECT_EQ(parse_size("--size", "1X32768").height, 32768u);
}

TEST(ParseSize, RefusesEverythingElse) {
  for (const char* text : {"", "x", "512", "512x", "x512", "0x5", "5x0", "-5x5", "5x-5", "32769x1",
                           "1x99999999999", "5x5x5", "5 x 5", "5*5", "nanx5", "1.5x2"})
    EXPECT_NE(message_of<UsageError>([&] { parse_size("--size", text); }), "") << text;
}

TEST(ParseChoice, ReturnsThePositionOrNamesTheNearest) {
  std::vector<std::string> names = {"none", "append", "look-back"};
  EXPECT_EQ(parse_choice("--cull", "none", names), 0u);
  EXPECT_EQ(parse_choice("--cull", "look-back", names), 2u);
  EXPECT_EQ(message_of<UsageError>([&] { parse_choice("--cull", "lookback", names); }),
            "--cull: \"lookback\" is not none, append or look-back; did you mean look-back?");
  EXPECT_EQ(message_of<UsageError>([&] { parse_choice("--cull", "xyzzy", names); }),
            "--cull: \"xyzzy\" is not none, append or look-back");
  EXPECT_NE(message_of<UsageError>([&] { parse_choice("--cull", "None", names); }), "");
}

TEST(ParseChoices, ReadsAListInItsOrder) {
  std::vector<std::string> names = {"none", "append", "look-back"};
  EXPECT_EQ(parse_choices("--cull", "append", names), (std::vector<size_t>{1}));
  EXPECT_EQ(parse_choices("--cull", "look-back,none", names), (std::vector<size_t>{2, 0}));
}

TEST(ParseChoices, RefusesEverythingElse) {
  std::vector<std::string> names = {"none", "append", "look-back"};
  for (const char* text :
       {"", ",", "none,", ",none", "none,,append", "none, append", "none;append"})
    EXPECT_NE(message_of<UsageError>([&] { parse_choices("--cull", text, names); }), "") << text;
  EXPECT_EQ(message_of<UsageError>([&] { parse_choices("--cull", "none,lookback", names); }),
            "--cull: \"lookback\" is not none, append or look-back; did you mean look-back?");
  EXPECT_EQ(message_of<UsageError>([&] { parse_choices("--cull", "none,append,none", names); }),
            "--cull: \"none\" is given twice");
}

TEST(ParseDevice, ReadsEveryForm) {
  EXPECT_EQ(parse_device("--device", "auto").kind, DeviceRequest::Kind::kAuto);
  EXPECT_EQ(parse_device("--device", "cpu").kind, DeviceRequest::Kind::kCpu);
  DeviceRequest any = parse_device("--device", "cuda"), third = parse_device("--device", "cuda:2");
  EXPECT_EQ(any.kind, DeviceRequest::Kind::kCuda);
  EXPECT_TRUE(any.indices.empty());
  EXPECT_EQ(third.kind, DeviceRequest::Kind::kCuda);
  EXPECT_EQ(third.indices, std::vector<int>{2});
}

TEST(ParseDevices, ReadsAllAndLists) {
  EXPECT_EQ(parse_devices("--devices", "all").kind, DeviceRequest::Kind::kAllCuda);
  EXPECT_EQ(parse_devices("--devices", "3").indices, std::vector<int>{3});
  const DeviceRequest two = parse_devices("--devices", "cuda:2,0");
  EXPECT_EQ(two.kind, DeviceRequest::Kind::kCuda);
  EXPECT_EQ(two.indices, (std::vector<int>{2, 0}));
}

TEST(ParseDevices, RefusesEverythingElse) {
  for (const char* text :
       {"", "cpu", "ALL", "0,", ",0", "0,,1", "0;1", "-1", "0-3", "cuda:", "gpu:1"})
    EXPECT_NE(message_of<UsageError>([&] { parse_devices("--devices", text); }), "") << text;
  EXPECT_EQ(message_of<UsageError>([&] { parse_devices("--devices", "1,cuda:1"); }),
            "--devices: GPU 1 is given twice");
}

TEST(ParseDevice, RefusesEverythingElse) {
  for (const char* text :
       {"", "gpu", "CPU", "cuda:", "cuda:-1", "cuda:x", "cuda:1x", "cuda2", "cuda:99999999999"})
    EXPECT_NE(message_of<UsageError>([&] { parse_device("--device", text); }), "") << text;
}

}  // namespace
}  // namespace winnow
