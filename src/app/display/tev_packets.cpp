// SPDX-License-Identifier: MIT
#include "app/display/tev_packets.h"

#include <bit>
#include <cstring>

namespace winnow {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr const char* kTevChannels[] = {"R", "G", "B"};
constexpr int32_t kTevChannelCount = 3;

/// Collects the bytes of one message.
class Packet {
 public:
  explicit Packet(TevOperation operation) {
    add(uint32_t(0));  // placeholder for the length
    add(operation);
  }

  template <class Number>
  void add(Number number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof(number));
  }
  void add_text(const std::string& text) { bytes_.append(text.c_str(), text.size() + 1); }
  void add_channel_names() {
    for (const char* name : kTevChannels) add_text(name);
  }
  void add_pixels(const glm::vec3* pixels, size_t count) {
    bytes_.append(reinterpret_cast<const char*>(pixels), count * sizeof(glm::vec3));
  }

  std::string take() {
    const auto length = uint32_t(bytes_.size());
    std::memcpy(bytes_.data(), &length, sizeof(length));
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

constexpr bool kGrabFocus = true;

}  // namespace

std::string tev_create_image(const std::string& name, uint32_t width, uint32_t height) {
  Packet packet(TevOperation::kCreateImage);
  packet.add(kGrabFocus);
  packet.add_text(name);
  packet.add(int32_t(width));
  packet.add(int32_t(height));
  packet.add(kTevChannelCount);
  packet.add_channel_names();
  return packet.take();
}

std::string tev_update_image(const std::string& name, const Image& image, uint32_t first_row,
                             uint32_t row_count) {
  static_assert(sizeof(glm::vec3) == kTevChannelCount * sizeof(float));
  Packet packet(TevOperation::kUpdateImageV3);
  packet.add(!kGrabFocus);
  packet.add_text(name);
  packet.add(kTevChannelCount);
  packet.add_channel_names();
  for (const uint32_t number : {0u, first_row, image.width, row_count}) packet.add(int32_t(number));
  // Offset and stride of each channel, in floats: channels are interleaved.
  for (int64_t channel = 0; channel < kTevChannelCount; ++channel) packet.add(channel);
  for (int channel = 0; channel < kTevChannelCount; ++channel)
    packet.add(int64_t(kTevChannelCount));
  packet.add_pixels(&image.pixels[size_t(first_row) * image.width],
                    size_t(row_count) * image.width);
  return packet.take();
}

}  // namespace winnow
