// SPDX-License-Identifier: MIT
#include "app/denoise/denoise.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "app/cli/choose_device.h"
#include "app/cli/console.h"
#include "app/cli/output_files.h"
#include "app/cli/progress.h"
#include "app/cli/shared_options.h"
#include "base/error.h"
#include "base/nanoseconds.h"
#include "denoise/denoise_covered.h"
#include "denoise/denoiser.h"
#include "image/image_io.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

/// The input: an OpenEXR file with its layers, or a picture.
struct DenoiseInput {
  std::optional<ExrFile> exr;
  std::vector<ExrPicture> pictures;
};

bool is_exr(const fs::path& file) {
  return image_format(file) == ImageFormat::kExr;
}

DenoiseInput read_input(const fs::path& file, bool strict) {
  DenoiseInput input;
  std::vector<std::string> warnings;
  if (is_exr(file)) {
    input.exr.emplace(read_exr_file(file));
    input.pictures = input.exr->take_pictures();
    for (const std::string& warning : input.exr->warnings())
      warnings.push_back(fmt::format("{}: {}", file.string(), warning));
  } else {
    input.pictures = {{.image = read_image(file)}};
    warnings = std::exchange(input.pictures[0].image.warnings, {});
  }
  report_warnings(warnings, file, false, strict);
  return input;
}

/// Reads an image that guides the denoiser. It must have the size of the noisy image.
/// @param layer  layer that is taken if an OpenEXR file has it, else its picture
void read_guide(const fs::path& file, ImageUse use, Image ExrPicture::*layer,
                const DenoiseInput& input, bool strict, Image& guide) {
  if (file.empty()) return;
  const Image& noisy = input.pictures[0].image;
  guide = is_exr(file) ? read_exr_file(file).take_pictures()[0].*layer : Image{};
  if (guide.width == noisy.width && guide.height == noisy.height) return;
  guide = read_image(file, ImageRules::kPlain, use);
  report_warnings(guide.warnings, file, false, strict);
  if (!is_exr(file)) multiply_by_alpha(guide);
  const uint32_t width = guide.width, height = guide.height;
  if (input.exr) guide = input.exr->in_data_window(0, guide);
  if (guide.width != noisy.width || guide.height != noisy.height)
    throw Error(fmt::format("{} is {}x{}, the image {}x{}: both must have the same size",
                            file.string(), width, height, noisy.width, noisy.height));
}

void read_guides(const DenoiseOptions& options, DenoiseInput& input) {
  ExrPicture& picture = input.pictures[0];
  read_guide(options.albedo, ImageUse::kColors, &ExrPicture::albedo, input, options.strict,
             picture.albedo);
  read_guide(options.normal, ImageUse::kNumbers, &ExrPicture::normal, input, options.strict,
             picture.normal);
  if (picture.albedo.pixels.empty() && !picture.normal.pixels.empty())
    print_warning("normals are used only with an albedo; add --albedo FILE");
}

void warn_of_lost_channels(const DenoiseOptions& options, const ExrFile& file) {
  const std::vector<std::string>& lost = file.other_channels();
  if (lost.empty()) return;
  print_warning(fmt::format("{}: {} of its channels, such as {}, are left out; .exr keeps them",
                            options.input.string(), lost.size(), in_quotes(lost[0])));
}

/// Writes the clean pictures. Formats other than OpenEXR hold only the first.
void write_clean(const DenoiseOptions& options, const fs::path& output, const DenoiseInput& input,
                 const std::vector<Image>& clean) {
  if (input.exr && is_exr(output)) return write_exr_file(output, *input.exr, clean);
  Image image = input.exr ? input.exr->shown(0, clean[0]) : clean[0];
  for (const std::string& warning : image.warnings)
    print_warning(fmt::format("{}: {}", options.input.string(), warning));
  if (clean.size() > 1)
    print_warning(fmt::format("{}: holds one of the {} pictures, {}; .exr holds all",
                              output.string(), clean.size(), input.pictures[0].name));
  if (!image.alpha.empty()) {
    if (!input.exr && is_exr(output)) multiply_by_alpha(image);
    if (input.exr && image_format(output) == ImageFormat::kPng) divide_by_alpha(image);
    if (!is_exr(output) && image_format(output) != ImageFormat::kPng)
      print_warning(fmt::format("{}: cannot hold alpha, which is left out; use .exr or .png",
                                output.string()));
  }
  write_image(output, image, {.curve = options.tone_curve, .exposure = options.stops});
}

std::string guides_text(const ExrPicture& guides) {
  if (guides.albedo.pixels.empty()) return "without albedo and normal";
  return guides.normal.pixels.empty() ? "by albedo" : "by albedo and normal";
}

}  // namespace

OptionTable denoise_options(DenoiseOptions& options) {
  auto stops = [](const std::string& name, const std::string& text) {
    const Exposure exposure = parse_exposure(name, text);
    if (exposure.is_automatic)
      throw UsageError(name + ": auto is for renders; give the stops that they print");
    return exposure.stops;
  };
  return {argument("IMAGE", options.input,
                   "Image: .exr, whose layers of albedo and normal are used, .hdr, .pfm, .png or "
                   ".jpg."),
          files("-o,--output", options.outputs,
                "Image to write: .png, .jpg, .hdr, .pfm or .exr. The option may be repeated.",
                {.is_required = true}),
          option("--albedo", "FILE", options.albedo, path_type(),
                 "Image of the albedo, as --aov albedo=FILE.exr writes it."),
          option("--normal", "FILE", options.normal, path_type(),
                 "Image of the normals, as --aov normal=FILE.exr writes it."),
          denoise_quality_option(options.quality),
          device_option(options.device),
          option("--exposure", "STOPS", options.stops, parsed_by(stops, "a number"),
                 "Exposure of .png and .jpg images.",
                 {.unit = "stops", .default_text = fmt::format("{:g}", options.stops)}),
          tone_map_option(options.tone_curve),
          strict_option(options.strict)};
}

void denoise_image(const DenoiseOptions& options) {
  check_outputs(options.outputs, {}, {options.input, options.albedo, options.normal});
  const ChosenDevice device = choose_device(options.device);
  const Denoiser denoiser({.cuda = device.first_cuda(), .quality = options.quality});
  DenoiseInput input = read_input(options.input, options.strict);
  read_guides(options, input);
  const std::string guides = guides_text(input.pictures[0]);
  const double start = steady_seconds();
  std::vector<Image> clean;
  std::vector<BrightPixels> bright(input.pictures.size());
  for (size_t i = 0; i < bright.size(); ++i) {
    ExrPicture& picture = input.pictures[i];
    DenoiseGuides guides{.albedo = std::move(picture.albedo), .normal = std::move(picture.normal)};
    // Only colours of OpenEXR are multiplied by alpha.
    clean.push_back(input.exr ? denoise_covered(denoiser, picture.image, guides, &bright[i])
                              : denoiser.denoise(std::move(picture.image), guides, &bright[i]));
  }
  const double seconds = steady_seconds() - start;
  for (const std::string& warning : bright_pixel_warnings(bright))
    print_warning(fmt::format("{}: {}", options.input.string(), warning));
  for (const fs::path& output : options.outputs) write_clean(options, output, input, clean);
  if (input.exr && std::ranges::none_of(options.outputs, is_exr))
    warn_of_lost_channels(options, *input.exr);
  for (const fs::path& output : options.outputs)
    fmt::print("{}: {} without noise, {}, by {} ({}) in {}\n", output.string(),
               options.input.string(), guides, denoiser.library(), denoiser.device_name(),
               duration_text(seconds));
}

}  // namespace winnow
