// SPDX-License-Identifier: MIT
#pragma once

#include "shading/bsdf/fresnel.h"
#include "shading/bsdf/lobe_tables.h"
#include "shading/bsdf/microfacets.h"
#include "shading/bsdf/rough_dielectric.h"
#include "shading/bsdf/sheen.h"
#include "shading/bsdf/thin_film.h"
#include "shading/features.h"

namespace winnow {

// A mixture of metal, a diffuse base below a dielectric boundary, and glass, below a layer of sheen
// and a clear coat.
//
//   metal   GGX microfacets with Schlick's Fresnel term
//   base    GGX dielectric boundary of index `ior` over Lambertian reflection
//   glass   GGX dielectric boundary with transmission, tinted by `reflectance` at each crossing
//   sheet   glass of no thickness: its lobe of transmission is that of reflection, mirrored, as in
//           KHR_materials_transmission of glTF; smooth sheets transmit straight
//   sheen   fibres; attenuate the layers below
//   coat    GGX dielectric boundary of index 1.5; attenuates the layers below
//   film    on metal, base and glass; changes the colours that their microfacets reflect
//
// Metal, base and glass share one microfacet distribution. Multiple scattering between microfacets
// is a diffuse lobe with the energy 1 - E that single scattering loses: for metal as in Kulla &
// Conty, "Revisiting Physically Based Shading at Imageworks", 2017, for glass in the same way, to
// both sides; anisotropic metal and sheets have a table of E of their own. The diffuse base
// receives what its boundary does not reflect, on the way in and out, as in Ashikhmin & Shirley,
// "An Anisotropic Phong BRDF Model", 2000, but with the tabulated albedo of the boundary, so that a
// white base reflects everything; a share of what is left leaves on the far side. Sheen
// and coat attenuate diffuse light below them in the same way, and all else below them by the
// larger of their albedos for the two directions. Hence the BSDF is reciprocal and conserves
// energy. The diffuse base below a film receives what the film leaves at constructive interference,
// and glass transmits what it leaves of the brightest channel: the film does not tint them, as in
// glTF.

inline constexpr float kCoatIor = 1.5f;

/// With a smaller index, light is deflected too little for floats to resolve the microfacet.
inline constexpr float kMinGlassIor = 1.005f;

struct PrincipledAlbedos {
  float boundary = 0.0f;    ///< E of reflection at the boundary of the base
  float metal_loss = 0.0f;  ///< 1 - E of white metal, single scattering
  float glass_loss = 0.0f;  ///< 1 - E of glass, single scattering
  float sheen = 0.0f;       ///< attenuation of the layers below by the fibres
  float coat = 0.0f;        ///< attenuation of the layers below by the coat
};

SIMT_HOST_DEVICE inline float largest(glm::vec3 color) {
  return glm::max(color.x, glm::max(color.y, color.z));
}

/// Fresnel reflectance of a boundary with Material::specular_tint: the curve of a boundary without
/// tint, scaled and moved so that it starts at the tinted reflectance and ends at 1.
struct TintedFresnel {
  float ior;                ///< index whose curve it follows
  glm::vec3 scale, offset;  ///< per channel

  /// @param fresnel  reflectance of a boundary of index `ior`
  SIMT_HOST_DEVICE glm::vec3 at(float fresnel) const {
    return glm::max(scale * fresnel + offset, 0.0f);
  }
};

/// @param ior  inside over outside
SIMT_HOST_DEVICE inline TintedFresnel tinted_fresnel(glm::vec3 tint, float ior) {
  // Curves of larger indices fall before they rise to 1 at grazing incidence, so that a tint would
  // show there. The curve of this one is nearly Schlick's.
  constexpr float kMaxCurve = 3.0f;
  const float curve = glm::min(ior, kMaxCurve), start = normal_fresnel(curve);
  const glm::vec3 normal = glm::min(normal_fresnel(ior) * tint, 1.0f);
  const glm::vec3 scale = (1.0f - normal) / (1.0f - start);
  return {curve, scale, normal - scale * start};
}

/// Values that evaluation and sampling of a principled surface compute from `wo` alone.
struct PrincipledView {
  glm::vec3 wo;               ///< above z = 0
  bool is_alike;              ///< whether both sides are outside
  bool outside;               ///< whether `wo` is outside; false only for glass
  float ior;                  ///< inside over outside
  float eta;                  ///< far side over near side
  float base, glass, metal;   ///< weights with the sum 1
  TintedFresnel tinted{};     ///< valid if is_tinted()
  float mirror_share = 0.0f;  ///< share of glass that a tint above 1 turns into a perfect mirror
  /// Share of the base's diffuse light that leaves on the side of `wo`, and factor of the f of the
  /// other side. Below glass with an index, reciprocity requires that less leaves from inside.
  float diffuse_near, diffuse_far;
  float specular;  ///< largest channel of Material::specular
  float sheen;     ///< largest channel of Material::sheen
  Ggx ggx;
  float mean_roughness;  ///< isotropic equivalent for metal and glass
  PrincipledAlbedos albedos;
  glm::vec3 multiscatter_color;     ///< colour of the metal's multiple scattering
  float multiscatter_transmission;  ///< share of the glass's multiple scattering to the far side
  float straight;                   ///< transmittance of a smooth sheet, before its tint
  /// Probabilities of sampling straight transmission, the microfacets, diffuse reflection, diffuse
  /// transmission, sheen and coat.
  float straight_pmf, facets_pmf, near_pmf, far_pmf, sheen_pmf, coat_pmf;
};

// Parts that only kernels with Features::layers have; off at compile time in others.

template <Features kFeatures>
SIMT_HOST_DEVICE constexpr bool is_sheet(const Material& material) {
  if constexpr (!kFeatures.layers) return false;
  return material.thin;
}
template <Features kFeatures>
SIMT_HOST_DEVICE constexpr bool is_tinted(const Material& material) {
  if constexpr (!kFeatures.layers) return false;
  return material.specular_tint != glm::vec3(1.0f);
}
template <Features kFeatures>
SIMT_HOST_DEVICE constexpr bool is_anisotropic(const Material& material) {
  if constexpr (!kFeatures.layers) return false;
  return material.anisotropy != 0.0f;
}
template <Features kFeatures>
SIMT_HOST_DEVICE constexpr bool transmits_diffusely(const Material& material) {
  if constexpr (!kFeatures.layers) return false;
  return material.diffuse_transmission > 0.0f;
}
/// Returns the share of the surface that a film covers.
template <Features kFeatures>
SIMT_HOST_DEVICE constexpr float film_weight(const Material& material) {
  if constexpr (!kFeatures.layers) return 0.0f;
  return material.film_thickness.y > 0.0f ? material.iridescence : 0.0f;
}

/// Returns the roughness of an isotropic surface with nearly the same mean albedo.
SIMT_HOST_DEVICE inline float isotropic_roughness(const Ggx& ggx) {
  const float x2 = ggx.alpha_x * ggx.alpha_x, y2 = ggx.alpha_y * ggx.alpha_y;
  return std::sqrt(std::sqrt(0.5f * (x2 + y2)));
}

/// Returns E of a surface that reflects everything at each microfacet, single scattering.
template <Features kFeatures>
SIMT_HOST_DEVICE float white_albedo(const Material& material, const LobeTables& tables,
                                    const PrincipledView& view, glm::vec3 w) {
  if (is_anisotropic<kFeatures>(material))
    return tables.brushed.at(view.ggx.alpha_x, view.ggx.alpha_y, w);
  return tables.metal.at(glm::min(std::abs(w.z), 1.0f), material.roughness);
}
template <Features kFeatures>
SIMT_HOST_DEVICE float mean_white_albedo(const Material& material, const LobeTables& tables,
                                         const PrincipledView& view) {
  if (is_anisotropic<kFeatures>(material))
    return tables.brushed_mean.at(view.ggx.alpha_x, view.ggx.alpha_y);
  return tables.metal_mean.at(view.mean_roughness);
}

/// Returns E of reflection at a boundary of index `ior`, from outside. The curve from normal to
/// grazing incidence of an anisotropic one is that of index kBrushedCurve.
template <Features kFeatures>
SIMT_HOST_DEVICE float dielectric_albedo(const Material& material, const LobeTables& tables,
                                         const PrincipledView& view, glm::vec3 w, float ior) {
  if (is_anisotropic<kFeatures>(material))
    return glm::mix(tables.brushed_curve.at(view.ggx.alpha_x, view.ggx.alpha_y, w),
                    tables.brushed.at(view.ggx.alpha_x, view.ggx.alpha_y, w), normal_fresnel(ior));
  return tables.boundary.at(glm::min(std::abs(w.z), 1.0f), material.roughness, ior);
}
template <Features kFeatures>
SIMT_HOST_DEVICE float mean_dielectric_albedo(const Material& material, const LobeTables& tables,
                                              const PrincipledView& view, float ior) {
  if (is_anisotropic<kFeatures>(material))
    return glm::mix(tables.brushed_curve_mean.at(view.ggx.alpha_x, view.ggx.alpha_y),
                    tables.brushed_mean.at(view.ggx.alpha_x, view.ggx.alpha_y),
                    normal_fresnel(ior));
  return tables.boundary_mean.at(material.roughness, ior);
}

/// Returns E of reflection at the boundary of the base, from outside, in its brightest channel.
template <Features kFeatures>
SIMT_HOST_DEVICE float boundary_albedo(const Material& material, const LobeTables& tables,
                                       const PrincipledView& view, glm::vec3 w) {
  if (is_tinted<kFeatures>(material)) {
    const TintedFresnel& tinted = view.tinted;
    return largest(tinted.scale *
                       dielectric_albedo<kFeatures>(material, tables, view, w, tinted.ior) +
                   tinted.offset * white_albedo<kFeatures>(material, tables, view, w));
  }
  return dielectric_albedo<kFeatures>(material, tables, view, w, view.ior);
}
template <Features kFeatures>
SIMT_HOST_DEVICE float mean_boundary_albedo(const Material& material, const LobeTables& tables,
                                            const PrincipledView& view) {
  if (is_tinted<kFeatures>(material)) {
    constexpr float kMost = 0.9999f;  // what is left below the boundary is divided by 1 - mean
    const TintedFresnel& tinted = view.tinted;
    return glm::min(largest(tinted.scale * mean_dielectric_albedo<kFeatures>(material, tables, view,
                                                                             tinted.ior) +
                            tinted.offset * mean_white_albedo<kFeatures>(material, tables, view)),
                    kMost);
  }
  return mean_dielectric_albedo<kFeatures>(material, tables, view, view.ior);
}

/// Returns the mean loss of glass over that of index kBrushedCurve.
SIMT_HOST_DEVICE inline float brushed_scale(const LobeTables& tables, const PrincipledView& view,
                                            bool outside) {
  constexpr float kNegligible = 1e-4f;
  const MeanTable& mean = outside ? tables.outside_loss_mean : tables.inside_loss_mean;
  return (mean.at(view.mean_roughness, view.ior) + kNegligible) /
         (mean.at(view.mean_roughness, kBrushedCurve) + kNegligible);
}

/// Returns the mean of 1 - E of glass.
///
/// @param outside  the side from which light arrives
template <Features kFeatures>
SIMT_HOST_DEVICE float mean_glass_loss(const Material& material, const LobeTables& tables,
                                       const PrincipledView& view, bool outside) {
  if (is_sheet<kFeatures>(material))
    return 1.0f - mean_white_albedo<kFeatures>(material, tables, view);
  const float loss = is_anisotropic<kFeatures>(material)
                         ? brushed_scale(tables, view, outside) *
                               (outside ? tables.brushed_outside_mean : tables.brushed_inside_mean)
                                   .at(view.ggx.alpha_x, view.ggx.alpha_y)
                         : (outside ? tables.outside_loss_mean : tables.inside_loss_mean)
                               .at(view.mean_roughness, view.ior);
  if (!is_tinted<kFeatures>(material)) return loss;
  return glm::mix(loss, 1.0f - mean_white_albedo<kFeatures>(material, tables, view),
                  view.mirror_share);
}

/// Returns 1 - E of glass; parameters as in principled_albedos().
template <Features kFeatures>
SIMT_HOST_DEVICE float glass_loss(const Material& material, const LobeTables& tables,
                                  const PrincipledView& view, glm::vec3 w, bool outside) {
  if (is_sheet<kFeatures>(material))
    return 1.0f - white_albedo<kFeatures>(material, tables, view, w);
  const float loss = is_anisotropic<kFeatures>(material)
                         ? brushed_scale(tables, view, outside) *
                               (outside ? tables.brushed_outside : tables.brushed_inside)
                                   .at(view.ggx.alpha_x, view.ggx.alpha_y, w)
                         : (outside ? tables.outside_loss : tables.inside_loss)
                               .at(glm::min(std::abs(w.z), 1.0f), material.roughness, view.ior);
  if (!is_tinted<kFeatures>(material)) return loss;
  return glm::mix(loss, 1.0f - white_albedo<kFeatures>(material, tables, view, w),
                  view.mirror_share);
}

/// @param w        above or below z = 0
template <Features kFeatures>
SIMT_HOST_DEVICE PrincipledAlbedos principled_albedos(const Material& material,
                                                      const LobeTables& tables,
                                                      const PrincipledView& view, glm::vec3 w,
                                                      bool outside) {
  const float cosine = glm::min(std::abs(w.z), 1.0f);
  PrincipledAlbedos albedos;
  if (view.base > 0.0f) albedos.boundary = boundary_albedo<kFeatures>(material, tables, view, w);
  if (view.metal > 0.0f)
    albedos.metal_loss = 1.0f - white_albedo<kFeatures>(material, tables, view, w);
  if (view.glass > 0.0f)
    albedos.glass_loss = glass_loss<kFeatures>(material, tables, view, w, outside);
  if (outside && view.sheen > 0.0f)
    albedos.sheen = view.sheen * tables.sheen.at(cosine, material.sheen_roughness);
  if (outside && material.coat > 0.0f)
    albedos.coat = material.coat * tables.boundary.at(cosine, material.coat_roughness, kCoatIor);
  return albedos;
}

/// Returns the share of the glass's multiple scattering that leaves on the far side. For the lobe
/// to be reciprocal, the power transmitted inwards must equal that transmitted outwards.
template <Features kFeatures>
SIMT_HOST_DEVICE float glass_multiscatter_transmission(const Material& material,
                                                       const LobeTables& tables,
                                                       const PrincipledView& view) {
  constexpr float kNegligible = 1e-6f;
  if (is_sheet<kFeatures>(material)) {
    const float reflected = view.specular * mean_boundary_albedo<kFeatures>(material, tables, view);
    return glm::max(1.0f - reflected / mean_white_albedo<kFeatures>(material, tables, view), 0.0f);
  }
  const float outside_loss = mean_glass_loss<kFeatures>(material, tables, view, true);
  const float inside_loss =
      mean_glass_loss<kFeatures>(material, tables, view, false) * view.ior * view.ior;
  if (!(outside_loss > kNegligible && inside_loss > kNegligible)) return 0.0f;
  const float transmitted = (1.0f - tables.boundary_mean.at(view.mean_roughness, view.ior)) *
                            glm::min(outside_loss, inside_loss);
  return transmitted / (view.outside ? outside_loss : inside_loss);
}

/// Returns the multiple-scattering lobe of Kulla & Conty, sr^-1.
///
/// @param loss_o, loss_i  1 - E of the two directions
/// @param mean_loss       cosine-weighted mean of 1 - E
SIMT_HOST_DEVICE inline float kulla_conty(float loss_o, float loss_i, float mean_loss) {
  return mean_loss > 0.0f ? kInvPi * loss_o * loss_i / mean_loss : 0.0f;
}

/// Returns an upper bound of the albedo of the base's boundary below a film; `bare` is the albedo
/// without the film.
SIMT_HOST_DEVICE inline float albedo_below_film(const Material& material,
                                                const PrincipledView& view, float bare) {
  return 1.0f - (1.0f - bare) * (1.0f - max_film_gain(material.iridescence_ior, view.ior));
}

struct PrincipledFacet {
  glm::vec3 reflected;  ///< reflectance of metal, base and glass together
  float transmitted;    ///< transmittance of glass, before its tint
  float reflect_pmf;    ///< probability of sampling reflection rather than refraction
};

struct FacetCrossing {
  float cos_h;          ///< cosine between `wo` and the facet's normal, [0, 1]
  float cos_far;        ///< cosine of the refracted direction, [0, 1]; 0 at total reflection
  float glass_fresnel;  ///< reflectance of glass from the side of `wo`
};

SIMT_HOST_DEVICE inline FacetCrossing cross_facet(float cos_h, float eta) {
  const Crossing crossing = cross_dielectric(cos_h, eta);
  return {cos_h, crossing.cos_t, crossing.reflected};
}

/// Replaces reflection and transmission at a microfacet by those of a film, on the share of the
/// surface that the film covers. The base seen from inside has no film.
SIMT_HOST_DEVICE inline void cover_by_film(const Material& material, const LobeTables& tables,
                                           const PrincipledView& view,
                                           const FacetCrossing& crossing, PrincipledFacet& facet) {
  const float weight = film_weight<kLayered>(material);
  const ThinFilm film{material.iridescence_ior, material.film_thickness.y};
  glm::vec3 reflected(0.0f);
  float transmitted = 0.0f;
  if (view.metal < 1.0f) {
    const float cos_outside = view.outside ? crossing.cos_h : crossing.cos_far;
    const glm::vec3 fresnel = film_on_dielectric(tables.film, film, cos_outside, view.ior);
    const glm::vec3 base =
        view.outside ? fresnel : glm::vec3(cross_dielectric(crossing.cos_h, view.ior).reflected);
    reflected = material.specular * (view.base * base + view.glass * fresnel);
    transmitted = view.glass * (1.0f - view.specular * largest(fresnel));
  }
  if (view.metal > 0.0f)
    reflected +=
        view.metal * film_on_metal(tables.film, film, crossing.cos_h, material.reflectance);
  facet.reflected = glm::mix(facet.reflected, reflected, weight);
  facet.transmitted = glm::mix(facet.transmitted, transmitted, weight);
}

/// Replaces reflection and transmission at a microfacet of base and glass by those of a tinted
/// boundary.
SIMT_HOST_DEVICE inline void tint_boundary(const Material& material, const PrincipledView& view,
                                           const FacetCrossing& crossing, PrincipledFacet& facet) {
  auto fresnel = [&](float cos_outside) {
    return view.tinted.at(cross_dielectric(cos_outside, view.tinted.ior).reflected);
  };
  const glm::vec3 glass = fresnel(view.outside ? crossing.cos_h : crossing.cos_far);
  const glm::vec3 base = view.outside ? glass : fresnel(crossing.cos_h);
  facet.reflected = material.specular * (view.base * base + view.glass * glass);
  facet.transmitted = view.glass * (1.0f - largest(material.specular * glass));
}

template <Features kFeatures>
SIMT_HOST_DEVICE PrincipledFacet principled_facet(const Material& material,
                                                  const LobeTables& tables,
                                                  const PrincipledView& view,
                                                  const FacetCrossing& crossing) {
  const float cos_h = crossing.cos_h, glass_fresnel = crossing.glass_fresnel;
  PrincipledFacet facet{glm::vec3(0.0f), 0.0f, 1.0f};
  if (view.metal < 1.0f) {
    const float base_fresnel =
        view.outside ? glass_fresnel : cross_dielectric(cos_h, view.ior).reflected;
    facet.reflected = material.specular * (view.base * base_fresnel + view.glass * glass_fresnel);
    facet.transmitted = view.glass * (1.0f - view.specular * glass_fresnel);
    if (is_tinted<kFeatures>(material)) tint_boundary(material, view, crossing, facet);
  }
  if (view.metal > 0.0f)
    facet.reflected += view.metal * schlick_fresnel(material.reflectance, cos_h);
  if (film_weight<kFeatures>(material) > 0.0f)
    cover_by_film(material, tables, view, crossing, facet);
  if constexpr (kFeatures.layers)
    if (view.straight > 0.0f) facet.transmitted = 0.0f;
  if (facet.transmitted > 0.0f) {
    const float reflected = luminance(facet.reflected);
    facet.reflect_pmf = reflected / (reflected + facet.transmitted);
  }
  return facet;
}

/// Prepares evaluation and sampling for `wo`, on either side.
template <Features kFeatures>
SIMT_HOST_DEVICE PrincipledView view_principled(const Material& material, const LobeTables& tables,
                                                glm::vec3 wo) {
  PrincipledView view;
  view.straight = 0.0f;
  view.metal = material.metallic;
  view.glass = (1.0f - material.metallic) * material.transmission;
  view.base = (1.0f - material.metallic) * (1.0f - material.transmission);
  view.is_alike = view.glass == 0.0f || is_sheet<kFeatures>(material);
  view.outside = wo.z > 0.0f || view.is_alike;
  view.wo = {wo.x, wo.y, std::abs(wo.z)};
  view.ior = glm::max(material.ior, kMinGlassIor);
  view.eta = relative_index(view.ior, view.outside);
  view.diffuse_near = 1.0f, view.diffuse_far = 0.0f;
  if (transmits_diffusely<kFeatures>(material)) {
    const float squared = view.is_alike ? 1.0f : view.ior * view.ior;
    view.diffuse_near = 1.0f - material.diffuse_transmission / (view.outside ? 1.0f : squared);
    view.diffuse_far = material.diffuse_transmission / (view.outside ? squared : 1.0f);
  }
  view.specular = largest(material.specular);
  view.sheen = largest(material.sheen);
  if (is_tinted<kFeatures>(material))
    view.tinted = tinted_fresnel(material.specular_tint, view.ior);
  view.ggx = make_ggx(material);
  view.mean_roughness =
      is_anisotropic<kFeatures>(material) ? isotropic_roughness(view.ggx) : material.roughness;
  if (is_tinted<kFeatures>(material)) {
    const float bare = mean_dielectric_albedo<kFeatures>(material, tables, view, view.ior);
    const float reflected = mean_boundary_albedo<kFeatures>(material, tables, view);
    view.mirror_share = glm::clamp((reflected - bare) / (1.0f - bare), 0.0f, 1.0f);
  }
  view.albedos = principled_albedos<kFeatures>(material, tables, view, view.wo, view.outside);

  view.multiscatter_color = glm::vec3(0.0f);
  if (view.metal > 0.0f) {
    const float single = mean_white_albedo<kFeatures>(material, tables, view);
    const glm::vec3 mean = schlick_mean(material.reflectance);
    view.multiscatter_color = mean * mean * single / (glm::vec3(1.0f) - mean * (1.0f - single));
  }
  view.multiscatter_transmission =
      view.glass > 0.0f ? glass_multiscatter_transmission<kFeatures>(material, tables, view) : 0.0f;

  const PrincipledAlbedos& a = view.albedos;
  const float tint = luminance(material.reflectance);
  float boundary = a.boundary, metal_tint = tint;
  if (const float film = film_weight<kFeatures>(material); film > 0.0f) {
    constexpr float kFilmTint = 0.25f;  // a black metal below a film is not black
    boundary = glm::mix(boundary, albedo_below_film(material, view, boundary), film);
    metal_tint = glm::max(tint, kFilmTint * film);
  }
  const float below_coat = 1.0f - a.coat, below = below_coat * (1.0f - a.sheen);
  view.coat_pmf = a.coat;
  view.sheen_pmf =
      view.sheen > 0.0f ? below_coat * luminance(material.sheen) * (a.sheen / view.sheen) : 0.0f;
  view.facets_pmf =
      below * (view.base * view.specular * boundary + view.glass * (1.0f - a.glass_loss) +
               view.metal * metal_tint * (1.0f - a.metal_loss));
  view.near_pmf =
      below * (view.base * view.diffuse_near * tint * (1.0f - view.specular * boundary) +
               view.glass * a.glass_loss * (1.0f - view.multiscatter_transmission) +
               view.metal * luminance(view.multiscatter_color) * a.metal_loss);
  view.far_pmf = below * view.glass * a.glass_loss * view.multiscatter_transmission;
  if (transmits_diffusely<kFeatures>(material))
    view.far_pmf += below * view.base * (1.0f - view.diffuse_near) *
                    luminance(material.diffuse_transmission_color) *
                    (1.0f - view.specular * boundary);
  view.straight_pmf = 0.0f;
  if constexpr (kFeatures.layers)
    if (is_sheet<kFeatures>(material) && is_smooth(view.ggx)) {
      const PrincipledFacet facet =
          principled_facet<kFeatures>(material, tables, view, cross_facet(view.wo.z, view.eta));
      view.straight = below * facet.transmitted * (1.0f - a.glass_loss);
      view.straight_pmf = view.straight;
      view.facets_pmf = glm::max(view.facets_pmf - view.straight_pmf, 0.0f);
    }
  float sum = view.facets_pmf + view.near_pmf + view.far_pmf + view.sheen_pmf + view.coat_pmf;
  if constexpr (kFeatures.layers) sum += view.straight_pmf;
  const float scale = sum > 0.0f ? 1.0f / sum : 0.0f;
  view.facets_pmf *= scale, view.near_pmf *= scale, view.far_pmf *= scale;
  view.sheen_pmf *= scale, view.coat_pmf *= scale, view.straight_pmf *= scale;
  return view;
}

/// Returns f of the white diffuse base, sr^-1.
///
/// @param b  albedos of the other direction
template <Features kFeatures>
SIMT_HOST_DEVICE float diffuse_below_boundary(const Material& material, const LobeTables& tables,
                                              const PrincipledView& view,
                                              const PrincipledAlbedos& b) {
  const PrincipledAlbedos& a = view.albedos;
  const float mean = mean_boundary_albedo<kFeatures>(material, tables, view);
  float diffuse = view.base * kInvPi * (1.0f - view.specular * a.boundary) *
                  (1.0f - view.specular * b.boundary) / (1.0f - view.specular * mean);
  if (const float film = film_weight<kFeatures>(material); film > 0.0f) {
    const float most = albedo_below_film(material, view, glm::max(a.boundary, b.boundary));
    diffuse = glm::mix(diffuse, view.base * kInvPi * (1.0f - view.specular * most), film);
  }
  return diffuse;
}

/// Returns the share of diffuse light that passes sheen and coat on its way in and out. With all
/// that they reflect, a white Lambertian surface returns nearly everything.
///
/// @param b  albedos of the other direction
SIMT_HOST_DEVICE inline float diffuse_below_layers(const Material& material,
                                                   const LobeTables& tables,
                                                   const PrincipledView& view,
                                                   const PrincipledAlbedos& b) {
  // All layers reflect most at grazing angles, where the lower ones leave less to the upper ones
  // than their mean: without this factor, surfaces with several layers would add energy.
  constexpr float kShareOfMean = 0.94f;
  const PrincipledAlbedos& a = view.albedos;
  float passed = 1.0f;
  if (view.sheen > 0.0f) {
    const float mean = view.sheen * tables.sheen_mean.at(material.sheen_roughness);
    passed = (1.0f - a.sheen) * (1.0f - b.sheen) / (1.0f - kShareOfMean * mean);
  }
  if (material.coat > 0.0f) {
    const float mean = material.coat * tables.boundary_mean.at(material.coat_roughness, kCoatIor);
    passed *= (1.0f - a.coat) * (1.0f - b.coat) / (1.0f - kShareOfMean * mean);
  }
  return passed;
}

/// @param wi  on the side of view.wo, above z = 0
template <Features kFeatures>
SIMT_HOST_DEVICE BsdfValue eval_principled_reflection(const Material& material,
                                                      const LobeTables& tables,
                                                      const PrincipledView& view, glm::vec3 wi) {
  const glm::vec3 wo = view.wo;
  const PrincipledAlbedos a = view.albedos;
  const PrincipledAlbedos b =
      principled_albedos<kFeatures>(material, tables, view, wi, view.outside);
  const glm::vec3 h = glm::normalize(wo + wi);
  const float cos_h = glm::clamp(glm::dot(wo, h), 0.0f, 1.0f);

  const PrincipledFacet facet =
      principled_facet<kFeatures>(material, tables, view, cross_facet(cos_h, view.eta));
  const float density = view.ggx.distribution(h), s_o = view.ggx.smith_s(wo);
  BsdfValue value{.f = facet.reflected * (density * visibility(Masking::kCorrelated, wo.z, s_o,
                                                               wi.z, view.ggx.smith_s(wi))),
                  .pdf = view.facets_pmf * facet.reflect_pmf * 0.5f * density / (wo.z + s_o) +
                         view.near_pmf * cosine_hemisphere_pdf(wi.z)};
  const float passed = view.outside ? diffuse_below_layers(material, tables, view, b) : 1.0f;
  if (view.sheen > 0.0f && view.outside) {
    value.f = value.f * (1.0f - glm::max(a.sheen, b.sheen)) +
              material.sheen * eval_sheen(material.sheen_roughness, wo, wi);
    value.pdf += view.sheen_pmf * kInvTwoPi;
  }
  if (material.coat > 0.0f && view.outside) {
    const float alpha = ggx_alpha(material.coat_roughness);
    const Ggx coat{alpha, alpha};
    const float coat_density = coat.distribution(h), coat_s = coat.smith_s(wo);
    const float reflected = cross_dielectric(cos_h, kCoatIor).reflected;
    value.f = value.f * (1.0f - glm::max(a.coat, b.coat)) +
              material.coat * reflected * coat_density *
                  visibility(Masking::kCorrelated, wo.z, coat_s, wi.z, coat.smith_s(wi));
    value.pdf += view.coat_pmf * 0.5f * coat_density / (wo.z + coat_s);
  }
  if (view.base > 0.0f) {
    float diffuse = diffuse_below_boundary<kFeatures>(material, tables, view, b) * passed;
    if constexpr (kFeatures.layers) diffuse *= view.diffuse_near;
    value.f += material.reflectance * diffuse;
  }
  if (view.metal > 0.0f)
    value.f += view.multiscatter_color *
               (view.metal * passed *
                kulla_conty(a.metal_loss, b.metal_loss,
                            1.0f - mean_white_albedo<kFeatures>(material, tables, view)));
  if (view.glass > 0.0f)
    value.f += view.glass * passed * (1.0f - view.multiscatter_transmission) *
               kulla_conty(a.glass_loss, b.glass_loss,
                           mean_glass_loss<kFeatures>(material, tables, view, view.outside));
  return value;
}

/// Density and f without tint of the transmission by microfacets, before division by the squared
/// index; pdf is that of all directions.
struct FacetTransmission {
  float f = 0.0f, pdf = 0.0f;
};

/// @param wi  below z = 0
template <Features kFeatures>
SIMT_HOST_DEVICE FacetTransmission refract_at_facets(const Material& material,
                                                     const LobeTables& tables,
                                                     const PrincipledView& view, glm::vec3 wi) {
  const glm::vec3 wo = view.wo;
  const RefractingFacet refracting = refracting_facet(wo, wi, view.eta);
  if (!(refracting.cos_o > 0.0f && refracting.cos_i > 0.0f)) return {};
  const PrincipledFacet facet = principled_facet<kFeatures>(
      material, tables, view,
      {glm::min(refracting.cos_o, 1.0f), glm::min(refracting.cos_i, 1.0f), refracting.reflected});
  const float density = 2.0f * view.ggx.distribution(refracting.h) * refracting.cos_o *
                        refracting.jacobian / (wo.z + view.ggx.smith_s(wo));
  return {.f = facet.transmitted * density * 2.0f / (-wi.z + view.ggx.smith_s(wi)),
          .pdf = view.facets_pmf * (1.0f - facet.reflect_pmf) * density};
}

/// Transmission by the microfacets of a sheet: reflection, mirrored at the sheet.
///
/// @param wi  below z = 0
template <Features kFeatures>
SIMT_HOST_DEVICE FacetTransmission pass_sheet(const Material& material, const LobeTables& tables,
                                              const PrincipledView& view, glm::vec3 wi) {
  const glm::vec3 wo = view.wo;
  wi.z = -wi.z;
  const glm::vec3 h = glm::normalize(wo + wi);
  const float cos_h = glm::clamp(glm::dot(wo, h), 0.0f, 1.0f);
  const PrincipledFacet facet =
      principled_facet<kFeatures>(material, tables, view, cross_facet(cos_h, view.eta));
  const float density = view.ggx.distribution(h), s_o = view.ggx.smith_s(wo);
  return {.f = facet.transmitted * density *
               visibility(Masking::kCorrelated, wo.z, s_o, wi.z, view.ggx.smith_s(wi)),
          .pdf = view.facets_pmf * (1.0f - facet.reflect_pmf) * 0.5f * density / (wo.z + s_o)};
}

/// @param wi  on the other side, below z = 0
template <Features kFeatures>
SIMT_HOST_DEVICE BsdfValue eval_principled_transmission(const Material& material,
                                                        const LobeTables& tables,
                                                        const PrincipledView& view, glm::vec3 wi) {
  const bool far_outside = view.is_alike || !view.outside;
  const PrincipledAlbedos b =
      principled_albedos<kFeatures>(material, tables, view, wi, far_outside);
  // Sheen and coat are outside; their albedos are 0 for a direction inside.
  const float below =
      (1.0f - glm::max(view.albedos.sheen, b.sheen)) * (1.0f - glm::max(view.albedos.coat, b.coat));
  BsdfValue value{.pdf = view.far_pmf * cosine_hemisphere_pdf(-wi.z)};
  if (view.glass > 0.0f) {
    float transmitted =
        view.glass * view.multiscatter_transmission *
        kulla_conty(view.albedos.glass_loss, b.glass_loss,
                    mean_glass_loss<kFeatures>(material, tables, view, far_outside));
    const bool passes = is_sheet<kFeatures>(material);
    const FacetTransmission facets = passes
                                         ? pass_sheet<kFeatures>(material, tables, view, wi)
                                         : refract_at_facets<kFeatures>(material, tables, view, wi);
    transmitted += facets.f;
    value.pdf += facets.pdf;
    value.f = material.reflectance * (transmitted * below / (passes ? 1.0f : view.eta * view.eta));
  }
  if (transmits_diffusely<kFeatures>(material)) {
    const float passed = view.is_alike ? diffuse_below_layers(material, tables, view, b) : below;
    value.f +=
        material.diffuse_transmission_color *
        (view.diffuse_far * passed * diffuse_below_boundary<kFeatures>(material, tables, view, b));
  }
  return value;
}

/// Evaluates reflection or transmission, as the side of `wi` requires.
///
/// @param wi  z > 0 is the side of view.wo
template <Features kFeatures>
SIMT_HOST_DEVICE BsdfValue principled_value(const Material& material, const LobeTables& tables,
                                            const PrincipledView& view, glm::vec3 wi) {
  if (!(view.wo.z > kMinMicrofacetCosine && std::abs(wi.z) > kMinMicrofacetCosine)) return {};
  if (wi.z > 0.0f) return eval_principled_reflection<kFeatures>(material, tables, view, wi);
  if (view.glass > 0.0f || transmits_diffusely<kFeatures>(material))
    return eval_principled_transmission<kFeatures>(material, tables, view, wi);
  return {};
}

/// Evaluates a principled surface.
///
/// @param wo, wi  z > 0 is outside
template <Features kFeatures>
SIMT_HOST_DEVICE BsdfValue eval_principled(const Material& material, const LobeTables& tables,
                                           glm::vec3 wo, glm::vec3 wi) {
  if (wo.z < 0.0f) wi.z = -wi.z;
  return principled_value<kFeatures>(material, tables,
                                     view_principled<kFeatures>(material, tables, wo), wi);
}

/// Reflects `wo` at a facet; returns zero if the result is below z = 0.
SIMT_HOST_DEVICE inline glm::vec3 reflect_above(glm::vec3 wo, glm::vec3 h, float cos_h) {
  const glm::vec3 wi = glm::normalize(2.0f * cos_h * h - wo);
  return wi.z > 0.0f ? wi : glm::vec3(0.0f);
}

/// Samples a direction from the lobe that `choice` selects; returns zero if it is on the wrong side
/// of the surface.
///
/// @param u       two independent uniforms in [0, 1)
/// @param choice  uniform in [0, 1)
template <Features kFeatures>
SIMT_HOST_DEVICE glm::vec3 sample_principled_direction(const Material& material,
                                                       const LobeTables& tables,
                                                       const PrincipledView& view, glm::vec2 u,
                                                       float choice) {
  const glm::vec3 wo = view.wo;
  if (choice < view.facets_pmf) {
    const glm::vec3 h = view.ggx.sample_visible(wo, u);
    const float cos_h = glm::clamp(glm::dot(wo, h), 0.0f, 1.0f);
    const FacetCrossing crossing = cross_facet(cos_h, view.eta);
    const PrincipledFacet facet = principled_facet<kFeatures>(material, tables, view, crossing);
    const bool reflects = choice < view.facets_pmf * facet.reflect_pmf;
    if (is_sheet<kFeatures>(material)) {
      const glm::vec3 wi = reflect_above(wo, h, cos_h);
      return {wi.x, wi.y, reflects ? wi.z : -wi.z};
    }
    if (reflects) return reflect_above(wo, h, cos_h);
    const glm::vec3 wi = refract(wo, h, cos_h, crossing.cos_far, view.eta);
    return wi.z < 0.0f ? wi : glm::vec3(0.0f);
  }
  choice -= view.facets_pmf;
  if (choice < view.sheen_pmf) {
    return {std::sqrt(u.x * (2.0f - u.x)) * unit_circle(u.y), 1.0f - u.x};
  }
  choice -= view.sheen_pmf;
  if (choice < view.coat_pmf) {
    const float alpha = ggx_alpha(material.coat_roughness);
    const glm::vec3 h = Ggx{alpha, alpha}.sample_visible(wo, u);
    return reflect_above(wo, h, glm::dot(wo, h));
  }
  choice -= view.coat_pmf;
  const glm::vec3 wi = sample_cosine_hemisphere(u);
  return choice < view.far_pmf ? -wi : wi;
}

/// Samples a principled surface.
///
/// @param wo  z > 0 is outside
/// @param u   three independent uniforms in [0, 1); z chooses the lobe
template <Features kFeatures>
SIMT_HOST_DEVICE BsdfSample sample_principled(const Material& material, const LobeTables& tables,
                                              glm::vec3 wo, glm::vec3 u) {
  const PrincipledView view = view_principled<kFeatures>(material, tables, wo);
  if (!(view.wo.z > kMinMicrofacetCosine && view.facets_pmf >= 0.0f)) return {};
  if constexpr (kFeatures.layers) {
    if (u.z < view.straight_pmf)
      return {.wi = -wo, .weight = material.reflectance * (view.straight / view.straight_pmf)};
    u.z -= view.straight_pmf;
  }
  BsdfSample sample;
  sample.wi = sample_principled_direction<kFeatures>(material, tables, view, {u.x, u.y}, u.z);
  const bool refracts = sample.wi.z < 0.0f;
  const BsdfValue value = principled_value<kFeatures>(material, tables, view, sample.wi);
  if (!(value.pdf > 0.0f)) return {};
  sample.weight = value.f * (std::abs(sample.wi.z) / value.pdf);
  sample.pdf = value.pdf;
  if (refracts && !view.is_alike) sample.eta_scale = view.eta * view.eta;
  if (wo.z < 0.0f) sample.wi.z = -sample.wi.z;
  return sample;
}

}  // namespace winnow
