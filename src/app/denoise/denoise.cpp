// SPDX-License-Identifier: MIT
#include "app/denoise/denoise.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "app/cli/add_option.h"
#include "app/cli/check_outputs.h"
#include "app/cli/choose_device.h"
#include "app/cli/console.h"
#include "app/cli/progress.h"
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

/// The layer and the component of a channel, in lower case: "albedo" and 'r' of
/// "ViewLayer.Albedo.R". No component unless it is one letter.
std::pair<std::string, char> layer_and_component(const std::string& channel) {
  const std::string name = lower_case(channel);
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot + 2 != name.size()) return {name, '\0'};
  const std::string layers = name.substr(0, dot);
  const size_t outer = layers.rfind('.');
  return {outer == std::string::npos ? layers : layers.substr(outer + 1), name.back()};
}

/// The image of the first layer with one of these names; empty without one.
Image layer_among(const std::vector<ImageChannel>& channels, const std::vector<std::string>& layers,
                  uint32_t width, uint32_t height) {
  constexpr const char* kComponents[] = {"rx", "gy", "bz"};
  std::array<const std::vector<float>*, 3> found{};
  for (const ImageChannel& channel : channels) {
    const auto [layer, component] = layer_and_component(channel.name);
    const auto* values = std::get_if<std::vector<float>>(&channel.values);
    if (!values || std::find(layers.begin(), layers.end(), layer) == layers.end()) continue;
    for (size_t c = 0; c < found.size(); ++c)
      if (component != '\0' && std::string(kComponents[c]).find(component) != std::string::npos &&
          !found[c])
        found[c] = values;
  }
  if (!found[0] || !found[1] || !found[2]) return {};
  Image image{width, height, {}};
  for (size_t pixel = 0; pixel < found[0]->size(); ++pixel)
    image.pixels.emplace_back((*found[0])[pixel], (*found[1])[pixel], (*found[2])[pixel]);
  return image;
}

/// An image beside the one that is denoised, which must be of its size.
void read_guide(const fs::path& file, const Image& noisy, Image& guide) {
  if (file.empty()) return;
  guide = read_image(file);
  if (guide.width != noisy.width || guide.height != noisy.height)
    throw Error(fmt::format("{} is {}x{}, the image {}x{}: both must be of one size", file.string(),
                            guide.width, guide.height, noisy.width, noisy.height));
}

DenoiseGuides read_guides(const DenoiseOptions& options, const Image& noisy) {
  DenoiseGuides guides;
  if (image_format(options.input) == ImageFormat::kExr)
    guides = guides_among(read_image_channels(options.input), noisy.width, noisy.height);
  read_guide(options.albedo, noisy, guides.albedo);
  read_guide(options.normal, noisy, guides.normal);
  if (guides.albedo.pixels.empty() && !guides.normal.pixels.empty())
    print_message("warning: normals guide only beside an albedo; add --albedo FILE");
  return guides;
}

/// "by albedo and normal".
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

void add_denoise_options(CLI::App& command, DenoiseOptions& options) {
  command
      .add_option("IMAGE", options.input,
                  "image: .exr, whose layers of albedo and normal are used,\n.hdr, .pfm, .png or "
                  ".jpg")
      ->type_name("")
      ->required();
  command
      .add_option("-o,--output", options.outputs,
                  "image to write: .png, .jpg, .hdr, .pfm or .exr; several\nmay be given")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->required();
  add_path(command, "--albedo", options.albedo, "FILE",
           "image of the albedo, as --aov albedo=FILE.exr writes it");
  add_path(command, "--normal", options.normal, "FILE",
           "image of the normals, as --aov normal=FILE.exr");
  add_device(command, options.device);
  auto stops = [](const std::string& option, const std::string& text) {
    const Exposure exposure = parse_exposure(option, text);
    if (exposure.is_automatic)
      throw UsageError(option + ": auto is for renders; give the stops that they print");
    return exposure.stops;
  };
  add_value(command, "--exposure", options.stops, stops, "STOPS",
            "brighten .png and .jpg by a number of stops (default: 0)");
  add_value(command, "--tone-map", options.tone_curve, parse_enum<ToneCurve>, "CURVE",
            "of .png and .jpg: srgb, aces or agx (default: srgb)");
  command.footer(
      "Needs Open Image Denoise 2, which pip install pyoidn gets; WINNOW_OIDN=PATH names its\n"
      "library, or a folder that holds it.");
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
