// SPDX-License-Identifier: MIT
// --display of the real program.

#include "tests/app/display/support/http_client.h"
#include "tests/app/support/run_winnow.h"
#include "tests/denoise/support/fake_oidn.h"

namespace winnow {
namespace {

class DisplayOption : public WinnowTest {
 protected:
  /// Waits until the program listens, and returns the port.
  uint16_t port_of(const WinnowProcess& process) const {
    static const std::regex kPort("watch at http://127.0.0.1:([0-9]+)/");
    EXPECT_TRUE(process.stderr_shows("watch at http"));
    const std::string text = read_text(file("stderr.txt"));
    std::smatch match;
    EXPECT_TRUE(std::regex_search(text, match, kPort)) << text;
    return uint16_t(std::stoi(match[1]));
  }

  static std::vector<std::string> arguments(const std::string& spp) {
    return {"render", kCornellBox, "--size",    "40x30", "--spp",  spp,
            "-o",     "a.png",     "--display", "web:0", "--quiet"};
  }
};

TEST_F(DisplayOption, ShowsSavesAndStops) {
  WinnowProcess process(folder_, arguments("1000000"));
  const uint16_t port = port_of(process);
  HttpClient viewer(port);
  viewer.begin_events();
  nlohmann::json event = viewer.next_event();
  while (event.is_object() && event["frame"] == 0) event = viewer.next_event();
  EXPECT_EQ(event["render"]["width"], 40);
  EXPECT_EQ(HttpClient::status_of(HttpClient(port).get("/frame")), 200);

  EXPECT_EQ(HttpClient::status_of(HttpClient(port).post("/save")), 200);
  while (event.is_object() && event["message"] == "") event = viewer.next_event();
  EXPECT_EQ(event["message"], "saved a.png");
  EXPECT_TRUE(std::filesystem::exists(file("a.png")));

  EXPECT_EQ(HttpClient::status_of(HttpClient(port).post("/stop")), 200);
  while (event.is_object() && !event["ended"]) event = viewer.next_event();
  EXPECT_EQ(process.wait().exit_code, 0);
}

TEST_F(DisplayOption, StaysForViewersWhoMoveTheCameraAndWritesWhatTheySee) {
  WinnowProcess process(folder_, arguments("4"));
  const uint16_t port = port_of(process);
  HttpClient viewer(port);
  viewer.begin_events();
  nlohmann::json event = viewer.next_event();
  while (event.is_object() && !event.value("is_final", false)) event = viewer.next_event();
  const std::string body = R"({"position": [0.5, 1, 3], "look_at": [0, 1, 0]})";
  EXPECT_EQ(HttpClient::status_of(HttpClient(port).post("/camera", body)), 200);
  while (event.is_object() && !(event.value("view", 0) == 1 && event["is_final"] == true))
    event = viewer.next_event();
  const std::string camera = event["camera"]["option"];
  EXPECT_EQ(HttpClient::status_of(HttpClient(port).post("/stop")), 200);
  EXPECT_EQ(process.wait().exit_code, 0);
  succeed(
      {"render", kCornellBox, "--size", "40x30", "--spp", "4", "-o", "b.png", "--quiet", camera});
  EXPECT_EQ(read_text(file("a.png")), read_text(file("b.png")));
}

TEST_F(DisplayOption, EndsWhileAConnectionThatABrowserOpenedAheadStaysSilent) {
  WinnowProcess process(folder_, arguments("1000000"));
  const uint16_t port = port_of(process);
  HttpClient ahead(port);
  HttpClient viewer(port);
  viewer.begin_events();
  nlohmann::json event = viewer.next_event();
  while (event.is_object() && event["frame"] == 0) event = viewer.next_event();
  EXPECT_EQ(HttpClient::status_of(HttpClient(port).post("/stop")), 200);
  EXPECT_EQ(process.wait().exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(file("a.png")));
  EXPECT_EQ(ahead.exchange(""), "");
}

TEST_F(DisplayOption, SavesCleanImagesToo) {
  DenoiseEnvironment environment;
  environment.use_fake(file("log.txt"));
  std::vector<std::string> denoised = arguments("4");
  denoised.push_back("--denoise");
  WinnowProcess process(folder_, denoised);
  const uint16_t port = port_of(process);
  HttpClient viewer(port);
  viewer.begin_events();
  nlohmann::json event = viewer.next_event();
  while (event.is_object() && event["message"] == "") event = viewer.next_event();
  EXPECT_EQ(event["message"], "saved a.png, a.clean.png");
  EXPECT_TRUE(std::filesystem::exists(file("a.clean.png")));
  EXPECT_EQ(HttpClient::status_of(HttpClient(port).post("/stop")), 200);
  EXPECT_EQ(process.wait().exit_code, 0);
}

TEST_F(DisplayOption, RefusesAPortThatIsInUseInOneLine) {
  Address address{"127.0.0.1", 0};
  const Socket taken = listen_at(address);
  expect_failure(2, {"render", kCornellBox, "--display", "web:" + std::to_string(address.port)},
                 "in use");
}

TEST_F(DisplayOption, RefusesOtherWordsAndHostsThatAreNotKnown) {
  expect_failure(2, {"render", kCornellBox, "--display", "window"}, "--display");
  expect_failure(2, {"render", kCornellBox, "--display", "web:no.such.host.invalid:80"},
                 "--display");
}

TEST_F(DisplayOption, GoesOnWithoutTev) {
  const Outcome outcome = succeed({"render", kCornellBox, "--size", "8x8", "--spp", "1", "-o",
                                   "a.png", "--display", "tev:127.0.0.1:1"});
  EXPECT_NE(outcome.err.find("no tev at 127.0.0.1:1"), std::string::npos) << outcome.err;
  EXPECT_TRUE(std::filesystem::exists(file("a.png")));
}

}  // namespace
}  // namespace winnow
