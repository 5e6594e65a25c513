// SPDX-License-Identifier: MIT
#include <sstream>
#include <utility>

#include "image/exr_file.h"
#include "image/image_formats.h"
#include "tests/fuzz/target.h"
#include "tests/image/support/ktx2_files.h"

namespace winnow {
namespace {

/// Reads an image, which must have as many pixels as its size says.
template <Image (*kRead)(std::istream&)>
bool fuzz_image(std::string_view input) {
  std::istringstream stream{std::string(input)};
  return reads([&] {
    const Image image = kRead(stream);
    expect_in_fuzz(image.pixels.size() == size_t(image.width) * image.height, "pixels are missing");
  });
}

/// Decodes an image of bytes, which must have as many pixels as its size says.
template <ByteImage (*kDecode)(std::string_view)>
bool fuzz_bytes(std::string_view input) {
  return reads([&] {
    const ByteImage image = kDecode(input);
    const size_t expected = size_t(image.width) * image.height * 4;
    expect_in_fuzz(image.values.size() == expected, "pixels are missing");
    expect_in_fuzz(image.values_16.empty() || image.values_16.size() == expected,
                   "pixels of 16 bits are missing");
  });
}

Image read_picture(std::istream& stream) {
  return read_exr(stream);
}

bool fuzz_exr(std::string_view input) {
  std::istringstream stream{std::string(input)};
  reads([&] {
    ExrFile file(stream);
    std::vector<Image> images;
    for (ExrPicture& picture : file.take_pictures()) images.push_back(std::move(picture.image));
    std::ostringstream out;
    file.write(out, images);
  });
  return fuzz_image<read_picture>(input);
}

Image small_picture() {
  return {3, 2, {{0, 0, 0}, {1, 0.5f, 0.25f}, {9, 8, 7}, {1, 1, 1}, {0, 0.1f, 0}, {2, 0, 0}}};
}

template <class Write>
std::vector<std::string> seed_of(Write write) {
  std::ostringstream stream;
  write(stream);
  return {stream.str()};
}

std::vector<std::string> png_seeds() {
  std::vector<std::string> seeds = seed_of([](auto& to) { write_png(to, small_picture()); });
  seeds.push_back(seed_of([](auto& to) {
                    write_rgba_png(to, {1, 2, {1, 2, 3, 4, 5, 6, 7, 8}});
                  }).front());
  return seeds;
}
std::vector<std::string> jpg_seeds() {
  return seed_of([](auto& to) { write_jpg(to, small_picture()); });
}
std::vector<std::string> hdr_seeds() {
  return seed_of([](auto& to) { write_hdr(to, small_picture()); });
}
std::vector<std::string> pfm_seeds() {
  return seed_of([](auto& to) { write_pfm(to, small_picture()); });
}
std::vector<std::string> exr_seeds() {
  const std::vector<ImageChannel> more = {{"Z", std::vector<float>{1, 2, 3, 4, 5, 6}},
                                          {"id", std::vector<uint32_t>{1, 2, 3, 4, 5, 6}}};
  return seed_of([&](auto& to) { write_exr(to, small_picture(), more); });
}

std::vector<std::string> ktx2_seeds() {
  return {Ktx2File::uastc().bytes(), Ktx2File::etc1s().bytes()};
}

std::string seed_bytes(std::initializer_list<int> values) {
  return {values.begin(), values.end()};
}

/// A grey picture of 1x1, lossless.
std::vector<std::string> webp_seeds() {
  return {"RIFF" + seed_bytes({26, 0, 0, 0}) + "WEBPVP8L" +
          seed_bytes(
              {13, 0, 0, 0, 0x2f, 0, 0, 0, 0x10, 0x07, 0x10, 0x11, 0x11, 0x88, 0x88, 0xfe, 7, 0})};
}

/// 2x1 colours, plain and as a run; indices of a colour map.
std::vector<std::string> tga_seeds() {
  const std::string size = seed_bytes({2, 0, 1, 0});
  return {
      seed_bytes({0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0}) + size + seed_bytes({24, 0x20}) + "abcdef",
      seed_bytes({0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0}) + size + seed_bytes({32, 0, 0x81}) + "abcd",
      seed_bytes({0, 1, 1, 0, 0, 2, 0, 24, 0, 0, 0, 0}) + size + seed_bytes({8, 0}) + "abcdef" +
          seed_bytes({0, 1})};
}

/// 2x1 pixels of 24 bits; of 1 bit with a palette.
std::vector<std::string> bmp_seeds() {
  const auto header = [](int bits, int colors) {
    return "BM" + seed_bytes({62, 0, 0, 0,  0, 0, 0, 0, 54 + 4 * colors,
                              0,  0, 0, 40, 0, 0, 0, 2, 0,
                              0,  0, 1, 0,  0, 0, 1, 0, bits,
                              0,  0, 0, 0,  0, 8, 0, 0, 0,
                              0,  0, 0, 0,  0, 0, 0, 0, colors,
                              0,  0, 0, 0,  0, 0, 0});
  };
  return {header(24, 0) + "abcdef" + seed_bytes({0, 0}),
          header(1, 2) + "abc" + seed_bytes({0}) + "def" + seed_bytes({0, 0x40, 0, 0, 0})};
}

}  // namespace

std::vector<FuzzTarget> image_fuzz_targets() {
  return {{"png", fuzz_bytes<decode_png>, png_seeds},
          {"jpg", fuzz_bytes<decode_jpg>, jpg_seeds},
          {"webp", fuzz_bytes<decode_webp>, webp_seeds},
          {"tga", fuzz_bytes<decode_tga>, tga_seeds},
          {"ktx2", fuzz_bytes<decode_ktx2>, ktx2_seeds},
          {"bmp", fuzz_bytes<decode_bmp>, bmp_seeds},
          {"hdr", fuzz_image<read_hdr>, hdr_seeds},
          {"pfm", fuzz_image<read_pfm>, pfm_seeds},
          {"exr", fuzz_exr, exr_seeds}};
}

}  // namespace winnow
