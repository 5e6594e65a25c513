// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "scene/material.h"

namespace winnow::scene_keys {

// Keys that the reader of scenes accepts, by object. A test compares them with the JSON Schema.

using Keys = std::vector<std::string>;

inline const Keys kScene = {"$schema",  "description", "film",   "render", "camera", "media",
                            "textures", "materials",   "meshes", "shapes", "lights", "sky"};
inline const Keys kFilm = {"width", "height", "filter", "filter_radius"};
inline const Keys kRender = {"spp", "max_bounces"};
inline const Keys kCameraTypes = {"perspective", "orthographic"};
inline const Keys kCamera = {"type",         "position",       "look_at",     "up",
                             "vertical_fov", "view_height",    "lens_radius", "focus_distance",
                             "blades",       "blade_rotation", "shift",       "near_clip",
                             "far_clip",     "motion",         "medium"};
inline const Keys kPlace = {"position", "look_at", "up"};
inline const Keys kPose = {"position", "turn"};
inline const Keys kSky = {"radiance", "zenith",   "horizon",   "ground", "up",        "scale",
                          "file",     "rotation", "transform", "sun",    "turbidity", "model"};
/// Models of the sky, in the order of SkyModel.
inline const Keys kSkyModels = {"preetham", "hosek-wilkie"};

inline const Keys kTexture = {"file", "checkerboard", "wrap", "filter", "scale", "uv_transform"};
inline const Keys kTextureWraps = {"repeat", "mirror", "clamp"};
inline const Keys kTextureFilters = {"nearest", "linear", "bilinear", "bilinear-encoded"};

inline const Keys kMedium = {"absorption", "scattering", "extinction", "albedo",
                             "asymmetry",  "density",    "emission",   "scattering_factors"};
/// Keys of a grid.
inline const Keys kDensity = {"file", "made_by", "grid", "size", "values", "border", "transform"};
inline const Keys kEmission = {"radiance", "values", "temperature", "kelvin",
                               "offset",   "table",  "step",        "factors"};

/// Keys of all types of materials.
inline const Keys kAnyMaterial = {"alpha",        "alpha_cutoff", "textures",
                                  "two_sided",    "black_back",   "vertex_colors",
                                  "vertex_alpha", "interior",     "exterior"};
inline const Keys kMaterialTextures = {
    "reflectance",  "emission",   "roughness_metallic", "normal",        "normal_mapping",
    "normal_scale", "alpha",      "transmission",       "specular",      "coat",
    "sheen",        "anisotropy", "iridescence",        "specular_tint", "diffuse_transmission",
    "on_second_uvs"};

/// Types of materials, [MaterialType].
inline const Keys kMaterialTypes = [] {
  Keys names;
  for (const MaterialTraits& traits : kMaterialTraits) names.emplace_back(traits.name);
  return names;
}();
/// Keys of each type of material besides kAnyMaterial, [MaterialType].
inline const std::vector<Keys> kMaterials = [] {
  std::vector<Keys> materials;
  for (const MaterialTraits& traits : kMaterialTraits) {
    std::istringstream keys(traits.keys);
    materials.push_back({"type"});
    for (std::string key; keys >> key;) materials.back().push_back(key);
  }
  return materials;
}();
inline const Keys kMetals = {"aluminium", "brass",  "chromium", "copper",  "gold",
                             "mercury",   "nickel", "silver",   "tungsten"};
inline const Keys kMaskings = {"correlated", "separable"};            ///< in the order of Masking
inline const Keys kNormalMappings = {"bent", "flipped", "shadowed"};  ///< as NormalMapping
inline const Keys kDistributions = {"ggx", "beckmann"};  ///< in the order of MicrofacetDistribution

inline const Keys kShapeTypes = {"rectangle", "box", "disk", "sphere",
                                 "mesh",      "obj", "ply",  "instances"};
inline const std::map<std::string, Keys> kShapes = {
    {"rectangle", {"type", "material", "transform", "corner", "edge_u", "edge_v"}},
    {"box", {"type", "material", "transform", "min", "max"}},
    {"disk", {"type", "material", "transform", "center", "normal", "radius"}},
    {"sphere", {"type", "material", "transform", "center", "radius"}},
    {"mesh",
     {"type", "material", "transform", "vertices", "normals", "uvs", "second_uvs", "colors",
      "faces"}},
    {"obj", {"type", "material", "transform", "file", "made_by"}},
    {"ply", {"type", "material", "materials", "transform", "file", "files", "made_by"}},
    {"instances", {"type", "material", "transform", "mesh", "transforms"}}};

/// Types of shapes in "meshes".
inline const Keys kMeshTypes = {"rectangle", "box", "disk", "mesh", "obj", "ply"};

inline const Keys kLightTypes = {"rectangle", "sphere", "point", "spot", "directional"};
inline const std::map<std::string, Keys> kLights = {
    {"rectangle", {"type", "radiance", "power", "transform", "corner", "edge_u", "edge_v"}},
    {"sphere", {"type", "radiance", "power", "transform", "center", "radius"}},
    {"point", {"type", "position", "intensity"}},
    {"spot",
     {"type", "position", "direction", "look_at", "intensity", "cone_angle", "falloff_start",
      "falloff"}},
    {"directional", {"type", "direction", "irradiance", "angle"}}};

inline const Keys kTransformSteps = {"translate", "rotate", "scale", "matrix", "motion"};
inline const Keys kRotate = {"axis", "angle"};

}  // namespace winnow::scene_keys
