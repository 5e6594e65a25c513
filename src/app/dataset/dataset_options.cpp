// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "app/dataset/dataset.h"
#include "app/render/render.h"
#include "base/error.h"
#include "base/limits.h"

namespace winnow {
namespace {

constexpr uint64_t kMaxViews = 1'000'000;

double parse_within(const std::string& option, const std::string& text, const char* name,
                    double min, double max) {
  const double number = parse_numbers(option, text, name, 1)[0];
  if (!(number >= min && number <= max))
    throw UsageError(
        fmt::format("{}: {:g} is not between {:g} and {:g}", option, number, min, max));
  return number;
}

/// Form: LOW:HIGH, in degrees.
Elevations parse_elevations(const std::string& option, const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() != 2)
    throw UsageError(fmt::format("{}: \"{}\" is not LOW:HIGH, as in 0:60", option, text));
  const Elevations range{parse_within(option, parts[0], "LOW", -90.0, 90.0),
                         parse_within(option, parts[1], "HIGH", -90.0, 90.0)};
  if (range.low > range.high)
    throw UsageError(
        fmt::format("{}: {} is above {}; expected LOW:HIGH", option, parts[0], parts[1]));
  return range;
}

/// Form: N or N:ELEVATION, in degrees.
OrbitRequest parse_orbit(const std::string& option, const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() > 2)
    throw UsageError(fmt::format("{}: \"{}\" is not N or N:ELEVATION, as in 24:20", option, text));
  OrbitRequest orbit{.count = uint32_t(parse_whole_number(option, parts[0], 1, kMaxViews))};
  if (parts.size() == 2) orbit.elevation = parse_within(option, parts[1], "ELEVATION", -89.0, 89.0);
  return orbit;
}

double parse_fov(const std::string& option, const std::string& text) {
  return parse_within(option, text, "DEGREES", 0.1, 170.0);
}

double parse_distance(const std::string& option, const std::string& text) {
  return parse_within(option, text, "R", 1e-3, 1e6);
}

float parse_stops(const std::string& option, const std::string& text) {
  const Exposure exposure = parse_exposure(option, text);
  if (exposure.is_automatic)
    throw UsageError(option + ": auto would differ from view to view; give a number of stops");
  return exposure.stops;
}

OptionRow skies_option(std::vector<SkyRequest>& skies) {
  return {.name = "--sky",
          .placeholder = "SKY",
          .help =
              "Sky that replaces that of the models: none, soft, sun, or an environment "
              "map as FILE[:SCALE[:ROTATION]]. If the option is repeated, one of them is "
              "drawn for each model, by --seed and its name.",
          .notes = {.default_text = "the model's own light, or a soft sky"},
          .form = {.is_repeatable = true},
          .read = [&skies](const std::vector<std::string>& texts) {
            skies.clear();
            for (const std::string& text : texts) skies.push_back(parse_sky("--sky", text));
          }};
}

OptionTable camera_options(DatasetOptions& options) {
  return {
      option("--views", "N", options.views, whole_number(1, kMaxViews),
             "Number of cameras, evenly on a sphere around each model (a Fibonacci lattice, turned "
             "by --seed and the name of the model).",
             {.keyword = "views"}),
      option("--orbit", "N[:ELEVATION]", options.orbit, parsed_by(parse_orbit),
             "Cameras at equal steps on a circle instead, at this many degrees above the horizon.",
             {.keyword = "orbit"}),
      option("--cameras", "FILE", options.cameras, path_type(),
             "Cameras of a file instead: transforms.json of NeRF, nerfstudio or Instant-NGP, a "
             "JSON list of Blender's matrices, or a folder of COLMAP's text model.",
             {.keyword = "cameras"}),
      option("--elevation", "LOW:HIGH", options.elevations, parsed_by(parse_elevations),
             "Elevations of --views.",
             {.unit = "degrees", .default_text = "-90:90", .keyword = "elevation"}),
      option(
          "--fov", "DEGREES", options.fov, parsed_by(parse_fov, "0.1 to 170", "float"),
          "Vertical field of view.",
          {.unit = "degrees", .default_text = fmt::format("{:g}", options.fov), .keyword = "fov"}),
      option("--distance", "R", options.distance, parsed_by(parse_distance, "above 0", "float"),
             "Distance of --views and --orbit from the middle of the model.",
             {.unit = "radii of the model",
              .default_text = "the sphere around the model fills the picture",
              .keyword = "distance"}),
      option("--normalize", "on|off", options.normalize, on_or_off(),
             "Whether cameras and depths are in a space in which the sphere around the model has "
             "radius 1 and its middle at the origin, or in that of the model.",
             {.default_text = "on, but off with --cameras", .keyword = "normalize"})};
}

OptionTable image_options(DatasetOptions& options) {
  return {
      option(
          "--size", "WxH", options.size,
          parsed_by(parse_size, "1 to " + std::to_string(kMaxImageSide) + " each",
                    "tuple[int, int]"),
          "Width and height of the pictures.",
          {.unit = "pixels", .default_text = "512x512, or that of --cameras", .keyword = "size"}),
      option("--spp", "N", options.spp, whole_number(1, kMaxSpp), "Number of samples per pixel.",
             {.keyword = "spp"}),
      flag("--denoise", options.denoise,
           "Remove the noise of rgba. Needs Open Image Denoise (pip install pyoidn).",
           {.keyword = "denoise"}),
      denoise_quality_option(options.denoise_quality),
      option(
          "--outputs", "LIST", options.outputs, list_of<DataOutput>(enum_names<DataOutput>()),
          "What is stored of each view, separated by commas. Depth, normals and ids are those at "
          "the centre of each pixel, and 0 where there is nothing.",
          {.keyword = "outputs"}),
      option("--format", "NAME", options.format, name_of<DataFormat>(),
             "Files of the views: png has 8 bits with straight alpha, and grey 16 bits for depth "
             "and ids; exr has floats, multiplied by alpha."),
      option("--depth", "KIND", options.depth, name_of<DepthKind>(),
             "Depth along the view direction, or distance along the ray.", {.keyword = "depth"}),
      option("--normals", "SPACE", options.normals, name_of<NormalSpace>(),
             "Space of the normals; in that of the camera, x is right, y up and z back.",
             {.keyword = "normals"}),
      skies_option(options.skies),
      option("--exposure", "STOPS", options.exposure, parsed_by(parse_stops, "a number", "float"),
             "Exposure of .png images of rgba. Each stop doubles the light.",
             {.unit = "stops", .default_text = "0"}),
      tone_map_option(options.tone_curve)};
}

}  // namespace

bool DatasetOptions::wants(DataOutput output) const {
  return std::ranges::find(outputs, output) != outputs.end();
}

OptionTable dataset_options(DatasetOptions& options) {
  auto share = [](const std::string& option, const std::string& text) {
    return parse_share(option, text, [](const char* name) { return std::getenv(name); });
  };
  RenderSettings& settings = options.settings;
  OptionTable table = {
      argument("OUT", options.out, "Folder to write, which gets a folder for each model."),
      files("MODEL", options.models,
            "Scene files, or folders with .glb, .gltf, .obj and .ply files in them."),
      option("--list", "FILE", options.list, path_or_stream_type(),
             "Text file with a further model on each line; - reads the standard input.")};
  append(table, camera_options(options));
  append(table, image_options(options));
  append(table, model_options(options));
  append(table,
         {max_bounces_option(options.max_bounces), seed_option(settings.seed),
          device_option(options.device),
          option("--devices", "LIST", options.devices,
                 parsed_by(parse_devices, "all, or a list as in 0,2", "str | Sequence[int]"),
                 "GPUs that render different models.", {.keyword = "devices"}),
          threads_option(settings.threads),
          option("--ahead", "N", options.ahead, whole_number(1, kMaxThreads),
                 "Number of models in memory at once on each device: one is rendered, the others "
                 "are loaded and built.",
                 {.default_text = "2 on a CPU, 6 on a GPU", .keyword = "ahead"}),
          option("--share", "I/N", options.share, parsed_by(share),
                 "Render part I of N of the models, counted from 0. auto takes both from Slurm, "
                 "MPI or Kubernetes.",
                 {.default_text = "all models", .keyword = "share"}),
          flag("--retry", options.retry, "Also render the models that failed before."),
          text_output_option("--stats", options.stats, options.quiet,
                             "JSON file to write: counts of models and pictures, and times."),
          quiet_option(options.quiet)});
  return table;
}

}  // namespace winnow
