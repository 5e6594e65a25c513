// SPDX-License-Identifier: MIT
#pragma once

#include "shading/bsdf/burley.h"
#include "shading/bsdf/fresnel.h"
#include "shading/bsdf/lambert_lobe.h"
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
// Metal, base and glass share one microfacet distribution. What single scattering between its
// facets loses is returned by scaling its lobes, for each direction `wo`: glass and sheets by 1 /
// E, metal and the boundary of the base by 1 + F_ms (1 - E) / E, where F_ms is the part of the lost
// light that later reflections leave; see multiscatter_gain(). E is tabulated; anisotropic
// microfacets have tables of their own. Layers receive what those above them do not reflect to
// `wo`. So the albedo of a white surface is 1. As in Turquin, "Practical Multiple Scattering
// Compensation for Microfacet Models", 2019, and in Cycles, the BSDF is not reciprocal: `wo` is the
// direction towards the camera.
//
// The parameter `Tables` is LobeTables, or a type that holds albedos looked up in them.
//
// With Masking::kSeparable, the surface is that of Burley, as in Mitsuba: facets scatter once,
// sheen and coat add their light to that of the layers below, the base has burley_diffuse() below a
// boundary that does not dim it, the square root of `reflectance` tints glass, and metal and base
// are black from inside. Material::specular_tint changes only what is reflected to the outside, and
// glass has sheen, too. The base of a sheet has no boundary, and only that base has sheen. The
// albedo may exceed 1.
//
// A share of the light that reaches the base leaves on the far side. The diffuse base below a film
// and glass receive what the film leaves of the brightest channel: it does not tint them, as in
// glTF.

inline constexpr float kCoatIor = 1.5f;

/// With a smaller index, light is deflected too little for floats to resolve the microfacet.
inline constexpr float kMinGlassIor = 1.005f;

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

/// E of the layers outside, in their brightest channels.
struct LayerAlbedos {
  float sheen = 0.0f, coat = 0.0f;
};

template <class Tables>
SIMT_HOST_DEVICE inline LayerAlbedos layer_albedos(const Material& material, const Tables& tables,
                                                   float cosine) {
  LayerAlbedos albedos;
  if (const float sheen = largest(material.sheen); sheen > 0.0f)
    albedos.sheen = sheen * tables.sheen.at(cosine, material.sheen_roughness);
  if (material.coat > 0.0f)
    albedos.coat = material.coat * tables.boundary.at(cosine, material.coat_roughness, kCoatIor);
  return albedos;
}

/// Values that evaluation and sampling of a principled surface compute from `wo` alone.
struct PrincipledView {
  glm::vec3 wo;              ///< above z = 0
  bool is_alike;             ///< whether both sides are outside
  bool outside;              ///< whether `wo` is outside; false only for glass
  float ior;                 ///< inside over outside
  float eta;                 ///< far side over near side
  float base, glass, metal;  ///< weights with the sum 1
  TintedFresnel tinted{};    ///< valid if is_tinted()
  /// Share of the base's diffuse light that leaves on the side of `wo`, and factor of the f of the
  /// other side. Below glass with an index, reciprocity requires that less leaves from inside.
  float diffuse_near, diffuse_far;
  float specular;  ///< largest channel of Material::specular
  Ggx ggx;
  float mean_roughness;  ///< isotropic equivalent for metal and glass
  LayerAlbedos layers;   ///< 0 inside
  float boundary;        ///< E of the boundary of the base, in its brightest channel
  /// Weights of microfacets: share of the surface times the factor of multiple scattering. That of
  /// the base is multiplied by Material::specular.
  glm::vec3 base_facets, metal_facets;
  float glass_facets;
  float straight;  ///< transmittance of a smooth sheet, before its tint
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
/// Returns whether the surface is that of Burley.
template <Features kFeatures>
SIMT_HOST_DEVICE constexpr bool is_burley(const Material& material) {
  if constexpr (!kFeatures.layers) return false;
  return material.masking == Masking::kSeparable;
}
template <Features kFeatures>
SIMT_HOST_DEVICE constexpr Masking masking_of(const Material& material) {
  return is_burley<kFeatures>(material) ? Masking::kSeparable : Masking::kCorrelated;
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

/// Returns E of a surface that reflects everything at each microfacet, single scattering; 1 where
/// what facets lose is not returned.
template <Features kFeatures, class Tables>
SIMT_HOST_DEVICE float white_albedo(const Material& material, const Tables& tables,
                                    const PrincipledView& view) {
  if (is_burley<kFeatures>(material)) return 1.0f;
  if (is_anisotropic<kFeatures>(material))
    return tables.brushed.at(view.ggx.alpha_x, view.ggx.alpha_y, view.wo);
  return tables.metal.at(view.wo.z, material.roughness);
}
template <Features kFeatures, class Tables>
SIMT_HOST_DEVICE float mean_white_albedo(const Material& material, const Tables& tables,
                                         const PrincipledView& view) {
  if (is_anisotropic<kFeatures>(material))
    return tables.brushed_mean.at(view.ggx.alpha_x, view.ggx.alpha_y);
  return tables.metal_mean.at(view.mean_roughness);
}

/// Returns E of reflection at a boundary of index `ior`, from outside. The curve from normal to
/// grazing incidence of an anisotropic one is that of index kBrushedCurve.
template <Features kFeatures, class Tables>
SIMT_HOST_DEVICE float dielectric_albedo(const Material& material, const Tables& tables,
                                         const PrincipledView& view, float ior) {
  if (is_anisotropic<kFeatures>(material))
    return glm::mix(tables.brushed_curve.at(view.ggx.alpha_x, view.ggx.alpha_y, view.wo),
                    tables.brushed.at(view.ggx.alpha_x, view.ggx.alpha_y, view.wo),
                    normal_fresnel(ior));
  return tables.boundary.at(view.wo.z, material.roughness, ior);
}

/// Returns E of reflection at the boundary of the base, from outside.
///
/// @param white  E of facets that reflect everything
template <Features kFeatures, class Tables>
SIMT_HOST_DEVICE glm::vec3 boundary_albedo(const Material& material, const Tables& tables,
                                           const PrincipledView& view, float white) {
  if (is_tinted<kFeatures>(material)) {
    const TintedFresnel& tinted = view.tinted;
    return tinted.scale * dielectric_albedo<kFeatures>(material, tables, view, tinted.ior) +
           tinted.offset * white;
  }
  return glm::vec3(dielectric_albedo<kFeatures>(material, tables, view, view.ior));
}

/// Returns 1 - E of glass.
///
/// @param white  E of facets that reflect everything
template <Features kFeatures, class Tables>
SIMT_HOST_DEVICE float glass_loss(const Material& material, const Tables& tables,
                                  const PrincipledView& view, float white) {
  if (is_sheet<kFeatures>(material) || is_burley<kFeatures>(material)) return 1.0f - white;
  const AlbedoTable& table = view.outside ? tables.outside_loss : tables.inside_loss;
  float loss = table.at(view.wo.z, view.mean_roughness, view.ior);
  if (is_anisotropic<kFeatures>(material)) {
    constexpr float kNegligible = 1e-4f;
    loss = (loss + kNegligible) /
           (table.at(view.wo.z, view.mean_roughness, kBrushedCurve) + kNegligible) *
           (view.outside ? tables.brushed_outside : tables.brushed_inside)
               .at(view.ggx.alpha_x, view.ggx.alpha_y, view.wo);
  }
  if (!is_tinted<kFeatures>(material)) return loss;
  // A tint above 1 turns a share of the glass into a mirror, at all angles.
  const glm::vec3 scale = view.tinted.scale;
  const float mirror = 1.0f - glm::min(scale.x, glm::min(scale.y, scale.z));
  return glm::mix(loss, 1.0f - white, glm::max(mirror, 0.0f));
}

/// Returns the factor by which further scattering between reflecting microfacets increases light
/// that they scatter once.
///
/// @param fresnel  mean reflectance of the facets
/// @param white    E of facets that reflect everything
/// @param mean     mean of `white` over all directions
SIMT_HOST_DEVICE inline glm::vec3 multiscatter_gain(glm::vec3 fresnel, float white, float mean) {
  return 1.0f + fresnel * (mean * (1.0f - white)) / (white * (1.0f - fresnel * (1.0f - mean)));
}

/// Returns the albedo of the base's boundary below a film, in its brightest channel. Where the film
/// reflects less than the bare boundary, it is the albedo of that.
///
/// @param bare  albedo without the film
template <class Tables>
SIMT_HOST_DEVICE inline float albedo_below_film(const Material& material, const Tables& tables,
                                                const PrincipledView& view, float bare) {
  // At grazing incidence, the facets of a rough surface reflect as at a larger cosine.
  constexpr float kCosineOfRough = 0.45f, kLeast = 1e-6f;
  const float alpha = ggx_alpha(view.mean_roughness);
  const float cosine = glm::max(view.wo.z, glm::mix(view.wo.z, kCosineOfRough, alpha));
  const ThinFilm film{material.iridescence_ior, material.film_thickness.y};
  const float covered = largest(film_on_dielectric(tables.film, film, cosine, view.ior));
  const float entering = glm::max(1.0f - cross_dielectric(cosine, view.ior).reflected, kLeast);
  const float gain = glm::clamp(1.0f - (1.0f - covered) / entering, 0.0f, 1.0f);
  return 1.0f - (1.0f - bare) * (1.0f - view.specular * gain);
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
template <class Tables>
SIMT_HOST_DEVICE inline void cover_by_film(const Material& material, const Tables& tables,
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
    reflected = view.base_facets * base + material.specular * (view.glass_facets * fresnel);
    transmitted = view.glass_facets * (1.0f - view.specular * largest(fresnel));
  }
  if (view.metal > 0.0f)
    reflected +=
        view.metal_facets * film_on_metal(tables.film, film, crossing.cos_h, material.reflectance);
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
  facet.reflected = view.base_facets * base + material.specular * (view.glass_facets * glass);
  facet.transmitted = view.glass_facets * (1.0f - largest(material.specular * glass));
}

template <Features kFeatures, class Tables>
SIMT_HOST_DEVICE PrincipledFacet principled_facet(const Material& material, const Tables& tables,
                                                  const PrincipledView& view,
                                                  const FacetCrossing& crossing) {
  const float cos_h = crossing.cos_h, glass_fresnel = crossing.glass_fresnel;
  PrincipledFacet facet{glm::vec3(0.0f), 0.0f, 1.0f};
  if (view.metal < 1.0f) {
    const float base_fresnel =
        view.outside ? glass_fresnel : cross_dielectric(cos_h, view.ior).reflected;
    facet.reflected =
        view.base_facets * base_fresnel + material.specular * (view.glass_facets * glass_fresnel);
    facet.transmitted = view.glass_facets * (1.0f - view.specular * glass_fresnel);
    if (is_tinted<kFeatures>(material) && (!is_burley<kFeatures>(material) || view.outside)) {
      const float untinted = facet.transmitted;
      tint_boundary(material, view, crossing, facet);
      if (is_burley<kFeatures>(material)) facet.transmitted = untinted;
    }
  }
  if (view.metal > 0.0f)
    facet.reflected += view.metal_facets * schlick_fresnel(material.reflectance, cos_h);
  if (film_weight<kFeatures>(material) > 0.0f)
    cover_by_film(material, tables, view, crossing, facet);
  if constexpr (kFeatures.layers)
    if (view.straight > 0.0f) facet.transmitted = 0.0f;
  // Without a branch, so that a CPU's loops over paths are vectorized.
  const float reflected = luminance(facet.reflected);
  const float pmf = reflected / (reflected + facet.transmitted);
  facet.reflect_pmf = facet.transmitted > 0.0f ? pmf : 1.0f;
  return facet;
}

/// Returns the share of the surface that has the sheen of Burley's surface.
template <Features kFeatures>
SIMT_HOST_DEVICE float burley_sheen_share(const Material& material, const PrincipledView& view) {
  if (is_sheet<kFeatures>(material)) return view.base * view.diffuse_near;
  return view.outside ? 1.0f - view.metal : 0.0f;
}

/// Returns the cosine of PrincipledView::wo.
SIMT_HOST_DEVICE inline float principled_cosine(glm::vec3 wo) {
  return glm::min(std::abs(wo.z), 1.0f);
}

/// Returns PrincipledView::ior.
SIMT_HOST_DEVICE inline float principled_ior(float ior) {
  return glm::max(ior, kMinGlassIor);
}

/// Prepares evaluation and sampling for `wo`, on either side.
template <Features kFeatures, class Tables>
SIMT_HOST_DEVICE PrincipledView view_principled(const Material& material, const Tables& tables,
                                                glm::vec3 wo) {
  PrincipledView view;
  view.straight = 0.0f;
  view.metal = material.metallic;
  view.glass = (1.0f - material.metallic) * material.transmission;
  view.base = (1.0f - material.metallic) * (1.0f - material.transmission);
  view.is_alike = view.glass == 0.0f || is_sheet<kFeatures>(material);
  view.outside = wo.z > 0.0f || view.is_alike;
  view.wo = {wo.x, wo.y, principled_cosine(wo)};
  if (is_burley<kFeatures>(material) && !view.outside) view.base = view.metal = 0.0f;
  view.ior = principled_ior(material.ior);
  view.eta = relative_index(view.ior, view.outside);
  view.diffuse_near = 1.0f, view.diffuse_far = 0.0f;
  if (transmits_diffusely<kFeatures>(material)) {
    const float squared = view.is_alike ? 1.0f : view.ior * view.ior;
    view.diffuse_near = 1.0f - material.diffuse_transmission / (view.outside ? 1.0f : squared);
    view.diffuse_far = material.diffuse_transmission / (view.outside ? squared : 1.0f);
  }
  view.specular = largest(material.specular);
  if (is_tinted<kFeatures>(material))
    view.tinted = tinted_fresnel(material.specular_tint, view.ior);
  view.ggx = make_ggx(material);
  view.mean_roughness =
      is_anisotropic<kFeatures>(material) ? isotropic_roughness(view.ggx) : material.roughness;

  const float white = white_albedo<kFeatures>(material, tables, view);
  const float mean = mean_white_albedo<kFeatures>(material, tables, view);
  float loss = view.glass > 0.0f ? glass_loss<kFeatures>(material, tables, view, white) : 0.0f;
  // Facets below a film reflect more, and may lose less than the bare ones of the table.
  if (const float film = film_weight<kFeatures>(material); film > 0.0f)
    loss = glm::min(loss, glm::mix(loss, 1.0f - white, film));
  view.glass_facets = view.glass / (1.0f - loss);
  view.metal_facets =
      view.metal * multiscatter_gain(schlick_mean(material.reflectance), white, mean);
  view.base_facets = glm::vec3(0.0f);
  view.boundary = 0.0f;
  if (view.base > 0.0f) {
    const glm::vec3 single =
        material.specular * boundary_albedo<kFeatures>(material, tables, view, white);
    glm::vec3 fresnel(mean_fresnel(view.ior));
    if (is_tinted<kFeatures>(material)) fresnel = view.tinted.at(mean_fresnel(view.tinted.ior));
    const glm::vec3 gain = multiscatter_gain(material.specular * fresnel, white, mean);
    view.base_facets = view.base * material.specular * gain;
    view.boundary = glm::min(largest(single * gain), 1.0f);
    if (const float film = film_weight<kFeatures>(material); film > 0.0f && view.outside)
      view.boundary =
          glm::mix(view.boundary, albedo_below_film(material, tables, view, view.boundary), film);
  }
  view.layers = view.outside ? layer_albedos(material, tables, view.wo.z) : LayerAlbedos{};

  const float tint = luminance(material.reflectance);
  if (is_burley<kFeatures>(material)) {
    constexpr float kMaxBoundary = 0.5f;  // the diffuse part is not dimmed by the boundary
    view.boundary = glm::min(view.boundary, kMaxBoundary);
    if (is_sheet<kFeatures>(material)) view.boundary = 0.0f, view.base_facets = glm::vec3(0.0f);
    view.layers.sheen = 0.0f;  // it adds to the layers below
  }
  float metal_tint = tint;
  if (const float film = film_weight<kFeatures>(material); film > 0.0f) {
    constexpr float kFilmTint = 0.25f;  // a black metal below a film is not black
    metal_tint = glm::max(tint, kFilmTint * film);
  }
  const float below_coat = 1.0f - view.layers.coat, below = below_coat * (1.0f - view.layers.sheen);
  view.coat_pmf = view.layers.coat;
  view.sheen_pmf = below_coat * view.layers.sheen;
  view.facets_pmf = below * (view.base * view.boundary + view.glass +
                             metal_tint * white * luminance(view.metal_facets));
  const float diffuse = below * view.base * (1.0f - view.boundary);
  view.near_pmf = diffuse * view.diffuse_near * tint;
  if (is_burley<kFeatures>(material))
    view.near_pmf += below * burley_sheen_share<kFeatures>(material, view) *
                     luminance(material.sheen) * burley_sheen_weight(view.wo.z);
  view.far_pmf = 0.0f;
  if (transmits_diffusely<kFeatures>(material))
    view.far_pmf =
        diffuse * (1.0f - view.diffuse_near) * luminance(material.diffuse_transmission_color);
  view.straight_pmf = 0.0f;
  if constexpr (kFeatures.layers)
    if (is_sheet<kFeatures>(material) && is_smooth(view.ggx)) {
      const PrincipledFacet facet =
          principled_facet<kFeatures>(material, tables, view, cross_facet(view.wo.z, view.eta));
      view.straight = below * facet.transmitted * (1.0f - loss);
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

/// @param wi  on the side of view.wo, above z = 0
template <Features kFeatures, class Tables, class Lobe>
SIMT_HOST_DEVICE BsdfValue eval_principled_reflection(const Material& material,
                                                      const Tables& tables,
                                                      const PrincipledView& view, glm::vec3 wi,
                                                      const Lobe& lobe) {
  const glm::vec3 wo = view.wo;
  const glm::vec3 h = glm::normalize(wo + wi);
  const float cos_h = glm::clamp(glm::dot(wo, h), 0.0f, 1.0f);

  const PrincipledFacet facet =
      principled_facet<kFeatures>(material, tables, view, cross_facet(cos_h, view.eta));
  const float density = view.ggx.distribution(h), s_o = view.ggx.smith_s(wo);
  BsdfValue value{
      .f = facet.reflected * (density * visibility(masking_of<kFeatures>(material), wo.z, s_o, wi.z,
                                                   view.ggx.smith_s(wi))),
      .pdf = view.facets_pmf * facet.reflect_pmf * 0.5f * density / (wo.z + s_o) +
             view.near_pmf * cosine_hemisphere_pdf(lobe.cosine(wi))};
  if (is_burley<kFeatures>(material))
    value.f += material.sheen * (burley_sheen_share<kFeatures>(material, view) *
                                 burley_sheen(cos_h) * lobe.gain(wi));
  if (view.base > 0.0f) {
    const float below = is_burley<kFeatures>(material)
                            ? burley_diffuse(material.roughness, cos_h, wo.z, wi.z)
                            : 1.0f - view.boundary;
    float diffuse = view.base * kInvPi * below * lobe.gain(wi);
    if constexpr (kFeatures.layers) diffuse *= view.diffuse_near;
    value.f += material.reflectance * diffuse;
  }
  if (view.layers.sheen > 0.0f) {
    value.f = value.f * (1.0f - view.layers.sheen) +
              material.sheen * (eval_sheen(material.sheen_roughness, wo, wi) * lobe.shadowing(wi));
    value.pdf += view.sheen_pmf * kInvTwoPi;
  }
  if (view.layers.coat > 0.0f) {
    const float alpha = ggx_alpha(material.coat_roughness);
    const Ggx coat{alpha, alpha};
    const float coat_density = coat.distribution(h), coat_s = coat.smith_s(wo);
    if (is_burley<kFeatures>(material)) {
      value.f += glm::vec3(material.coat * burley_coat(alpha, h, cos_h, wo, wi));
    } else {
      const float reflected = cross_dielectric(cos_h, kCoatIor).reflected;
      value.f = value.f * (1.0f - view.layers.coat) +
                material.coat * reflected * coat_density *
                    visibility(Masking::kCorrelated, wo.z, coat_s, wi.z, coat.smith_s(wi));
    }
    value.pdf += view.coat_pmf * 0.5f * coat_density / (wo.z + coat_s);
  }
  return value;
}

/// Density and f without tint of the transmission by microfacets, before division by the squared
/// index; pdf is that of all directions.
struct FacetTransmission {
  float f = 0.0f, pdf = 0.0f;
};

/// @param wi  below z = 0
template <Features kFeatures, class Tables>
SIMT_HOST_DEVICE FacetTransmission refract_at_facets(const Material& material, const Tables& tables,
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
template <Features kFeatures, class Tables>
SIMT_HOST_DEVICE FacetTransmission pass_sheet(const Material& material, const Tables& tables,
                                              const PrincipledView& view, glm::vec3 wi) {
  const glm::vec3 wo = view.wo;
  wi.z = -wi.z;
  const glm::vec3 h = glm::normalize(wo + wi);
  const float cos_h = glm::clamp(glm::dot(wo, h), 0.0f, 1.0f);
  const PrincipledFacet facet =
      principled_facet<kFeatures>(material, tables, view, cross_facet(cos_h, view.eta));
  const float density = view.ggx.distribution(h), s_o = view.ggx.smith_s(wo);
  return {.f = facet.transmitted * density *
               visibility(masking_of<kFeatures>(material), wo.z, s_o, wi.z, view.ggx.smith_s(wi)),
          .pdf = view.facets_pmf * (1.0f - facet.reflect_pmf) * 0.5f * density / (wo.z + s_o)};
}

/// @param wi  on the other side, below z = 0
template <Features kFeatures, class Tables, class Lobe>
SIMT_HOST_DEVICE BsdfValue eval_principled_transmission(const Material& material,
                                                        const Tables& tables,
                                                        const PrincipledView& view, glm::vec3 wi,
                                                        const Lobe& lobe) {
  const float below = is_burley<kFeatures>(material)
                          ? 1.0f
                          : (1.0f - view.layers.sheen) * (1.0f - view.layers.coat);
  BsdfValue value{.pdf = view.far_pmf * cosine_hemisphere_pdf(lobe.cosine(-wi))};
  if (view.glass > 0.0f) {
    const bool passes = is_sheet<kFeatures>(material);
    const FacetTransmission facets = passes
                                         ? pass_sheet<kFeatures>(material, tables, view, wi)
                                         : refract_at_facets<kFeatures>(material, tables, view, wi);
    value.pdf += facets.pdf;
    const glm::vec3 tint = is_burley<kFeatures>(material) && !passes
                               ? glm::sqrt(material.reflectance)
                               : material.reflectance;
    value.f = tint * (facets.f * below / (passes ? 1.0f : view.eta * view.eta));
  }
  if (transmits_diffusely<kFeatures>(material)) {
    const float entering = is_burley<kFeatures>(material) ? 1.0f : 1.0f - view.boundary;
    value.f += material.diffuse_transmission_color *
               (view.diffuse_far * below * view.base * kInvPi * entering * lobe.gain(-wi));
  }
  return value;
}

/// Evaluates reflection or transmission, as the side of `wi` requires.
///
/// @param wi  z > 0 is the side of view.wo
template <Features kFeatures, class Tables, class Lobe = LambertLobe>
SIMT_HOST_DEVICE BsdfValue principled_value(const Material& material, const Tables& tables,
                                            const PrincipledView& view, glm::vec3 wi,
                                            const Lobe& lobe = {}) {
  if (!(view.wo.z > kMinMicrofacetCosine && std::abs(wi.z) > kMinMicrofacetCosine)) return {};
  if (wi.z > 0.0f) return eval_principled_reflection<kFeatures>(material, tables, view, wi, lobe);
  if (view.glass > 0.0f || transmits_diffusely<kFeatures>(material))
    return eval_principled_transmission<kFeatures>(material, tables, view, wi, lobe);
  return {};
}

/// Evaluates a principled surface.
///
/// @param view    view_principled() of `wo`
/// @param wo, wi  z > 0 is outside
template <Features kFeatures, class Tables, class Lobe = LambertLobe>
SIMT_HOST_DEVICE BsdfValue eval_principled(const Material& material, const Tables& tables,
                                           const PrincipledView& view, glm::vec3 wo, glm::vec3 wi,
                                           const Lobe& lobe = {}) {
  if (wo.z < 0.0f) wi.z = -wi.z;
  return principled_value<kFeatures>(material, tables, view, wi, lobe);
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
template <Features kFeatures, class Tables, class Lobe = LambertLobe>
SIMT_HOST_DEVICE glm::vec3 sample_principled_direction(const Material& material,
                                                       const Tables& tables,
                                                       const PrincipledView& view, glm::vec2 u,
                                                       float choice, const Lobe& lobe = {}) {
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
  if (view.layers.sheen > 0.0f && choice < view.sheen_pmf) {
    return {std::sqrt(u.x * (2.0f - u.x)) * unit_circle(u.y), 1.0f - u.x};
  }
  choice -= view.sheen_pmf;
  if (view.layers.coat > 0.0f && choice < view.coat_pmf) {
    const float alpha = ggx_alpha(material.coat_roughness);
    const glm::vec3 h = Ggx{alpha, alpha}.sample_visible(wo, u);
    return reflect_above(wo, h, glm::dot(wo, h));
  }
  choice -= view.coat_pmf;
  glm::vec3 wi = lobe.sample(u);
  if constexpr (kFeatures.layers)
    if (choice < view.far_pmf) wi = -wi;
  return wi;
}

/// Returns the sample of a direction from sample_principled_direction(); no sample if that is zero.
///
/// @param wo         z > 0 is outside
/// @param value      principled_value() of `wi`
/// @param eta_scale  BsdfSample::eta_scale if `wi` is below the surface
SIMT_HOST_DEVICE inline BsdfSample weigh_principled(glm::vec3 wo, glm::vec3 wi, BsdfValue value,
                                                    float eta_scale) {
  if (!(value.pdf > 0.0f)) return {};
  return {.wi = {wi.x, wi.y, wo.z < 0.0f ? -wi.z : wi.z},
          .weight = value.f * (std::abs(wi.z) / value.pdf),
          .pdf = value.pdf,
          .eta_scale = wi.z < 0.0f ? eta_scale : 1.0f};
}

/// Samples a principled surface.
///
/// @param view  view_principled() of `wo`
/// @param wo    z > 0 is outside
/// @param u     three independent uniforms in [0, 1); z chooses the lobe
template <Features kFeatures, class Tables, class Lobe = LambertLobe>
SIMT_HOST_DEVICE BsdfSample sample_principled(const Material& material, const Tables& tables,
                                              const PrincipledView& view, glm::vec3 wo, glm::vec3 u,
                                              const Lobe& lobe = {}) {
  if (!(view.wo.z > kMinMicrofacetCosine && view.facets_pmf >= 0.0f)) return {};
  if constexpr (kFeatures.layers) {
    if (u.z < view.straight_pmf)
      return {.wi = -wo, .weight = material.reflectance * (view.straight / view.straight_pmf)};
    u.z -= view.straight_pmf;
  }
  const glm::vec3 wi =
      sample_principled_direction<kFeatures>(material, tables, view, {u.x, u.y}, u.z, lobe);
  return weigh_principled(wo, wi, principled_value<kFeatures>(material, tables, view, wi, lobe),
                          view.is_alike ? 1.0f : view.eta * view.eta);
}

}  // namespace winnow
