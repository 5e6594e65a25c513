// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "app/dataset/data_camera.h"

namespace winnow {

/// Cameras of a file, for pictures of one size.
struct CameraList {
  Size size;
  std::vector<DataCamera> cameras;  ///< at least one, in the order of the file
};

/// Reads cameras:
/// - `transforms.json` of NeRF, nerfstudio and Instant-NGP: `frames` with a `transform_matrix` from
///   camera to world; intrinsics of the file or of each frame as `fl_x`, `fl_y`, `cx`, `cy`, `w`
///   and `h`, or as `camera_angle_x` or `camera_angle_y` in radians, or `x_fov` or `y_fov` in
///   degrees;
/// - a JSON list of such matrices, as Blender's `camera.matrix_world`, or of objects with
///   `matrix_world` and optionally `angle_x`, `shift_x` and `shift_y`;
/// - a folder with `cameras.txt` and `images.txt` of COLMAP's text model, or one of these files.
///
/// Throws Error, which names the file and the place. Lens distortion is an error.
///
/// @param size  of the pictures, to which intrinsics are scaled; none: the size in the file, else
///              `otherwise`
/// @param fov   degrees, vertical, of cameras without intrinsics
CameraList load_cameras(const std::filesystem::path& file, std::optional<Size> size, Size otherwise,
                        double fov);

/// Returns the files that load_cameras() reads: one of JSON, or cameras.txt and images.txt. Throws
/// Error if a folder lacks COLMAP's text model.
std::vector<std::filesystem::path> files_of_cameras(const std::filesystem::path& file);

/// Parses the text of such a JSON file.
CameraList parse_json_cameras(std::string_view text, const std::string& file,
                              std::optional<Size> size, Size otherwise, double fov);

/// Parses the texts of cameras.txt and images.txt in `folder`.
CameraList parse_colmap_cameras(const std::string& cameras, const std::string& images,
                                const std::string& folder, std::optional<Size> size);

}  // namespace winnow
