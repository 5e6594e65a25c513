// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace winnow {

// Small scenes of each format, which are read without an error: those of scenes/ and
// tests/mitsuba/, and texts with what these lack. Several files in one are written as PackedFiles
// reads them.

std::vector<std::string> json_seeds();
std::vector<std::string> obj_seeds();
std::vector<std::string> ply_seeds();
std::vector<std::string> gltf_seeds();
std::vector<std::string> glb_seeds();  ///< from write_glb(), and compressed ones
std::vector<std::string> mitsuba_seeds();
std::vector<std::string> serialized_seeds();
std::vector<std::string> vol_seeds();
std::vector<std::string> nvdb_seeds();  ///< none if NanoVDB is not installed
std::vector<std::string> vdb_seeds();   ///< if OpenVDB is installed
std::vector<std::string> pbrt_seeds();

}  // namespace winnow
