// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>

#include "app/bench/bench.h"
#include "app/bench_rays/bench_rays.h"
#include "app/cli/add_option.h"
#include "app/cli/console.h"
#include "app/commands.h"
#include "app/denoise/denoise.h"
#include "app/film/film_commands.h"
#include "app/render/render.h"
#include "app/see/see.h"
#include "base/error.h"
#include "base/nearest_name.h"
#include "load/load_scene.h"

namespace winnow {
namespace {

std::string see_help(const CLI::App& command) {
  return fmt::format("; see winnow {}--help",
                     command.get_parent() ? command.get_name() + " " : std::string());
}

/// Arguments that the parser did not consume.
std::vector<std::string> left_over(const CLI::App& command) {
  std::vector<std::string> left = command.remaining();
  left.erase(std::remove(left.begin(), left.end(), "--"), left.end());
  return left;
}

/// Throws UsageError if the command is missing or unknown.
void check_command_is_known(const CLI::App& app) {
  std::vector<std::string> left = left_over(app), names;
  if (!app.get_subcommands().empty() || (!left.empty() && left.front().front() == '-')) return;
  if (left.empty()) throw UsageError("a command is missing" + see_help(app));
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  throw UsageError(
      fmt::format("unknown command \"{}\"; {}", left.front(), suggest_name(left.front(), names)));
}

/// Throws UsageError for an unknown option, with the nearest one of `command`, or for an excess
/// argument.
void check_nothing_is_left(const CLI::App& command) {
  std::vector<std::string> left = left_over(command), names;
  if (left.empty()) return;
  std::string unknown = left.front().substr(0, left.front().find('='));
  if (unknown.rfind('-', 0) != 0)
    throw UsageError(fmt::format("\"{}\" is not expected{}", unknown, see_help(command)));

  for (const CLI::Option* option : command.get_options())
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  std::string word = unknown.substr(std::min(unknown.find_first_not_of('-'), unknown.size()));
  std::optional<std::string> nearest = nearest_name(word, names);
  throw UsageError(
      fmt::format("unknown option \"{}\"{}", unknown,
                  nearest ? fmt::format("; did you mean --{}?", *nearest) : see_help(command)));
}

void check_all_is_known(const CLI::App& app) {
  check_command_is_known(app);
  check_nothing_is_left(app);
  for (const CLI::App* command : app.get_subcommands()) check_nothing_is_left(*command);
}

/// The reason that CLI11 gives, reworded where a value is missing.
std::string reason_of(const CLI::ParseError& error) {
  std::string text = error.what();
  bool value_is_missing = error.get_name() == "ArgumentMismatch";
  return value_is_missing ? text.substr(0, text.find(':')) + ": its value is missing" : text;
}

/// Throws Error if stdout cannot be written, such as a full disk.
void flush_stdout() {
  errno = 0;
  if (std::fflush(stdout) != 0)
    throw Error("stdout: cannot be written: " + std::generic_category().message(errno));
}

/// Parses the command and runs it. Returns the exit code.
int run_command_line(int argc, char** argv) {
  CLI::App app(
      "Winnow: a wavefront path tracer that culls finished paths from the work after every bounce",
      "winnow");
  app.set_version_flag("--version", version_text(), "print version, commit, compiler and CUDA");
  app.set_help_flag("-h,--help", "print this text");
  app.footer(
      "Scenes are Winnow JSON (.json), glTF (.gltf, .glb), Mitsuba XML (.xml), pbrt (.pbrt), OBJ "
      "or "
      "PLY.\n"
      "Exit codes: 0 success; 1 a file, scene or device failed; 2 the command line is not valid.\n"
      "winnow COMMAND --help describes its options.");
  app.require_subcommand(1);
  app.allow_extras();  // check_all_is_known refuses them

  RenderOptions render_options;
  CLI::App* render_command = app.add_subcommand("render", "render a scene into images");
  add_render_options(*render_command, render_options);

  BenchOptions bench_options;
  CLI::App* bench_command =
      app.add_subcommand("bench", "measure what culling finished paths costs and gains");
  add_bench_options(*bench_command, bench_options);

  BenchRaysOptions bench_rays_options;
  CLI::App* bench_rays_command =
      app.add_subcommand("bench-rays", "measure how fast rays of each kind are traced");
  add_bench_rays_options(*bench_rays_command, bench_rays_options);

  SeeOptions see_options;
  CLI::App* see_command =
      app.add_subcommand("see", "write a page that follows paths through the culling modes");
  add_see_options(*see_command, see_options);

  std::filesystem::path info_scene;
  CLI::App* info_command = app.add_subcommand("info", "print what is in a scene or a film file");
  info_command->add_option("SCENE", info_scene, std::string(kSceneHelp) + ", or a film file, .film")
      ->type_name("")
      ->required();
  SceneChanges changes;  // of `info` and `convert`
  add_value(*info_command, "--sky", changes.sky, parse_sky, "SKY", kSkyHelp);
  add_parameters(*info_command, changes.parameters);
  add_time(*info_command, changes.time);
  add_confine(*info_command, changes.outside);

  std::filesystem::path from, to;
  CLI::App* convert_command = app.add_subcommand("convert",
                                                 "write a scene as binary glTF, or as Winnow JSON "
                                                 "with its\nmeshes as PLY beside it; or a film "
                                                 "file as an image");
  convert_command->add_option("A", from, std::string(kSceneHelp) + ", or a film file, .film")
      ->type_name("")
      ->required();
  convert_command
      ->add_option("B", to,
                   "file to write: .json or .glb; of a film file .png, .jpg,\n.hdr, .pfm, "
                   ".exr or .film")
      ->type_name("")
      ->required();
  OutputOptions picture_options;  // of film files
  add_output_options(*convert_command, picture_options);
  add_value(*convert_command, "--sky", changes.sky, parse_sky, "SKY", kSkyHelp);
  add_parameters(*convert_command, changes.parameters);
  add_time(*convert_command, changes.time);
  add_confine(*convert_command, changes.outside);

  MergeOptions merge_options;
  CLI::App* merge_command =
      app.add_subcommand("merge", "put the shares of an image together, from film files");
  add_merge_options(*merge_command, merge_options);

  DenoiseOptions denoise_options;
  CLI::App* denoise_command = app.add_subcommand("denoise", "write an image without its noise");
  add_denoise_options(*denoise_command, denoise_options);

  CLI::App* devices_command = app.add_subcommand("devices", "list the values of --device");

  std::filesystem::path a, b;
  std::vector<std::filesystem::path> diff_outputs, flip_outputs;
  CLI::App* diff_command = app.add_subcommand("diff", "compare image A with reference B");
  diff_command->add_option("A", a, "image: .png, .jpg, .hdr, .pfm or .exr")
      ->type_name("")
      ->required();
  diff_command->add_option("B", b, "reference of the same size")->type_name("")->required();
  diff_command->footer(
      "On linear values: MSE, relMSE = mean of (A - B)^2 / (B^2 + 0.01), PSNR for the peak 1, and\n"
      "the largest |A - B|. FLIP, from 0 to 1, is how different the images look on a screen.");
  diff_command->add_option("-o,--output", diff_outputs, "difference picture |A - B| to write")
      ->type_name("FILE")
      ->allow_extra_args(false);
  diff_command
      ->add_option("--flip", flip_outputs, "picture of FLIP to write, whose mean is printed")
      ->type_name("FILE")
      ->allow_extra_args(false);

  for (CLI::App* command : app.get_subcommands({})) command->allow_extras();
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    app.exit(help_or_version);
    flush_stdout();
    return 0;
  } catch (const CLI::ParseError& error) {
    check_all_is_known(app);  // a misspelt option is the more helpful message
    auto parsed = app.get_subcommands();
    throw UsageError(reason_of(error) + see_help(parsed.empty() ? app : *parsed.front()));
  }
  check_all_is_known(app);

  render_options.arguments.assign(argv + std::min(argc, 2), argv + argc);
  int exit_code = 0;
  if (render_command->parsed()) exit_code = render(render_options);
  if (bench_command->parsed()) exit_code = bench(bench_options);
  if (bench_rays_command->parsed()) exit_code = bench_rays(bench_rays_options);
  if (see_command->parsed()) see(see_options);
  if (denoise_command->parsed()) denoise_image(denoise_options);
  if (merge_command->parsed()) merge(merge_options);
  if (info_command->parsed() && is_film_file(info_scene)) print_film_info(info_scene);
  if (info_command->parsed() && !is_film_file(info_scene)) print_info(info_scene, changes);
  if (convert_command->parsed() && is_film_file(from)) {
    picture_options.outputs = {to};
    convert_film(from, picture_options);
  }
  if (convert_command->parsed() && !is_film_file(from)) convert(from, to, changes);
  if (devices_command->parsed()) print_devices();
  if (diff_command->parsed()) print_diff(a, b, diff_outputs, flip_outputs);
  flush_stdout();
  return exit_code;
}

int fail(int exit_code, const std::string& reason) {
  print_message("winnow: " + reason);
  return exit_code;
}

/// The same without memory. Allocates none.
int fail_without_memory() {
  constexpr std::string_view kText =
      "winnow: not enough memory; a smaller scene or --size needs less\n";
  const ssize_t written = ::write(STDERR_FILENO, kText.data(), kText.size());
  static_cast<void>(written);  // there is nobody else to tell
  return kExitFailure;
}

/// The reason of what the system refuses without a file: mostly a thread.
std::string reason_of(const std::system_error& error) {
  if (error.code() != std::errc::resource_unavailable_try_again) return error.what();
  return "a thread cannot be started: the limit of processes, or of memory, is reached";
}

/// Ends the program in one line where an exception can go nowhere, such as out of a thread of a
/// library. Nothing is written any more: the last checkpoint stays as it is.
[[noreturn]] void end_at_once() {
  std::string reason = "internal error";
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    ::_exit(fail_without_memory());
  } catch (const std::exception& error) {
    reason = error.what();
  } catch (...) {
  }
  ::_exit(fail(kExitFailure, reason));
}

/// Opens standard streams that are closed, so that no file of the program gets the number of one,
/// and with it what is printed there. To print is an error then, as it is to a closed stream.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);
}

}  // namespace
}  // namespace winnow

int main(int argc, char** argv) {
  using namespace winnow;
  open_standard_streams();
  std::set_terminate(end_at_once);
  // What cannot be written, to a file beyond the user's limit or to a pipe that nobody reads, is an
  // error, and does not end the program.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run_command_line(argc, argv);
  } catch (const UsageError& error) {
    return fail(kExitUsage, error.what());
  } catch (const std::bad_alloc&) {
    return fail_without_memory();
  } catch (const std::system_error& error) {
    return fail(kExitFailure, reason_of(error));
  } catch (const std::exception& error) {
    return fail(kExitFailure, error.what());
  }
}
