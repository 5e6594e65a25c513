// SPDX-License-Identifier: MIT
#include "app/commands.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <system_error>
#include <thread>

#include "app/bench/bench.h"
#include "app/bench_rays/bench_rays.h"
#include "app/cli/completion.h"
#include "app/cli/console.h"
#include "app/cli/output_files.h"
#include "app/cli/shared_options.h"
#include "app/dataset/dataset.h"
#include "app/denoise/denoise.h"
#include "app/film/film_commands.h"
#include "app/render/render.h"
#include "app/render/render_record.h"
#include "app/see/see.h"
#include "backend/renderer.h"
#include "base/error.h"
#include "image/color_map.h"
#include "image/compare.h"
#include "image/image_io.h"
#include "load/gltf/gltf.h"
#include "load/load_scene.h"
#include "load/winnow/winnow_json.h"
#include "scene/scene_summary.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFirstCommands =
    "winnow renders 3D models and scenes. Three commands to try:\n\n"
    "  winnow model.glb                           render a model to model.png\n"
    "  winnow render scene.json --display web     watch a render, and move its camera, in a "
    "browser\n"
    "  winnow info model.glb                      print what a model contains\n\n"
    "A scene is glTF (.glb, .gltf), OBJ, PLY, Mitsuba XML, pbrt or Winnow JSON.\n"
    "winnow --help lists all commands, winnow COMMAND --help the options of one.\n";

constexpr const char* kOrFilm = " Or a film file (.film).";

/// Prints the mean of FLIP and writes its map.
void print_flip(const Image& image, const Image& reference, const std::vector<fs::path>& maps) {
  const std::vector<float> differences = flip(image, reference);
  double sum = 0.0;
  for (const float difference : differences) sum += double(difference);
  fmt::print("{:<8}{:.6g}\n", "FLIP", sum / double(differences.size()));
  if (maps.empty()) return;
  Image map{image.width, image.height, {}};
  for (const float difference : differences) map.pixels.push_back(false_color(difference));
  for (const fs::path& file : maps) write_image(file, map);
}

bool has_nan(const Image& image) {
  return std::ranges::any_of(
      image.pixels, [](glm::vec3 pixel) { return std::isnan(pixel.x + pixel.y + pixel.z); });
}

/// Returns all files that write_winnow_json() writes, the scene last.
std::vector<fs::path> winnow_json_files(const fs::path& file, const HostScene& scene) {
  std::vector<fs::path> files = winnow_json_meshes(file, scene);
  const std::vector<fs::path> images = winnow_json_images(file, scene);
  files.insert(files.end(), images.begin(), images.end());
  const std::vector<fs::path> grids = winnow_json_grids(file, scene);
  files.insert(files.end(), grids.begin(), grids.end());
  files.push_back(file);
  return files;
}

HostScene load_and_warn(const fs::path& file, const SceneOptions& options) {
  HostScene scene = load_with_options(file, options);
  report_loading(scene, file, false, options.strict);
  return scene;
}

struct InfoOptions : SceneOptions {
  fs::path file;
};

OptionTable info_options(InfoOptions& options) {
  OptionTable table = {argument("SCENE", options.file, std::string(kSceneHelp) + kOrFilm)};
  append(table, scene_options(options));
  return table;
}

void info(const InfoOptions& options) {
  if (is_film_file(options.file)) return print_film_info(options.file);
  const HostScene scene = load_and_warn(options.file, options);
  fmt::print("{}", summary_text(scene));
  if (const std::string camera = camera_options_text(scene); !camera.empty())
    fmt::print("{:<12}{}\n", "options", camera);
}

struct ConvertOptions : SceneOptions, OutputOptions {
  fs::path from, to;
};

OptionTable convert_options(ConvertOptions& options) {
  OptionTable table = {argument("A", options.from, std::string(kSceneHelp) + kOrFilm),
                       argument("B", options.to,
                                "File to write: .json or .glb; of a film file .png, .jpg, .hdr, "
                                ".pfm, .exr or .film.")};
  append(table, scene_options(options));
  append(table, output_options(options));
  return table;
}

/// Writes binary glTF, or Winnow JSON with its meshes and images beside it.
void convert_scene(const ConvertOptions& options) {
  const fs::path &from = options.from, &to = options.to;
  const bool is_glb = to.extension() == ".glb";
  if (!is_glb && to.extension() != ".json")
    throw UsageError(
        fmt::format("{}: expected a file of the type .json or .glb to write", to.string()));
  check_outputs({}, {to}, {from});
  const HostScene scene = load_and_warn(from, options);
  const std::vector<fs::path> files =
      is_glb ? std::vector<fs::path>{to} : winnow_json_files(to, scene);
  check_outputs({}, files, {from});
  if (is_glb)
    for (const std::string& what : write_glb(to, scene))
      print_warning(fmt::format("{}: glTF has no form for {}", to.string(), what));
  else
    write_winnow_json(to, scene);
  for (const fs::path& written : files) fmt::print("{}\n", written.string());
}

void convert(ConvertOptions& options) {
  if (!is_film_file(options.from)) return convert_scene(options);
  options.outputs = {options.to};
  convert_film(options.from, options);
}

int print_devices() {
  constexpr double kGibi = 1024.0 * 1024.0 * 1024.0;
  unsigned threads = std::thread::hardware_concurrency();
  fmt::print("{:<8}{} hardware {}\n", "cpu", threads, threads == 1 ? "thread" : "threads");

  CudaDevices cuda = list_cuda_devices();
  if (cuda.devices.empty()) fmt::print("{:<8}none: {}\n", "cuda", cuda.why_none);
  for (const CudaDevice& gpu : cuda.devices)
    fmt::print("{:<8}{}, {:.1f} GiB, {} multiprocessors, compute capability {}.{}\n",
               fmt::format("cuda:{}", gpu.index), gpu.name, double(gpu.memory) / kGibi,
               gpu.multiprocessors, gpu.major, gpu.minor);
  return 0;
}

struct DiffOptions {
  fs::path image, reference;
  std::vector<fs::path> outputs;  ///< files for |A - B|
  std::vector<fs::path> flips;    ///< files for the FLIP map
  bool strict = false;            ///< warnings of reading end the command
};

OptionTable diff_options(DiffOptions& options) {
  return {argument("A", options.image, "Image: .png, .jpg, .hdr, .pfm or .exr."),
          argument("B", options.reference, "Reference of the same size."),
          files("-o,--output", options.outputs, "Picture of the difference |A - B| to write."),
          files("--flip", options.flips, "Map of FLIP in false colour to write."),
          strict_option(options.strict)};
}

void diff(const DiffOptions& options) {
  const fs::path &a = options.image, &b = options.reference;
  std::vector<fs::path> written = options.outputs;
  written.insert(written.end(), options.flips.begin(), options.flips.end());
  check_outputs(written, {}, {a, b});
  Image image = read_image(a), reference = read_image(b);
  report_warnings(image.warnings, a, false, options.strict);
  report_warnings(reference.warnings, b, false, options.strict);
  if (image.width != reference.width || image.height != reference.height)
    throw Error(fmt::format(
        "{} is {}x{}, {} is {}x{}: only images of the same size can be compared", a.string(),
        image.width, image.height, b.string(), reference.width, reference.height));

  Difference difference = compare(image, reference);
  fmt::print("{:<8}{:.6g}\n", "MSE", difference.mse);
  fmt::print("{:<8}{:.6g}\n", "relMSE", difference.relative_mse);
  fmt::print("{:<8}{:.2f} dB\n", "PSNR", difference.psnr);
  fmt::print("{:<8}{:.6g}\n", "max", difference.max);
  if (difference.not_finite_count > 0)
    fmt::print("{} values are not finite and are left out\n", difference.not_finite_count);
  for (const fs::path& output : options.outputs)
    write_image(output, difference_image(image, reference));
  if (!options.flips.empty() || !(has_nan(image) || has_nan(reference)))
    print_flip(image, reference, options.flips);
}

/// A command that keeps its options.
template <class Options, class Run>
Command make(const char* name, const char* summary, OptionTable (*table)(Options&), Run run,
             const char* notes = "") {
  auto options = std::make_shared<Options>();
  return {.name = name,
          .summary = summary,
          .options = table(*options),
          .notes = notes,
          .run = [options, run]() -> int {
            if constexpr (!std::is_void_v<decltype(run(*options))>) return run(*options);
            run(*options);
            return 0;
          }};
}

struct CompletionOptions {
  Shell shell = Shell::kBash;
};

/// Adds the commands that are generated from the options of all commands.
std::vector<Command> with_documentation(std::vector<Command> commands) {
  auto options = std::make_shared<CompletionOptions>();
  OptionRow shell = option("SHELL", "", options->shell, name_of<Shell>(), "Shell of the user.");
  shell.form.is_required = true;
  shell.notes.default_text = "";
  commands.push_back(
      {.name = "completion",
       .summary = "Print a script that completes commands, options and values in a shell.",
       .options = {shell},
       .notes = "bash: source <(winnow completion bash), in ~/.bashrc. zsh: the same with zsh, in "
                "~/.zshrc after compinit. fish: winnow completion fish > "
                "~/.config/fish/completions/winnow.fish.",
       .run = {}});
  commands.push_back({.name = "man",
                      .summary = "Print the manual page: winnow man | man -l -.",
                      .options = {},
                      .notes = "",
                      .run = {}});
  const std::vector<Command> all = commands;
  commands[commands.size() - 2].run = [options, all] {
    fmt::print("{}", completion_script(options->shell, all));
    return 0;
  };
  commands.back().run = [all] {
    fmt::print("{}", manual_page(all, program_version()));
    return 0;
  };
  return commands;
}

/// Returns whether a word of the command line is meant as a file to render.
bool names_file(const std::string& word) {
  std::error_code error;
  return word.find_first_of("./") != std::string::npos || fs::exists(word, error);
}

}  // namespace

std::vector<std::string> with_command(std::vector<std::string> words) {
  if (words.empty()) return words;
  if (words.front() == "help") {
    words.push_back("--help");
    words.erase(words.begin());
    return words;
  }
  const std::vector<Command> commands = all_commands({});
  const bool has_command = std::ranges::any_of(
      commands, [&](const Command& command) { return command.name == words.front(); });
  const bool begins_with_option = words.front().starts_with('-');
  const bool has_file = begins_with_option ? std::ranges::any_of(words,
                                                                 [](const std::string& word) {
                                                                   return !word.starts_with('-') &&
                                                                          is_scene_file(word);
                                                                 })
                                           : names_file(words.front());
  if (!has_command && has_file) words.insert(words.begin(), "render");
  return words;
}

int print_first_commands() {
  fmt::print("{}", kFirstCommands);
  return 0;
}

std::vector<Command> all_commands(const std::vector<std::string>& arguments) {
  auto render_with = [arguments](RenderOptions& options) {
    options.arguments = arguments;
    return render(options);
  };
  std::vector<Command> commands = {
      make("render", "Render a scene into images.", render_options, render_with,
           "Ctrl-C (or SIGTERM) ends the render and writes the image so far, with exit code 0; a "
           "second one ends the program at once. A render that ends before its first sample writes "
           "nothing and exits with 130."),
      make(
          "dataset", "Render views of many models into a folder.", dataset_options, dataset,
          "After an interruption, the same command renders what is missing. A model that cannot be "
          "rendered is a line of OUT/failed.jsonl. The files are the same for all devices of one "
          "kind, shares and orders. The exit code is 1 if all models failed, and 130 after Ctrl-C "
          "(or SIGTERM)."),
      make("bench", "Measure what culling terminated paths costs and gains.", bench_options, bench,
           "A LIST is separated by commas, as in none,append. scripts/bench-report draws the JSON "
           "file. Ctrl-C (or SIGTERM) stops after the current frame and writes the complete "
           "rounds, with exit code 0; if there are none, the exit code is 130."),
      make("bench-rays", "Measure how fast rays of each kind are traced.", bench_rays_options,
           bench_rays,
           "Rays: primary; diffuse1 from hits of primary rays and diffuse2 from those of diffuse1, "
           "cosine-weighted; shadow1 and shadow2 from hits of primary and diffuse1 rays to the "
           "light. The exit code is 1 if more than one ray of 100,000 is wrong."),
      make("see", "Write a page that follows paths through the culling modes.", see_options, see,
           "The page is rendered on the CPU, by the loop and the culling kernels that a GPU runs. "
           "A LIST is separated by commas, as in none,append."),
      make("info", "Print what a scene or a film file contains.", info_options, info),
      make("convert",
           "Write a scene as binary glTF, or as Winnow JSON with its meshes as PLY beside it; or a "
           "film file as an image.",
           convert_options, convert),
      make("merge", "Combine film files of shares of an image.", merge_options, merge),
      make("denoise", "Write an image without its noise.", denoise_options, denoise_image,
           "Needs Open Image Denoise 2, which pip install pyoidn installs; WINNOW_OIDN=PATH names "
           "its library, or a folder that holds it."),
      {.name = "devices",
       .summary = "List the values of --device.",
       .options = {},
       .notes = "",
       .run = print_devices},
      make("diff", "Compare image A with reference B.", diff_options, diff,
           "Computed from linear values: MSE, relMSE = mean of (A - B)^2 / (B^2 + 0.01), PSNR for "
           "the peak 1, and the largest |A - B|. FLIP, from 0 to 1, is how different the images "
           "look on a screen; it is left out if a value is NaN.")};
  return with_documentation(std::move(commands));
}

}  // namespace winnow
