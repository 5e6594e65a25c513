// SPDX-License-Identifier: MIT
#include "load/obj/known_statements.h"

#include <fmt/format.h>

#include "base/error.h"

namespace winnow {
namespace {

using enum KeyUse;

constexpr std::string_view kFreeForm = "free-form curves and surfaces are not rendered";
constexpr std::string_view kOfFreeForm = "only free-form curves and surfaces use it";
constexpr std::string_view kPatches = "patches of old versions of the format are not rendered";
constexpr std::string_view kInterpolation = "each point of a surface is shaded by itself";

constexpr KnownKey kObjStatements[] = {
    // vertices
    {"", "v vt vn"},
    {"", "vp", kHarmless, kOfFreeForm},
    // elements
    {"", "f"},
    {"", "fo", kIgnored, "outlines of old versions of the format are not rendered"},
    {"", "p", kIgnored, "points are not rendered"},
    {"", "l", kIgnored, "lines are not rendered"},
    {"", "curv curv2 surf", kIgnored, kFreeForm},
    // attributes and bodies of free-form curves and surfaces
    {"", "cstype deg bmat step parm trim hole scrv sp end con ctech stech mg", kHarmless,
     kOfFreeForm},
    // old versions of the format
    {"", "bsp bzp cdc cdp", kIgnored, kPatches},
    {"", "res", kHarmless, "only patches of old versions of the format use it"},
    // groups
    {"", "g", kHarmless, "it names a group"},
    {"", "o", kHarmless, "it names an object"},
    {"", "s"},
    // display and rendering
    {"", "usemtl mtllib"},
    {"", "usemap maplib", kIgnored, "textures come from materials"},
    {"", "shadow_obj", kIgnored, "the faces of this file cast the shadows"},
    {"", "trace_obj", kIgnored, "the faces of this file are reflected"},
    {"", "lod", kHarmless, "it is for previews"},
    {"", "bevel c_interp d_interp", kHarmless, kInterpolation},
    // other files
    {"", "call", kIgnored, "other files are not included"},
    {"", "csh", kIgnored, "commands in files are not run"},
    // comments of other programs
    {"", "#MRGB", kIgnored, "colours of vertices are read from v statements, not from comments"},
};

constexpr std::string_view kAmbient = "indirect light is computed";
constexpr std::string_view kOneTexture = "a material has no texture for it";

constexpr KnownKey kMtlStatements[] = {
    {"", "newmtl"},
    // colours and numbers
    {"", "Ka Kd Ks Ke Kt Tf Ns Ni d Tr illum"},
    {"", "Km", kIgnored, "no specification defines it"},
    {"", "sharpness", kHarmless, "only reflection maps use it, which are ignored"},
    // extension for physically based rendering
    {"", "Pr Pm Ps Pc Pcr aniso anisor"},
    // textures
    {"", "map_Ka", kHarmless, kAmbient},
    {"", "map_Kd map_Ks map_Ke map_Ns map_d map_bump map_Bump bump norm map_Kn map_Pr map_Pm"},
    {"", "map_Ps map_Pc map_Pcr", kIgnored, kOneTexture},
    {"", "map_Tr", kIgnored, "coverage is read from map_d"},
    {"", "map_Tf", kIgnored, kOneTexture},
    {"", "map_RMA map_ORM", kIgnored, "roughness and metal are read from map_Pr and map_Pm"},
    {"", "map_aat", kHarmless, "all textures are filtered"},
    {"", "disp map_disp map_Disp", kIgnored, "surfaces are not displaced"},
    {"", "decal map_decal", kIgnored, kOneTexture},
    {"", "refl map_refl", kIgnored, "the scene itself is reflected"},
    // options of textures
    {"map", "-bm -clamp -o -s"},
    {"map", "-mm", kIgnored, "the range of a texture is not changed"},
    {"map", "-t", kIgnored, "textures have no turbulence"},
    {"map", "-cc", kIgnored, "colours are not corrected"},
    {"map", "-imfchan", kIgnored, "the channel follows from the kind of the texture"},
    {"map", "-boost", kIgnored, "filtered textures are not sharpened"},
    {"map", "-blendu -blendv", kHarmless, "all textures are filtered"},
    {"map", "-texres", kHarmless, "images keep their size"},
    {"map", "-type", kHarmless, "only reflection maps use it, which are ignored"},
};

}  // namespace

const KeyTable& obj_statements() {
  static const KeyTable kTable(kObjStatements);
  return kTable;
}

const KeyTable& mtl_statements() {
  static const KeyTable kTable(kMtlStatements);
  return kTable;
}

void IgnoredStatements::add(std::string_view keyword, std::string_view why, size_t line) {
  if (why.empty()) {
    if (undefined_count_++ == 0) {
      undefined_ = keyword;
      undefined_line_ = line;
    }
  } else if (const auto known = kinds_.find(keyword); known != kinds_.end()) {
    ++known->second.count;
  } else {
    kinds_.emplace(keyword, Kind{why, line});
  }
}

void IgnoredStatements::add(const IgnoredStatements& later) {
  for (const auto& [keyword, kind] : later.kinds_) {
    const auto [known, is_new] = kinds_.try_emplace(keyword, kind);
    if (!is_new) known->second.count += kind.count;
  }
  if (undefined_count_ == 0) {
    undefined_ = later.undefined_;
    undefined_line_ = later.undefined_line_;
  }
  undefined_count_ += later.undefined_count_;
}

std::vector<std::string> IgnoredStatements::warnings(const std::string& file,
                                                     std::string_view format) const {
  std::vector<std::string> lines;
  for (const auto& [keyword, kind] : kinds_)
    lines.push_back(fmt::format("{}:{}: {} is ignored: {}", file, kind.line, keyword, kind.why) +
                    (kind.count > 1 ? fmt::format(" ({} times)", kind.count) : ""));
  if (undefined_count_ == 1)
    lines.push_back(fmt::format("{}:{}: {} is not a statement of {}; it is ignored", file,
                                undefined_line_, in_quotes(undefined_), format));
  if (undefined_count_ > 1)
    lines.push_back(
        fmt::format("{}:{}: {} lines are not statements of {} and are ignored, the first is {}",
                    file, undefined_line_, undefined_count_, format, in_quotes(undefined_)));
  return lines;
}

}  // namespace winnow
