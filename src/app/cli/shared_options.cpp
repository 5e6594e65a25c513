// SPDX-License-Identifier: MIT
#include "app/cli/shared_options.h"

#include <fmt/format.h>

#include <set>

#include "app/cli/console.h"
#include "app/cli/output_files.h"
#include "base/error.h"
#include "base/limits.h"
#include "load/load_scene.h"
#include "scene/frame_scene.h"

namespace winnow {
namespace {

OptionRow parameter_option(MitsubaParameters& parameters) {
  return {.name = "-D",
          .placeholder = "NAME=VALUE",
          .help =
              "Value of a parameter of a Mitsuba scene: a default element or $NAME. The option may "
              "be repeated.",
          .form = {.is_repeatable = true},
          .read = [&parameters](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              const size_t equals = text.find('=');
              if (equals == 0 || equals == std::string::npos)
                throw UsageError("-D: expected NAME=VALUE, found \"" + text + "\"");
              parameters[text.substr(0, equals)] = text.substr(equals + 1);
            }
          }};
}

OptionRow confine_option(OutsideFiles& outside) {
  return {.name = "--confine",
          .placeholder = "",
          .help = "Refuse files outside the folder of the scene, whatever the scene names.",
          .read = [&outside](const std::vector<std::string>& texts) {
            outside = texts.back() == "on" ? OutsideFiles::kRefused : OutsideFiles::kAllowed;
          }};
}

OptionRow variant_option(std::string& variant) {
  return option("--variant", "NAME", variant, text_type(),
                "Variant of the materials of a glTF, which info lists.",
                {.default_text = "the file's own materials"});
}

OptionRow time_option(std::optional<double>& time) {
  return option(
      "--time", "S", time, parsed_by(parse_moment, "", "float"),
      "Moment of the animations of a glTF, the transforms of a pbrt scene or the motions of a JSON "
      "scene, on the clock of the file.",
      {.unit = "s", .default_text = "the rest pose, or the middle of the shutter"});
}

}  // namespace

HostScene load_with_options(const std::filesystem::path& file, const SceneOptions& options) {
  HostScene scene =
      load_scene(file, options.parameters, options.time, options.outside, options.choice);
  if (options.sky) replace_sky(*options.sky, scene);
  warn_of_motion(scene);
  return scene;
}

void report_warnings(const std::vector<std::string>& warnings, const std::filesystem::path& file,
                     bool quiet, bool strict) {
  std::set<std::string> distinct;
  for (const std::string& warning : warnings)
    if (distinct.insert(warning).second && (!quiet || strict)) print_warning(warning);
  if (strict && !distinct.empty())
    throw Error(fmt::format("{}: loading has {} warning{}, which --strict refuses", file.string(),
                            distinct.size(), distinct.size() == 1 ? "" : "s"));
}

void report_loading(const HostScene& scene, const std::filesystem::path& file, bool quiet,
                    bool strict) {
  if (!quiet)
    for (const std::string& note : scene.notes) print_message("note: " + note);
  report_warnings(scene.warnings, file, quiet, strict);
}

void apply_options(const SceneOptions& options, HostScene& scene, RenderSettings& settings) {
  const Size size = options.size.value_or(Size{scene.width, scene.height});
  const bool has_shape = uint64_t(size.width) * scene.height == uint64_t(size.height) * scene.width;
  settings.width = scene.width = size.width;  // the scene's size also bounds the origins of rays
  settings.height = scene.height = size.height;
  settings.max_bounces = scene.max_bounces = options.max_bounces.value_or(scene.max_bounces);
  if (!has_shape && scene.camera_origin == CameraOrigin::kFramed) frame_scene(scene);
  change_camera(options.camera, scene);
}

OptionTable source_options(SceneOptions& options) {
  return {parameter_option(options.parameters), confine_option(options.outside),
          strict_option(options.strict), variant_option(options.choice.variant),
          option("--camera-name", "NAME", options.choice.camera, text_type(),
                 "Camera of a glTF: the name of its node, as info lists it, or else its own.",
                 {.default_text = "the first one"})};
}

OptionTable model_options(SceneOptions& options) {
  return {confine_option(options.outside), strict_option(options.strict),
          variant_option(options.choice.variant), time_option(options.time)};
}

OptionTable scene_options(SceneOptions& options) {
  OptionTable table = source_options(options);
  append(table, {time_option(options.time),
                 option("--sky", "SKY", options.sky, parsed_by(parse_sky),
                        "Sky that replaces that of the scene: none, soft, a clear day with the sun "
                        "as sun[:AZIMUTH[:ELEVATION]], in degrees from +z towards +x and above the "
                        "horizon, or an environment map as FILE[:SCALE[:ROTATION]], with a factor "
                        "of its radiance and degrees about +y: sun:-30:20, studio.hdr:2:90.",
                        {.default_text = kOfScene, .keyword = "sky"})});
  return table;
}

OptionRow size_option(std::optional<Size>& size) {
  return option(
      "--size", "WxH", size,
      parsed_by(parse_size, "1 to " + std::to_string(kMaxImageSide) + " each", "tuple[int, int]"),
      "Width and height of the image, as in 1920x1080.",
      {.unit = "pixels", .default_text = kOfScene, .keyword = "size"});
}

OptionRow max_bounces_option(std::optional<uint32_t>& max_bounces) {
  return option(
      "--max-bounces", "N", max_bounces, whole_number(0, kMaxBounces),
      "Maximum number of scattering events of a path. 0 shows directly visible light only.",
      {.default_text = kOfScene, .keyword = "max_bounces"});
}

OptionTable camera_options(CameraChange& camera) {
  OptionRow place = option(
      "--camera", "LIST", camera.camera,
      parsed_by(parse_view, "X,Y,Z or X,Y,Z,DX,DY,DZ,FOV", "Sequence[float]"),
      "Eye: X,Y,Z, to which --look-at and --fov belong. Or eye, direction and horizontal field of "
      "view: X,Y,Z,DX,DY,DZ,FOV; then +y is up, and lens, shift and clipping planes of the scene's "
      "camera do not apply.",
      {.unit = "m and degrees", .default_text = kOfScene, .keyword = "camera"});
  OptionRow target =
      option("--look-at", "X,Y,Z", camera.look_at, parsed_by(parse_point, "", "Sequence[float]"),
             "Point that the camera looks at, in the middle of the image.",
             {.unit = "m", .default_text = kOfScene, .keyword = "look_at"});
  OptionRow fov = option(
      "--fov", "DEGREES", camera.vertical_fov, parsed_by(parse_fov, "above 0, below 180", "float"),
      "Vertical field of view.", {.unit = "degrees", .default_text = kOfScene, .keyword = "fov"});
  place.form.is_list = target.form.is_list = true;
  return {place, target, fov};
}

OptionRow exposure_option(std::optional<Exposure>& exposure) {
  return option("--exposure", "STOPS", exposure, parsed_by(parse_exposure, "a number or auto"),
                "Exposure of .png and .jpg images. Each stop doubles the light, -1 halves it. auto "
                "shows the median as middle grey.",
                {.unit = "stops", .default_text = "auto for glTF, OBJ and PLY, otherwise 0"});
}

OptionRow tone_map_option(ToneCurve& curve) {
  return option("--tone-map", "CURVE", curve, name_of<ToneCurve>(),
                "How .png and .jpg images show values above 1: srgb clips them, aces and agx "
                "compress them towards white.");
}

OptionRow denoise_quality_option(DenoiseQuality& quality) {
  return option("--denoise-quality", "NAME", quality, name_of<DenoiseQuality>(),
                "Filter of Open Image Denoise. balanced and fast take less time and leave a larger "
                "error; fast needs version 2.3.",
                {.keyword = "denoise_quality"});
}

OptionRow device_option(DeviceRequest& device) {
  return option("--device", "DEVICE", device, parsed_by(parse_device, "auto, cpu, cuda or cuda:K"),
                "Device that does the work. auto is the first GPU, or the CPU where there is none; "
                "cuda:K is GPU K.",
                {.default_text = "auto", .keyword = "device"});
}

OptionRow seed_option(uint64_t& seed) {
  return option("--seed", "N", seed, whole_number<uint64_t>(0, UINT64_MAX),
                "Seed of the random numbers.", {.keyword = "seed"});
}

OptionRow sampler_option(SamplerType& sampler) {
  return option("--sampler", "NAME", sampler, name_of<SamplerType>(),
                "Source of random numbers: independent by hash, or evenly distributed by sobol.",
                {.keyword = "sampler"});
}

OptionRow lights_option(LightChoice& lights) {
  return option("--lights", "CHOICE", lights, name_of<LightChoice>(),
                "How samples choose among lights: uniformly, by power, or by bvh, a tree that is "
                "traversed for each shading point.",
                {.keyword = "lights"});
}

OptionRow roulette_option(bool& roulette) {
  return option("--roulette", "on|off", roulette, on_or_off(),
                "Whether Russian roulette terminates paths of low throughput.",
                {.keyword = "roulette"});
}

OptionRow threads_option(uint32_t& threads) {
  return option("--threads", "N", threads, whole_number(1, kMaxThreads),
                "Number of CPU threads that do the work.",
                {.default_text = "all of the hardware", .keyword = "threads"});
}

OptionRow wave_size_option(uint32_t& wave_size) {
  return option("--wave-size", "N", wave_size, whole_number(0, kMaxWaveSize),
                "Number of paths in flight. With 0, the device chooses it.",
                {.keyword = "wave_size"});
}

OptionRow bvh_cache_option(std::string& folder) {
  return option("--bvh-cache", "DIR", folder, path_type<std::string>(),
                "Folder that keeps quality BVHs for the next render of the same geometry on a GPU.",
                {.keyword = "bvh_cache"});
}

OptionRow strict_option(bool& strict) {
  return flag(
      "--strict", strict,
      "End the command if loading has warnings, for example about what Winnow ignores in a file.");
}

OptionRow quiet_option(bool& quiet) {
  return flag("--quiet", quiet, "Print errors only.");
}

OptionRow text_output_option(const std::string& name, std::filesystem::path& target, bool& quiet,
                             const std::string& help) {
  OptionRow row = option(name, "FILE", target, path_or_stream_type(),
                         help + " - is the standard output, and implies --quiet.");
  row.read = [&target, &quiet, read = row.read](const std::vector<std::string>& texts) {
    read(texts);
    quiet |= target == kStandardOutput;
  };
  return row;
}

}  // namespace winnow
