// SPDX-License-Identifier: MIT
// Tests the packets for tev with a server that reads them by tev's protocol.

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

#include "app/display/tev_display.h"

namespace winnow {
namespace {

using namespace std::chrono_literals;

/// Reads the operands of one packet.
class PacketReader {
 public:
  explicit PacketReader(const std::string& bytes) : bytes_(bytes) {}

  template <class Number>
  Number number() {
    Number value{};
    if (at_ + sizeof(value) <= bytes_.size())
      std::memcpy(&value, bytes_.data() + at_, sizeof(value));
    else
      ADD_FAILURE() << "a packet ends too early";
    at_ += sizeof(value);
    return value;
  }
  std::string text() {
    const size_t end = bytes_.find('\0', at_);
    std::string value = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return value;
  }
  bool is_at_end() const { return at_ == bytes_.size(); }

 private:
  const std::string& bytes_;
  size_t at_ = 0;
};

/// The images that packets build up.
class TevImages {
 public:
  /// Takes whole packets from `bytes` and leaves the rest.
  void read(std::string& bytes) {
    const std::scoped_lock lock(mutex_);
    uint32_t length = 0;
    while (bytes.size() >= sizeof(length)) {
      std::memcpy(&length, bytes.data(), sizeof(length));
      if (bytes.size() < length) return;
      apply(bytes.substr(sizeof(length), length - sizeof(length)));
      bytes.erase(0, length);
    }
  }

  std::map<std::string, Image> images() {
    const std::scoped_lock lock(mutex_);
    return images_;
  }

 private:
  void apply(const std::string& packet) {
    PacketReader reader(packet);
    const auto operation = reader.number<uint8_t>();
    reader.number<uint8_t>();  // whether to grab the focus
    const std::string name = reader.text();
    if (operation == 4)
      create(reader, images_[name]);
    else if (operation == 6)
      update(reader, images_.at(name));
    else
      ADD_FAILURE() << "unknown operation " << int(operation);
    EXPECT_TRUE(reader.is_at_end());
  }

  static void create(PacketReader& reader, Image& image) {
    image.width = uint32_t(reader.number<int32_t>());
    image.height = uint32_t(reader.number<int32_t>());
    image.pixels.assign(size_t(image.width) * image.height, glm::vec3(0.0f));
    EXPECT_EQ(reader.number<int32_t>(), 3);
    for (const char* channel : {"R", "G", "B"}) EXPECT_EQ(reader.text(), channel);
  }

  static void update(PacketReader& reader, Image& image) {
    ASSERT_EQ(reader.number<int32_t>(), 3);
    for (const char* channel : {"R", "G", "B"}) EXPECT_EQ(reader.text(), channel);
    const auto x = reader.number<int32_t>(), y = reader.number<int32_t>();
    const auto width = reader.number<int32_t>(), height = reader.number<int32_t>();
    int64_t offsets[3], strides[3];
    for (int64_t& offset : offsets) offset = reader.number<int64_t>();
    for (int64_t& stride : strides) stride = reader.number<int64_t>();
    std::vector<float> values(size_t(width) * size_t(height) * 3);
    for (float& value : values) value = reader.number<float>();
    for (int32_t row = 0; row < height; ++row)
      for (int32_t column = 0; column < width; ++column)
        for (int c = 0; c < 3; ++c)
          image.pixels[size_t(y + row) * image.width + size_t(x + column)][c] =
              values[size_t(offsets[c] + (row * width + column) * strides[c])];
  }

  std::mutex mutex_;
  std::map<std::string, Image> images_;
};

Image test_image(uint32_t width, uint32_t height, float first = 0.0f) {
  Image image{width, height, {}};
  for (uint32_t i = 0; i < width * height; ++i)
    image.pixels.push_back({first + float(i), -float(i), 0.5f * float(i)});
  return image;
}

TEST(TevPackets, BuildTheImage) {
  const Image image = test_image(7, 100);
  TevImages images;
  std::string bytes = tev_create_image("name", 7, 100) + tev_update_image("name", image, 0, 64) +
                      tev_update_image("name", image, 64, 36);
  images.read(bytes);
  EXPECT_EQ(bytes, "");
  EXPECT_EQ(images.images().at("name").pixels, image.pixels);
}

/// A tev on this machine.
class TevServer {
 public:
  TevServer() : listener_(listen_at(address_)) {}

  uint16_t port() const { return address_.port; }
  TevImages& images() { return images_; }
  int connections() const { return connections_; }
  void hang_up() { hangs_up_ = true; }
  void stop_reading(bool stops) { is_slow_ = stops; }

 private:
  void run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const Socket socket = accept_from(listener_, 20ms);
      if (!socket.is_open()) continue;
      ++connections_;
      std::string bytes;
      while (!stop.stop_requested() && !hangs_up_.exchange(false)) {
        if (is_slow_)
          std::this_thread::sleep_for(5ms);
        else if (socket.receive(bytes, 20ms))
          images_.read(bytes);
      }
    }
  }

  Address address_{"127.0.0.1", 0};
  Socket listener_;
  TevImages images_;
  std::atomic<int> connections_{0};
  std::atomic<bool> hangs_up_{false}, is_slow_{false};
  std::jthread thread_{[this](const std::stop_token& stop) { run(stop); }};
};

std::shared_ptr<DisplayFrame> tev_frame(const Image& image) {
  auto frame = std::make_shared<DisplayFrame>();
  frame->film = make_host_film(image.width, image.height, {});
  for (size_t pixel = 0; pixel < image.pixels.size(); ++pixel) {
    frame->film.samples[pixel] = 1;
    frame->film.sum[pixel] = image.pixels[pixel];
  }
  return frame;
}

ShownRender tev_render(const Image& image) {
  return {.scene = "scenes/test.json",
          .device = "",
          .width = image.width,
          .height = image.height,
          .pictures = {{"radiance",
                        {FilmArray::kSum, FilmArray::kSamples},
                        [](const HostFilm& film) { return mean_radiance(film); }}},
          .mapping = {},
          .camera = {},
          .bounds = {},
          .why_camera_is_fixed = ""};
}

/// Waits, at most 20 s, until the only image has these pixels.
bool gets(TevServer& server, const Image& image) {
  for (int trial = 0; trial < 2000; ++trial) {
    const std::map<std::string, Image> images = server.images().images();
    if (images.size() == 1 && images.begin()->second.pixels == image.pixels) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

TEST(TevDisplays, ShowEachFrame) {
  TevServer server;
  TevDisplay display({"127.0.0.1", server.port()});
  const Image first = test_image(30, 150), second = test_image(30, 150, 1000.0f);
  display.begin(tev_render(first));
  EXPECT_EQ(display.wanted_arrays().size(), 2u);
  display.show(tev_frame(first));
  EXPECT_TRUE(gets(server, first));
  display.show(tev_frame(second));
  EXPECT_TRUE(gets(server, second));
  EXPECT_TRUE(server.images().images().begin()->first.starts_with("test.json"));
}

TEST(TevDisplays, SendTheLastFrameBeforeTheyEnd) {
  TevServer server;
  const Image image = test_image(200, 150);
  {
    TevDisplay display({"127.0.0.1", server.port()});
    display.begin(tev_render(image));
    display.show(tev_frame(image));
  }
  EXPECT_TRUE(gets(server, image));
}

TEST(TevDisplays, GoOnAfterTevHasGoneAway) {
  TevServer server;
  TevDisplay display({"127.0.0.1", server.port()});
  const Image image = test_image(30, 150);
  display.begin(tev_render(image));
  display.show(tev_frame(image));
  EXPECT_TRUE(gets(server, image));
  server.hang_up();
  for (int i = 0; i < 2000 && server.connections() < 2; ++i) {
    display.show(tev_frame(image));
    std::this_thread::sleep_for(10ms);
  }
  EXPECT_GE(server.connections(), 2);
}

TEST(TevDisplays, DoNotWaitForASlowTev) {
  TevServer server;
  server.stop_reading(true);
  const Image image = test_image(1000, 1000);  // larger than the buffers of sockets
  TevDisplay display({"127.0.0.1", server.port()});
  display.begin(tev_render(image));
  const auto start = std::chrono::steady_clock::now();
  bool is_skipped = false;
  for (int i = 0; i < 3; ++i) {
    display.show(tev_frame(image));
    is_skipped |= display.wanted_arrays().empty();
  }
  EXPECT_TRUE(is_skipped);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 2s);
  server.stop_reading(false);
  EXPECT_TRUE(gets(server, image));
}

TEST(TevDisplays, SayOnceThatNobodyListens) {
  Address nobody{"127.0.0.1", 0};
  { const Socket closed_at_once = listen_at(nobody); }
  testing::internal::CaptureStderr();
  {
    TevDisplay display(nobody);
    const Image image = test_image(3, 3);
    display.begin(tev_render(image));
    for (int i = 0; i < 5; ++i) {
      display.show(tev_frame(image));
      std::this_thread::sleep_for(20ms);
    }
  }
  const std::string message = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(message.starts_with("--display: no tev at 127.0.0.1:")) << message;
  EXPECT_EQ(message.find('\n'), message.size() - 1) << message;
}

}  // namespace
}  // namespace winnow
