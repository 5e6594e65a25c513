#include "app/diff.h"

#include <fmt/core.h>

#include "app/check_outputs.h"
#include "error.h"
#include "film/compare.h"
#include "film/image_io.h"

namespace winnow {

void print_diff(const std::filesystem::path& a, const std::filesystem::path& b,
                const std::vector<std::filesystem::path>& outputs) {
  check_outputs(outputs, {}, {a, b});
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
}

}  // namespace winnow
