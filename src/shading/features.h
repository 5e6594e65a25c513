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
/// Basic shading, without any of them: diffuse surfaces, mirrors, isotropic GGX conductors with
/// Schlick's Fresnel term and smooth dielectrics, each with constant parameters; emissive triangles
/// and spheres, chosen by power; a gradient sky.
struct Features {
  bool extended = false;   ///< all other materials, textures, lights and light choices
  bool instances = false;  ///< shared meshes; only together with `extended`
  /// Thin films, dispersion, textures of the layers of principled surfaces, anisotropy in any
  /// direction, colours of vertices and second texture coordinates; only together with both others.
  bool layers = false;
  bool media = false;  ///< participating media; only together with all others
};

// The sets that are instantiated.
inline constexpr Features kBasic{};
inline constexpr Features kExtended{.extended = true};
inline constexpr Features kInstanced{.extended = true, .instances = true};
inline constexpr Features kLayered{.extended = true, .instances = true, .layers = true};
inline constexpr Features kMedia{
    .extended = true, .instances = true, .layers = true, .media = true};

struct Absent {};

/// The type of a field that only kernels with some feature have.
template <bool kPresent, class T>
using FieldIf = std::conditional_t<kPresent, T, Absent>;

/// Returns the smallest instantiated set that can shade `scene` with its lights chosen by `lights`.
Features required_features(const HostScene& scene, LightChoice lights);

}  // namespace winnow
