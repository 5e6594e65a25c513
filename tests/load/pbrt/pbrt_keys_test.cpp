// SPDX-License-Identifier: MIT
#include "load/pbrt/pbrt_keys.h"

#include <gmock/gmock.h>

#include "tests/load/support/key_lists.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Objects of pbrt version 4 and their parameters. Source: its description of the file format, and
/// the names that its code looks up.
constexpr const char* kVersion4 = R"(
camera perspective: shutteropen shutterclose screenwindow fov lensradius focaldistance
  frameaspectratio
camera orthographic: shutteropen shutterclose screenwindow lensradius focaldistance frameaspectratio
camera realistic: shutteropen shutterclose lensfile aperturediameter focusdistance aperture
camera spherical: shutteropen shutterclose mapping lensradius focaldistance frameaspectratio
film rgb: filename xresolution yresolution pixelbounds cropwindow diagonal iso whitebalance sensor
  exposuretime maxcomponentvalue savefp16
film gbuffer: filename xresolution yresolution coordinatesystem maxcomponentvalue savefp16
film spectral: filename xresolution yresolution nbuckets lambdamin lambdamax maxcomponentvalue
  savefp16
filter box: xradius yradius
filter gaussian: xradius yradius sigma
filter mitchell: xradius yradius B C
filter sinc: xradius yradius tau
filter triangle: xradius yradius
sampler halton: pixelsamples seed randomization
sampler independent: pixelsamples seed
sampler paddedsobol: pixelsamples seed randomization
sampler pmj02bn: pixelsamples seed
sampler sobol: pixelsamples seed randomization
sampler stratified: jitter xsamples ysamples seed
sampler zsobol: pixelsamples seed randomization
integrator ambientocclusion: cossample maxdistance
integrator bdpt: maxdepth visualizestrategies visualizeweights regularize
integrator function: function filename skipbad imagefilename
integrator lightpath: maxdepth
integrator mlt: maxdepth bootstrapsamples chains mutationsperpixel largestepprobability sigma
  regularize
integrator path: maxdepth lightsampler regularize
integrator randomwalk: maxdepth
integrator simplepath: maxdepth samplelights samplebsdf
integrator simplevolpath: maxdepth
integrator sppm: maxdepth photonsperiteration radius seed regularize
integrator volpath: maxdepth lightsampler regularize
accelerator bvh: splitmethod maxnodeprims
accelerator kdtree: intersectcost traversalcost emptybonus maxprims maxdepth
option: disablepixeljitter disabletexturefiltering disablewavelengthjitter displacementedgescale
  msereferenceimage msereferenceout rendercoordsys seed forcediffuse pixelstats wavefront
shape bilinearmesh: alpha P indices N uv faceIndices emissionfilename
shape curve: alpha P basis degree type N splitdepth width width0 width1
shape cylinder: alpha radius zmin zmax phimax
shape disk: alpha radius height innerradius phimax
shape loopsubdiv: alpha levels indices P scheme
shape plymesh: alpha filename displacement edgelength
shape sphere: alpha radius zmin zmax phimax
shape trianglemesh: alpha P indices N S uv faceIndices
material coateddiffuse: reflectance roughness uroughness vroughness remaproughness thickness eta g
  albedo maxdepth nsamples displacement normalmap
material coatedconductor: interface.roughness interface.uroughness interface.vroughness thickness
  interface.eta conductor.eta conductor.k reflectance conductor.roughness conductor.uroughness
  conductor.vroughness remaproughness maxdepth nsamples g albedo displacement normalmap
material conductor: eta k reflectance roughness uroughness vroughness remaproughness displacement
  normalmap
material dielectric: eta roughness uroughness vroughness remaproughness displacement normalmap
material diffuse: reflectance displacement normalmap
material diffusetransmission: reflectance transmittance scale displacement normalmap
material hair: sigma_a reflectance color eumelanin pheomelanin eta beta_m beta_n alpha
material interface:
material measured: filename displacement normalmap
material mix: materials amount
material subsurface: eta mfp name reflectance sigma_a sigma_s scale g roughness uroughness
  vroughness remaproughness displacement normalmap
material thindielectric: eta displacement normalmap
texture bilerp: v00 v01 v10 v11 mapping uscale vscale udelta vdelta v1 v2
texture checkerboard: dimension tex1 tex2 mapping uscale vscale udelta vdelta v1 v2
texture constant: value
texture directionmix: tex1 tex2 dir
texture dots: inside outside mapping uscale vscale udelta vdelta v1 v2
texture fbm: octaves roughness
texture imagemap: filename wrap maxanisotropy filter encoding scale invert mapping uscale vscale
  udelta vdelta v1 v2
texture marble: octaves roughness scale variation
texture mix: tex1 tex2 amount
texture ptex: filename encoding scale
texture scale: tex scale
texture windy:
texture wrinkled: octaves roughness
light distant: L from to illuminance scale
light goniometric: filename I power scale
light infinite: filename L illuminance portal scale
light point: I from power scale
light projection: filename I fov power scale
light spot: I from to coneangle conedeltaangle power scale
area light diffuse: filename L twosided scale power
medium homogeneous: preset sigma_a sigma_s scale Le Lescale g
medium uniformgrid: density temperature nx ny nz Le Lescale p0 p1 g sigma_a sigma_s scale
  temperatureoffset temperaturecutoff temperaturescale
medium rgbgrid: sigma_a sigma_s Le Lescale nx ny nz p0 p1 g scale
medium cloud: density g wispiness frequency sigma_a sigma_s p0 p1
medium nanovdb: filename temperatureoffset temperaturecutoff temperaturescale Lescale g sigma_a
  sigma_s scale
)";

/// What only version 3 has. Source: Matt Pharr, "pbrt-v3 Input File Format", and its code.
constexpr const char* kVersion3 = R"(
camera perspective: halffov
camera environment: frameaspectratio screenwindow
camera realistic: simpleweighting
film image: xresolution yresolution cropwindow scale diagonal filename maxsampleluminance
filter box: xwidth ywidth
filter gaussian: alpha
sampler lowdiscrepancy: pixelsamples dimensions
sampler 02sequence: pixelsamples dimensions
sampler maxmindist: pixelsamples dimensions
sampler random: pixelsamples
sampler halton: samplepixelcenter
integrator ao: cossample nsamples pixelbounds
integrator directlighting: strategy maxdepth pixelbounds
integrator whitted: maxdepth pixelbounds
integrator path: rrthreshold lightsamplestrategy pixelbounds
integrator sppm: iterations numiterations imagewritefrequency
shape cone: radius height phimax
shape heightfield: nu nv Pz
shape hyperboloid: p1 p2 phimax
shape loopsubdiv: nlevels
shape nurbs: nu uorder uknots u0 u1 nv vorder vknots v0 v1 P Pw
shape paraboloid: radius zmin zmax phimax
shape trianglemesh: st shadowalpha
material disney: color metallic eta roughness speculartint anisotropic sheen sheentint clearcoat
  clearcoatgloss spectrans scatterdistance thin flatness difftrans bumpmap
material fourier: bsdffile bumpmap
material glass: Kr Kt eta index uroughness vroughness bumpmap remaproughness
material kdsubsurface: Kd mfp Kr Kt uroughness vroughness bumpmap eta scale g remaproughness
material matte: Kd sigma bumpmap
material metal: eta k roughness uroughness vroughness bumpmap remaproughness
material mirror: Kr bumpmap
material mix: amount namedmaterial1 namedmaterial2
material none:
material plastic: Kd Ks roughness bumpmap remaproughness
material substrate: Kd Ks uroughness vroughness bumpmap remaproughness
material subsurface: Kr Kt
material translucent: Kd Ks reflect transmit roughness bumpmap remaproughness
material uber: Kd Ks Kr Kt roughness uroughness vroughness eta index opacity bumpmap remaproughness
texture imagemap: trilinear gamma
texture checkerboard: aamode
texture uv:
light exinfinite: L mapname
light goniometric: mapname
light infinite: mapname samples nsamples
area light area: L samples nsamples
)";

TEST(PbrtKeys, AccountForEveryParameterOfEveryObject) {
  for (const char* list : {kVersion4, kVersion3})
    for (const auto& [owner, name] : parse_key_list(list)) {
      if (owner == "option" && name.empty()) continue;
      const size_t blank = owner.rfind(' ');
      const bool has_type = blank != std::string::npos;
      EXPECT_NE(
          pbrt_keys().find(owner.substr(0, blank), has_type ? owner.substr(blank + 1) : "", name),
          nullptr)
          << owner << ": " << name;
    }
}

TEST(PbrtKeys, HaveAReasonUnlessTheyAreRead) {
  for (const KnownKey& key : pbrt_keys().keys())
    EXPECT_TRUE(key.use == KeyUse::kUsed || !key.why.empty()) << key.owner << ": " << key.name;
}

TEST(PbrtKeys, AreDocumented) {
  expect_generated("pbrt", markdown_of_keys(pbrt_keys().keys(), "object"),
                   std::filesystem::path(WINNOW_SCENES_DIR) / "README.md");
}

using PbrtKeyWarnings = SceneFiles;

TEST_F(PbrtKeyWarnings, NameParametersThatChangeThePicture) {
  auto warnings_of = [&](const std::string& options, const std::string& world = "") {
    return load("s.pbrt", "Camera \"perspective\"\n" + options + "\nWorldBegin\n" + world +
                              "LightSource \"infinite\"\nShape \"sphere\"\n")
        .warnings;
  };
  EXPECT_THAT(warnings_of("Option \"bool forcediffuse\" true \"integer seed\" 3"),
              ElementsAre(HasSubstr("the parameter \"forcediffuse\" of an option is not used: "
                                    "surfaces keep their materials")));
  EXPECT_THAT(warnings_of("Option \"force-diffuse\" true Option \"disable_pixel_jitter\" false "
                          "Option \"seed\" 3 Option \"rendercoordsys\" \"world\""),
              ElementsAre(HasSubstr("the parameter \"forcediffuse\" of an option is not used: "
                                    "surfaces keep their materials")));
  EXPECT_THAT(warnings_of("Integrator \"path\" \"bool regularize\" true \"string lightsampler\" "
                          "\"bvh\""),
              ElementsAre(HasSubstr("\"regularize\" of an integrator of the type \"path\"")));
  EXPECT_THAT(
      warnings_of("Film \"rgb\" \"float maxcomponentvalue\" 5 \"string filename\" \"a.exr\""),
      ElementsAre(HasSubstr("\"maxcomponentvalue\" of a film of the type \"rgb\"")));
  EXPECT_THAT(warnings_of("Sampler \"halton\" \"integer pixelsamples\" 4 \"integer speed\" 4"),
              ElementsAre(HasSubstr("\"speed\" of a sampler of the type \"halton\"")));
  EXPECT_THAT(warnings_of("PixelFilter \"box\" \"float xradius\" 0.5 \"float yradius\" 1"),
              ElementsAre(HasSubstr("not square")));
  EXPECT_THAT(warnings_of("Accelerator \"bvh\" \"integer maxnodeprims\" 4 \"integer leaves\" 4"),
              ElementsAre(HasSubstr("\"leaves\" of an accelerator of the type \"bvh\"")));
}

}  // namespace
}  // namespace winnow
