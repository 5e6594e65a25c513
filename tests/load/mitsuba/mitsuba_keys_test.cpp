// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "load/mitsuba/convert.h"
#include "load/mitsuba/object.h"
#include "tests/load/mitsuba/support/mitsuba_scenes.h"
#include "tests/load/support/key_lists.h"

namespace winnow {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Plugins of Mitsuba 3.9.1 and their parameters, by tag and type. Source: its documentation, and
/// the names that its plugins look up.
constexpr const char* kPlugins = R"(
bsdf blendbsdf: weight
bsdf bumpmap: scale flip_invalid_normals use_shadowing_function
bsdf circular: transmittance left_handed
bsdf conductor: specular_reflectance material eta k
bsdf dielectric: specular_reflectance specular_transmittance int_ior ext_ior eta
bsdf diffuse: reflectance
bsdf hair: longitudinal_roughness azimuthal_roughness scale_tilt eumelanin pheomelanin sigma_a
  scale int_ior ext_ior use_pigmentation eta
bsdf mask: opacity
bsdf measured: filename
bsdf measured_polarized: alpha_sample wavelength filename
bsdf normalmap: normalmap flip_invalid_normals use_shadowing_function
bsdf null:
bsdf plastic: diffuse_reflectance specular_reflectance nonlinear int_ior ext_ior eta
bsdf polarizer: theta transmittance polarizing
bsdf pplastic: diffuse_reflectance specular_reflectance eta int_ior ext_ior distribution
  sample_visible alpha_u alpha_v alpha
bsdf principled: base_color roughness anisotropic spec_trans sheen sheen_tint flatness spec_tint
  metallic clearcoat clearcoat_gloss main_specular_sampling_rate clearcoat_sampling_rate
  diffuse_reflectance_sampling_rate eta specular
bsdf principledthin: base_color roughness anisotropic spec_trans sheen sheen_tint flatness
  spec_tint eta diff_trans specular_reflectance_sampling_rate
  specular_transmittance_sampling_rate diffuse_transmittance_sampling_rate
  diffuse_reflectance_sampling_rate
bsdf retarder: theta delta transmittance
bsdf roughconductor: material eta k distribution sample_visible alpha_u alpha_v alpha
  specular_reflectance
bsdf roughdielectric: specular_reflectance specular_transmittance distribution sample_visible
  alpha_u alpha_v alpha int_ior ext_ior eta
bsdf roughplastic: diffuse_reflectance specular_reflectance nonlinear int_ior ext_ior
  distribution alpha sample_visible eta
bsdf thindielectric: specular_reflectance specular_transmittance int_ior ext_ior eta
bsdf twosided: allow_transmission
emitter area: sampling_weight to_world radiance
emitter constant: sampling_weight radiance
emitter directional: sampling_weight direction to_world irradiance
emitter directionalarea: sampling_weight to_world radiance
emitter envmap: sampling_weight bitmap filename scale mis_compensation to_world data
emitter point: sampling_weight position to_world intensity
emitter projector: sampling_weight scale irradiance to_world fov focal_length fov_axis
emitter spot: sampling_weight intensity texture cutoff_angle beam_width to_world
emitter sunsky: sampling_weight sun_direction latitude longitude timezone year month day hour
  minute second turbidity albedo sun_scale sky_scale sun_aperture complex_sun to_world
emitter timed_sunsky: sampling_weight shutter_open shutter_close window_start_time
  window_end_time start_year start_month start_day end_year end_month end_day turbidity albedo
  latitude longitude timezone sun_scale sky_scale sun_aperture complex_sun to_world
film hdrfilm: width height crop_width crop_height crop_offset_x crop_offset_y sample_border
  file_format pixel_format component_format banner compensate
film specfilm: width height crop_width crop_height crop_offset_x crop_offset_y sample_border
  component_format compensate
integrator aov: hide_emitters timeout block_size samples_per_pass max_depth rr_depth aovs
integrator depth: hide_emitters timeout block_size samples_per_pass max_depth rr_depth
integrator direct: hide_emitters timeout block_size samples_per_pass max_depth rr_depth
  shading_samples emitter_samples bsdf_samples
integrator direct_projective: hide_emitters timeout block_size samples_per_pass max_depth
  rr_depth
integrator moment: hide_emitters timeout block_size samples_per_pass max_depth rr_depth
integrator path: hide_emitters timeout block_size samples_per_pass max_depth rr_depth
integrator prb: hide_emitters timeout block_size samples_per_pass max_depth rr_depth
integrator prb_basic: hide_emitters timeout block_size samples_per_pass max_depth rr_depth
integrator prb_projective: hide_emitters timeout block_size samples_per_pass max_depth rr_depth
integrator prbvolpath: hide_emitters timeout block_size samples_per_pass max_depth rr_depth
integrator ptracer: hide_emitters timeout block_size samples_per_pass max_depth rr_depth
integrator stokes: hide_emitters timeout block_size samples_per_pass max_depth rr_depth
integrator volpath: hide_emitters timeout block_size samples_per_pass max_depth rr_depth
integrator volpathmis: hide_emitters timeout block_size samples_per_pass max_depth rr_depth
  use_spectral_mis
integrator volprim_rf_basic: hide_emitters timeout block_size samples_per_pass max_depth
  rr_depth
medium heterogeneous: sample_emitters albedo sigma_t scale has_spectral_extinction
medium homogeneous: sample_emitters albedo sigma_t scale has_spectral_extinction
phase blendphase: weight
phase hg: g
phase isotropic:
phase rayleigh:
phase sggx: diffuse S
phase tabphase: values
rfilter box:
rfilter catmullrom:
rfilter gaussian: stddev
rfilter lanczos: lobes
rfilter mitchell: B C
rfilter tent: radius
sampler independent: sample_count seed
sampler ldsampler: sample_count seed
sampler multijitter: sample_count seed jitter
sampler orthogonal: sample_count seed jitter strength
sampler stratified: sample_count seed jitter
sensor batch: shutter_open shutter_close to_world srf
sensor distant: shutter_open shutter_close to_world target direction srf
sensor irradiancemeter: shutter_open shutter_close to_world srf
sensor orthographic: shutter_open shutter_close to_world near_clip far_clip srf focus_distance
sensor perspective: shutter_open shutter_close to_world principal_point_offset_x
  principal_point_offset_y fov focal_length fov_axis near_clip far_clip srf x_fov focus_distance
sensor radiancemeter: shutter_open shutter_close to_world direction origin srf
sensor thinlens: shutter_open shutter_close to_world aperture_radius focus_distance focal_length
  fov fov_axis near_clip far_clip srf x_fov
shape blender: to_world silhouette_sampling_weight version name mat_nr vert_count loop_tri_count
  loops loop_tris polys mat_indices sharp_face verts normals uvs
shape bsplinecurve: to_world silhouette_sampling_weight filename control_point_count
shape cube: to_world silhouette_sampling_weight flip_normals vertex_count face_count
  face_normals
shape cylinder: to_world silhouette_sampling_weight flip_normals radius p0 p1
shape disk: to_world silhouette_sampling_weight flip_normals
shape ellipsoids: to_world silhouette_sampling_weight filename data centers scales quaternions
  scale_factor extent extent_adaptive_clamping
shape ellipsoidsmesh: to_world silhouette_sampling_weight shell filename data centers scales
  quaternions scale_factor extent extent_adaptive_clamping
shape instance: to_world silhouette_sampling_weight
shape linearcurve: to_world silhouette_sampling_weight filename control_point_count
shape merge: to_world
shape obj: to_world silhouette_sampling_weight flip_tex_coords filename face_normals
  flip_normals vertex_count face_count
shape ply: to_world silhouette_sampling_weight flip_tex_coords filename face_normals
  flip_normals vertex_count face_count
shape rectangle: to_world silhouette_sampling_weight flip_normals
shape sdfgrid: to_world silhouette_sampling_weight normals filename grid
shape serialized: to_world silhouette_sampling_weight filename shape_index face_normals
  flip_normals vertex_count face_count
shape shapegroup: to_world
shape sphere: to_world silhouette_sampling_weight flip_normals center radius
texture bitmap: to_uv raw accel filter_type wrap_mode format bitmap filename data
texture blackbody: temperature wavelength_min wavelength_max
texture checkerboard: color0 color1 to_uv
texture d65: scale color
texture irregular: value wavelengths values
texture mesh_attribute: name scale
texture rawconstant: value
texture regular: value values wavelength_min wavelength_max range
texture srgb: color unbounded
texture uniform: value wavelength_min wavelength_max
texture volume: volume
volume constvolume: value
volume gridvolume: filter_type wrap_mode raw accel grid filename data use_grid_bbox max_value
  to_world
)";

/// Plugins that only versions 0.5 and 0.6 have. Source: Wenzel Jakob, "Mitsuba Documentation",
/// 2014.
constexpr const char* kOldPlugins = R"(
sensor perspective_rdist: kc fov focal_length fov_axis
sensor telecentric: aperture_radius focus_distance
sensor spherical:
sensor fluencemeter:
film ldrfilm: tonemap_method gamma exposure key burn banner fade high_quality_edges
film mfilm: digits variable
film tiledhdrfilm:
integrator ao: shading_samples ray_length
integrator bdpt: light_image sample_direct
integrator mlt: bidirectional lambda
integrator erpt: num_chains chain_length
integrator pssmlt: bidirectional p_large
integrator photonmapper: global_photons caustic_photons
integrator ppm: photon_count
integrator sppm: photon_count
integrator vpl: shadow_map_resolution clamping
integrator irrcache:
integrator adaptive: max_error
integrator field: field undefined
sampler halton: scramble
sampler hammersley: scramble
sampler sobol: scramble
shape hair: filename radius angle_threshold reduction
shape heightfield: filename scale
shape obj: max_smooth_angle load_materials collapse shape_index
shape ply: max_smooth_angle srgb
bsdf roughdiffuse: reflectance alpha use_fast_approx
bsdf coating: int_ior ext_ior thickness sigma_a specular_reflectance
bsdf roughcoating: alpha distribution
bsdf bump: scale
bsdf phong: exponent specular_reflectance diffuse_reflectance
bsdf ward: variant alpha_u alpha_v
bsdf mixturebsdf: weights
bsdf hk: material sigma_s sigma_a sigma_t albedo thickness
bsdf irawan: filename
bsdf difftrans: transmittance
texture gridtexture: color0 color1 line_width uoffset voffset uscale vscale
texture scale: scale value
texture vertexcolors:
texture wireframe: interior_color edge_color line_width step_width
texture curvature: curvature scale
texture bitmap: wrap_mode_u wrap_mode_v gamma max_anisotropy cache uoffset voffset uscale vscale
  channel
emitter sky: turbidity albedo sun_direction stretch resolution scale extend
emitter sun: turbidity sun_radius_scale resolution scale
emitter collimated: power
medium homogeneous: material sigma_a sigma_s
medium heterogeneous: method density orientation
phase microflake: stddev
phase kkay: ks kd exponent
phase mixturephase: weights
volume volcache: block_size voxel_width memory_limit
)";

TEST(MitsubaKeys, AccountForEveryParameterOfEveryPlugin) {
  for (const char* list : {kPlugins, kOldPlugins})
    for (const auto& [owner, name] : parse_key_list(list)) {
      const size_t blank = owner.find(' ');
      EXPECT_NE(mitsuba_keys().find(owner.substr(0, blank), owner.substr(blank + 1), name), nullptr)
          << owner << ": " << name;
    }
}

TEST(MitsubaKeys, HaveAReasonUnlessTheyAreRead) {
  for (const KnownKey& key : mitsuba_keys().keys())
    EXPECT_TRUE(key.use == KeyUse::kUsed || !key.why.empty()) << key.owner << ": " << key.name;
}

TEST(MitsubaKeys, AreDocumented) {
  expect_generated("Mitsuba", markdown_of_keys(mitsuba_keys().keys(), "plugin"),
                   std::filesystem::path(WINNOW_SCENES_DIR) / "README.md");
}

using MitsubaKeyWarnings = MitsubaScenes;

TEST_F(MitsubaKeyWarnings, NameEachKindOfParameterThatIsIgnored) {
  auto warnings_of = [&](const std::string& objects) {
    return load_objects(objects + "<emitter type='constant'/>").warnings;
  };
  EXPECT_THAT(
      warnings_of("<shape type='sphere'><float name='shine' value='1'/></shape>" +
                  std::string("<shape type='sphere'><float name='shine' value='2'/></shape>")),
      ElementsAre(HasSubstr("the parameter \"shine\" of shape sphere is ignored: it is "
                            "unknown (2 times)")));
  EXPECT_THAT(
      warnings_of(kSphere + object("integrator", "path", {"boolean hideEmitters true"})),
      ElementsAre(HasSubstr("the parameter \"hide_emitters\" of integrator path is ignored: the "
                            "camera sees the lights")));
  EXPECT_THAT(warnings_of(kSphere + object("integrator", "path",
                                           {"boolean hide_emitters false", "integer rr_depth 3"})),
              ElementsAre());
  EXPECT_THAT(warnings_of(kSphere + object("integrator", "depth")),
              ElementsAre(HasSubstr("an integrator of the type depth: a path tracer is used")));
  EXPECT_THAT(warnings_of(kSphere + "<bsdf type='mask' id='unused'><ref name='opacity' id='no'/>"
                                    "</bsdf>"),
              ElementsAre())
      << "a reference of an unused object";
}

TEST_F(MitsubaKeyWarnings, AreLimitedInNumber) {
  std::string objects = kSphere + "<emitter type='constant'>";
  for (int i = 0; i < 1000; ++i) objects += fmt::format("<float name='p{}' value='1'/>", i);
  EXPECT_LE(load_objects(objects + "</emitter>").warnings.size(), 201u);
}

}  // namespace
}  // namespace winnow
