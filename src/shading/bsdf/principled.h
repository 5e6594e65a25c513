#pragma once

#include "shading/bsdf/fresnel.h"
#include "shading/bsdf/ggx.h"
#include "shading/bsdf/lobe_tables.h"
#include "shading/bsdf/rough_dielectric.h"
#include "shading/bsdf/sheen.h"

namespace winnow {

// One surface that is a metal, a diffuse body below a clear boundary, or glass, or in between; with
// fibres on it and lacquer over all.
//
//   metal   Schlick's GGX microfacets
//   base    GGX microfacets of index `ior`, over Lambert
//   glass   such a boundary that light passes, tinted by `reflectance` at each crossing
//   sheen   takes from what is below it
//   coat    likewise; a boundary of index 1.5
//
// The three below share their microfacets. Light that facets send from one to the next comes out as
// from Lambert, in the share that the single reflection lacks: of a metal after Kulla & Conty,
// "Revisiting Physically Based Shading at Imageworks", 2017, and of glass in the same way, to both
// sides. The base gives Lambert what its boundary does not reflect, on the way in and out, as in
// Ashikhmin & Shirley, "An Anisotropic Phong BRDF Model", 2000, with the boundary's own albedo: a
// white base returns everything. Sheen and coat leave to what is below them what neither direction
// loses to them; so all is reciprocal, and nothing gives more than it gets.

inline constexpr float kCoatIor = 1.5f;

/// Thinner glass bends light too little for floats to tell which facet it met.
inline constexpr float kMinGlassIor = 1.005f;

/// Albedos of the parts for one direction.
struct PrincipledAlbedos {
  float boundary = 0.0f;    ///< share that the boundary of base and glass reflects
  float metal_lost = 0.0f;  ///< share that white metal keeps for further facets
  float glass_lost = 0.0f;  ///< share that glass keeps for further facets
  float sheen = 0.0f;       ///< share that fibres keep from what is below them
  float coat = 0.0f;        ///< share that lacquer keeps from what is below it
};

/// A principled surface as light from `wo` meets it.
struct PrincipledView {
  glm::vec3 wo;              ///< above z = 0
  bool outside;              ///< false for light inside of glass
  float ior;                 ///< inside over outside
  float eta;                 ///< far side over near side
  float base, glass, metal;  ///< shares; their sum is 1
  float specular;            ///< largest channel of Material::specular
  float sheen;               ///< largest channel of Material::sheen
  Ggx ggx;
  float mean_roughness;  ///< of metal and glass, if they were equally rough in all directions
  PrincipledAlbedos albedos;
  glm::vec3 metal_again;  ///< colour of what the metal's further facets reflect
  float glass_passes;     ///< share of what further facets of glass send on to the far side
  /// Chances of sampling the facets, Lambert, Lambert on the far side, sheen and coat.
  float facets_chance, near_chance, far_chance, sheen_chance, coat_chance;
};

SIMT_HOST_DEVICE inline float largest(glm::vec3 color) {
  return glm::max(color.x, glm::max(color.y, color.z));
}

/// The roughness of an equally rough surface that loses nearly the same of light from `w`. Where
/// the surface is rougher along one axis, the tables know nothing of it: seen from above, the mean
/// square of both alphas counts, at grazing less the one in the plane of `w`.
SIMT_HOST_DEVICE inline float equal_roughness(const Ggx& ggx, glm::vec3 w) {
  const float x2 = ggx.alpha_x * ggx.alpha_x, y2 = ggx.alpha_y * ggx.alpha_y;
  const float sin2 = w.x * w.x + w.y * w.y;
  const float odd = sin2 > 0.0f ? (w.x * w.x - w.y * w.y) / sin2 : 0.0f;
  const float grazing = (1.0f - std::abs(w.z)) * (1.0f - std::abs(w.z));
  return std::sqrt(std::sqrt(0.5f * (x2 + y2 - grazing * odd * (x2 - y2))));
}

/// @param w        above or below z = 0
/// @param outside  the side of glass that it is on
SIMT_HOST_DEVICE inline PrincipledAlbedos principled_albedos(const Material& material,
                                                             const LobeTables& tables,
                                                             const PrincipledView& view,
                                                             glm::vec3 w, bool outside) {
  const float cosine = glm::min(std::abs(w.z), 1.0f);
  const float roughness =
      material.anisotropy == 0.0f ? material.roughness : equal_roughness(view.ggx, w);
  PrincipledAlbedos albedos;
  if (view.base > 0.0f) albedos.boundary = tables.boundary.at(cosine, material.roughness, view.ior);
  if (view.metal > 0.0f) albedos.metal_lost = 1.0f - tables.metal.at(cosine, roughness);
  if (view.glass > 0.0f)
    albedos.glass_lost =
        (outside ? tables.lost_outside : tables.lost_inside).at(cosine, roughness, view.ior);
  if (outside && view.sheen > 0.0f)
    albedos.sheen = view.sheen * tables.sheen.at(cosine, material.sheen_roughness);
  if (outside && material.coat > 0.0f)
    albedos.coat = material.coat * tables.boundary.at(cosine, material.coat_roughness, kCoatIor);
  return albedos;
}

/// Share of the light that facets of glass send from one to the next that ends on the far side.
/// What passes from outside in and from inside out must be the same, for the lobe to be reciprocal.
SIMT_HOST_DEVICE inline float glass_passes(const LobeTables& tables, float roughness, float ior,
                                           bool outside) {
  constexpr float kNothing = 1e-6f;
  const float lost_outside = tables.lost_outside_mean.at(roughness, ior);
  const float lost_inside = tables.lost_inside_mean.at(roughness, ior) * ior * ior;
  if (!(lost_outside > kNothing && lost_inside > kNothing)) return 0.0f;
  const float passed =
      (1.0f - tables.boundary_mean.at(roughness, ior)) * glm::min(lost_outside, lost_inside);
  return passed / (outside ? lost_outside : lost_inside);
}

/// f of light that came from facet to facet, between two directions of these albedos.
SIMT_HOST_DEVICE inline float further_facets(float lost_o, float lost_i, float mean_lost) {
  return mean_lost > 0.0f ? kInvPi * lost_o * lost_i / mean_lost : 0.0f;
}

/// @param wo  as given; not along the surface
SIMT_HOST_DEVICE inline PrincipledView view_principled(const Material& material,
                                                       const LobeTables& tables, glm::vec3 wo) {
  PrincipledView view;
  view.metal = material.metallic;
  view.glass = (1.0f - material.metallic) * material.transmission;
  view.base = (1.0f - material.metallic) * (1.0f - material.transmission);
  view.outside = wo.z > 0.0f || view.glass == 0.0f;
  view.wo = {wo.x, wo.y, std::abs(wo.z)};
  view.ior = glm::max(material.ior, kMinGlassIor);
  view.eta = relative_index(view.ior, view.outside);
  view.specular = largest(material.specular);
  view.sheen = largest(material.sheen);
  view.ggx = make_ggx(material);
  view.mean_roughness =
      material.anisotropy == 0.0f ? material.roughness : equal_roughness(view.ggx, {0, 0, 1});
  view.albedos = principled_albedos(material, tables, view, view.wo, view.outside);

  view.metal_again = glm::vec3(0.0f);
  if (view.metal > 0.0f) {
    const float once = tables.metal_mean.at(view.mean_roughness);
    const glm::vec3 mean = schlick_mean(material.reflectance);
    view.metal_again = mean * mean * once / (glm::vec3(1.0f) - mean * (1.0f - once));
  }
  view.glass_passes =
      view.glass > 0.0f ? glass_passes(tables, view.mean_roughness, view.ior, view.outside) : 0.0f;

  const PrincipledAlbedos& a = view.albedos;
  const float tint = luminance(material.reflectance);
  const float below_coat = 1.0f - a.coat, below = below_coat * (1.0f - a.sheen);
  view.coat_chance = a.coat;
  view.sheen_chance =
      view.sheen > 0.0f ? below_coat * luminance(material.sheen) * (a.sheen / view.sheen) : 0.0f;
  view.facets_chance =
      below * (view.base * view.specular * a.boundary + view.glass * (1.0f - a.glass_lost) +
               view.metal * tint * (1.0f - a.metal_lost));
  view.near_chance = below * (view.base * tint * (1.0f - view.specular * a.boundary) +
                              view.glass * a.glass_lost * (1.0f - view.glass_passes) +
                              view.metal * luminance(view.metal_again) * a.metal_lost);
  view.far_chance = below * view.glass * a.glass_lost * view.glass_passes;
  const float sum = view.facets_chance + view.near_chance + view.far_chance + view.sheen_chance +
                    view.coat_chance;
  const float scale = sum > 0.0f ? 1.0f / sum : 0.0f;
  view.facets_chance *= scale, view.near_chance *= scale, view.far_chance *= scale;
  view.sheen_chance *= scale, view.coat_chance *= scale;
  return view;
}

/// What one facet does.
struct PrincipledFacet {
  glm::vec3 reflected;   ///< of metal, base and glass together
  float passed;          ///< of glass, before its tint
  float reflect_chance;  ///< of sampling, which else refracts
};

/// @param cos_h     between wo and the facet's normal, [0, 1]
/// @param of_glass  share that its boundary reflects
SIMT_HOST_DEVICE inline PrincipledFacet principled_facet(const Material& material,
                                                         const PrincipledView& view, float cos_h,
                                                         float of_glass) {
  PrincipledFacet facet{glm::vec3(0.0f), 0.0f, 1.0f};
  if (view.metal < 1.0f) {
    const float of_base = view.outside ? of_glass : cross_dielectric(cos_h, view.ior).reflected;
    facet.reflected = material.specular * (view.base * of_base + view.glass * of_glass);
    facet.passed = view.glass * (1.0f - view.specular * of_glass);
  }
  if (view.metal > 0.0f)
    facet.reflected += view.metal * schlick_fresnel(material.reflectance, cos_h);
  if (facet.passed > 0.0f) {
    const float back = luminance(facet.reflected);
    facet.reflect_chance = back / (back + facet.passed);
  }
  return facet;
}

/// @param wi  on the side of view.wo, above z = 0
SIMT_HOST_DEVICE inline BsdfValue principled_reflects(const Material& material,
                                                      const LobeTables& tables,
                                                      const PrincipledView& view, glm::vec3 wi) {
  const glm::vec3 wo = view.wo;
  const PrincipledAlbedos a = view.albedos;
  const PrincipledAlbedos b = principled_albedos(material, tables, view, wi, view.outside);
  const glm::vec3 h = glm::normalize(wo + wi);
  const float cos_h = glm::clamp(glm::dot(wo, h), 0.0f, 1.0f);

  const PrincipledFacet facet =
      principled_facet(material, view, cos_h, cross_dielectric(cos_h, view.eta).reflected);
  const float density = view.ggx.distribution(h), stretch_o = view.ggx.stretch(wo);
  BsdfValue value{
      .f = facet.reflected * (density * visibility(Masking::kCorrelated, wo.z, stretch_o, wi.z,
                                                   view.ggx.stretch(wi))),
      .pdf = view.facets_chance * facet.reflect_chance * 0.5f * density / (wo.z + stretch_o) +
             view.near_chance * cosine_hemisphere_pdf(wi.z)};
  if (view.base > 0.0f) {
    const float mean = tables.boundary_mean.at(material.roughness, view.ior);
    value.f += material.reflectance *
               (view.base * kInvPi * (1.0f - view.specular * a.boundary) *
                (1.0f - view.specular * b.boundary) / (1.0f - view.specular * mean));
  }
  if (view.metal > 0.0f)
    value.f += view.metal_again *
               (view.metal * further_facets(a.metal_lost, b.metal_lost,
                                            1.0f - tables.metal_mean.at(view.mean_roughness)));
  if (view.glass > 0.0f) {
    const MeanTable& mean = view.outside ? tables.lost_outside_mean : tables.lost_inside_mean;
    value.f += view.glass * (1.0f - view.glass_passes) *
               further_facets(a.glass_lost, b.glass_lost, mean.at(view.mean_roughness, view.ior));
  }
  if (view.sheen > 0.0f && view.outside) {
    value.f = value.f * (1.0f - glm::max(a.sheen, b.sheen)) +
              material.sheen * eval_sheen(material.sheen_roughness, wo, wi);
    value.pdf += view.sheen_chance * kInvTwoPi;
  }
  if (material.coat > 0.0f && view.outside) {
    const float alpha = ggx_alpha(material.coat_roughness);
    const Ggx coat{alpha, alpha};
    const float coat_density = coat.distribution(h), coat_stretch = coat.stretch(wo);
    const float reflected = cross_dielectric(cos_h, kCoatIor).reflected;
    value.f = value.f * (1.0f - glm::max(a.coat, b.coat)) +
              material.coat * reflected * coat_density *
                  visibility(Masking::kCorrelated, wo.z, coat_stretch, wi.z, coat.stretch(wi));
    value.pdf += view.coat_chance * 0.5f * coat_density / (wo.z + coat_stretch);
  }
  return value;
}

/// @param wi  on the other side of glass, below z = 0
SIMT_HOST_DEVICE inline BsdfValue principled_refracts(const Material& material,
                                                      const LobeTables& tables,
                                                      const PrincipledView& view, glm::vec3 wi) {
  const glm::vec3 wo = view.wo;
  const PrincipledAlbedos b = principled_albedos(material, tables, view, wi, !view.outside);
  const MeanTable& mean = view.outside ? tables.lost_inside_mean : tables.lost_outside_mean;
  float passed =
      view.glass * view.glass_passes *
      further_facets(view.albedos.glass_lost, b.glass_lost, mean.at(view.mean_roughness, view.ior));
  float pdf = view.far_chance * cosine_hemisphere_pdf(-wi.z);
  const RefractingFacet met = refracting_facet(wo, wi, view.eta);
  if (met.cos_o > 0.0f && met.cos_i > 0.0f) {
    const PrincipledFacet facet =
        principled_facet(material, view, glm::min(met.cos_o, 1.0f), met.reflected);
    const float density = 2.0f * view.ggx.distribution(met.h) * met.cos_o * met.jacobian /
                          (wo.z + view.ggx.stretch(wo));
    passed += facet.passed * density * 2.0f / (-wi.z + view.ggx.stretch(wi));
    pdf += view.facets_chance * (1.0f - facet.reflect_chance) * density;
  }
  // Of the two directions only the one outside meets sheen and coat.
  const float below =
      (1.0f - glm::max(view.albedos.sheen, b.sheen)) * (1.0f - glm::max(view.albedos.coat, b.coat));
  return {.f = material.reflectance * (passed * below / (view.eta * view.eta)), .pdf = pdf};
}

/// @param wi  as given
SIMT_HOST_DEVICE inline BsdfValue principled_value(const Material& material,
                                                   const LobeTables& tables,
                                                   const PrincipledView& view, glm::vec3 wi) {
  if (!(view.wo.z > kMinConductorCosine && std::abs(wi.z) > kMinConductorCosine)) return {};
  if (wi.z > 0.0f) return principled_reflects(material, tables, view, wi);
  if (view.glass > 0.0f) return principled_refracts(material, tables, view, wi);
  return {};
}

SIMT_HOST_DEVICE inline BsdfValue eval_principled(const Material& material,
                                                  const LobeTables& tables, glm::vec3 wo,
                                                  glm::vec3 wi) {
  if (wo.z < 0.0f) wi.z = -wi.z;
  return principled_value(material, tables, view_principled(material, tables, wo), wi);
}

/// The mirror image of `wo`, or zero where it is below z = 0.
SIMT_HOST_DEVICE inline glm::vec3 reflect_above(glm::vec3 wo, glm::vec3 h, float cos_h) {
  const glm::vec3 wi = glm::normalize(2.0f * cos_h * h - wo);
  return wi.z > 0.0f ? wi : glm::vec3(0.0f);
}

/// A direction from the lobe that `choice` falls on; zero where it meets the surface again.
///
/// @param choice  [0, 1)
SIMT_HOST_DEVICE inline glm::vec3 sample_principled_direction(const Material& material,
                                                              const PrincipledView& view,
                                                              glm::vec2 u, float choice) {
  const glm::vec3 wo = view.wo;
  if (choice < view.facets_chance) {
    const glm::vec3 h = view.ggx.sample_visible(wo, u);
    const float cos_h = glm::clamp(glm::dot(wo, h), 0.0f, 1.0f);
    const Crossing crossing = cross_dielectric(cos_h, view.eta);
    const PrincipledFacet facet = principled_facet(material, view, cos_h, crossing.reflected);
    if (choice < view.facets_chance * facet.reflect_chance) return reflect_above(wo, h, cos_h);
    const glm::vec3 wi = refract(wo, h, cos_h, crossing.cos_t, view.eta);
    return wi.z < 0.0f ? wi : glm::vec3(0.0f);
  }
  choice -= view.facets_chance;
  if (choice < view.sheen_chance) {
    return {std::sqrt(u.x * (2.0f - u.x)) * unit_circle(u.y), 1.0f - u.x};
  }
  choice -= view.sheen_chance;
  if (choice < view.coat_chance) {
    const float alpha = ggx_alpha(material.coat_roughness);
    const glm::vec3 h = Ggx{alpha, alpha}.sample_visible(wo, u);
    return reflect_above(wo, h, glm::dot(wo, h));
  }
  choice -= view.coat_chance;
  const glm::vec3 wi = sample_cosine_hemisphere(u);
  return choice < view.far_chance ? -wi : wi;
}

/// @param u  z chooses the lobe
SIMT_HOST_DEVICE inline BsdfSample sample_principled(const Material& material,
                                                     const LobeTables& tables, glm::vec3 wo,
                                                     glm::vec3 u) {
  const PrincipledView view = view_principled(material, tables, wo);
  if (!(view.wo.z > kMinConductorCosine && view.facets_chance >= 0.0f)) return {};
  BsdfSample sample;
  sample.wi = sample_principled_direction(material, view, {u.x, u.y}, u.z);
  const bool refracts = sample.wi.z < 0.0f;
  const BsdfValue value = principled_value(material, tables, view, sample.wi);
  if (!(value.pdf > 0.0f)) return {};
  sample.weight = value.f * (std::abs(sample.wi.z) / value.pdf);
  sample.pdf = value.pdf;
  if (refracts) sample.eta_scale = view.eta * view.eta;
  if (wo.z < 0.0f) sample.wi.z = -sample.wi.z;
  return sample;
}

}  // namespace winnow
