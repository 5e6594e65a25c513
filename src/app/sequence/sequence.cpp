// SPDX-License-Identifier: MIT
#include "app/sequence/sequence.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/vector_relational.hpp>
#include <span>
#include <string>

#include "app/sequence/camera_path.h"
#include "base/error.h"
#include "load/gltf/gltf.h"
#include "load/load_scene.h"
#include "scene/camera_motion.h"
#include "scene/frame_scene.h"
#include "scene/scene_bounds.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr double kDefaultFps = 24.0, kMaxFps = 1000.0;

double parse_fps(const std::string& option, const std::string& text) {
  const double fps = parse_seconds(option, text);
  if (fps > kMaxFps)
    throw UsageError(fmt::format("{}: expected at most {} frames a second", option, kMaxFps));
  return fps;
}

FrameRange frames_between(const std::vector<CameraKey>& keys, double fps, const fs::path& file) {
  constexpr double kRounding = 1e-6;  // frames; times are seldom exact multiples of 1 / fps
  const double first = std::max(std::ceil(keys.front().time * fps - kRounding), 0.0),
               last = std::floor(keys.back().time * fps + kRounding);
  if (!(last >= first) || last > kMaxFrames)
    throw Error(
        fmt::format("{}: its keys from {} s to {} s hold no frames from 0 to {}, of {:g} a "
                    "second; --frames chooses others",
                    file.string(), keys.front().time, keys.back().time, kMaxFrames, fps));
  return {uint32_t(first), uint32_t(last), 1};
}

/// Returns the frames of a range, without cameras.
std::vector<SequenceFrame> frames_in(const FrameRange& range, double fps) {
  std::vector<SequenceFrame> frames;
  for (uint64_t number = range.first; number <= range.last; number += range.step)
    frames.push_back({uint32_t(number), double(number) / fps, {}});
  return frames;
}

/// Returns the moments at which each of some frames needs its camera, s after the time of the
/// frame: 0, then the steps of the shutter, if there is one.
std::vector<double> moments_of(const std::optional<Shutter>& shutter, size_t frame_count) {
  constexpr size_t kMostBlurred = 100'000;  // 7 KB each
  if (shutter && frame_count > kMostBlurred)
    throw UsageError(
        fmt::format("--shutter: blurs at most {} frames at once, found {}; --frames "
                    "chooses some",
                    kMostBlurred, frame_count));
  std::vector<double> moments{0.0};
  if (!shutter) return moments;
  const std::vector<double> steps = times_of_steps(*shutter);
  moments.insert(moments.end(), steps.begin(), steps.end());
  return moments;
}

/// Sets the camera of a frame.
/// @param cameras  [moment of moments_of()]
void set_camera(SequenceFrame& frame, std::span<const CameraDescription> cameras) {
  frame.camera = cameras[0];
  frame.camera.motion.clear();  // that of the scene
  if (cameras.size() > 1) set_motion(frame.camera, cameras.subspan(1));
}

/// @param camera_at  returns the camera of a frame at a moment
template <class CameraAt>
void set_cameras(std::vector<SequenceFrame>& frames, const std::optional<Shutter>& shutter,
                 const CameraAt& camera_at) {
  const std::vector<double> moments = moments_of(shutter, frames.size());
  std::vector<CameraDescription> cameras(moments.size());
  for (SequenceFrame& frame : frames) {
    for (size_t i = 0; i < moments.size(); ++i) cameras[i] = camera_at(frame, moments[i]);
    set_camera(frame, cameras);
  }
}

std::vector<SequenceFrame> frames_of_turntable(const SequenceOptions& options,
                                               const std::optional<Shutter>& shutter,
                                               const HostScene& scene) {
  const uint32_t count = *options.turntable;
  const double fps = options.fps.value_or(kDefaultFps);
  std::vector<SequenceFrame> frames =
      frames_in(options.frames.value_or(FrameRange{0, count - 1, 1}), fps);
  const Turntable turntable(scene);
  set_cameras(frames, shutter, [&](const SequenceFrame& frame, double after) {
    return turntable.camera((frame.number % count + after * fps) / count);
  });
  return frames;
}

std::vector<SequenceFrame> frames_of_path(const SequenceOptions& options,
                                          const std::optional<Shutter>& shutter,
                                          const HostScene& scene) {
  const double fps = options.fps.value_or(kDefaultFps);
  const std::vector<CameraKey> keys = load_camera_path(options.camera_path, scene.camera);
  std::vector<SequenceFrame> frames = frames_in(
      options.frames ? *options.frames : frames_between(keys, fps, options.camera_path), fps);
  set_cameras(frames, shutter, [&](const SequenceFrame& frame, double after) {
    return camera_at(keys, frame.time + after);
  });
  return frames;
}

std::vector<SequenceFrame> frames_of_gltf(const SequenceOptions& options,
                                          const std::optional<Shutter>& shutter,
                                          const fs::path& scene_file,
                                          const std::string& camera_name, const HostScene& scene,
                                          std::vector<std::string>& warnings) {
  std::vector<SequenceFrame> frames = frames_in(*options.frames, options.fps.value_or(kDefaultFps));
  const std::vector<double> moments = moments_of(shutter, frames.size());
  std::vector<double> times;
  for (const SequenceFrame& frame : frames)
    for (const double after : moments) times.push_back(frame.time + after);
  const GltfCameraFrames read = load_gltf_cameras(scene_file, times, scene.camera, camera_name);
  const std::span<const CameraDescription> cameras(read.cameras);
  for (size_t i = 0; i < frames.size(); ++i)
    set_camera(frames[i], cameras.subspan(i * moments.size(), read.move ? moments.size() : 1));
  warnings.insert(warnings.end(), read.warnings.begin(), read.warnings.end());
  return frames;
}

glm::dvec3 pivot_of(const HostScene& scene) {
  const CameraDescription& camera = scene.camera;
  const Bounds bounds = scene_bounds(scene);
  if (scene.camera_origin != CameraOrigin::kTarget) return bounds.center();
  const glm::dvec3 position(camera.position), target(camera.look_at);
  const bool target_is_inside = glm::all(glm::lessThanEqual(bounds.min, camera.look_at)) &&
                                glm::all(glm::lessThanEqual(camera.look_at, bounds.max));
  if (target_is_inside) return target;
  const glm::dvec3 view = glm::normalize(target - position);
  const double ahead = glm::dot(glm::dvec3(bounds.center()) - position, view);
  return ahead > 0.0 ? position + ahead * view : target;
}

/// The place of a number in a file name: "%d", or "%0Nd" with a digit N from 1, padded with zeros.
struct NumberPlace {
  size_t begin, length;
  int digits;
};

/// Returns the first place at or after `from`.
std::optional<NumberPlace> find_number_place(const std::string& name, size_t from) {
  for (size_t i = name.find('%', from); i != std::string::npos; i = name.find('%', i + 1)) {
    if (name.compare(i, 2, "%d") == 0) return NumberPlace{i, 2, 1};
    const bool is_padded = name.compare(i, 2, "%0") == 0 && name.size() >= i + 4 &&
                           name[i + 2] >= '1' && name[i + 2] <= '9' && name[i + 3] == 'd';
    if (is_padded) return NumberPlace{i, 4, name[i + 2] - '0'};
  }
  return std::nullopt;
}

}  // namespace

fs::path numbered_file(const fs::path& pattern, uint32_t number) {
  std::string name = pattern.filename().string();
  const auto place = find_number_place(name, 0);
  if (!place)
    return pattern.parent_path() /
           fmt::format("{}-{:04}{}", pattern.stem().string(), number, pattern.extension().string());
  if (find_number_place(name, place->begin + place->length))
    throw UsageError(fmt::format("{}: has two places for the number of a frame; expected one",
                                 pattern.string()));
  name.replace(place->begin, place->length, fmt::format("{:0{}}", number, place->digits));
  return pattern.parent_path() / name;
}

FrameRange parse_frames(const std::string& option, const std::string& text) {
  std::vector<uint32_t> numbers;
  for (const std::string& part : split(text, ':'))
    numbers.push_back(
        uint32_t(parse_whole_number(option, part, numbers.size() == 2 ? 1 : 0, kMaxFrames)));
  constexpr size_t kMaxParts = 3;  // A:B:STEP
  if (numbers.size() > kMaxParts || (numbers.size() > 1 && numbers[1] < numbers[0]))
    throw UsageError(
        fmt::format("{}: \"{}\" is not A:B or A:B:STEP with A up to B, as in 0:47", option, text));
  return {.first = numbers[0],
          .last = numbers.size() > 1 ? numbers[1] : numbers[0],
          .step = numbers.size() > 2 ? numbers[2] : 1};
}

double SequenceOptions::time_of(uint32_t frame) const {
  return double(frame) / fps.value_or(kDefaultFps);
}

OptionTable sequence_options(SequenceOptions& options) {
  return {option("--camera-path", "FILE", options.camera_path, path_type(),
                 "JSON file of key frames between which the camera moves: {\"keys\": [{\"time\": "
                 "S, \"position\": [X, Y, Z], \"look_at\": [X, Y, Z]}, ...]}"),
          option("--turntable", "N", options.turntable, whole_number(1, kMaxFrames),
                 "Number of images of one turn of the camera around the scene."),
          option("--frames", "A:B[:STEP]", options.frames, parsed_by(parse_frames),
                 "Frames A to B, B included, of the camera path or of the animations of a glTF. "
                 "Frame N shows the time N / fps.",
                 {.default_text = "all of a turntable or a camera path"}),
          option("--fps", "F", options.fps,
                 parsed_by(parse_fps, fmt::format("above 0, at most {:g}", kMaxFps)),
                 "Frame rate of a camera path or a glTF.",
                 {.unit = "frames a second", .default_text = fmt::format("{:g}", kDefaultFps)}),
          flag("--skip-existing", options.skip_existing, "Skip frames whose images exist.")};
}

void check_sequence(const SequenceOptions& options, const fs::path& scene_file) {
  auto fail = [](const std::string& text) { throw UsageError(text); };
  if (!options.is_given() && (options.fps || options.skip_existing))
    fail(fmt::format("{}: is for sequences; add --camera-path FILE, --turntable N or --frames A:B",
                     options.fps ? "--fps" : "--skip-existing"));
  if (!options.camera_path.empty() && options.turntable)
    fail("--turntable: --camera-path moves the camera already; leave out one of them");
  if (options.follows_scene() && !is_gltf(scene_file))
    fail(
        fmt::format("--frames: {} is not a glTF and has no animation; add --camera-path FILE or "
                    "--turntable N",
                    scene_file.string()));
}

std::vector<SequenceFrame> sequence_frames(const SequenceOptions& options,
                                           const std::optional<Shutter>& shutter,
                                           const fs::path& scene_file,
                                           const std::string& camera_name, const HostScene& scene,
                                           std::vector<std::string>& warnings) {
  if (std::string warning = far_clip_warning(scene); shutter && !warning.empty())
    warnings.push_back(std::move(warning));
  if (options.turntable) return frames_of_turntable(options, shutter, scene);
  if (!options.camera_path.empty()) return frames_of_path(options, shutter, scene);
  return frames_of_gltf(options, shutter, scene_file, camera_name, scene, warnings);
}

Turntable::Turntable(const HostScene& scene)
    : start_(scene.camera_origin == CameraOrigin::kFramed ? frame_turn(scene) : scene.camera),
      pivot_(pivot_of(scene)) {}

CameraDescription Turntable::camera(double turn) const {
  CameraDescription camera = start_;
  if (turn == 0.0) return camera;
  const glm::dquat rotation =
      glm::angleAxis(glm::two_pi<double>() * turn, glm::normalize(glm::dvec3(camera.up)));
  auto turned = [&](glm::vec3 point) { return pivot_ + rotation * (glm::dvec3(point) - pivot_); };
  camera.position = turned(camera.position);
  camera.look_at = turned(camera.look_at);
  return camera;
}

}  // namespace winnow
