// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/vec3.hpp>
#include <optional>
#include <vector>

#include "app/sequence/numbered_files.h"
#include "scene/host_scene.h"

namespace CLI {
class App;
}

namespace winnow {

/// The options that make several images of one scene, of which only the camera changes.
struct SequenceOptions {
  std::filesystem::path camera_path;  ///< key frames; empty: none
  std::optional<uint32_t> turntable;  ///< frames of one turn around the scene
  std::optional<FrameRange> frames;   ///< of the camera path, or of the animations of a glTF
  std::optional<double> fps;          ///< frames a second
  bool skip_existing = false;         ///< frames whose files exist stay as they are

  bool is_given() const { return !camera_path.empty() || turntable || frames; }
};

/// Adds --camera-path, --turntable, --frames, --fps and --skip-existing.
void add_sequence_options(CLI::App& command, SequenceOptions& options);

/// An image of a sequence.
struct SequenceFrame {
  uint32_t number = 0;
  double time = 0.0;  ///< s: number / fps
  CameraDescription camera;
};

/// Throws UsageError for options that contradict each other or the type of the scene.
void check_sequence(const SequenceOptions& options, const std::filesystem::path& scene_file);

/// The frames, in the order of their numbers, at least one. Throws Error that names the file, or
/// UsageError, if they cannot be known.
///
/// @param scene  with the camera of the first frame of a turntable, and what camera paths leave
/// open
std::vector<SequenceFrame> sequence_frames(const SequenceOptions& options,
                                           const std::filesystem::path& scene_file,
                                           const HostScene& scene);

/// Turns the camera of a scene around what it looks at, with its height and its distance. The axis
/// is the camera's `up` through `look_at` or, if that is outside of the scene, as cameras of some
/// formats give a direction alone, through the point of the view axis that is nearest to the
/// scene's middle.
class Turntable {
 public:
  explicit Turntable(const HostScene& scene);

  /// @param turn  in turns, counter-clockwise seen from above; 0 gives the scene's own camera
  CameraDescription camera(double turn) const;

 private:
  CameraDescription start_;
  glm::dvec3 pivot_;  ///< a point of the axis, m
};

}  // namespace winnow
