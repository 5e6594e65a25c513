// SPDX-License-Identifier: MIT
#include "app/denoise/denoise.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "app/cli/choose_device.h"
#include "app/cli/console.h"
#include "app/cli/output_files.h"
#include "app/cli/progress.h"
#include "app/cli/shared_options.h"
#include "base/error.h"
#include "base/nanoseconds.h"
#include "image/image_io.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return char(std::tolower(letter)); });
  return text;
}

/// Returns the layer and the component of a channel, in lower case: "albedo" and 'r' for
/// "ViewLayer.Albedo.R". The component is '\0' unless it is one letter.
std::pair<std::string, char> layer_and_component(const std::string& channel) {
  const std::string name = lower_case(channel);
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot + 2 != name.size()) return {name, '\0'};
  const std::string layers = name.substr(0, dot);
  const size_t outer = layers.rfind('.');
  return {outer == std::string::npos ? layers : layers.substr(outer + 1), name.back()};
}

/// Returns the image of the first layer with one of these names; empty if there is none.
Image layer_among(const std::vector<ImageChannel>& channels, const std::vector<std::string>& layers,
                  uint32_t width, uint32_t height) {
  constexpr std::string_view kComponents = "rgbxyz";
  std::array<const std::vector<float>*, 3> found{};
  for (const ImageChannel& channel : channels) {
    const auto [layer, component] = layer_and_component(channel.name);
    const auto* values = std::get_if<std::vector<float>>(&channel.values);
    if (!values || std::find(layers.begin(), layers.end(), layer) == layers.end()) continue;
    const size_t place = kComponents.find(component);
    if (place != kComponents.npos && !found[place % 3]) found[place % 3] = values;
  }
  if (!found[0] || !found[1] || !found[2]) return {};
  Image image{width, height, {}};
  for (size_t pixel = 0; pixel < found[0]->size(); ++pixel)
    image.pixels.emplace_back((*found[0])[pixel], (*found[1])[pixel], (*found[2])[pixel]);
  return image;
}

/// Reads an image that guides the denoiser. It must have the size of the noisy image.
void read_guide(const fs::path& file, const Image& noisy, Image& guide) {
  if (file.empty()) return;
  guide = read_image(file);
  if (guide.width != noisy.width || guide.height != noisy.height)
    throw Error(fmt::format("{} is {}x{}, the image {}x{}: both must have the same size",
                            file.string(), guide.width, guide.height, noisy.width, noisy.height));
}

DenoiseGuides read_guides(const DenoiseOptions& options, const Image& noisy) {
  DenoiseGuides guides;
  if (image_format(options.input) == ImageFormat::kExr)
    guides = guides_among(read_image_channels(options.input), noisy.width, noisy.height);
  read_guide(options.albedo, noisy, guides.albedo);
  read_guide(options.normal, noisy, guides.normal);
  if (guides.albedo.pixels.empty() && !guides.normal.pixels.empty())
    print_warning("normals are used only with an albedo; add --albedo FILE");
  return guides;
}

std::string guides_text(const DenoiseGuides& guides) {
  if (guides.albedo.pixels.empty()) return "without albedo and normal";
  return guides.normal.pixels.empty() ? "by albedo" : "by albedo and normal";
}

}  // namespace

DenoiseGuides guides_among(const std::vector<ImageChannel>& channels, uint32_t width,
                           uint32_t height) {
  return {.albedo = layer_among(channels, {"albedo", "denoising albedo"}, width, height),
          .normal = layer_among(
              channels, {"n", "ns", "nn", "normal", "normals", "denoising normal", "sh_normal"},
              width, height)};
}

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
          device_option(options.device),
          option("--exposure", "STOPS", options.stops, parsed_by(stops, "a number"),
                 "Exposure of .png and .jpg images.",
                 {.unit = "stops", .default_text = fmt::format("{:g}", options.stops)}),
          tone_map_option(options.tone_curve)};
}

void denoise_image(const DenoiseOptions& options) {
  check_outputs(options.outputs, {}, {options.input, options.albedo, options.normal});
  const ChosenDevice device = choose_device(options.device);
  const Denoiser denoiser({.cuda = device.first_cuda()});
  const Image noisy = read_image(options.input);
  const DenoiseGuides guides = read_guides(options, noisy);
  const double start = steady_seconds();
  const Image clean = denoiser.denoise(noisy, guides);
  const double seconds = steady_seconds() - start;
  for (const fs::path& output : options.outputs)
    write_image(output, clean, {.curve = options.tone_curve, .exposure = options.stops});
  for (const fs::path& output : options.outputs)
    fmt::print("{}: {} without noise, {}, by {} ({}) in {}\n", output.string(),
               options.input.string(), guides_text(guides), denoiser.library(),
               denoiser.device_name(), duration_text(seconds));
}

}  // namespace winnow
