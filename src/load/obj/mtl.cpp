// SPDX-License-Identifier: MIT
#include "load/obj/mtl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <initializer_list>
#include <sstream>
#include <system_error>

#include "base/files.h"
#include "base/limits.h"
#include "load/obj/parse_obj.h"
#include "load/obj/statement.h"
#include "load/text/number.h"
#include "scene/boundary.h"

namespace winnow {
namespace {

using Words = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view word, Words words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Reads one library and adds its materials, ids and maps to those of all.
class MtlParser {
 public:
  MtlParser(std::string_view text, const std::string& file, MtlLibraries& libraries)
      : statements_(without_byte_order_mark(text), file),
        libraries_(libraries),
        is_from_blender_(without_byte_order_mark(text).starts_with("# Blender")) {}

  void parse() {
    StatementStream stream(statements_, [this] { return next_value(); });
    // From an empty library, tinyobjloader would make a material without a name.
    if (stream.peek() == std::istream::traits_type::eof()) return;
    std::string warnings, errors;  // not used: next_value() checks
    const size_t first = libraries_.materials.size();
    tinyobj::LoadMtl(&libraries_.ids, &libraries_.materials, &stream, &warnings, &errors);
    if (!is_from_blender_) return;
    for (size_t i = first; i < libraries_.materials.size(); ++i)
      read_blenders_metal(libraries_.materials[i]);
  }

 private:
  /// Moves to the next statement that sets a number or starts a material and checks it; reads other
  /// statements on the way. Returns false at the end.
  bool next_value() {
    while (statements_.next()) {
      const std::string keyword(statements_.next_word());
      if (is_one_of(keyword, {"Ka", "Kd", "Ks", "Ke", "Kt", "Tf"})) {
        const std::string_view first = statements_.rest();
        if (!is_one_of(first.substr(0, first.find(' ')), {"spectral", "xyz"})) {
          check_color(keyword);
          return true;
        }
        ++libraries_.unknown_count;
      } else if (is_one_of(keyword, {"Ns", "Ni", "d", "Tr", "illum", "Pr", "Pm", "Ps", "Pc", "Pcr",
                                     "aniso", "anisor"})) {
        if (keyword == "d" && statements_.rest().starts_with("-halo")) continue;
        check_number(statements_.next_word());
        return true;
      } else if (keyword == "newmtl") {
        material_ = statements_.rest();
        if (material_.empty()) material_ = kUnnamedMaterial;
        statements_.replace("newmtl " + material_);
        return true;
      } else if (keyword.starts_with("map_") ||
                 is_one_of(keyword, {"bump", "disp", "decal", "refl", "norm"})) {
        std::optional<MtlMap>* map =
            material_.empty() ? nullptr : libraries_.maps[material_].find(keyword);
        if (map)
          *map = read_mtl_map(statements_);
        else
          ++libraries_.unused_map_count;
      } else if (!is_one_of(keyword, {"Km", "sharpness"})) {
        ++libraries_.unknown_count;
      }
    }
    return false;
  }

  void check_number(std::string_view word) const {
    float number = 0.0f;
    if (read_number(word, number) != NumberKind::kFinite) statements_.fail_expecting("a number");
  }

  /// Checks three numbers, or one, which then applies to all channels.
  void check_color(const std::string& keyword) {
    const std::string red(statements_.next_word());
    check_number(red);
    for (int channel = 1; channel < 3; ++channel) {
      const std::string_view word = statements_.next_word();
      if (word.empty()) return statements_.replace(fmt::format("{0} {1} {1} {1}", keyword, red));
      check_number(word);
    }
  }

  /// Converts a partly metallic surface of Blender, which MTL would define as a mirror: illum is 3,
  /// Ka its metallic weight, Kd its colour, and Ns is 1000 (1 - roughness)^2.
  static void read_blenders_metal(tinyobj::material_t& material) {
    constexpr float kLargestNs = 1000.0f, kSmoothest = 0.01f;
    const bool has_pbr_values = material.roughness > 0.0f || material.metallic > 0.0f;
    if (material.illum != 3 || has_pbr_values) return;
    const auto& ka = material.ambient;
    material.metallic = std::clamp((ka[0] + ka[1] + ka[2]) / 3.0f, 0.0f, 1.0f);
    const float smoothness = std::clamp(material.shininess / kLargestNs, 0.0f, 1.0f);
    material.roughness = std::max(1.0f - std::sqrt(smoothness), kSmoothest);
  }

  StatementReader statements_;
  MtlLibraries& libraries_;
  bool is_from_blender_;
  std::string material_;  ///< name of the current material; empty before the first
};

glm::vec3 clamped(const tinyobj::real_t (&color)[3], float max, size_t& out_of_range_count) {
  glm::vec3 given(color[0], color[1], color[2]);
  glm::vec3 allowed = glm::clamp(given, 0.0f, max);
  out_of_range_count += allowed != given;
  return allowed;
}

bool is_glass_model(int illum) {
  return illum == 4 || illum == 6 || illum == 7 || illum == 9;
}

/// True if Ni is given as another index than 1.
bool has_ior(const tinyobj::material_t& mtl) {
  return mtl.ior > 1.0f || (mtl.ior >= kMinIor && mtl.ior < 1.0f);
}

/// True for glass. Some exporters write illum 4, 6, 7 or 9 for opaque materials, too; glass also
/// refracts or is tinted. Tf is black by default.
bool is_glass(const tinyobj::material_t& mtl) {
  const glm::vec3 tf(mtl.transmittance[0], mtl.transmittance[1], mtl.transmittance[2]);
  const bool is_tinted = tf != glm::vec3(0.0f) && std::min({tf.x, tf.y, tf.z}) < 1.0f;
  return is_glass_model(mtl.illum) && (has_ior(mtl) || mtl.dissolve < 1.0f || is_tinted);
}

/// True for a material whose highlights are narrow and bright enough to be visible.
bool has_highlight(const tinyobj::material_t& mtl) {
  constexpr float kMinKs = 0.01f, kMinNs = 2.0f;
  const float ks = std::max({mtl.specular[0], mtl.specular[1], mtl.specular[2]});
  return (mtl.illum == 2 || is_glass_model(mtl.illum)) && ks >= kMinKs && mtl.shininess >= kMinNs;
}

/// Adds a clear boundary above a diffuse base. Ks is the strength of highlights of lamps rather
/// than a reflectance: exporters write 0.5 for plastic, which reflects 4 % at normal incidence.
void add_highlight(glm::vec3 ks, float roughness, Material& material) {
  constexpr float kReflectanceOfKs = 0.08f;
  const float largest = std::max({ks.x, ks.y, ks.z});
  const float amplitude = std::sqrt(kReflectanceOfKs * largest);
  material.type = MaterialType::kPrincipled;
  material.ior = (1.0f + amplitude) / (1.0f - amplitude);
  material.specular = ks / largest;
  material.roughness = roughness;
}

}  // namespace

MtlLibraries read_mtl_libraries(const std::filesystem::path& folder,
                                const std::vector<std::string>& names) {
  MtlLibraries libraries;
  auto read = [&](const std::filesystem::path& file) {
    std::error_code failure;  // for example, the name is too long
    if (!std::filesystem::exists(file, failure)) return false;
    MtlParser(read_text_file(file), file.string(), libraries).parse();
    return true;
  };
  for (const std::string& name : names) {
    if (read(folder / name)) continue;
    std::istringstream words(name);
    for (std::string word; words >> word;)
      if (!read(folder / word)) libraries.missing_files.push_back(word);
  }
  return libraries;
}

Material make_material(const tinyobj::material_t& mtl, size_t& out_of_range_count) {
  glm::vec3 kd = clamped(mtl.diffuse, 1.0f, out_of_range_count);
  glm::vec3 ks = clamped(mtl.specular, 1.0f, out_of_range_count);
  glm::vec3 tf = clamped(mtl.transmittance, 1.0f, out_of_range_count);
  const float roughness_from_ns = roughness_of_exponent(std::max(mtl.shininess, 0.0f));
  const glm::vec3 kBlack(0.0f);

  Material material;
  material.emission = clamped(mtl.emission, float(kMaxSceneValue), out_of_range_count);
  const float largest_pbr_value = std::max(
      {mtl.roughness, mtl.metallic, mtl.sheen, mtl.clearcoat_thickness, std::abs(mtl.anisotropy)});
  if (largest_pbr_value > 0.0f) {
    auto limited = [&](float given, float min, float max) {
      const float allowed = std::min(std::max(given, min), max);
      out_of_range_count += allowed != given;
      return allowed;
    };
    material.type = MaterialType::kPrincipled;
    material.reflectance = is_glass(mtl) && tf != kBlack ? tf : kd;
    material.roughness =
        mtl.roughness > 0.0f ? limited(mtl.roughness, 0.0f, 1.0f) : roughness_from_ns;
    material.metallic = limited(mtl.metallic, 0.0f, 1.0f);
    material.transmission = is_glass(mtl) ? 1.0f : 0.0f;
    if (mtl.ior > 1.0f) material.ior = std::min(mtl.ior, kInfiniteIor);
    material.sheen = glm::vec3(limited(mtl.sheen, 0.0f, 1.0f));
    material.coat = limited(mtl.clearcoat_thickness, 0.0f, 1.0f);
    material.coat_roughness = limited(mtl.clearcoat_roughness, 0.0f, 1.0f);
    material.anisotropy = limited(mtl.anisotropy, -1.0f, 1.0f);
  } else if (is_glass(mtl) || (mtl.dissolve < 1.0f && mtl.ior > 1.0f)) {
    constexpr float kGlass = 1.5f;
    material.type = MaterialType::kDielectric;
    material.reflectance = tf == kBlack ? glm::vec3(1.0f) : tf;
    material.ior = has_ior(mtl) ? std::min(mtl.ior, kMaxIor) : kGlass;
  } else if ((mtl.illum == 3 || mtl.illum == 5) && ks != kBlack) {
    material.type = MaterialType::kMirror;
    material.reflectance = ks;
  } else if (kd == kBlack && ks != kBlack) {
    material.type = MaterialType::kConductor;
    material.reflectance = ks;
    material.roughness = roughness_from_ns;
  } else {
    material.type = MaterialType::kDiffuse;
    material.reflectance = kd;
    if (has_highlight(mtl)) add_highlight(ks, roughness_from_ns, material);
  }
  return material;
}

}  // namespace winnow
