// SPDX-License-Identifier: MIT
#include "image/image_io.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>

#include "base/error.h"
#include "image/compare.h"
#include "image/image_formats.h"
#include "image/srgb.h"
#include "math/constants.h"
#include "tests/image/support/exr_files.h"
#include "tests/support/folder_test.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtensions[] = {".png", ".jpg", ".hdr", ".pfm", ".exr"};
constexpr std::pair<uint32_t, uint32_t> kSizes[] = {{1, 1}, {1, 7}, {7, 1}, {8, 8}, {131, 17}};

class ImageIo : public FolderTest {
 protected:
  fs::path file(const std::string& name) const { return folder_ / name; }

  void put(const std::string& name, const std::string& bytes) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
  }

  std::string bytes(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(file(name), std::ios::binary).rdbuf();
    return text.str();
  }

  /// Writes an image, and reads the file, which has the same size.
  Image round_trip(const std::string& name, const Image& image) const {
    write_image(file(name), image);
    Image read = read_image(file(name));
    EXPECT_EQ(read.width, image.width);
    EXPECT_EQ(read.height, image.height);
    return read;
  }

  /// Returns the error of read_image for a file; empty if there is none.
  std::string error_of(const std::string& name) const {
    try {
      read_image(file(name));
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }
};

/// Values over many magnitudes, the same in every run.
Image noise(uint32_t width, uint32_t height, float low, float high) {
  Image image{width, height, {}};
  std::mt19937 random(width * 1000 + height);
  std::uniform_real_distribution<float> exponent(std::log(low), std::log(high));
  auto value = [&] { return std::exp(exponent(random)); };
  for (uint32_t pixel = 0; pixel < width * height; ++pixel) {
    float r = value(), g = value(), b = value();
    image.pixels.emplace_back(r, g, b);
  }
  return image;
}

/// Expects each pixel to be near to what a function makes of that of the other image.
/// @param tolerance  of all channels of a pixel, by the pixel of the other image
template <class Expected, class Tolerance>
void expect_pixels(const Image& image, const Image& other, Expected expected, Tolerance tolerance) {
  ASSERT_EQ(image.pixels.size(), other.pixels.size());
  for (size_t pixel = 0; pixel < image.pixels.size(); ++pixel)
    for (int channel = 0; channel < 3; ++channel)
      EXPECT_NEAR(image.pixels[pixel][channel], expected(other.pixels[pixel], channel),
                  tolerance(other.pixels[pixel]));
}
float same_pixel(glm::vec3 pixel, int channel) {
  return pixel[channel];
}
float no_tolerance(glm::vec3) {
  return 0.0f;
}

/// Negative, huge, tiny, infinite, NaN and signed zeros.
Image extremes() {
  float denormal = std::numeric_limits<float>::denorm_min(),
        max = std::numeric_limits<float>::max();
  return {3,
          2,
          {{-1.0f, -0.0f, 0.0f},
           {max, -max, denormal},
           {kInfinity, -kInfinity, NAN},
           {1e30f, 1e-30f, 65504.0f},
           {1.0f, 0.5f, 1.0f / 3.0f},
           {70000.0f, 1e-8f, 42.0f}}};
}

TEST(Exr, KeepsFurtherChannelsToTheBit) {
  const Image image = noise(7, 5, 1e-3f, 1e3f);
  std::vector<float> depth(35, kInfinity);
  std::vector<uint32_t> ids(35);
  for (uint32_t pixel = 0; pixel < 35; ++pixel) {
    if (pixel % 3) depth[pixel] = 0.1f * float(pixel);
    ids[pixel] = ~0u - pixel;  // more than a float holds
  }
  std::stringstream stream;
  write_exr(stream, image, {{"id.primitive", ids}, {"Z", depth}, {"albedo.R", depth}});
  EXPECT_EQ(image_hash(read_exr(stream)), image_hash(image));
  const std::map<std::string, ExrChannel> channels = read_exr_parts(stream.str()).at(0).channels;
  ASSERT_EQ(channels.size(), 6u);
  for (const char* name : {"Z", "albedo.R"})
    EXPECT_TRUE(std::ranges::equal(channels.at(name).values, depth)) << name;
  EXPECT_EQ(channels.at("id.primitive").type, ExrType::kUint);
  EXPECT_TRUE(std::ranges::equal(channels.at("id.primitive").values, ids));
}

TEST(Exr, KeepsAlpha) {
  Image image = noise(3, 2, 1e-3f, 1e3f);
  image.alpha = {0.0f, 0.25f, 0.5f, 0.75f, 1.0f, 2.0f};
  std::stringstream stream;
  write_exr(stream, image);
  EXPECT_EQ(read_exr(stream).alpha, image.alpha);
}

TEST_F(ImageIo, RefusesDeepExrByName) {
  put("deep.exr", std::string("\x76\x2f\x31\x01\x02\x08\0\0", 8));
  EXPECT_NE(error_of("deep.exr").find("it is a deep image"), std::string::npos);
}

// OpenEXR names the attribute as the file does.
TEST_F(ImageIo, AnExrAttributeWhoseNameHasSeveralLinesIsRefusedInOne) {
  std::ostringstream stream;
  write_exr(stream, {1, 1, {glm::vec3(1.0f)}});
  const std::string bytes = stream.str();
  const auto attribute = [](const std::string& type) {
    const std::string kFourBytes("\4\0\0\0abcd", 8);
    return std::string("a\nb") + '\0' + type + '\0' + kFourBytes;
  };
  constexpr size_t kVersionEnd = 8;
  put("lines.exr", bytes.substr(0, kVersionEnd) + attribute("int") + attribute("float") +
                       bytes.substr(kVersionEnd));
  const std::string error = error_of("lines.exr");
  EXPECT_NE(error.find("a?b"), std::string::npos) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

// OpenEXR would continue after the bytes that it reads, and take a value for the size of another
// value.
TEST_F(ImageIo, AnExrAttributeWithOtherBytesThanItsValueIsRefused) {
  std::ostringstream stream;
  write_exr(stream, {1, 1, {glm::vec3(1.0f)}});
  const auto error = [&](const std::string& type, const std::string& value) {
    std::string attribute = "more" + std::string(1, '\0') + type + std::string(1, '\0');
    attribute += std::string{char(value.size()), 0, 0, 0} + value;
    constexpr size_t kVersionEnd = 8;
    put("more.exr", stream.str().insert(kVersionEnd, attribute));
    return error_of("more.exr");
  };
  const std::string kChannel = "Z" + std::string(17, '\0'), kEnd(1, '\0'), kOne("\1\0\0\0", 4),
                    kTwo("\2\0\0\0", 4);
  const std::pair<std::string, std::string> kGood[] = {{"int", kOne},
                                                       {"v2f", std::string(8, '\0')},
                                                       {"chlist", kChannel + kChannel + kEnd},
                                                       {"stringvector", kOne + "a" + kTwo + "bc"},
                                                       {"floatvector", kOne + kTwo},
                                                       {"preview", kOne + kTwo + kOne + kTwo},
                                                       {"string", "abc"},
                                                       {"of nobody", "abc"}};
  for (const auto& [type, value] : kGood) {
    // The table after the header still has the earlier positions.
    EXPECT_EQ(error(type, value).find("its attribute"), std::string::npos) << type;
    if (type == "string" || type == "of nobody") continue;
    for (const std::string& bad : {value + kEnd, value.substr(0, value.size() - 1)})
      EXPECT_NE(error(type, bad).find("its attribute \"more\" is damaged"), std::string::npos)
          << type << bad.size();
  }
}

TEST_F(ImageIo, PfmAndExrKeepEveryBit) {
  for (const std::string extension : {".pfm", ".exr"}) {
    SCOPED_TRACE(extension);
    std::vector<Image> images = {extremes()};
    for (auto [width, height] : kSizes) images.push_back(noise(width, height, 1e-20f, 1e20f));
    for (const Image& image : images)
      EXPECT_EQ(image_hash(round_trip("image" + extension, image)), image_hash(image));
  }
}

TEST_F(ImageIo, PngKeepsTheToneMappedImage) {
  auto shown = [](glm::vec3 pixel, int channel) {
    return invert_tone_map(tone_map(pixel[channel]));
  };
  for (auto [width, height] : kSizes) {
    const Image image = noise(width, height, 1e-3f, 3.0f);
    expect_pixels(round_trip("image.png", image), image, shown, no_tolerance);
  }
}

TEST_F(ImageIo, PngKeepsAlphaBesideColors) {
  Image image = noise(4, 1, 0.1f, 1.0f);
  write_image(file("opaque.png"), image);
  EXPECT_TRUE(read_image(file("opaque.png")).alpha.empty());
  const std::vector<glm::vec3> opaque = read_image(file("opaque.png")).pixels;
  image.alpha = {0.0f, 0.4f, NAN, 7.0f};
  const Image read = round_trip("image.png", image);
  EXPECT_EQ(read.pixels, opaque);
  EXPECT_EQ(read.alpha, (std::vector<float>{0.0f, 0.4f, 0.0f, 1.0f}));
}

TEST_F(ImageIo, OnlyFormatsOfEightBitsAreToneMapped) {
  const ToneMapping mapping{.curve = ToneCurve::kAgx, .exposure = 1.5f};
  const Image image = noise(8, 8, 1e-3f, 30.0f);
  for (std::string extension : kExtensions) {
    write_image(file("plain" + extension), image);
    write_image(file("mapped" + extension), image, mapping);
    const bool eight_bits = extension == ".png" || extension == ".jpg";
    EXPECT_EQ(bytes("plain" + extension) != bytes("mapped" + extension), eight_bits) << extension;
  }
  auto shown = [&](glm::vec3 pixel, int channel) {
    return invert_tone_map(tone_map(pixel, mapping)[channel]);
  };
  expect_pixels(read_image(file("mapped.png")), image, shown, no_tolerance);
}

TEST_F(ImageIo, JpgComesClose) {
  for (auto [width, height] : kSizes) {
    Image image{width, height, {}};  // smooth, as its compression expects
    for (uint32_t y = 0; y < height; ++y)
      for (uint32_t x = 0; x < width; ++x)
        image.pixels.emplace_back(0.2f + 0.5f * float(x) / float(width),
                                  0.2f + 0.5f * float(y) / float(height), 0.4f);
    expect_pixels(round_trip("image.jpeg", image), image, same_pixel,
                  [](glm::vec3) { return 0.05f; });
  }
}

TEST_F(ImageIo, HdrKeepsEightBitsOfTheLargestChannel) {
  auto last_bit = [](glm::vec3 pixel) { return std::max({pixel.x, pixel.y, pixel.z}) / 256.0f; };
  for (auto [width, height] : kSizes) {
    const Image image = noise(width, height, 1e-6f, 1e6f);
    expect_pixels(round_trip("image.hdr", image), image, same_pixel, last_bit);
  }
}

TEST_F(ImageIo, HdrClampsWhatItCannotHold) {
  const Image read =
      round_trip("image.hdr",
                 {4, 1, {glm::vec3(-1.0f), glm::vec3(NAN), glm::vec3(kInfinity), glm::vec3(1.0f)}});
  EXPECT_EQ(read.pixels[0], glm::vec3(0.0f));
  EXPECT_EQ(read.pixels[1], glm::vec3(0.0f));
  EXPECT_GT(read.pixels[2].x, 1.6e38f);
  EXPECT_TRUE(std::isfinite(read.pixels[2].x));
  EXPECT_EQ(read.pixels[3], glm::vec3(1.0f));
}

TEST_F(ImageIo, EightBitFormatsClampWhatTheyCannotHold) {
  const std::vector<glm::vec3> kBlack = {glm::vec3(-1.0f), glm::vec3(NAN), glm::vec3(-kInfinity)};
  EXPECT_EQ(round_trip("image.png", {3, 1, kBlack}).pixels,
            std::vector<glm::vec3>(3, glm::vec3(0.0f)));
  EXPECT_EQ(round_trip("image.png", {2, 1, {glm::vec3(kInfinity), glm::vec3(1e30f)}}).pixels,
            std::vector<glm::vec3>(2, glm::vec3(1.0f)));
}

TEST_F(ImageIo, TheTopRowComesFirst) {
  for (std::string extension : kExtensions) {
    const Image read = round_trip("image" + extension, {1, 2, {glm::vec3(1.0f), glm::vec3(0.0f)}});
    EXPECT_NEAR(read.pixels[0].y, 1.0f, 0.1f) << extension;
    EXPECT_NEAR(read.pixels[1].y, 0.0f, 0.1f) << extension;
  }
}

TEST_F(ImageIo, ChannelsStayInOrder) {
  const Image image{8, 8, std::vector<glm::vec3>(64, {0.9f, 0.5f, 0.1f})};
  for (std::string extension : kExtensions)
    expect_pixels(round_trip("image" + extension, image), image, same_pixel,
                  [](glm::vec3) { return 0.02f; });
}

TEST_F(ImageIo, ReadsGreyPfmOfTheOtherByteOrder) {
  std::string values;
  for (float value : {1.0f, 0.25f}) {
    uint32_t bits = std::bit_cast<uint32_t>(value);
    for (int shift : {24, 16, 8, 0}) values += char(bits >> shift);
  }
  put("big-endian.pfm", "Pf\n2 1\n1.0\n" + values);
  Image read = read_image(file("big-endian.pfm"));
  EXPECT_EQ(read.pixels, (std::vector<glm::vec3>{glm::vec3(1.0f), glm::vec3(0.25f)}));
}

TEST_F(ImageIo, ReadsRunLengthEncodedHdr) {
  std::string row = {2, 2, 0, 8};                         // a row of eight
  row += {char(128 + 8), char(128)};                      // red: a run of eight
  row += {char(3), 0, 64, char(255), char(128 + 5), 32};  // green: three literals, a run of five
  row += {char(8), 1, 2, 3, 4, 5, 6, 7, 8};               // blue: eight literals
  row += {char(128 + 8), char(128 + 1)};                  // exponent: mantissa 128 is 1
  put("runs.hdr", "#?RADIANCE\n# comment\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 8\n" + row + row);
  Image read = read_image(file("runs.hdr"));
  ASSERT_EQ(read.pixels.size(), 16u);
  for (int y : {0, 1})
    for (int x = 0; x < 8; ++x) {
      int green = x == 0 ? 0 : x == 1 ? 64 : x == 2 ? 255 : 32;
      EXPECT_EQ(read.pixels[y * 8 + x], glm::vec3(128, green, x + 1) / 128.0f);
    }
}

TEST_F(ImageIo, RefusesRunsThatLeaveTheirRow) {
  const std::string header = "#?RADIANCE\n\n-Y 1 +X 8\n", mark = {2, 2, 0, 8};
  put("long.hdr", header + mark + char(128 + 9) + std::string(100, 'x'));
  put("zero.hdr", header + mark + std::string(100, '\0'));
  put("width.hdr", header + std::string{2, 2, 0, 9} + std::string(100, 'x'));
  for (const char* name : {"long.hdr", "zero.hdr", "width.hdr"})
    EXPECT_NE(error_of(name).find("corrupt"), std::string::npos) << name << error_of(name);
}

TEST_F(ImageIo, ExtensionsAreKnownInAnyCase) {
  EXPECT_EQ(image_format("a.PNG"), ImageFormat::kPng);
  EXPECT_EQ(image_format("a.b.JpEg"), ImageFormat::kJpg);
  EXPECT_EQ(image_format("folder.x/a.exr"), ImageFormat::kExr);
}

TEST_F(ImageIo, AnUnknownExtensionIsWrongUsageAndListsTheKnownOnes) {
  for (const char* name : {"image.bmp", "image", "png", ".png", "image.", "folder.png/image"}) {
    SCOPED_TRACE(name);
    try {
      image_format(name);
      FAIL() << "no error";
    } catch (const UsageError& error) {
      EXPECT_EQ(std::string(error.what()).rfind(std::string(name) + ": ", 0), 0u);
      EXPECT_NE(std::string(error.what()).find("use .png, .jpg, .hdr, .pfm or .exr"),
                std::string::npos);
    }
  }
  EXPECT_THROW(read_image(file("image.bmp")), UsageError);
  EXPECT_THROW(write_image(file("image.bmp"), extremes()), UsageError);
}

TEST_F(ImageIo, MissingFileAndFolderAreErrors) {
  EXPECT_EQ(error_of("missing.exr"),
            file("missing.exr").string() + ": cannot be opened: No such file or directory");
  fs::create_directory(file("folder.png"));
  EXPECT_EQ(error_of("folder.png"), file("folder.png").string() + ": is a folder, not an image");
  const std::string too_long = std::string(300, 'a') + ".exr";
  EXPECT_EQ(error_of(too_long), file(too_long).string() + ": cannot be opened: File name too long");
  fs::create_symlink("circle.png", file("circle.png"));
  EXPECT_EQ(error_of("circle.png"),
            file("circle.png").string() + ": cannot be opened: Too many levels of symbolic links");
}

TEST_F(ImageIo, EveryTruncationIsAnError) {
  for (std::string extension : kExtensions) {
    for (auto [width, height] : {std::pair(5u, 3u), std::pair(16u, 9u)}) {
      write_image(file("whole" + extension), noise(width, height, 0.01f, 1.0f));
      std::string whole = bytes("whole" + extension);
      size_t step = std::max<size_t>(1, whole.size() / 64);
      for (size_t size = 0; size < whole.size(); size += step) {
        // A PNG ends in a check sum and a chunk without content that nobody needs.
        if (extension == ".png" && size + 16 >= whole.size()) break;
        put("cut" + extension, whole.substr(0, size));
        std::string error = error_of("cut" + extension);
        EXPECT_EQ(error.rfind(file("cut" + extension).string() + ": ", 0), 0u)
            << extension << " cut to " << size << " of " << whole.size() << " bytes: " << error;
        EXPECT_EQ(error.find('\n'), std::string::npos);
      }
      if (extension == ".png") continue;
      put("cut" + extension, whole.substr(0, whole.size() - 1));
      EXPECT_NE(error_of("cut" + extension), "") << extension << " without its last byte";
    }
  }
}

TEST_F(ImageIo, CorruptFilesNeverCrash) {
  std::mt19937 random(7);
  for (std::string extension : kExtensions) {
    write_image(file("whole" + extension), noise(16, 9, 0.01f, 1.0f));
    std::string whole = bytes("whole" + extension);
    for (int trial = 0; trial < 200; ++trial) {
      std::string damaged = whole;
      for (int change = 0; change < 3; ++change)
        damaged[random() % std::min<size_t>(damaged.size(), trial % 2 ? 400 : 40)] = char(random());
      put("damaged" + extension, damaged);
      EXPECT_EQ(error_of("damaged" + extension).find('\n'), std::string::npos);
    }
  }
}

TEST_F(ImageIo, AForeignFileIsAnError) {
  for (std::string extension : kExtensions) {
    put("text" + extension, "This is not an image, whatever its name says.\n");
    EXPECT_NE(error_of("text" + extension), "");
    EXPECT_EQ(error_of("text" + extension).find('\n'), std::string::npos);
    put("empty" + extension, "");
    EXPECT_NE(error_of("empty" + extension), "");
  }
}

TEST_F(ImageIo, AbsurdSizesAreErrorsBeforeMemoryIsUsed) {
  const std::pair<std::string, const char*> kFiles[] = {
      {"negative.pfm", "PF\n-3 4\n-1.0\n"},
      {"zero.pfm", "PF\n0 4\n-1.0\n"},
      {"wide.pfm", "PF\n999999999999 1\n-1.0\n"},
      {"large.pfm", "PF\n32768 32768\n-1.0\n123"},
      {"scale.pfm", "PF\n1 1\nnan\n000000000000"},
      {"large.hdr", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 20000 +X 20000\n123"},
      {"tall.hdr", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1000000 +X 1\n123"}};
  for (const auto& [name, content] : kFiles) {
    put(name, content);
    EXPECT_EQ(error_of(name).rfind(file(name).string() + ": ", 0), 0u) << error_of(name);
  }
  EXPECT_NE(error_of("zero.pfm").find("expected sides from 1 to 32768"), std::string::npos);
  EXPECT_NE(error_of("large.hdr").find("too short for its size in pixels"), std::string::npos);
}

TEST_F(ImageIo, RefusesWhatAFormatCannotHoldBeforeItIsRendered) {
  EXPECT_THROW(check_image_fits("image.png", 32768, 32768), Error);
  EXPECT_THROW(check_image_fits("image.jpg", 32768, 32768), Error);
  EXPECT_NO_THROW(check_image_fits("image.hdr", 32768, 32768));
  EXPECT_NO_THROW(check_image_fits("image.exr", 32768, 32768));
  EXPECT_NO_THROW(check_image_fits("image.png", 15360, 8640));
}

TEST_F(ImageIo, NamesConvertForFilmFiles) {
  const std::string film = message_of<UsageError>([] { image_format("a.film"); });
  EXPECT_NE(film.find("which winnow convert makes of it"), std::string::npos) << film;
  const std::string other = message_of<UsageError>([] { image_format("a.gif"); });
  EXPECT_EQ(other.find("convert"), std::string::npos) << other;
}

TEST_F(ImageIo, LeavesNothingButTheImage) {
  for (std::string extension : kExtensions) write_image(file("image ☃" + extension), extremes());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 5);
  EXPECT_THROW(write_image(file("missing/image.png"), extremes()), Error);
}

TEST_F(ImageIo, AFullDiskIsAnErrorInEveryFormat) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  for (std::string extension : kExtensions) {
    fs::create_symlink("/dev/full", file("full" + extension));
    EXPECT_THROW(write_image(file("full" + extension), noise(64, 64, 0.1f, 1.0f)), Error)
        << extension;
  }
}

}  // namespace
}  // namespace winnow
