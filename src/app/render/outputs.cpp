// SPDX-License-Identifier: MIT
#include "app/render/outputs.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <glm/vec3.hpp>
#include <new>
#include <system_error>
#include <utility>

#include "app/cli/console.h"
#include "app/cli/output_files.h"
#include "app/cli/progress.h"
#include "app/cli/shared_options.h"
#include "app/render/aov.h"
#include "base/error.h"
#include "base/nanoseconds.h"
#include "denoise/denoise_covered.h"
#include "film/fireflies.h"
#include "image/image_io.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

bool have_layers(const std::vector<fs::path>& images) {
  return std::any_of(images.begin(), images.end(), [](const fs::path& image) {
    return image_format(image) == ImageFormat::kExr;
  });
}

void check_layers(const OutputOptions& options, const std::vector<fs::path>& others) {
  const bool holds_layers = have_layers(images_of(options.outputs)) ||
                            !films_of(options.outputs).empty() || !films_of(others).empty();
  if (options.aovs.layers.empty() || holds_layers) return;
  const std::string& name = enum_name(options.aovs.layers.front());
  throw UsageError(fmt::format(
      "--aov {0}: layers are part of an .exr file; add -o FILE.exr, or write {0}=FILE", name));
}

void check_has_images_to_denoise(const OutputOptions& options,
                                 const std::vector<fs::path>& images) {
  if (options.aovs.guides && images.empty())
    throw UsageError(
        "--denoise: film files hold samples as they are; add -o IMAGE, or later winnow convert "
        "FILE.film IMAGE --denoise");
}

bool holds_alpha(ImageFormat format) {
  return format == ImageFormat::kPng || format == ImageFormat::kExr;
}

void check_alpha(const OutputOptions& options, const std::vector<fs::path>& images) {
  if (!options.alpha) return;
  if (options.fireflies == Fireflies::kReweight)
    throw UsageError(
        "--alpha: --fireflies reweight mixes the light of sky and scene; use one of "
        "them");
  for (const fs::path& image : images)
    if (!holds_alpha(image_format(image)))
      throw UsageError(fmt::format("{}: cannot hold --alpha; use .png or .exr", image.string()));
}

std::vector<ImageChannel> layers_of(const AovRequest& aovs, const FilmSource& film) {
  std::vector<ImageChannel> channels;
  for (Aov aov : aovs.layers)
    for (ImageChannel& channel : aov_channels(aov, film)) channels.push_back(std::move(channel));
  return channels;
}

/// Writes a film file instead of an image for which there is not enough memory; a film file is
/// written in small parts. Throws Error that names it.
[[noreturn]] void write_film_in_place(const fs::path& image, const FilmSource& film,
                                      const FilmFileHeader& header) {
  const std::string reason = image.string() + ": not enough memory to write it";
  const fs::path other =
      write_fallback(fs::path(image).replace_extension(".film"),
                     [&](const fs::path& file) { write_film(file, header, film); });
  if (other.empty()) throw Error(reason);
  throw Error(fmt::format("{}; winnow convert makes it of {}", reason, other.string()));
}

void write_images(const OutputOptions& options, const FilmToWrite& film, const Image& image,
                  const ToneMapping& mapping, Attempts& attempt) {
  for (const fs::path& output : images_of(options.outputs))
    attempt([&] {
      try {
        const std::vector<ImageChannel> channels = have_layers({output})
                                                       ? layers_of(options.aovs, film.film)
                                                       : std::vector<ImageChannel>();
        write_or_fall_back(output, [&](const fs::path& file) {
          write_covered_image(file, image, mapping, channels);
        });
      } catch (const std::bad_alloc&) {
        write_film_in_place(output, film.film, film.header);
      }
    });
}

Image foreground_of(const FilmSource& film) {
  using enum FilmArray;
  return mean_foreground(read_arrays(film, {kSum, kSamples, kBackground}));
}

Image aov_of(const FilmSource& film, Aov aov) {
  return aov_image(aov, read_arrays(film, aov_arrays(aov)));
}

void write_clean_images(const OutputOptions& options, const FilmSource& film, const Image& image,
                        const ToneMapping& mapping, const Denoiser& denoiser,
                        WrittenOutputs& written, Attempts& attempt) {
  CleanReport& report = written.clean;
  const Image clean = clean_image(film, image, denoiser, report);
  for (const std::string& warning : bright_pixel_warnings({report.bright}))
    print_warning("--denoise: " + warning);
  for (const fs::path& output : images_of(options.outputs))
    attempt([&] {
      const fs::path name = clean_name(output);
      write_or_fall_back(name,
                         [&](const fs::path& file) { write_covered_image(file, clean, mapping); });
      report.noisy.push_back(output);
      report.clean.push_back(name);
      written.legends.push_back(fmt::format("{}: {} without noise, by {} ({}) in {}", name.string(),
                                            output.string(), report.library, report.device,
                                            duration_text(report.seconds)));
    });
}

/// Returns the share of the light of `all` that `some` lacks.
double missing_share(const Image& all, const Image& some) {
  glm::dvec3 whole(0.0), kept(0.0);
  for (size_t i = 0; i < all.pixels.size(); ++i)
    whole += glm::dvec3(all.pixels[i]), kept += glm::dvec3(some.pixels[i]);
  const double light = whole.x + whole.y + whole.z;
  return light > 0.0 ? 1.0 - (kept.x + kept.y + kept.z) / light : 0.0;
}

}  // namespace

OptionTable output_options(OutputOptions& options) {
  return {
      exposure_option(options.exposure),
      tone_map_option(options.tone_curve),
      option("--fireflies", "HOW", options.fireflies, name_of<Fireflies>(),
             "Weight of samples that are much brighter than their neighbours. reweight gives rare "
             "ones less weight until there are enough of them; the film then also stores sums by "
             "brightness."),
      {.name = "--aov",
       .placeholder = "NAME,...|NAME=FILE",
       .help =
           "Layers of .exr and .film outputs, or an image of its own. bounces is the mean number "
           "of bounces, deaths shows why paths were terminated, cost how long traversal and "
           "shading took; to measure it, paths are followed as by --loop path. The option may be "
           "repeated.",
       .form = {.values = alternatives(enum_names<Aov>()), .is_repeatable = true},
       .read =
           [&options](const std::vector<std::string>& texts) {
             options.aovs = {.guides = options.aovs.guides};
             for (const std::string& text : texts) add_aov("--aov", text, options.aovs);
           }},
      flag(
          "--alpha", options.alpha,
          "Make .png and .exr images transparent where camera rays leave the scene. The sky lights "
          "the scene as before. Glass is opaque."),
      flag("--denoise", options.aovs.guides,
           "Also write each image without noise: a.clean.exr beside a.exr. Needs Open Image "
           "Denoise (pip install pyoidn).",
           {.keyword = "denoise"}),
      denoise_quality_option(options.denoise_quality)};
}

std::vector<fs::path> images_of(std::vector<fs::path> outputs) {
  std::erase_if(outputs, is_film_file);
  return outputs;
}

std::vector<fs::path> films_of(std::vector<fs::path> outputs) {
  std::erase_if(outputs, std::not_fn(is_film_file));
  return outputs;
}

fs::path clean_name(const fs::path& image) {
  fs::path name = image;
  return name.replace_extension(".clean" + image.extension().string());
}

void check_film_outputs(const OutputOptions& options, const std::vector<fs::path>& others,
                        const std::vector<fs::path>& inputs) {
  std::vector<fs::path> images = images_of(options.outputs), rest = films_of(options.outputs);
  check_has_images_to_denoise(options, images);
  check_alpha(options, images);
  if (options.aovs.guides)
    for (const fs::path& image : images_of(options.outputs)) images.push_back(clean_name(image));
  for (const AovOutput& aov : options.aovs.pictures) images.push_back(aov.file);
  rest.insert(rest.end(), others.begin(), others.end());
  check_outputs(images, rest, inputs);
  check_layers(options, others);
}

void check_arrays_are_in(const FilmFeatures& features, const OutputOptions& options,
                         const std::string& film_name) {
  if (options.fireflies == Fireflies::kReweight && !features.layers)
    throw Error(
        fmt::format("{}: does not hold brightness layers; they are recorded from the first sample "
                    "on, by --fireflies reweight",
                    film_name));
  if (options.alpha && !features.background)
    throw Error(fmt::format(
        "{}: does not hold the background; it is recorded from the first sample on, by --alpha",
        film_name));
  RenderSettings needed;
  keep_aovs(options.aovs, needed);
  const char* missing = needed.keep_first_hits && !features.first_hits
                            ? "albedo, normal, depth, position and ids"
                        : needed.keep_squares && !features.squares          ? "variance"
                        : needed.map_terminations && !features.terminations ? "bounces and deaths"
                        : needed.keep_cost && !features.cost                ? "cost"
                                                                            : nullptr;
  if (missing)
    throw Error(
        fmt::format("{}: does not hold {}; they are recorded from the first sample on, by --aov or "
                    "--denoise",
                    film_name, missing));
}

void write_covered_image(const fs::path& file, const Image& image, const ToneMapping& mapping,
                         const std::vector<ImageChannel>& channels) {
  if (image.alpha.empty() || image_format(file) == ImageFormat::kExr)
    return write_image(file, image, mapping, channels);
  Image straight = image;
  divide_by_alpha(straight);
  write_image(file, straight, mapping, channels);
}

void check_denoise_quality(DenoiseQuality quality, bool denoises) {
  if (!denoises && quality != DenoiseQuality::kHigh)
    throw UsageError("--denoise-quality: is for denoised images; add --denoise");
}

std::optional<Denoiser> denoiser_for(const OutputOptions& options, DenoiserSettings settings) try {
  check_denoise_quality(options.denoise_quality, options.aovs.guides);
  if (!options.aovs.guides) return std::nullopt;
  settings.quality = options.denoise_quality;
  return Denoiser(settings);
} catch (const Error& error) {
  throw Error(fmt::format("--denoise: {}", error.what()));
}

Image clean_image(const FilmSource& film, const Image& image, const Denoiser& denoiser,
                  CleanReport& report) {
  report.library = denoiser.library();
  report.device = denoiser.device_name();
  const double start = steady_seconds();
  Image clean = denoise_covered(
      denoiser, image, {.albedo = aov_of(film, Aov::kAlbedo), .normal = aov_of(film, Aov::kNormal)},
      &report.bright);
  report.seconds = steady_seconds() - start;
  return clean;
}

Exposure chosen_exposure(const Image& image, const std::optional<Exposure>& requested,
                         bool is_model) {
  Exposure exposure = requested.value_or(Exposure{.is_automatic = is_model});
  if (exposure.is_automatic) exposure.stops = auto_exposure(image);
  return exposure;
}

void Attempts::throw_first_failure() const {
  for (size_t i = 1; i < failures_.size(); ++i) try {
      std::rethrow_exception(failures_[i]);
    } catch (const std::exception& failure) {
      print_message(fmt::format("winnow: {}", failure.what()));
    }
  if (!failures_.empty()) std::rethrow_exception(failures_.front());
}

WrittenOutputs write_film_outputs(const OutputOptions& options, const FilmToWrite& film,
                                  const std::optional<Denoiser>& denoiser, Attempts& attempt) {
  WrittenOutputs written;
  Image reweighted;
  if (options.fireflies == Fireflies::kReweight) {
    reweighted = reweighted_radiance(film.film);
    written.fireflies_share = missing_share(film.mean, reweighted);
  }
  Image foreground;
  if (options.alpha) foreground = foreground_of(film.film);
  const Image& image = options.alpha             ? foreground
                       : written.fireflies_share ? reweighted
                                                 : film.mean;
  written.exposure = chosen_exposure(image, options.exposure, film.is_model);
  const ToneMapping mapping{.curve = options.tone_curve, .exposure = written.exposure.stops};
  for (const fs::path& output : films_of(options.outputs))
    attempt([&] {
      write_or_fall_back(output,
                         [&](const fs::path& file) { write_film(file, film.header, film.film); });
    });
  write_images(options, film, image, mapping, attempt);
  for (const AovOutput& aov : options.aovs.pictures)
    attempt([&] {
      write_or_fall_back(aov.file, [&](const fs::path& file) {
        written.legends.push_back(
            write_aov({aov.aov, file}, read_arrays(film.film, aov_arrays(aov.aov))));
      });
    });
  if (denoiser)
    attempt([&] {
      write_clean_images(options, film.film, image, mapping, *denoiser, written, attempt);
    });
  return written;
}

}  // namespace winnow
