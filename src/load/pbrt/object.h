// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>

#include "load/pbrt/statements.h"
#include "load/text/repeated_warnings.h"
#include "load/textures/texture_library.h"
#include "math/between_transforms.h"
#include "scene/host_scene.h"
#include "scene/optical_constants.h"
#include "scene/scene_hash.h"

namespace winnow {

struct PbrtObject;

enum class PbrtSpectrumUse {
  kSurface,  ///< a reflectance or another factor, under daylight
  kLight,    ///< a light; in version 4 its spectra and black bodies have luminance 1
};

/// Matrices from a linear colour space of pbrt to Rec.709.
struct PbrtColorSpace {
  glm::mat3 of_surfaces{1.0f};  ///< a reflectance of 1 stays white
  glm::mat3 of_lights{1.0f};    ///< a light of 1 has the white of the space

  const glm::mat3& of(PbrtSpectrumUse use) const {
    return use == PbrtSpectrumUse::kLight ? of_lights : of_surfaces;
  }
};

struct PbrtIor {
  float ior = 1.5f;
  float dispersion = 0.0f;  ///< 20 / Abbe number
};

/// Current transformation matrices to the world of the file, at the two TransformTimes.
struct PbrtTransforms {
  glm::dmat4 start{1.0}, end{1.0};
  bool is_start_active = true, is_end_active = true;  ///< what ActiveTransform selects

  bool moves() const { return start != end; }

  /// Returns the transform in between.
  /// @param fraction  of the time from the first to the second one, [0, 1]
  glm::dmat4 at(double fraction) const { return between_transforms(start, end, fraction); }
};

/// Transform, attributes and defaults that apply to the next statement.
struct PbrtState {
  PbrtTransforms ctm;
  bool is_reversed = false;                      ///< ReverseOrientation
  std::shared_ptr<const PbrtObject> material;    ///< null for the default
  std::shared_ptr<const PbrtObject> area_light;  ///< light of the next shapes, or null
  std::string inside, outside;                   ///< names of media, empty for none
  PbrtColorSpace color_space;
  /// Defaults by "shape", "light", "material", "medium" and "texture", see
  /// PbrtParameters::add_defaults().
  std::shared_ptr<const std::map<std::string, PbrtParameters>> defaults;
};

/// The named textures of a pbrt scene. A texture is converted at its first use. Types that Winnow
/// lacks become their mean, with a warning.
class PbrtTextures {
 public:
  explicit PbrtTextures(HostScene& scene) : library_(scene, ImageRules::kPbrt) {}

  /// Adds the texture of a statement "Texture", which may replace an earlier one of the same name.
  /// @param kind  "float", "spectrum" or "color"
  void define(const PbrtObject& texture, const std::string& kind);
  /// Makes the textures so far those of names that materials use before their definition.
  void keep_for_earlier_uses();
  /// True if a texture was used that was unknown there and is defined by now.
  bool defines_earlier_uses() const;

  /// Reads a parameter that is a colour or number, or names a texture.
  Textured read(const PbrtObject& object, std::string_view name, glm::vec3 fallback, bool is_float);

  TextureLibrary& library() { return library_; }

 private:
  struct Definition;
  using Definitions = std::map<std::string, std::shared_ptr<Definition>>;

  static std::shared_ptr<Definition> find(const PbrtParameter& parameter, const Definitions& first,
                                          const Definitions& second);
  std::shared_ptr<Definition> find(const PbrtParameter& parameter, bool is_float) const;
  std::shared_ptr<Definition> find_later(const PbrtParameter& parameter, bool is_float) const;
  const Textured& convert(Definition& texture);
  Textured read(const Definition& texture);
  Textured read_image(const Definition& definition);
  uint32_t alpha_as_number(uint32_t texture, const std::filesystem::path& file, bool is_encoded);
  uint32_t grey_of(uint32_t texture, bool is_first);
  Textured read_checkerboard(const Definition& texture);
  Textured read_bilerp(const Definition& texture);
  Textured read_scale(const Definition& texture);
  Textured read_mix(const Definition& texture);
  Textured mean_of_others(const Definition& texture);
  Textured value(const Definition& texture, std::string_view name, float fallback);
  glm::vec3 mean(const Definition& texture, std::string_view name, float fallback) {
    return library_.mean(value(texture, name, fallback));
  }

  TextureLibrary library_;
  Definitions colors_, numbers_, colors_later_, numbers_later_;
  std::set<std::string> unknown_;  ///< names that were unknown where they were used
};

/// State that the parts of the reader of pbrt scenes share.
struct PbrtContext {
  HostScene& scene;
  std::filesystem::path folder;  ///< folder of the scene
  bool is_old;                   ///< version 3 or older
  RepeatedWarnings warnings{}, left_out{};
  size_t curve_triangles = 0;  ///< triangles of all curves so far
  size_t round_triangles = 0;  ///< triangles of spheres, disks and other round shapes so far
  PbrtTextures textures{scene};
  std::map<std::string, uint32_t> media{};  ///< indices by name; kNoMedium for those left out
  std::set<std::string> unknown_media{};    ///< names that were unknown where they were used
  /// Media that are used before their definition: their indices, kNoMedium before the first use.
  std::map<std::string, uint32_t> later_media{};

  double moment = 0.0;       ///< moment shown: fraction of the time between the two transforms
  bool is_animated = false;  ///< whether anything but the camera moves
  bool has_ambiguous_motion = false;  ///< see is_ambiguous_motion()

  /// Transform from the world of the file to that of Winnow, mirrored as load_pbrt() describes.
  glm::mat4 from_pbrt{1.0f};
  std::unordered_set<std::string> kinds{};  ///< texts of warnings
  MotionHash motion{};                      ///< hash of all transforms, including those at rest

  void warn(const PbrtPlace& place, const std::string& what) {
    warnings.add(limited(what), [&] { return place.text(); });
  }

  /// Returns the index of a medium; kNoMedium for an empty or, with a warning, an unknown name.
  uint32_t find_medium(const std::string& name, const PbrtPlace& place);
  /// Returns the index at which the definition of a medium is or will be.
  uint32_t place_of_medium(const std::string& name);

  TextureLibrary& library() { return textures.library(); }

  /// Returns `what`, or a text that there are further warnings if there are already many.
  const std::string& limited(const std::string& what);

  /// Returns the transform of a statement, to the world of the file.
  glm::dmat4 to_file(const PbrtState& state) {
    if (state.ctm.moves()) {
      is_animated = true;
      has_ambiguous_motion |= is_ambiguous_motion(state.ctm.start, state.ctm.end);
    }
    motion.add_value(state.ctm.start);
    motion.add_value(state.ctm.end);
    return state.ctm.at(moment);
  }
  /// Returns the transform of a statement to the world of Winnow.
  glm::mat4 to_world(const PbrtState& state) { return from_pbrt * glm::mat4(to_file(state)); }
};

/// A statement that describes an object, which is converted when it is used, and its parameters.
struct PbrtObject : PbrtParameters {
  std::string type;  ///< "matte", "trianglemesh", ...
  std::string name;  ///< name of a named object
  PbrtPlace place;
  PbrtContext* context = nullptr;
  PbrtColorSpace color_space{};  ///< of the statement

  TextureLibrary& library() const { return context->library(); }

  void warn(const std::string& what) const { context->warn(place, what); }
  [[noreturn]] void fail(const std::string& what) const { fail_at(place, what); }

  /// Warns about a shape that is left out; returns nothing, the mesh of such a shape.
  std::nullopt_t leave_out(const std::string& why) const;

  /// Warns about unused parameters, except those that pbrt_keys() calls harmless.
  /// @param kind  as in pbrt_keys()
  void warn_about_unused(std::string_view kind) const;

  /// Returns the path of a file; nothing, with a warning, if it does not exist.
  std::optional<std::filesystem::path> find_file(const std::string& name,
                                                 const std::string& consequence) const;

  /// Reads a parameter that is a colour, in linear Rec.709: rgb, xyz, blackbody, spectrum (numbers,
  /// a name or a file), or a number for grey. No channel is below 0.
  glm::vec3 color(std::string_view name, glm::vec3 fallback,
                  PbrtSpectrumUse use = PbrtSpectrumUse::kSurface) const;

  /// Reads an index of refraction: a number, a spectrum or the name of a glass.
  PbrtIor ior(const char* name = "eta", float fallback = 1.5f) const;
  /// Reads the index of refraction of a material that becomes principled.
  float ior_above_1() const;

  Textured textured(std::string_view parameter, glm::vec3 fallback) const {
    return context->textures.read(*this, parameter, fallback, false);
  }

  Textured textured(std::string_view parameter, float fallback) const {
    return context->textures.read(*this, parameter, glm::vec3(fallback), true);
  }

  glm::vec3 mean(std::string_view parameter, glm::vec3 fallback) const {
    return library().mean(textured(parameter, fallback));
  }
  float mean(std::string_view parameter, float fallback) const {
    return library().mean(textured(parameter, fallback)).x;
  }
};

/// Returns the constants of a metal by its symbol, such as "Cu"; nothing for an unknown one.
std::optional<ComplexIor> find_pbrt_metal(std::string_view name);

/// Returns nothing for an unknown name.
std::optional<PbrtColorSpace> pbrt_color_space(std::string_view name);

}  // namespace winnow
