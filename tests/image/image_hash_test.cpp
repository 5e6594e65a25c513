#include "image/image_hash.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <set>

namespace winnow {
namespace {

Image gradient(uint32_t width, uint32_t height) {
  Image image{width, height, {}};
  for (uint32_t pixel = 0; pixel < width * height; ++pixel)
    image.pixels.emplace_back(0.25f * float(pixel), 1.0f, -3.0f);
  return image;
}

TEST(ImageHash, IsSixteenHexadecimalDigits) {
  std::string hash = image_hash(gradient(3, 2));
  EXPECT_EQ(hash.size(), 16u);
  EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(ImageHash, EqualImagesHaveEqualHashes) {
  EXPECT_EQ(image_hash(gradient(5, 7)), image_hash(gradient(5, 7)));
}

TEST(ImageHash, StaysTheSameFromVersionToVersion) {
  EXPECT_EQ(image_hash({}), "3e36bbef01d12a7c");
  EXPECT_EQ(image_hash(gradient(3, 2)), "07adb2f6b4a073d8");
}

TEST(ImageHash, EveryBitCounts) {
  Image image = gradient(4, 3);
  std::set<std::string> hashes = {image_hash(image)};
  for (glm::vec3& pixel : image.pixels)
    for (int channel = 0; channel < 3; ++channel)
      for (int bit = 0; bit < 32; ++bit) {
        float original = pixel[channel];
        pixel[channel] = std::bit_cast<float>(std::bit_cast<uint32_t>(original) ^ (1u << bit));
        hashes.insert(image_hash(image));
        pixel[channel] = original;
      }
  EXPECT_EQ(hashes.size(), 1u + 4 * 3 * 3 * 32);
}

TEST(ImageHash, TellsOrderAndShapeApart) {
  Image image = gradient(4, 3), swapped = image, turned = image;
  std::swap(swapped.pixels[0], swapped.pixels[1]);
  std::swap(turned.width, turned.height);
  EXPECT_NE(image_hash(image), image_hash(swapped));
  EXPECT_NE(image_hash(image), image_hash(turned));
}

TEST(ImageHash, TellsZerosApart) {
  EXPECT_NE(image_hash({1, 1, {glm::vec3(0.0f)}}), image_hash({1, 1, {glm::vec3(-0.0f)}}));
}

}  // namespace
}  // namespace winnow
