// SPDX-License-Identifier: MIT
#include "load/obj/mtl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <initializer_list>
#include <sstream>

#include "base/files.h"
#include "base/limits.h"
#include "load/obj/parse_obj.h"
#include "load/obj/statement.h"
#include "load/text/number.h"

namespace winnow {
namespace {

using Words = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view word, Words words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Reads one library into the materials, ids and maps of all.
class MtlParser {
 public:
  MtlParser(std::string_view text, const std::string& file, MtlLibraries& libraries)
      : statements_(without_byte_order_mark(text), file), libraries_(libraries) {}

  void parse() {
    StatementStream stream(statements_, [this] { return next_value(); });
    // Of an empty library tinyobjloader would make a material without a name.
    if (stream.peek() == std::istream::traits_type::eof()) return;
    std::string warnings, errors;  // about what next_value() has checked
    tinyobj::LoadMtl(&libraries_.ids, &libraries_.materials, &stream, &warnings, &errors);
  }

 private:
  /// Moves to the next statement that sets a number or starts a material, which is checked, and
  /// reads those of other kinds in between.
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

  /// Checks three numbers, or one, which is then given to all channels.
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
  MtlLibraries& libraries_;
  std::string material_;  ///< name of the current one; empty before the first
};

glm::vec3 clamped(const tinyobj::real_t (&color)[3], float max, size_t& out_of_range_count) {
  glm::vec3 given(color[0], color[1], color[2]);
  glm::vec3 allowed = glm::clamp(given, 0.0f, max);
  out_of_range_count += allowed != given;
  return allowed;
}

constexpr size_t kTexelBytes = 4;

/// Reads the next word if it is a finite number.
std::optional<float> read_optional_number(StatementReader& statements) {
  const std::string_view rest = statements.rest();
  float number = 0.0f;
  if (read_number(rest.substr(0, rest.find(' ')), number) != NumberKind::kFinite) return {};
  statements.next_word();
  return number;
}

/// Reads up to three numbers, the first two into u and v. u or v is unchanged if its number is
/// missing.
void read_optional_vector(StatementReader& statements, float& u, float& v) {
  if (std::optional<float> number = read_optional_number(statements)) u = *number;
  if (std::optional<float> number = read_optional_number(statements)) v = *number;
  read_optional_number(statements);
}

/// The byte of a channel at (u, v), without interpolation.
uint8_t byte_at(const TextureImage& image, double u, double v, size_t channel) {
  const auto x = std::min(uint32_t(u * image.width), image.width - 1);
  const auto y = std::min(uint32_t(v * image.height), image.height - 1);
  return uint8_t(image.texels[(size_t(y) * image.width + x) * kTexelBytes + channel]);
}

/// Packs roughness into green and metallic into blue, from two images or one. A missing one is 1.
TextureImage pack(const TextureImage* roughness, const TextureImage* metallic) {
  const TextureImage& larger =
      !metallic || (roughness && roughness->texels.size() > metallic->texels.size()) ? *roughness
                                                                                     : *metallic;
  TextureImage packed{.name = larger.name, .width = larger.width, .height = larger.height};
  packed.texels.assign(larger.texels.size(), std::byte(255));
  for (uint32_t y = 0; y < packed.height; ++y)
    for (uint32_t x = 0; x < packed.width; ++x) {
      const double u = (x + 0.5) / packed.width, v = (y + 0.5) / packed.height;
      std::byte* texel = &packed.texels[(size_t(y) * packed.width + x) * kTexelBytes];
      if (roughness) texel[1] = std::byte(byte_at(*roughness, u, v, 0));
      if (metallic) texel[2] = std::byte(byte_at(*metallic, u, v, 0));
    }
  return packed;
}

/// True for a normal map, which is bluish; height maps are grey.
bool is_normal_image(const TextureImage& image) {
  double sums[3] = {};
  for (size_t i = 0; i + kTexelBytes <= image.texels.size(); i += kTexelBytes)
    for (size_t channel = 0; channel < 3; ++channel)
      sums[channel] += double(uint8_t(image.texels[i + channel]));
  // Most normals are near (0, 0, 1), whose bytes are (128, 128, 255).
  return sums[2] > 1.2 * sums[0] && sums[2] > 1.2 * sums[1];
}

}  // namespace

MtlLibraries read_mtl_libraries(const std::filesystem::path& folder,
                                const std::vector<std::string>& names) {
  MtlLibraries libraries;
  auto read = [&](const std::filesystem::path& file) {
    if (!std::filesystem::exists(file)) return false;
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
  float ns = std::max(mtl.shininess, 0.0f);
  float roughness_from_ns = std::pow(2.0f / (ns + 2.0f), 0.25f);
  const glm::vec3 kBlack(0.0f);
  constexpr float kMaxIor = 100.0f;

  Material material;
  material.emission = clamped(mtl.emission, float(kMaxSceneValue), out_of_range_count);
  const float largest_pbr_value = std::max(
      {mtl.roughness, mtl.metallic, mtl.sheen, mtl.clearcoat_thickness, std::abs(mtl.anisotropy)});
  bool is_glass = mtl.illum == 4 || mtl.illum == 6 || mtl.illum == 7 || mtl.illum == 9;
  if (largest_pbr_value > 0.0f) {
    auto limited = [&](float given, float min, float max) {
      const float allowed = std::min(std::max(given, min), max);
      out_of_range_count += allowed != given;
      return allowed;
    };
    material.type = MaterialType::kPrincipled;
    material.reflectance = is_glass && tf != kBlack ? tf : kd;
    material.roughness =
        mtl.roughness > 0.0f ? limited(mtl.roughness, 0.0f, 1.0f) : roughness_from_ns;
    material.metallic = limited(mtl.metallic, 0.0f, 1.0f);
    material.transmission = is_glass ? 1.0f : 0.0f;
    if (mtl.ior > 1.0f) material.ior = std::min(mtl.ior, kMaxIor);
    material.sheen = glm::vec3(limited(mtl.sheen, 0.0f, 1.0f));
    material.coat = limited(mtl.clearcoat_thickness, 0.0f, 1.0f);
    material.coat_roughness = limited(mtl.clearcoat_roughness, 0.0f, 1.0f);
    material.anisotropy = limited(mtl.anisotropy, -1.0f, 1.0f);
  } else if (is_glass || (mtl.dissolve < 1.0f && mtl.ior > 1.0f)) {
    constexpr float kGlass = 1.5f;
    material.type = MaterialType::kDielectric;
    material.reflectance = tf == kBlack ? glm::vec3(1.0f) : tf;
    material.ior = mtl.ior > 1.0f ? std::min(mtl.ior, kMaxIor) : kGlass;
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

std::optional<MtlMap>* MtlMaps::find(std::string_view keyword) {
  if (keyword == "map_Kd") return &color;
  if (keyword == "map_Ke") return &emission;
  if (keyword == "map_d") return &alpha;
  if (keyword == "map_Pr") return &roughness;
  if (keyword == "map_Pm") return &metallic;
  if (keyword == "norm" || keyword == "map_Kn") return &normal;
  if (keyword == "map_bump" || keyword == "map_Bump" || keyword == "bump") return &bump;
  return nullptr;
}

MtlMap read_mtl_map(StatementReader& statements) {
  MtlMap map;
  glm::vec2 scale(1.0f), offset(0.0f);
  while (statements.rest().substr(0, 1) == "-") {
    const std::string_view option = statements.next_word();
    if (option == "-s") {
      read_optional_vector(statements, scale.x, scale.y);
    } else if (option == "-o") {
      read_optional_vector(statements, offset.x, offset.y);
    } else if (option == "-t" || option == "-mm") {
      float unused = 0.0f;
      read_optional_vector(statements, unused, unused);
    } else if (option == "-bm") {
      map.strength = read_optional_number(statements).value_or(1.0f);
    } else if (option == "-clamp") {
      if (statements.next_word() == "on")
        map.description.wrap_u = map.description.wrap_v = TextureWrap::kClamp;
    } else {
      statements.next_word();  // -blendu on, -imfchan r and the like
    }
  }
  // v is up in the file and down in a texture: v' = 1 - (s (1 - v) + o).
  map.description.from_uv = {
      {scale.x, 0.0f}, {0.0f, scale.y}, {offset.x, 1.0f - scale.y - offset.y}};
  map.file = statements.rest();
  std::replace(map.file.begin(), map.file.end(), '\\', '/');
  return map;
}

void add_mtl_maps(const MtlMaps& maps, const std::filesystem::path& folder,
                  TextureLibrary& textures, Material& material, size_t& unused_count) {
  auto add = [&](const std::optional<MtlMap>& map, TexelMeaning meaning) {
    return map ? textures.add_file(folder / map->file, meaning, map->description) : kNoTexture;
  };
  MaterialTextures& used = material.textures;
  const glm::vec3 kBlack(0.0f), kWhite(1.0f);

  // Some exporters write a factor of 0 beside a map.
  used.reflectance = add(maps.color, TexelMeaning::kColor);
  if (used.reflectance != kNoTexture && material.reflectance == kBlack)
    material.reflectance = kWhite;
  used.emission = add(maps.emission, TexelMeaning::kColor);
  if (used.emission != kNoTexture && material.emission == kBlack) material.emission = kWhite;
  used.alpha = add(maps.alpha, TexelMeaning::kCoverage);

  used.normal = add(maps.normal, TexelMeaning::kData);
  if (used.normal != kNoTexture) material.normal_scale = maps.normal->strength;
  if (maps.bump) {
    const uint32_t image = textures.image_of(folder / maps.bump->file, TexelMeaning::kData);
    const bool is_normal_map = image != kNoTexture && is_normal_image(textures.image(image));
    if (used.normal == kNoTexture && is_normal_map) {
      used.normal = add(maps.bump, TexelMeaning::kData);
      material.normal_scale = maps.bump->strength;
    } else if (image != kNoTexture) {
      ++unused_count;
    }
  }

  if (!maps.roughness && !maps.metallic) return;
  // Both are read before they are accessed, as reading may move images in memory.
  auto read = [&](const std::optional<MtlMap>& map) {
    return map ? textures.image_of(folder / map->file, TexelMeaning::kData) : kNoTexture;
  };
  auto find_bytes = [&](uint32_t image) -> const TextureImage* {
    if (image == kNoTexture || textures.image(image).format != TexelFormat::kLinear8)
      return nullptr;
    return &textures.image(image);
  };
  const uint32_t roughness_image = read(maps.roughness), metallic_image = read(maps.metallic);
  const TextureImage *roughness = find_bytes(roughness_image),
                     *metallic = find_bytes(metallic_image);
  if (!roughness && !metallic) return;
  const TextureDescription& mapping = (roughness ? maps.roughness : maps.metallic)->description;
  if (material.type == MaterialType::kDiffuse) material.metallic = metallic ? 1.0f : 0.0f;
  if (material.type == MaterialType::kConductor) material.metallic = 1.0f;
  if (roughness) material.roughness = 1.0f;
  used.roughness_metallic = textures.add_image(pack(roughness, metallic), mapping);
  material.type = MaterialType::kPrincipled;
}

}  // namespace winnow
