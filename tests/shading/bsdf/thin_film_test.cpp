// SPDX-License-Identifier: MIT
#include "shading/bsdf/thin_film.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "scene/spectra/spectrum.h"
#include "tests/shading/bsdf/support/bsdf_runner.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

FilmTable film_table() {
  return {span_of(film_colors())};
}

/// Reflectance of a film at a wavelength, for unpolarised light: both boundaries by Fresnel's
/// amplitudes, and the sum of all reflections between them.
double textbook_film(double cosine, double film, double base, double thickness, double wavelength) {
  const double sin2 = 1.0 - cosine * cosine;
  const double c1 = cosine, c2 = std::sqrt(1.0 - sin2 / (film * film)),
               c3 = std::sqrt(1.0 - sin2 / (base * base));
  const double phase = 4.0 * M_PI * film * thickness * c2 / wavelength;
  const std::complex<double> turn = std::polar(1.0, phase);
  auto whole = [&](double upper, double lower) {
    return std::norm((upper + lower * turn) / (1.0 + upper * lower * turn));
  };
  const double s =
      whole((c1 - film * c2) / (c1 + film * c2), (film * c2 - base * c3) / (film * c2 + base * c3));
  const double p =
      whole((film * c1 - c2) / (film * c1 + c2), (base * c2 - film * c3) / (base * c2 + film * c3));
  return 0.5 * (s + p);
}

glm::vec3 textbook_film_color(double cosine, double film, double base, double thickness) {
  std::vector<SpectrumSample> samples;
  for (float wavelength = 360.0f; wavelength <= 830.0f; wavelength += 1.0f)
    samples.push_back(
        {wavelength, float(textbook_film(cosine, film, base, thickness, wavelength))});
  return rgb_of_reflectance(samples);
}

TEST(Interference, IsWhiteWithoutADifferenceAndGreyFarAway) {
  expect_near(rgb_of_interference(0.0), glm::vec3(1.0f), 1e-6f);
  expect_near(rgb_of_interference(FilmTable::kMaxPath), glm::vec3(0.0f), 0.05f);
  // Half a wavelength of green light.
  EXPECT_LT(rgb_of_interference(275.0).y, -0.7f);
}

TEST(ThinFilm, HasTheColoursOfTheSpectrum) {
  for (double film : {1.33, 1.8})
    for (double base : {1.0, 1.5})
      for (double thickness : {120.0, 250.0, 400.0, 700.0})
        for (double cosine : {1.0, 0.8, 0.5}) {
          SCOPED_TRACE(testing::Message()
                       << film << " on " << base << ", " << thickness << " nm, " << cosine);
          const glm::vec3 expected = textbook_film_color(cosine, film, base, thickness);
          const glm::vec3 found = film_on_dielectric(film_table(), {float(film), float(thickness)},
                                                     float(cosine), float(base));
          // Towards grazing, polarisation matters, which is ignored.
          expect_near(found, expected, cosine == 1.0 ? 0.006f : cosine == 0.8 ? 0.03f : 0.1f);
        }
}

// A grey metal at normal incidence reflects as a dielectric of a high index.
TEST(ThinFilm, OnAMetalHasTheColoursOfTheSpectrum) {
  for (double thickness : {120.0, 250.0, 400.0}) {
    const double base = 6.0, film = 1.5, reflectance = std::pow((base - 1.0) / (base + 1.0), 2.0);
    expect_near(film_on_metal(film_table(), {float(film), float(thickness)}, 1.0f,
                              glm::vec3(float(reflectance))),
                textbook_film_color(1.0, film, base, thickness), 0.02f);
  }
}

TEST(ThinFilm, OfTheIndexOfAirIsNoFilm) {
  for (float cosine : {1.0f, 0.7f, 0.2f, 0.0f})
    for (float thickness : {0.0f, 400.0f}) {
      const ThinFilm film{1.0f, thickness};
      for (float ior : {1.2f, 1.5f, 2.4f})
        expect_near(film_on_dielectric(film_table(), film, cosine, ior),
                    glm::vec3(cross_dielectric(cosine, ior).reflected), 1e-6f);
      const glm::vec3 gold{0.99f, 0.71f, 0.29f};
      expect_near(film_on_metal(film_table(), film, cosine, gold), schlick_fresnel(gold, cosine),
                  1e-5f);
    }
}

TEST(ThinFilm, WithoutThicknessIsTheBareBase) {
  for (float cosine : {1.0f, 0.7f, 0.4f})
    for (float film : {1.3f, 2.0f})
      expect_near(film_on_dielectric(film_table(), {film, 0.0f}, cosine, 1.5f),
                  glm::vec3(cross_dielectric(cosine, 1.5f).reflected),
                  cosine < 0.5f ? 0.06f : 0.01f);
}

TEST(ThinFilm, ReflectsAFractionOfTheLight) {
  for (float film : {1.0f, 1.3f, 1.8f, 3.0f, 100.0f})
    for (float thickness = 0.0f; thickness < 1300.0f; thickness += 77.0f)
      for (float cosine : {1.0f, 0.6f, 0.2f, 0.01f, 0.0f})
        for (const glm::vec3& reflected :
             {film_on_dielectric(film_table(), {film, thickness}, cosine, 1.5f),
              film_on_dielectric(film_table(), {film, thickness}, cosine, 1.0f),
              film_on_metal(film_table(), {film, thickness}, cosine, glm::vec3(1.0f, 0.5f, 0.0f)),
              film_on_metal(film_table(), {film, thickness}, cosine, glm::vec3(0.0f))})
          for (int i = 0; i < 3; ++i) {
            EXPECT_GE(reflected[i], 0.0f) << film << " " << thickness << " " << cosine;
            EXPECT_LE(reflected[i], 1.0f) << film << " " << thickness << " " << cosine;
          }
}

Material principled_film(float metallic, float transmission, float roughness) {
  return {.type = MaterialType::kPrincipled,
          .reflectance = glm::vec3(1.0f),
          .roughness = roughness,
          .metallic = metallic,
          .transmission = transmission,
          .iridescence = 1.0f,
          .film_thickness = {0.0f, 300.0f}};
}

/// A film takes no light from a white surface but what its colours leave, and adds none.
TEST(Principled, BelowAFilmItConservesEnergy) {
  for (float film : {1.1f, 1.5f, 2.2f})
    for (float thickness : {90.0f, 180.0f, 270.0f, 360.0f, 900.0f})
      for (float roughness : {0.0f, 0.4f, 0.9f})
        for (glm::vec2 kind : {glm::vec2(0, 0), glm::vec2(1, 0), glm::vec2(0, 1)})
          for (float cosine : {1.0f, 0.5f, 0.1f, -0.6f}) {
            if (cosine < 0.0f && kind.y == 0.0f) continue;
            Material material = principled_film(kind.x, kind.y, roughness);
            material.iridescence_ior = film;
            material.film_thickness.y = thickness;
            const Estimate albedo = furnace(material, at_cosine(cosine), 4000);
            // Multiple scattering in glass is tabulated for the share that the bare boundary
            // reflects.
            const bool is_steep = kind.y > 0.0f && roughness > 0.5f && cosine == 0.1f;
            const double most = (is_steep ? 1.07 : 1.02) + 4.0 * albedo.error;
            EXPECT_LE(albedo.mean, most)
                << film << ", " << thickness << " nm, roughness " << roughness << ", metallic "
                << kind.x << ", transmission " << kind.y << ", cosine " << cosine;
            EXPECT_GE(albedo.mean, 0.5 - 4.0 * albedo.error);
          }
}

/// Towards grazing incidence, a film on a base of a low index reflects far more than the base.
TEST(Principled, AWhiteBaseBelowAFilmReturnsHardlyMoreLightThanItGets) {
  for (float ior : {1.005f, 1.1f, 1.5f, 2.42f})
    for (float film : {1.3f, 1.8f, 2.2f})
      for (float thickness : {120.0f, 400.0f, 600.0f, 900.0f})
        for (float roughness : {0.0f, 0.4f, 0.9f})
          for (float cosine : {1.0f, 0.3f, 0.1f, 0.03f}) {
            Material material = principled_film(0.0f, 0.0f, roughness);
            material.ior = ior;
            material.iridescence_ior = film;
            material.film_thickness.y = thickness;
            for (int channel = 0; channel < 3; ++channel) {
              const Estimate albedo = estimate(1000, [&](uint32_t i) {
                const glm::vec3 u(Sampler{.seed = 3, .sample = i}.sample4(0));
                return double(host_bsdfs().sample(material, at_cosine(cosine), u).weight[channel]);
              });
              const double most = cosine < 0.1f ? 1.05 : 1.02;
              EXPECT_LE(albedo.mean, most + 4.0 * albedo.error)
                  << "channel " << channel << ", " << film << " on " << ior << ", " << thickness
                  << " nm, roughness " << roughness << ", cosine " << cosine;
            }
          }
}

TEST(Principled, ItsDiffuseBaseHasNoFilmFromInside) {
  Material covered = principled_film(0.0f, 0.5f, 0.0f);
  covered.iridescence_ior = 1.8f;
  Material bare = covered;
  bare.iridescence = 0.0f;
  const glm::vec3 wo = at_cosine(-0.6f), wi = at_cosine(-0.9f);  // apart from the mirror direction
  expect_near(host_bsdfs().eval(covered, wo, wi).f, host_bsdfs().eval(bare, wo, wi).f, 1e-5f);
}

TEST(Principled, WithoutAFilmItsIndexAndThicknessDoNotMatter) {
  for (float transmission : {0.0f, 1.0f}) {
    Material plain = principled_film(0.3f, transmission, 0.4f), other = plain, thin = plain;
    plain.iridescence = other.iridescence = 0.0f;
    other.iridescence_ior = 2.0f;
    other.film_thickness = {500.0f, 600.0f};
    thin.film_thickness.y = 0.0f;
    for (uint32_t i = 0; i < 100; ++i) {
      const glm::vec3 u(Sampler{.seed = 9, .sample = i}.sample4(0));
      const glm::vec3 weight = host_bsdfs().sample(plain, at_cosine(0.6f), u).weight;
      EXPECT_EQ(weight, host_bsdfs().sample(other, at_cosine(0.6f), u).weight);
      EXPECT_EQ(weight, host_bsdfs().sample(thin, at_cosine(0.6f), u).weight);
    }
  }
}

TEST(Principled, AFilmOnABlackMetalIsNotBlack) {
  Material oxide = principled_film(1.0f, 0.0f, 0.2f);
  oxide.reflectance = glm::vec3(0.0f);
  oxide.iridescence_ior = 2.0f;
  const Estimate albedo = furnace(oxide, at_cosine(0.8f));
  const glm::vec3 reflected = film_on_metal(film_table(), {2.0f, 300.0f}, 0.8f, glm::vec3(0.0f));
  EXPECT_NEAR(albedo.mean, reflected.x, 0.05);
  EXPECT_GT(albedo.mean, 0.01);
}

TEST(Principled, AFilmOfHalfTheWeightIsHalfwayToOne) {
  const glm::vec3 wo = at_cosine(0.7f), wi = at_cosine(0.8f);
  for (glm::vec2 kind : {glm::vec2(0, 0), glm::vec2(1, 0)}) {
    Material material = principled_film(kind.x, kind.y, 0.5f);
    material.iridescence_ior = 1.8f;
    auto value = [&](float weight) {
      material.iridescence = weight;
      return host_bsdfs().eval(material, wo, wi).f;
    };
    expect_near(value(0.5f), 0.5f * (value(0.0f) + value(1.0f)), 1e-4f);
  }
}

}  // namespace
}  // namespace winnow
