// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/sky.h"
#include "load/load_scene.h"

namespace winnow {

/// How `info` and `convert` change a scene.
struct SceneChanges {
  MitsubaParameters parameters;                   ///< of a Mitsuba scene
  std::optional<SkyRequest> sky;                  ///< replaces that of the scene
  std::optional<double> time;                     ///< s, a moment of its animations
  OutsideFiles outside = OutsideFiles::kAllowed;  ///< of the folder of the scene
};

// The small subcommands: each prints on stdout and throws Error or UsageError.

/// `winnow info`: prints a summary of a scene.
///
/// @param changes  to the scene
void print_info(const std::filesystem::path& scene, const SceneChanges& changes);

/// `winnow convert`: writes a scene as binary glTF, or as Winnow JSON with its meshes and images
/// beside it, and prints the names of the files.
///
/// @param from  a scene in any format that Winnow reads
/// @param to    *.json or *.glb; no file that is written may be `from`
/// @param changes  to the scene
void convert(const std::filesystem::path& from, const std::filesystem::path& to,
             const SceneChanges& changes);

/// `winnow devices`: prints the values that --device can take on this machine.
void print_devices();

/// `winnow diff`: prints how far image `a` is from the reference `b`, and writes |a - b|.
///
/// @param outputs  files for the difference image; may be empty
/// @param flips    files for the FLIP map in false colour; FLIP is printed if there are any
void print_diff(const std::filesystem::path& a, const std::filesystem::path& b,
                const std::vector<std::filesystem::path>& outputs,
                const std::vector<std::filesystem::path>& flips);

/// `winnow --version`: version and commit, compiler, CUDA toolkit and GPU architectures, a line
/// each.
std::string version_text();

}  // namespace winnow
