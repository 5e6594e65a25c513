#include "load/obj/mtl.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <initializer_list>
#include <sstream>

#include "base/files.h"
#include "base/one_line.h"
#include "load/json/json_reader.h"
#include "load/text/statement.h"

namespace winnow {
namespace {

using Words = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view word, Words words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void check_numbers(StatementReader& lines, int count) {
  for (int i = 0; i < count; ++i) {
    std::string_view word = lines.next_word();
    float number = 0.0f;
    // One number of a colour stands for all three.
    if (i > 0 && word.empty()) return;
    if (read_number(word, number) != NumberKind::kFinite)
      lines.fail("expected a number, found " +
                 (word.empty() ? "the end of the line" : fmt::format("'{}'", one_line(word))));
  }
}

/// Checks the text, and returns the statements that tinyobjloader shall see.
std::string check_mtl_syntax(std::string_view text, const std::string& file, MtlRemarks& remarks,
                             std::map<std::string, MtlMaps>& maps) {
  std::string checked, name;
  StatementReader lines(text, file);
  while (lines.next_line()) {
    std::string_view keyword = lines.next_word();
    std::string statement(lines.line());
    if (is_one_of(keyword, {"Ka", "Kd", "Ks", "Ke", "Kt", "Tf"})) {
      std::string_view first = lines.rest();
      if (is_one_of(first.substr(0, first.find(' ')), {"spectral", "xyz"})) {
        ++remarks.unknown_count;
        continue;
      }
      check_numbers(lines, 3);
      // tinyobjloader reads a missing second and third number as zero.
      std::istringstream words{std::string(first)};
      std::string r, g, b;
      words >> r;
      if (!(words >> g >> b)) statement = std::string(keyword) + ' ' + r + ' ' + r + ' ' + r;
    } else if (is_one_of(keyword, {"Ns", "Ni", "d", "Tr", "illum", "Pr", "Pm", "Ps", "Pc", "Pcr",
                                   "aniso", "anisor"})) {
      if (keyword == "d" && lines.rest().substr(0, 5) == "-halo") continue;
      check_numbers(lines, 1);
    } else if (keyword == "newmtl") {
      if (lines.rest().empty()) lines.fail("expected the name of a material after newmtl");
      name = hide_blanks(lines.rest());
      statement = "newmtl " + name;
    } else if (keyword.substr(0, 4) == "map_" ||
               is_one_of(keyword, {"bump", "disp", "decal", "refl", "norm"})) {
      std::optional<MtlMap>* map = name.empty() ? nullptr : maps[name].find(keyword);
      if (map)
        *map = read_mtl_map(lines);
      else
        ++remarks.texture_count;
      continue;
    } else {
      if (!is_one_of(keyword, {"Km", "sharpness"})) ++remarks.unknown_count;
      continue;
    }
    checked += statement + '\n';
  }
  return checked;
}

glm::vec3 clamped(const tinyobj::real_t (&color)[3], float max, size_t& out_of_range_count) {
  glm::vec3 given(color[0], color[1], color[2]);
  glm::vec3 allowed = glm::clamp(given, 0.0f, max);
  out_of_range_count += allowed != given;
  return allowed;
}

}  // namespace

bool MtlReader::operator()(const std::string&, std::vector<tinyobj::material_t>* materials,
                           std::map<std::string, int>* ids, std::string*, std::string*) {
  for (const std::string& library : libraries_) {
    if (std::filesystem::exists(folder_ / library)) {
      read_file(folder_ / library, materials, ids);
      continue;
    }
    std::istringstream names(library);
    for (std::string name; names >> name;) {
      if (std::filesystem::exists(folder_ / name))
        read_file(folder_ / name, materials, ids);
      else
        remarks.missing_files.push_back(name);
    }
  }
  for (const auto& [material, id] : *ids) material_names.insert(material);
  return true;
}

void MtlReader::read_file(const std::filesystem::path& file,
                          std::vector<tinyobj::material_t>* materials,
                          std::map<std::string, int>* ids) {
  std::istringstream text(check_mtl_syntax(read_text_file(file), file.string(), remarks, maps));
  if (text.peek() == std::istringstream::traits_type::eof()) return;
  std::string warnings, errors;  // about things that check_mtl_syntax() has settled
  tinyobj::LoadMtl(ids, materials, &text, &warnings, &errors);
}

Material make_material(const tinyobj::material_t& mtl, size_t& out_of_range_count) {
  glm::vec3 kd = clamped(mtl.diffuse, 1.0f, out_of_range_count);
  glm::vec3 ks = clamped(mtl.specular, 1.0f, out_of_range_count);
  glm::vec3 tf = clamped(mtl.transmittance, 1.0f, out_of_range_count);
  float ns = std::max(mtl.shininess, 0.0f);
  float roughness_from_ns = std::pow(2.0f / (ns + 2.0f), 0.25f);
  const glm::vec3 kBlack(0.0f);

  Material material;
  material.emission = clamped(mtl.emission, float(kMaxSceneValue), out_of_range_count);
  const float most_physical = std::max(
      {mtl.roughness, mtl.metallic, mtl.sheen, mtl.clearcoat_thickness, std::abs(mtl.anisotropy)});
  bool says_glass = mtl.illum == 4 || mtl.illum == 6 || mtl.illum == 7 || mtl.illum == 9;
  if (most_physical > 0.0f) {
    auto limited = [&](float given, float least, float most) {
      const float allowed = std::min(std::max(given, least), most);
      out_of_range_count += allowed != given;
      return allowed;
    };
    constexpr float kHighestIor = 100.0f;
    material.type = MaterialType::kPrincipled;
    material.reflectance = says_glass && tf != kBlack ? tf : kd;
    material.roughness =
        mtl.roughness > 0.0f ? limited(mtl.roughness, 0.0f, 1.0f) : roughness_from_ns;
    material.metallic = limited(mtl.metallic, 0.0f, 1.0f);
    material.transmission = says_glass ? 1.0f : 0.0f;
    if (mtl.ior > 1.0f) material.ior = std::min(mtl.ior, kHighestIor);
    material.sheen = glm::vec3(limited(mtl.sheen, 0.0f, 1.0f));
    material.coat = limited(mtl.clearcoat_thickness, 0.0f, 1.0f);
    material.coat_roughness = limited(mtl.clearcoat_roughness, 0.0f, 1.0f);
    material.anisotropy = limited(mtl.anisotropy, -1.0f, 1.0f);
  } else if (says_glass || (mtl.dissolve < 1.0f && mtl.ior > 1.0f)) {
    constexpr float kGlass = 1.5f, kHighestIor = 100.0f;
    material.type = MaterialType::kDielectric;
    material.reflectance = tf == kBlack ? glm::vec3(1.0f) : tf;
    material.ior = mtl.ior > 1.0f ? std::min(mtl.ior, kHighestIor) : kGlass;
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
  }
  return material;
}

}  // namespace winnow
