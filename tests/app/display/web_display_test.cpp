// SPDX-License-Identifier: MIT
#include "app/display/web_display.h"

#include <gmock/gmock.h>

#include <cstring>
#include <thread>

#include "app/cli/interrupt.h"
#include "image/agx.h"
#include "tests/app/display/support/http_client.h"

namespace winnow {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr uint32_t kShownWidth = 6, kShownHeight = 5;

/// A display without a render. Frames come when a test shows them.
class WebDisplays : public testing::Test {
 protected:
  WebDisplays() {
    Socket listener = listen_at(address_);
    display_ = std::make_unique<WebDisplay>(std::move(listener), address_);
    display_->begin(render_);
  }

  HttpClient client() const { return HttpClient(address_.port); }
  std::string get(const std::string& target) const { return client().get(target); }
  int status_of_post(const std::string& target, const std::string& body = "") const {
    return HttpClient::status_of(client().post(target, body));
  }

  /// A frame whose pixels are (value, 0.5, NaN).
  static std::shared_ptr<DisplayFrame> frame_of(float value, uint32_t samples = 1) {
    auto frame = std::make_shared<DisplayFrame>();
    frame->arrays = {FilmArray::kSum, FilmArray::kSamples};
    frame->film = make_host_film(kShownWidth, kShownHeight, {});
    for (glm::dvec3& sum : frame->film.sum)
      sum = double(samples) * glm::dvec3(value, 0.5, std::nan(""));
    for (uint32_t& count : frame->film.samples) count = samples;
    frame->stats.bounces = {{.alive = 100}, {.alive = 25}, {}};
    frame->progress = {.fraction = 0.5, .seconds = 2.0, .spp_done = 8.0, .spp_goal = 16};
    return frame;
  }

  static ShownRender shown() {
    auto radiance = [](const HostFilm& film) { return mean_radiance(film); };
    ShownRender render{.scene = "scenes/test.json",
                       .device = "a device",
                       .width = kShownWidth,
                       .height = kShownHeight,
                       .pictures = {},
                       .mapping = {.curve = ToneCurve::kAgx, .exposure = 1.5f},
                       .camera = {},
                       .bounds = {{-1, -1, -1}, {1, 1, 1}},
                       .why_camera_is_fixed = ""};
    render.pictures = {{"radiance", {FilmArray::kSum, FilmArray::kSamples}, radiance},
                       {"albedo", {FilmArray::kSamples, FilmArray::kAlbedo}, radiance}};
    return render;
  }

  Address address_{"127.0.0.1", 0};
  ShownRender render_ = shown();
  std::unique_ptr<WebDisplay> display_;
};

TEST_F(WebDisplays, ServeOnePageThatLoadsNothingFromElsewhere) {
  const std::string answer = get("/");
  EXPECT_EQ(HttpClient::status_of(answer), 200);
  EXPECT_THAT(answer, HasSubstr("Content-Security-Policy: default-src 'none'"));
  const std::string page = HttpClient::body_of(answer);
  EXPECT_THAT(page, HasSubstr("<title>Winnow</title>"));
  EXPECT_THAT(page, HasSubstr("new EventSource('/events')"));  // the script
  EXPECT_THAT(page, HasSubstr("color-scheme: dark"));          // the style sheet
  EXPECT_THAT(page, testing::Not(HasSubstr("src=")));
  EXPECT_THAT(page, testing::Not(HasSubstr("http://")));
  EXPECT_THAT(page, testing::Not(HasSubstr("https://")));
}

TEST_F(WebDisplays, ServeNoOtherFile) {
  for (const char* path : {"/index.html", "/favicon.ico", "/etc/passwd", "/../../etc/passwd", "//"})
    EXPECT_EQ(HttpClient::status_of(get(path)), 404) << path;
  EXPECT_EQ(status_of_post("/"), 404);
  EXPECT_EQ(HttpClient::status_of(get("/frame?picture=other")), 404);
}

TEST_F(WebDisplays, ServeTheTableOfAgx) {
  const std::string answer = get("/agx");
  EXPECT_EQ(HttpClient::status_of(answer), 200);
  const size_t colors = size_t{kAgxSize} * kAgxSize * kAgxSize;
  EXPECT_EQ(HttpClient::body_of(answer).size(), colors * 3 * 2);  // half floats
}

TEST_F(WebDisplays, RefuseMalformedRequestsAndDoNothingElse) {
  for (const char* bytes :
       {"hello\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "\x16\x03\x01\r\n\r\n",
        "POST /save HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n"}) {
    const std::string answer = client().exchange(bytes);
    EXPECT_EQ(HttpClient::status_of(answer), 400) << bytes;
    EXPECT_EQ(HttpClient::body_of(answer), "malformed request\n");
  }
  EXPECT_EQ(HttpClient::status_of(client().exchange(std::string(40'000, 'a'))), 400);
  EXPECT_EQ(
      HttpClient::status_of(client().exchange("DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n")),
      405);
  EXPECT_FALSE(display_->take_save());
}

TEST_F(WebDisplays, RefusePagesOfOthers) {
  const Interrupt interrupt;  // set by a request to stop
  for (const char* fields :
       {"Host: evil.example\r\n", "Host: localhost\r\nOrigin: http://evil.example\r\n"})
    for (const char* line : {"GET / HTTP/1.1\r\n", "GET /frame HTTP/1.1\r\n",
                             "POST /stop HTTP/1.1\r\n", "POST /save HTTP/1.1\r\n"})
      EXPECT_EQ(HttpClient::status_of(client().exchange(line + std::string(fields) + "\r\n")), 403);
  EXPECT_FALSE(display_->take_save());
  EXPECT_FALSE(interrupt.requested());
}

TEST_F(WebDisplays, WantNoFramesWhileNobodyLooks) {
  EXPECT_TRUE(display_->wanted_arrays().empty());
  HttpClient viewer = client();
  viewer.begin_events();
  viewer.next_event();
  EXPECT_THAT(display_->wanted_arrays(),
              testing::ElementsAre(FilmArray::kSum, FilmArray::kSamples));
}

TEST_F(WebDisplays, TellEveryViewerWhereTheRenderStands) {
  HttpClient first = client(), second = client();
  for (HttpClient* viewer : {&first, &second}) {
    viewer->begin_events();
    const nlohmann::json event = viewer->next_event();
    EXPECT_EQ(event["frame"], 0);
    EXPECT_EQ(event["render"]["scene"], "scenes/test.json");
    EXPECT_EQ(event["render"]["tone_curve"], "agx");
    EXPECT_EQ(event["render"]["exposure"], 1.5);
    EXPECT_EQ(event["render"]["pictures"], nlohmann::json({"radiance", "albedo"}));
  }
  display_->show(frame_of(2.0f));
  display_->say("a line");
  for (HttpClient* viewer : {&first, &second}) {
    nlohmann::json event = viewer->next_event();
    while (event["message"] == "") event = viewer->next_event();
    EXPECT_EQ(event["frame"], 1);
    EXPECT_EQ(event["message"], "a line");
    EXPECT_EQ(event["progress"]["spp"], 8.0);
    EXPECT_EQ(event["alive"], nlohmann::json({1.0, 0.25}));
    EXPECT_TRUE(event["error"].is_null());
  }
}

TEST_F(WebDisplays, SendTheNewestFrameAsHalfFloats) {
  display_->show(frame_of(2.0f));
  display_->show(frame_of(1e9f));
  const std::string answer = get("/frame?picture=radiance&exposure=auto");
  EXPECT_THAT(answer, HasSubstr("Winnow-Frame: 2\r\n"));
  EXPECT_THAT(answer, HasSubstr("Winnow-Exposure: "));
  const std::string body = HttpClient::body_of(answer);
  ASSERT_EQ(body.size(), kShownWidth * kShownHeight * 3 * sizeof(uint16_t));
  uint16_t halves[3];
  std::memcpy(halves, body.data(), sizeof(halves));
  EXPECT_EQ(halves[0], 0x7bff);  // the largest number
  EXPECT_EQ(halves[1], 0x3800);  // 0.5
  EXPECT_EQ(halves[2], 0);       // not a number
}

TEST_F(WebDisplays, AskForTheArraysOfAPictureOnceItIsChosen) {
  HttpClient viewer = client();
  viewer.begin_events();
  viewer.next_event();
  display_->show(frame_of(2.0f));
  EXPECT_EQ(HttpClient::status_of(get("/frame?picture=albedo")), 503);
  EXPECT_THAT(display_->wanted_arrays(), testing::Contains(FilmArray::kAlbedo));
}

TEST_F(WebDisplays, GoOnWhileAViewerTakesNothing) {
  HttpClient slow = client();
  slow.begin_events();  // reads no event
  const HttpClient gone = client();
  gone.begin_events();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 200; ++i) display_->show(frame_of(float(i)));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
  EXPECT_THAT(get("/frame"), HasSubstr("Winnow-Frame: 200\r\n"));
}

TEST_F(WebDisplays, MoveTheCamera) {
  EXPECT_FALSE(display_->has_camera());
  EXPECT_EQ(status_of_post("/camera", R"({"position": [1, 2, 3], "look_at": [0, 0, 0]})"), 200);
  EXPECT_TRUE(display_->has_camera());
  EXPECT_EQ(display_->take_camera()->position, glm::vec3(1, 2, 3));
  EXPECT_FALSE(display_->has_camera());
  EXPECT_FALSE(display_->take_camera());
  EXPECT_EQ(status_of_post("/camera", "{}"), 400);
  EXPECT_FALSE(display_->has_camera());
}

TEST_F(WebDisplays, SaveAndStopOnceEach) {
  const Interrupt interrupt;
  EXPECT_EQ(status_of_post("/save"), 200);
  EXPECT_TRUE(display_->take_save());
  EXPECT_FALSE(display_->take_save());
  EXPECT_FALSE(interrupt.requested());
  EXPECT_EQ(status_of_post("/stop"), 200);
  EXPECT_TRUE(interrupt.requested());
  std::this_thread::sleep_for(250ms);
  EXPECT_EQ(status_of_post("/stop"), 200);  // a second signal would end the program
}

TEST_F(WebDisplays, LetViewersFetchTheLastFrameBeforeTheyEnd) {
  HttpClient viewer = client();
  viewer.begin_events();
  viewer.next_event();
  display_->show(frame_of(3.0f));
  std::jthread ending([&] { display_.reset(); });
  nlohmann::json event = viewer.next_event();
  while (event.is_object() && !event["ended"]) event = viewer.next_event();
  ASSERT_TRUE(event.is_object());
  EXPECT_EQ(event["frame"], 1);
  EXPECT_THAT(get("/frame"), HasSubstr("Winnow-Frame: 1\r\n"));
}

/// Browsers open connections before they need them, and take anything that is sent there for the
/// answer to their next request.
TEST_F(WebDisplays, SendNothingToAConnectionThatWasOpenedAhead) {
  HttpClient ahead = client();
  EXPECT_EQ(ahead.exchange(""), "");  // the display closes the connection after a while
}

TEST_F(WebDisplays, AnswerARequestOnAConnectionThatWasOpenedAhead) {
  HttpClient ahead = client();
  EXPECT_EQ(HttpClient::status_of(get("/")), 200);  // on another connection
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(HttpClient::status_of(ahead.get("/")), 200);
}

TEST_F(WebDisplays, EndWhileConnectionsThatWereOpenedAheadStaySilent) {
  HttpClient first = client(), second = client();
  EXPECT_EQ(HttpClient::status_of(get("/")), 200);  // by now, both are accepted
  const auto start = std::chrono::steady_clock::now();
  display_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - start, 3s);  // shorter than the wait for a request
  EXPECT_EQ(first.exchange(""), "");
  EXPECT_EQ(second.exchange(""), "");
}

TEST(WebDisplayOfOneView, SaysWhyItsCameraIsFixed) {
  Address address{"127.0.0.1", 0};
  Socket listener = listen_at(address);
  WebDisplay display(std::move(listener), address);
  ShownRender render;
  render.pictures = {{"radiance", {}, {}}};
  render.why_camera_is_fixed = "a reason";
  display.begin(render);
  const std::string answer =
      HttpClient(address.port).post("/camera", R"({"position": [1, 2, 3], "look_at": [0, 0, 0]})");
  EXPECT_EQ(HttpClient::status_of(answer), 400);
  EXPECT_EQ(HttpClient::body_of(answer), "the camera is fixed: a reason\n");
  EXPECT_FALSE(display.has_camera());
}

}  // namespace
}  // namespace winnow
