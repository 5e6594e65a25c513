#include "app/diff.h"

#include <fmt/core.h>

#include "app/cli/check_outputs.h"
#include "base/error.h"
#include "image/color_map.h"
#include "image/compare.h"
#include "image/image_io.h"

namespace winnow {
namespace {

void print_flip(const Image& image, const Image& reference,
                const std::vector<std::filesystem::path>& outputs) {
  const std::vector<float> differences = flip(image, reference);
  double sum = 0.0;
  Image picture{image.width, image.height, {}};
  for (float difference : differences) {
    sum += double(difference);
    picture.pixels.push_back(false_color(difference));
  }
  fmt::print("{:<8}{:.6g}\n", "FLIP", sum / double(differences.size()));
  for (const std::filesystem::path& output : outputs) write_image(output, picture);
}

}  // namespace

void print_diff(const std::filesystem::path& a, const std::filesystem::path& b,
                const std::vector<std::filesystem::path>& outputs,
                const std::vector<std::filesystem::path>& flips) {
  std::vector<std::filesystem::path> written = outputs;
  written.insert(written.end(), flips.begin(), flips.end());
  check_outputs(written, {}, {a, b});
  Image image = read_image(a), reference = read_image(b);
  if (image.width != reference.width || image.height != reference.height)
    throw Error(fmt::format("{} is {}x{}, {} is {}x{}: only images of one size can be compared",
                            a.string(), image.width, image.height, b.string(), reference.width,
                            reference.height));

  Difference difference = compare(image, reference);
  fmt::print("{:<8}{:.6g}\n", "MSE", difference.mse);
  fmt::print("{:<8}{:.6g}\n", "relMSE", difference.relative_mse);
  fmt::print("{:<8}{:.2f} dB\n", "PSNR", difference.psnr);
  fmt::print("{:<8}{:.6g}\n", "max", difference.max);
  if (difference.not_finite_count > 0)
    fmt::print("{} values are not finite and left out\n", difference.not_finite_count);
  for (const std::filesystem::path& output : outputs)
    write_image(output, difference_image(image, reference));
  if (!flips.empty()) print_flip(image, reference, flips);
}

}  // namespace winnow
