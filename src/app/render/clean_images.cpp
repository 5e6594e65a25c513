// SPDX-License-Identifier: MIT
#include "app/render/clean_images.h"

#include <fmt/core.h>

#include "app/cli/fallback.h"
#include "app/cli/progress.h"
#include "base/error.h"
#include "base/nanoseconds.h"
#include "image/image_io.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

DenoiseGuides guides_of(const FilmSource& film) {
  return {.albedo = aov_image(Aov::kAlbedo, read_arrays(film, aov_arrays(Aov::kAlbedo))),
          .normal = aov_image(Aov::kNormal, read_arrays(film, aov_arrays(Aov::kNormal)))};
}

}  // namespace

std::optional<Denoiser> denoiser_for(const OutputOptions& options,
                                     const DenoiseDevice& device) try {
  if (!options.aovs.guides) return std::nullopt;
  return Denoiser(device);
} catch (const Error& error) {
  throw Error(fmt::format("--denoise: {}", error.what()));
}

CleanReport write_clean_images(const OutputOptions& options, const Image& image,
                               const FilmSource& film, float stops,
                               const std::optional<Denoiser>& denoiser, Attempts& attempt,
                               std::vector<std::string>& legends) {
  if (!denoiser) return {};
  CleanReport report{.library = denoiser->library(), .device = denoiser->device_name()};
  attempt([&] {
    const double start = steady_seconds();
    const Image clean = denoiser->denoise(image, guides_of(film));
    report.seconds = steady_seconds() - start;
    const ToneMapping mapping{.curve = options.tone_curve, .exposure = stops};
    for (const fs::path& output : images_of(options.outputs))
      attempt([&] {
        const fs::path name = clean_name(output);
        write_or_fall_back(name, [&](const fs::path& file) { write_image(file, clean, mapping); });
        report.noisy.push_back(output);
        report.clean.push_back(name);
        legends.push_back(fmt::format("{}: {} without noise, by {} ({}) in {}", name.string(),
                                      output.string(), report.library, report.device,
                                      duration_text(report.seconds)));
      });
  });
  return report;
}

}  // namespace winnow
