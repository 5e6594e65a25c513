// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

namespace winnow {

struct HostScene;
enum class LightChoice : uint32_t;

/// The parts of shading that the kernels of a scene are compiled with. A renderer picks the
/// smallest set that its scene requires: code that a kernel does not contain costs it no registers
/// and no instruction cache.
///
/// Basic shading, without any of them, covers diffuse surfaces, mirrors, isotropic GGX conductors
/// with Schlick's Fresnel term and smooth dielectrics, each with constant parameters; emissive
/// triangles and spheres, chosen by power; and a gradient sky.
struct Features {
  bool extended = false;   ///< all other materials, textures, lights and light choices
  bool instances = false;  ///< shared meshes; only together with `extended`
  /// Thin films, dispersion, sheets, diffuse transmission, tints of the reflection at normal
  /// incidence, anisotropy and textures of the layers of principled surfaces, anisotropy of others
  /// in any direction, colours of vertices and second texture coordinates; only together with both
  /// others.
  bool layers = false;
  bool media = false;  ///< participating media; only together with all others
};

constexpr bool includes(Features set, Features needed) {
  return (set.extended || !needed.extended) && (set.instances || !needed.instances) &&
         (set.layers || !needed.layers) && (set.media || !needed.media);
}

// The sets that are instantiated. On a GPU, kMedia also shades scenes with layers: its kernels need
// the same registers as those without media would. On a CPU, kLayered shades the two sets before
// it.
inline constexpr Features kBasic{};
inline constexpr Features kExtended{.extended = true};
inline constexpr Features kInstanced{.extended = true, .instances = true};
inline constexpr Features kLayered{.extended = true, .instances = true, .layers = true};
inline constexpr Features kMedia{
    .extended = true, .instances = true, .layers = true, .media = true};

/// Whether this build instantiates only the largest set, which renders every scene more slowly:
/// -DWINNOW_ONE_FEATURE_SET=ON, for short compile times.
#ifdef WINNOW_ONE_FEATURE_SET
inline constexpr bool kOneFeatureSet = true;
#else
inline constexpr bool kOneFeatureSet = false;
#endif

/// Calls use.operator()<kFeatures>() with the first set that includes `needed`, or else the last.
///
/// @tparam kSet, kLarger  in ascending order
template <Features kSet, Features... kLarger, class Use>
auto with_features([[maybe_unused]] Features needed, Use use) {
  if constexpr (sizeof...(kLarger) > 0) {
    if constexpr (kOneFeatureSet)
      return with_features<kLarger...>(needed, use);
    else if (!includes(kSet, needed))
      return with_features<kLarger...>(needed, use);
  }
  if constexpr (sizeof...(kLarger) == 0 || !kOneFeatureSet) return use.template operator()<kSet>();
}

struct Absent {};

/// The type of a field that only kernels with some feature have.
template <bool kPresent, class T>
using FieldIf = std::conditional_t<kPresent, T, Absent>;

/// Returns the smallest set that can shade `scene` with its lights chosen by `lights`.
Features required_features(const HostScene& scene, LightChoice lights);

/// Returns whether a path may ever be in a medium, or meet the boundary of one.
bool has_media(const HostScene& scene);

}  // namespace winnow
