// SPDX-License-Identifier: MIT
#include "tests/app/support/run_winnow.h"

namespace winnow {
namespace {

using CommandLine = WinnowTest;

TEST_F(CommandLine, HelpGoesToStdout) {
  for (const std::vector<std::string>& help : {std::vector<std::string>{"--help"},
                                               {"render", "--help"},
                                               {"bench", "--help"},
                                               {"help"},
                                               {"help", "dataset"},
                                               {"diff", "-h"},
                                               {"info", "-h"}}) {
    Outcome outcome = succeed(help);
    EXPECT_NE(outcome.out.find("Usage: winnow"), std::string::npos);
    EXPECT_EQ(outcome.err, "");
  }
  EXPECT_EQ(succeed({"help", "dataset"}).out, succeed({"dataset", "--help"}).out);
}

TEST_F(CommandLine, OfNoWordsShowsThreeCommandsToTry) {
  const Outcome outcome = succeed({});
  EXPECT_EQ(outcome.err, "");
  size_t commands = 0;
  for (size_t at = 0; (at = outcome.out.find("\n  winnow ", at)) != std::string::npos; ++at)
    ++commands;
  EXPECT_EQ(commands, 3u) << outcome.out;
  EXPECT_NE(outcome.out.find("winnow --help"), std::string::npos);
}

TEST_F(CommandLine, RendersAFileWithoutACommand) {
  put("model.v2.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const std::vector<std::string> small = {"--size", "8x8", "--spp", "1", "--device", "cpu"};
  EXPECT_EQ(succeed(joined({"model.v2.obj"}, small)).out.rfind("model.v2.png: 8x8", 0), 0u);
  EXPECT_EQ(
      succeed(joined(joined(small, {"-o", "a.film"}), {"model.v2.obj"})).out.rfind("a.film: ", 0),
      0u);
  EXPECT_NE(succeed({"info", "a.film"}).out.find("command   winnow render --size 8x8 --spp 1"),
            std::string::npos);
  expect_failure(1, {"model.fbx"}, "model.fbx: there is no such file");
  expect_failure(1, {"./none"}, "none: there is no such file");
  expect_failure(1, {"a.film"}, "winnow render --resume a.film continues a film file");
  expect_failure(1, {"."}, "this is a folder; name a scene in it, such as ./model.v2.obj");
  expect_failure(2, {"model.v2.obj", "--ssp", "1"}, "did you mean --spp?");
}

TEST_F(CommandLine, RefusesAnUnknownCommand) {
  expect_failure(2, {"rendr", "x.json"}, "unknown command \"rendr\"; did you mean \"render\"?");
  expect_failure(2, {"--ver"}, "unknown option \"--ver\"");
  expect_failure(2, {"x", "devices"}, "\"x\" is not expected");
}

TEST_F(CommandLine, RefusesMissingArguments) {
  expect_failure(2, {"render"}, "SCENE is required; see winnow render --help");
  expect_failure(2, {"info"}, "SCENE is required; see winnow info --help");
  expect_failure(2, {"diff", "a.png"}, "B is required; see winnow diff --help");
  expect_failure(2, {"render", "x.json", "--spp"}, "--spp: its value is missing");
  expect_failure(2, {"render", "x.json", "-o"}, "--output: its value is missing");
}

TEST_F(CommandLine, RefusesTooManyArguments) {
  expect_failure(2, {"render", "x.json", "y.json"}, "\"y.json\" is not expected");
  expect_failure(2, {"devices", "x"}, "\"x\" is not expected");
}

TEST_F(CommandLine, NamesTheNearestOption) {
  expect_failure(2, {"render", "--ssp", "4", "x.json"},
                 "unknown option \"--ssp\"; did you mean --spp?");
  expect_failure(2, {"render", "x.json", "--max-bounce=3"}, "did you mean --max-bounces?");
  expect_failure(2, {"render", "x.json", "-spp", "4"}, "did you mean --spp?");
  expect_failure(2, {"render", "x.json", "--xyzzyx"}, "see winnow render --help");
}

TEST_F(CommandLine, RefusesValuesOutOfRange) {
  for (const char* text : {"0", "-1", "nan", "1e3", "2147483648", "99999999999999999999", ""})
    expect_failure(2, {"render", "x.json", "--spp", text}, "from 1 to 2147483647");
  for (const char* text : {"-1", "1001", "two"})
    expect_failure(2, {"render", "x.json", "--max-bounces", text}, "from 0 to 1000");
  for (const char* text : {"0", "1025", "-2"})
    expect_failure(2, {"render", "x.json", "--threads", text}, "from 1 to 1024");
  for (const char* text : {"0x4", "-4x4", "4", "40000x4", "nanxnan"})
    expect_failure(2, {"render", "x.json", "--size", text}, "WIDTHxHEIGHT");
  for (const char* text : {"-1", "18446744073709551616"})
    expect_failure(2, {"render", "x.json", "--seed", text}, "from 0 to 18446744073709551615");
  for (const char* text : {"0", "-1", "nan", "inf", "1e30"})
    expect_failure(2, {"render", "x.json", "--time-limit", text}, "a number of seconds");
  expect_failure(2, {"render", "x.json", "--wave-size", "-1"}, "from 0 to");
}

TEST_F(CommandLine, PrintsNothingButTheTextForWhichTheStandardOutputIsNamed) {
  const std::vector<std::string> small = {"--size", "8x8", "--spp", "1", "--device", "cpu"};
  const auto printed = [&](const std::vector<std::string>& command) {
    const Outcome outcome = succeed(joined(command, small));
    EXPECT_EQ(outcome.err, "");
    return nlohmann::json::parse(outcome.out);
  };
  EXPECT_EQ(printed({"render", kCornellBox, "-o", "a.png", "--stats", "-"})["size"][0], 8);
  EXPECT_TRUE(printed({"bench", kCornellBox, "--repeat", "1", "--cull", "none", "--json", "-"})
                  .contains("scenes"));
  EXPECT_EQ(printed({"dataset", "out", kCornellBox, "--views", "1", "--stats", "-"})["done"], 1);
  EXPECT_FALSE(std::filesystem::exists(file("-")));
}

TEST_F(CommandLine, RefusesAStreamInPlaceOfAFile) {
  expect_failure(2, {"render", "x.json", "--checkpoint", "-"},
                 "--checkpoint: \"-\" is not the name of a file; ./- is a file of this name");
  expect_failure(2, {"render", "x.json", "--record-masks", "-"}, "is not the name of a file");
  expect_failure(2, {"see", "x.json", "-o", "-"}, "is not the name of a file");
  expect_failure(2, {"render", kCornellBox, "-o", "-"}, "-: ");
  expect_failure(2, {"info", "-"}, "SCENE: \"-\" is not the name of a file");
  expect_failure(2, {"bench", "x.json", "--json", "-", "--csv", "-"}, "given twice as an output");
}

TEST_F(CommandLine, ControlCharactersOfAFileNameStayOnOneLine) {
  expect_failure(1, {"info", "two\nlines\x1b.json"});
}

}  // namespace
}  // namespace winnow
