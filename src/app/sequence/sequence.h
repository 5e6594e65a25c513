// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/option_table.h"
#include "scene/host_scene.h"

namespace winnow {

inline constexpr uint32_t kMaxFrames = 1'000'000;  ///< maximum number of frames, and maximum id

/// A value of --frames.
struct FrameRange {
  uint32_t first = 0, last = 0;  ///< both included
  uint32_t step = 1;
};

/// Parses A, A:B or A:B:STEP, with A up to B and STEP from 1. Throws UsageError.
FrameRange parse_frames(const std::string& option, const std::string& text);

/// Options for several images of one scene.
struct SequenceOptions {
  std::filesystem::path camera_path;  ///< key frames; empty: none
  std::optional<uint32_t> turntable;  ///< number of frames of one turn around the scene
  std::optional<FrameRange> frames;   ///< frames of the camera path, or of the animations of a glTF
  std::optional<double> fps;          ///< frames a second
  bool skip_existing = false;         ///< does not render frames whose files exist

  /// Returns the time of a frame, s.
  double time_of(uint32_t frame) const;

  bool is_given() const { return !camera_path.empty() || turntable || frames; }

  /// True if the scene moves by the animations of a glTF.
  bool follows_scene() const { return frames && camera_path.empty() && !turntable; }
};

/// Returns --camera-path, --turntable, --frames, --fps and --skip-existing.
OptionTable sequence_options(SequenceOptions& options);

/// Returns the file of a frame: "a-%04d.png" gives "a-0007.png"; a name without a place for the
/// number gets one before its extension, "a.png" gives "a-0007.png". Throws UsageError for more
/// than one place.
///
/// @param pattern  with at most one "%d", or "%0Nd" for at least N digits, N from 1 to 9
std::filesystem::path numbered_file(const std::filesystem::path& pattern, uint32_t number);

struct SequenceFrame {
  uint32_t number = 0;
  double time = 0.0;         ///< s: number / fps
  CameraDescription camera;  ///< at that time; with its motion if there is a shutter
};

/// Throws UsageError for options that contradict each other or the type of the scene.
void check_sequence(const SequenceOptions& options, const std::filesystem::path& scene_file);

/// Returns the frames, in the order of their ids, at least one. Throws Error that names the file,
/// or UsageError, if they cannot be determined.
///
/// @param shutter      from the time of each frame on: blurs the motion of the camera
/// @param camera_name  camera of a glTF, see GltfChoice
/// @param scene        its camera is that of the first frame of a turntable, and completes camera
///                     paths
/// @param warnings     receives what is ignored
std::vector<SequenceFrame> sequence_frames(const SequenceOptions& options,
                                           const std::optional<Shutter>& shutter,
                                           const std::filesystem::path& scene_file,
                                           const std::string& camera_name, const HostScene& scene,
                                           std::vector<std::string>& warnings);

/// Turns the camera of a scene about the camera's `up`, at constant height and distance. The axis
/// goes through the middle of the scene or, if the camera has a target, through the target; if that
/// is outside the scene, through the point of the view axis that is nearest to the middle. A camera
/// of frame_scene() becomes that of frame_turn(), which sees the whole scene in all images.
class Turntable {
 public:
  explicit Turntable(const HostScene& scene);

  /// @param turn  in turns, counter-clockwise seen from above; 0 returns the first camera
  CameraDescription camera(double turn) const;

 private:
  CameraDescription start_;
  glm::dvec3 pivot_;  ///< point of the axis, m
};

}  // namespace winnow
