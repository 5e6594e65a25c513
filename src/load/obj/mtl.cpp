// SPDX-License-Identifier: MIT
#include "load/obj/mtl.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <glm/common.hpp>
#include <initializer_list>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "base/limits.h"
#include "load/obj/parse_obj.h"
#include "load/obj/statement.h"
#include "load/text/number.h"
#include "math/constants.h"
#include "scene/boundary.h"

namespace winnow {
namespace {

using Words = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view word, Words words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Reads one library.
class MtlParser {
 public:
  /// @param folder  of the OBJ file
  MtlParser(std::string_view text, const std::string& file, const std::filesystem::path& folder,
            MtlLibraries& libraries)
      : statements_(without_byte_order_mark(text), file),
        file_(file),
        folders_{folder, std::filesystem::path(file).parent_path()},
        libraries_(libraries),
        blender_(blender_version(text)) {}

  void parse() {
    StatementStream stream(statements_, [this] { return next_value(); });
    // From an empty library, tinyobjloader would make a material without a name.
    if (stream.peek() != std::istream::traits_type::eof()) {
      std::map<std::string, int> ids;
      std::vector<tinyobj::material_t> materials;
      std::string warnings, errors;  // not used: next_value() checks
      tinyobj::LoadMtl(&ids, &materials, &stream, &warnings, &errors);
      for (const auto& [name, id] : ids)
        libraries_.ids.try_emplace(name, int(libraries_.materials.size()) + id);
      for (tinyobj::material_t& values : materials) {
        MtlMaterial material = parsed_[values.name];
        material.values = std::move(values);
        material.blender = blender_;
        material.maps.specular_is_data = blender_ != 0;
        material.maps.folders = folders_;
        libraries_.materials.push_back(std::move(material));
      }
    }
    for (std::string& warning : ignored_.warnings(file_, "MTL"))
      libraries_.warnings.push_back(std::move(warning));
  }

 private:
  /// Moves to the next statement that sets a number or starts a material and checks it; reads other
  /// statements on the way. Returns false at the end.
  bool next_value() {
    while (statements_.next()) {
      const std::string keyword(statements_.next_word());
      const KnownKey* known = mtl_statements().find("", keyword);
      if (keyword == "newmtl") {
        start_material();
        return true;
      }
      if (std::optional<MtlMap>* map = find_map(keyword)) {
        *map = read_mtl_map(statements_);
        (*map)->place = fmt::format("{}:{}", file_, statements_.position().line);
        if (blender_) (*map)->description.filter = TextureFilter::kBilinearEncoded;  // as Cycles
        for (const std::string& option : (*map)->ignored_options)
          ignore(option, mtl_statements().find("map", option));
      } else if (!known || known->use == KeyUse::kIgnored) {
        ignore(keyword, known);
      } else if (known->use == KeyUse::kHarmless) {
        continue;
      } else if (!material_) {
        ignored_.add(keyword, "no newmtl comes before it", statements_.position().line);
      } else if (is_one_of(keyword, {"Ka", "Kd", "Ks", "Ke", "Kt", "Tf"})) {
        const std::string_view first = statements_.rest();
        if (!is_one_of(first.substr(0, first.find(' ')), {"spectral", "xyz"})) {
          check_color(keyword);
          material_->keywords.insert(keyword);
          return true;
        }
        ignored_.add(keyword + " spectral or xyz", "only RGB colours are read",
                     statements_.position().line);
      } else {
        if (keyword == "d") read_halo();
        const float number = check_number(statements_.next_word());
        if (keyword == "d") material_->coverages.insert(number);
        if (keyword == "Tr") material_->coverages.insert(1.0f - number);
        material_->keywords.insert(keyword);
        return true;
      }
    }
    return false;
  }

  void start_material() {
    std::string name(statements_.rest());
    if (name.empty()) name = kUnnamedMaterial;
    statements_.replace("newmtl " + name);
    const auto [known, is_new] = parsed_.try_emplace(name);
    material_ = is_new ? &known->second : &repeated_;
    if (!is_new)
      ignored_.add("newmtl", "a material of the same name comes before it",
                   statements_.position().line);
  }

  /// Returns the texture that a statement sets; null if it is not used.
  std::optional<MtlMap>* find_map(std::string_view keyword) {
    if (!material_) return nullptr;
    // Blender writes its textures of roughness and metallic so if it writes no PBR extension.
    if (blender_ && keyword == "map_Ns") keyword = "map_Pr";
    if (blender_ && keyword == "map_refl") keyword = "map_Pm";
    return material_->maps.find(keyword);
  }

  /// Turns "d -halo 0.5" into "d 0.5" and notes it for a warning.
  void read_halo() {
    if (statements_.rest().substr(0, statements_.rest().find(' ')) != "-halo") return;
    statements_.next_word();
    statements_.replace("d " + std::string(statements_.next_word()));
    statements_.restart();
    statements_.next_word();
    material_->keywords.emplace("-halo");
  }

  void ignore(std::string_view keyword, const KnownKey* known) {
    ignored_.add(keyword, known ? known->why : "", statements_.position().line);
  }

  float check_number(std::string_view word) const {
    float number = 0.0f;
    if (read_number(word, number) != NumberKind::kFinite) statements_.fail_expecting("a number");
    return number;
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

  StatementReader statements_;
  const std::string& file_;
  NamedFiles::Folders folders_;
  MtlLibraries& libraries_;
  int blender_;
  std::map<std::string, MtlMaterial> parsed_;  ///< keywords and textures, by name
  MtlMaterial* material_ = nullptr;            ///< the current one; null before the first
  MtlMaterial repeated_;                       ///< receives a material whose name another one has
  IgnoredStatements ignored_;
};

float largest_of(const tinyobj::real_t (&color)[3]) {
  return std::max({color[0], color[1], color[2]});
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
  return is_glass_model(mtl.illum) && (has_ior(mtl) || is_tinted);
}

/// True for a material with a value of the extension for physically based rendering.
bool is_physically_based(const MtlMaterial& mtl) {
  for (const char* keyword : {"Pr", "Pm", "Ps", "Pc", "Pcr", "aniso", "anisor"})
    if (mtl.has(keyword)) return true;
  return false;
}

/// True for a material whose highlights are narrow and bright enough to be visible.
bool has_highlight(const MtlMaterial& material) {
  constexpr float kMinKs = 0.01f, kMinNs = 2.0f;
  const tinyobj::material_t& mtl = material.values;
  const bool is_shiny_model = mtl.illum == 2 || is_glass_model(mtl.illum) || !material.has("illum");
  return is_shiny_model && largest_of(mtl.specular) >= kMinKs && mtl.shininess >= kMinNs;
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

int blender_version(std::string_view text) {
  constexpr std::string_view kProgram = "# Blender";
  constexpr int kUnknown = 2;  // later versions write theirs
  text = without_byte_order_mark(text);
  while (!text.empty()) {
    const size_t start = text.find_first_not_of(" \t\r\n");
    if (start == text.npos || text[start] != '#') return 0;
    text.remove_prefix(start);
    if (text.starts_with(kProgram)) {
      int version = kUnknown;
      text.remove_prefix(std::min(text.size(), kProgram.size() + 1));
      std::from_chars(text.data(), text.data() + text.size(), version);
      return std::max(version, kUnknown);
    }
    text.remove_prefix(std::min(text.size(), text.find('\n')));
  }
  return 0;
}

bool MtlMaterial::lacks_color() const {
  return !has("Kd") && !maps.color && !maps.emission && largest_of(values.specular) <= 0.0f &&
         largest_of(values.emission) <= 0.0f && largest_of(values.ambient) <= 1.0f;
}

void parse_mtl(std::string_view text, const std::string& file, const std::filesystem::path& folder,
               MtlLibraries& libraries) {
  MtlParser(text, file, folder, libraries).parse();
}

MtlLibraries read_mtl_libraries(const std::filesystem::path& folder,
                                const std::vector<std::string>& names, NamedFiles& files) {
  MtlLibraries libraries;
  auto read = [&](const std::filesystem::path& file) {
    if (file.empty()) return false;
    parse_mtl(read_text_file(file), file.string(), folder, libraries);
    return true;
  };
  auto read_end = [&](const std::string& name) {
    return read(files.find_end({folder}, name, "mtllib"));
  };
  std::set<std::string> tried;
  auto try_once = [&](const std::string& name) {
    if (!tried.insert(name).second) return true;
    if (tried.size() > kMaxIncludedFiles)
      throw Error(fmt::format("{}: expected at most {} material libraries (mtllib)",
                              folder.string(), kMaxIncludedFiles));
    return read(files.find({folder}, name));
  };
  for (const std::string& name : names) {
    if (try_once(name)) continue;
    std::istringstream words(name);
    std::vector<std::string> missing;
    bool is_any_found = false;
    for (std::string word; words >> word;)
      if (word != name && try_once(word))
        is_any_found = true;
      else
        missing.push_back(word);
    // Without a blank in its last part, ends of `name` may be ends of its last word alone.
    const bool has_blank = name.find(' ', name.find_last_of("/\\") + 1) != name.npos;
    if (has_blank && !is_any_found && read_end(name)) continue;
    for (const std::string& word : missing)
      if (!read_end(word)) libraries.missing_files.push_back(word);
  }
  return libraries;
}

glm::vec3 mtl_color(const tinyobj::real_t (&color)[3], float max, MtlNotes& notes) {
  const glm::vec3 given(color[0], color[1], color[2]);
  const glm::vec3 allowed = glm::clamp(given, 0.0f, max);
  notes.out_of_range_count += allowed != given;
  return allowed;
}

float mtl_number(float value, float min, float max, MtlNotes& notes) {
  const float allowed = std::min(std::max(value, min), max);
  notes.out_of_range_count += allowed != value;
  return allowed;
}

float mtl_coverage(const MtlMaterial& mtl, MtlNotes& notes) {
  const float coverage = mtl_number(mtl.values.dissolve, 0.0f, 1.0f, notes);
  auto warn = [&](const char* what) {
    notes.warnings.add(what, [&] { return "material " + in_quotes(mtl.values.name); });
  };
  if (mtl.has("-halo"))
    warn("d -halo is read as d; towards the silhouette, the surface would be opaque");
  constexpr float kSame = 0.01f;
  if (!mtl.coverages.empty() && *mtl.coverages.rbegin() - *mtl.coverages.begin() > kSame)
    warn("its d and Tr, which should add up to 1, disagree; d is used");
  if (coverage == 0.0f) warn("it is invisible: d is 0, or Tr is 1");
  return coverage;
}

Material make_material(const MtlMaterial& material_of_file, MtlNotes& notes) {
  if (material_of_file.blender) return make_blender_material(material_of_file, notes);
  const tinyobj::material_t& mtl = material_of_file.values;
  const glm::vec3 kd = mtl_color(mtl.diffuse, 1.0f, notes);
  const glm::vec3 ks = mtl_color(mtl.specular, 1.0f, notes);
  const glm::vec3 tf = mtl_color(mtl.transmittance, 1.0f, notes);
  const float roughness_from_ns = roughness_of_exponent(std::max(mtl.shininess, 0.0f));
  const glm::vec3 kBlack(0.0f);
  auto warn = [&](const char* what) {
    notes.warnings.add(what, [&] { return "material " + in_quotes(mtl.name); });
  };

  Material material;
  material.emission = mtl_color(mtl.emission, float(kMaxSceneValue), notes);
  if (!is_glass(mtl))
    material.alpha = mtl_coverage(material_of_file, notes);
  else if (mtl.dissolve < 1.0f)
    warn("d is not used, as illum and Ni or Tf make it glass");
  const bool is_grey = material_of_file.lacks_color() && !is_glass(mtl);
  if (is_grey) warn("it has no Kd; it is grey");
  if (!is_glass_model(mtl.illum) && tf != kBlack && tf != glm::vec3(1.0f))
    warn("Tf or Kt is not used without illum 4, 6, 7 or 9");
  constexpr int kMaxModel = 9;
  if (mtl.illum < 0 || mtl.illum > kMaxModel) warn("illum is not used: it is not from 0 to 9");
  const glm::vec3 base = is_grey ? glm::vec3(kMtlGrey) : kd;
  if (is_physically_based(material_of_file)) {
    auto limited = [&](float given, float min, float max) {
      return mtl_number(given, min, max, notes);
    };
    material.type = MaterialType::kPrincipled;
    material.reflectance = is_glass(mtl) && tf != kBlack ? tf : base;
    material.roughness =
        material_of_file.has("Pr") ? limited(mtl.roughness, 0.0f, 1.0f) : roughness_from_ns;
    material.metallic = limited(mtl.metallic, 0.0f, 1.0f);
    material.transmission = is_glass(mtl) ? 1.0f : 0.0f;
    if (mtl.ior > 1.0f) material.ior = std::min(mtl.ior, kInfiniteIor);
    material.sheen = glm::vec3(limited(mtl.sheen, 0.0f, 1.0f));
    material.coat = limited(mtl.clearcoat_thickness, 0.0f, 1.0f);
    material.coat_roughness = limited(mtl.clearcoat_roughness, 0.0f, 1.0f);
    material.anisotropy = limited(mtl.anisotropy, -1.0f, 1.0f);
    material.anisotropy_rotation = 2.0f * kPi * mtl.anisotropy_rotation;
  } else if (is_glass(mtl)) {
    constexpr float kGlass = 1.5f;
    material.type = MaterialType::kDielectric;
    material.reflectance = tf == kBlack ? glm::vec3(1.0f) : tf;
    material.ior = has_ior(mtl) ? std::min(mtl.ior, kMaxIor) : kGlass;
  } else if ((mtl.illum == 3 || mtl.illum == 5) && ks != kBlack) {
    material.type = MaterialType::kMirror;
    material.reflectance = ks;
    if (kd != kBlack && !material_of_file.maps.color)
      warn("Kd is not used, as illum 3 or 5 makes it a mirror of Ks");
  } else if (kd == kBlack && ks != kBlack) {
    material.type = MaterialType::kConductor;
    material.reflectance = ks;
    material.roughness = roughness_from_ns;
  } else {
    material.type = MaterialType::kDiffuse;
    material.reflectance = base;
    if (has_highlight(material_of_file)) add_highlight(ks, roughness_from_ns, material);
  }
  return material;
}

}  // namespace winnow
