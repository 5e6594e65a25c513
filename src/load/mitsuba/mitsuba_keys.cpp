// SPDX-License-Identifier: MIT
#include <set>
#include <string>

#include "base/error.h"
#include "load/mitsuba/convert.h"
#include "load/mitsuba/object.h"

namespace winnow {
namespace {

using enum KeyUse;

constexpr std::string_view kSpectral = "it matters in spectral modes only";

/// Rows of mitsuba_keys(), with names separated by spaces. Sources: the documentation of the
/// plugins of Mitsuba 3.9.1, and Wenzel Jakob, "Mitsuba Documentation", 2014, for versions 0.5 and
/// 0.6.
constexpr KnownKey kMitsubaRows[] = {
    // Sensors.
    {"sensor", "to_world near_clip far_clip"},
    {"sensor", "shutter_open shutter_close", kHarmless, "nothing moves"},
    {"sensor", "sampling_weight", kHarmless, kChangesNoise},
    {"sensor", "srf", kIgnored, "the sensor sees Rec.709"},
    {"sensor perspective|sensor thinlens|sensor orthographic", ""},
    {"sensor perspective",
     "fov focal_length fov_axis principal_point_offset_x principal_point_offset_y"},
    {"sensor perspective|sensor orthographic", "focus_distance", kHarmless, "it has no lens"},
    {"sensor perspective|sensor thinlens", "x_fov", kIgnored,
     "it is an output of Mitsuba; fov is read"},
    {"sensor thinlens",
     "fov focal_length fov_axis principal_point_offset_x principal_point_offset_y "
     "aperture_radius focus_distance"},
    {"sensor thinlens", "blades", kIgnored, "the aperture is a disk"},
    {"sensor radiancemeter|sensor irradiancemeter|sensor distant|sensor batch|"
     "sensor fluencemeter|sensor spherical|sensor telecentric|sensor perspective_rdist",
     "", kUsed, "becomes perspective"},
    {"sensor radiancemeter|sensor distant", "target direction origin", kIgnored,
     "the sensor becomes perspective"},
    {"sensor telecentric", "aperture_radius focus_distance", kIgnored,
     "the sensor becomes perspective"},
    {"sensor perspective_rdist", "fov focal_length fov_axis"},
    {"sensor perspective_rdist", "kc", kIgnored, "radial distortion is left out"},
    // Films and filters.
    {"film", "width height crop_offset_x crop_offset_y crop_width crop_height"},
    {"film", "file_format component_format banner attach_log", kHarmless, kChangesOutput},
    {"film", "pixel_format", kUsed, "images are RGB, or RGBA by --alpha; others are named"},
    {"film", "sample_border high_quality_edges", kHarmless, kChangesNoise},
    {"film", "compensate", kHarmless, "sums have double precision"},
    {"film hdrfilm|film ldrfilm|film tiledhdrfilm", ""},
    {"film hdrfilm", "gamma", kIgnored, "the film is linear"},
    {"film ldrfilm", "tonemap_method gamma exposure key burn fade", kIgnored,
     "the options --exposure and --tone-map choose how images are shown"},
    {"film specfilm|film mfilm", "", kUsed, "becomes Rec.709"},
    {"film mfilm", "digits variable", kHarmless, kChangesOutput},
    {"rfilter box|rfilter tent", ""},
    {"rfilter box|rfilter tent", "radius"},
    {"rfilter gaussian", "", kUsed, "truncated at 3 deviations instead of 4: 0.3 % of the samples"},
    {"rfilter gaussian", "stddev"},
    {"rfilter mitchell|rfilter catmullrom|rfilter lanczos", "", kUsed,
     "becomes gaussian with a deviation of 0.5 pixels"},
    {"rfilter mitchell", "B C", kIgnored, "the filter becomes gaussian"},
    {"rfilter lanczos", "lobes", kIgnored, "the filter becomes gaussian"},
    // Samplers and integrators.
    {"sampler", "sample_count"},
    {"sampler", "seed", kHarmless, kChangesNoise},
    {"sampler independent|sampler stratified|sampler multijitter|sampler orthogonal|"
     "sampler ldsampler|sampler halton|sampler hammersley|sampler sobol",
     ""},
    {"sampler stratified", "jitter dimension", kHarmless, kChangesNoise},
    {"sampler multijitter", "jitter", kHarmless, kChangesNoise},
    {"sampler orthogonal", "jitter strength", kHarmless, kChangesNoise},
    {"sampler ldsampler", "dimension", kHarmless, kChangesNoise},
    {"sampler halton|sampler hammersley|sampler sobol", "scramble", kHarmless, kChangesNoise},
    {"integrator", "max_depth"},
    {"integrator", "rr_depth", kHarmless, kChangesNoise},
    {"integrator", "timeout samples_per_pass block_size", kHarmless, kChangesSpeed},
    {"integrator", "hide_emitters", kIgnored, "the camera sees the lights"},
    {"integrator", "strict_normals", kIgnored, "it is read as false"},
    {"integrator path|integrator volpath|integrator volpathmis|integrator prb|"
     "integrator prb_basic|integrator prbvolpath|integrator volpath_simple|"
     "integrator prb_projective|integrator prb_reparam",
     ""},
    {"integrator volpathmis", "use_spectral_mis", kHarmless, kChangesNoise},
    {"integrator prb_projective|integrator prb_reparam",
     "sppc sppp sppi guiding guiding_proj guiding_rounds", kHarmless,
     "it matters for derivatives only"},
    {"integrator direct|integrator direct_projective", "", kUsed, "up to two bounces"},
    {"integrator direct", "shading_samples emitter_samples bsdf_samples luminaire_samples",
     kHarmless, kChangesNoise},
    {"integrator direct_projective",
     "sppc sppp sppi guiding guiding_proj guiding_rounds shading_samples emitter_samples "
     "bsdf_samples",
     kHarmless, kChangesNoise},
    {"integrator aov|integrator moment|integrator stokes|integrator multichannel", "", kUsed,
     "becomes the integrator inside"},
    {"integrator aov", "aovs", kHarmless, "--output-layers of winnow render write such images"},
    {"integrator ptracer|integrator bdpt|integrator mlt|integrator erpt|integrator pssmlt|"
     "integrator photonmapper|integrator ppm|integrator sppm|integrator vpl",
     "", kUsed, "becomes a path tracer with the same expected picture"},
    {"integrator bdpt", "light_image sample_direct", kHarmless, kChangesNoise},
    {"integrator mlt",
     "bidirectional lens_perturbation multi_chain_perturbation caustic_perturbation "
     "manifold_perturbation lambda direct_samples luminance_samples two_stage",
     kHarmless, kChangesNoise},
    {"integrator erpt",
     "num_chains max_chains chain_length direct_samples lens_perturbation "
     "multi_chain_perturbation caustic_perturbation manifold_perturbation lambda",
     kHarmless, kChangesNoise},
    {"integrator pssmlt", "bidirectional direct_samples luminance_samples two_stage p_large",
     kHarmless, kChangesNoise},
    {"integrator photonmapper",
     "direct_samples glossy_samples global_photons caustic_photons volume_photons "
     "global_lookup_radius caustic_lookup_radius lookup_size granularity",
     kHarmless, kChangesNoise},
    {"integrator ppm|integrator sppm", "photon_count initial_radius alpha granularity max_passes",
     kHarmless, kChangesNoise},
    {"integrator vpl", "shadow_map_resolution clamping", kHarmless, kChangesNoise},
    {"integrator depth|integrator ao|integrator field|integrator motion|"
     "integrator volprim_rf_basic",
     "", kIgnored, "a path tracer is used, whose picture differs"},
    {"integrator ao", "shading_samples ray_length", kHarmless, kForOtherIntegrators},
    {"integrator field", "field undefined", kHarmless, kForOtherIntegrators},
    {"integrator irrcache|integrator adaptive|integrator path_projective", "", kUsed,
     "becomes a path tracer"},
    {"integrator adaptive", "max_error p_value max_sample_factor", kHarmless, kForOtherIntegrators},
    {"integrator volprim_rf_basic", "kernel_type", kHarmless, kForOtherIntegrators},
    // Shapes.
    {"shape", "to_world"},
    {"shape", "silhouette_sampling_weight", kHarmless, "it matters for derivatives only"},
    {"shape obj|shape ply|shape serialized|shape rectangle|shape cube|shape shapegroup|"
     "shape instance|shape merge",
     ""},
    {"shape obj|shape ply", "filename face_normals flip_normals flip_tex_coords"},
    {"shape obj|shape ply|shape serialized", "vertex_count face_count", kHarmless,
     "they follow from the file"},
    {"shape obj|shape ply|shape serialized", "max_smooth_angle", kIgnored,
     "normals are smooth at all angles"},
    {"shape obj", "load_materials shape_index", kIgnored,
     "the materials of OBJ files are not read"},
    {"shape obj", "collapse", kIgnored, "all shapes of the file are read"},
    {"shape ply", "srgb", kIgnored, "colours of vertices are linear"},
    {"shape serialized", "filename face_normals flip_normals shape_index"},
    {"shape rectangle|shape cube|shape disk", "flip_normals"},
    {"shape cube", "vertex_count face_count", kHarmless, "they are constant"},
    {"shape cube", "face_normals", kHarmless, "its faces are flat"},
    {"shape sphere", "", kUsed, "exact; 128 x 64 faces if scaled nonuniformly or in a group"},
    {"shape sphere", "center radius flip_normals"},
    {"shape disk", "", kUsed, "128 sides: 0.04 % less area"},
    {"shape cylinder", "", kUsed, "128 sides: 0.01 % less area"},
    {"shape cylinder", "p0 p1 radius flip_normals"},
    {"shape animation|shape bsplinecurve|shape linearcurve|shape hair|shape sdfgrid|"
     "shape ellipsoids|shape ellipsoidsmesh|shape heightfield|shape deformable|shape blender",
     "", kIgnored, "left out"},
    {"shape bsplinecurve|shape linearcurve", "filename control_point_count", kHarmless,
     "the shape is left out"},
    {"shape hair", "filename radius angle_threshold reduction width_angle", kHarmless,
     "the shape is left out"},
    {"shape sdfgrid", "filename grid normals", kHarmless, "the shape is left out"},
    {"shape ellipsoids",
     "filename data centers scales quaternions scale_factor extent extent_adaptive_clamping",
     kHarmless, "the shape is left out"},
    {"shape ellipsoidsmesh",
     "filename data centers scales quaternions scale_factor extent extent_adaptive_clamping "
     "shell",
     kHarmless, "the shape is left out"},
    {"shape heightfield", "filename scale shadow_resolution", kHarmless, "the shape is left out"},
    {"shape deformable", "filename", kHarmless, "the shape is left out"},
    {"shape blender",
     "name version mat_nr vert_count loop_tri_count loops loop_tris polys mat_indices "
     "sharp_face verts normals uvs",
     kHarmless, "the shape is left out"},
    // Surfaces.
    {"bsdf diffuse|bsdf lambertian|bsdf conductor|bsdf roughconductor|bsdf dielectric|"
     "bsdf roughdielectric|bsdf thindielectric|bsdf plastic|bsdf principled|bsdf mask|"
     "bsdf normalmap|bsdf null",
     ""},
    {"bsdf diffuse|bsdf lambertian|bsdf roughdiffuse", "reflectance"},
    {"bsdf roughdiffuse|bsdf phong|bsdf ward", "", kUsed, "becomes diffuse"},
    {"bsdf roughdiffuse", "alpha use_fast_approx", kIgnored, "the surface becomes diffuse"},
    {"bsdf conductor", "material eta k specular_reflectance ext_eta"},
    {"bsdf roughconductor", "material eta k specular_reflectance ext_eta alpha alpha_u alpha_v"},
    {"bsdf roughconductor|bsdf roughdielectric|bsdf roughplastic|bsdf pplastic", "distribution",
     kUsed, "phong and as become beckmann"},
    {"bsdf roughconductor|bsdf roughdielectric|bsdf roughplastic|bsdf pplastic", "sample_visible",
     kHarmless, kChangesNoise},
    {"bsdf dielectric|bsdf thindielectric",
     "int_ior ext_ior specular_reflectance specular_transmittance"},
    {"bsdf dielectric|bsdf roughdielectric|bsdf thindielectric|bsdf plastic|bsdf roughplastic|"
     "bsdf pplastic",
     "eta", kHarmless, "it is an output of Mitsuba"},
    {"bsdf roughdielectric",
     "int_ior ext_ior specular_reflectance specular_transmittance alpha alpha_u alpha_v"},
    {"bsdf plastic",
     "int_ior ext_ior diffuse_reflectance reflectance specular_reflectance nonlinear"},
    {"bsdf roughplastic", "", kUsed, "up to 7 % brighter for a high index"},
    {"bsdf roughplastic",
     "int_ior ext_ior diffuse_reflectance reflectance specular_reflectance nonlinear alpha"},
    {"bsdf pplastic", "", kUsed, "becomes roughplastic, without polarisation"},
    {"bsdf pplastic",
     "int_ior ext_ior diffuse_reflectance reflectance specular_reflectance alpha alpha_u "
     "alpha_v nonlinear"},
    {"bsdf principledthin", "", kUsed, "what is seen through is blurred more"},
    {"bsdf principled",
     "base_color roughness anisotropic metallic spec_trans eta specular sheen clearcoat "
     "clearcoat_gloss"},
    {"bsdf principled",
     "diffuse_reflectance_sampling_rate main_specular_sampling_rate clearcoat_sampling_rate",
     kHarmless, kChangesNoise},
    {"bsdf principled|bsdf principledthin", "sheen_tint spec_tint", kUsed,
     "that of a textured base_color is that of its mean"},
    {"bsdf principled|bsdf principledthin", "flatness", kIgnored,
     "the diffuse part is that of 0, up to 30 % brighter"},
    {"bsdf principledthin", "base_color roughness anisotropic spec_trans eta sheen diff_trans"},
    {"bsdf principledthin",
     "diffuse_reflectance_sampling_rate specular_reflectance_sampling_rate "
     "specular_transmittance_sampling_rate diffuse_transmittance_sampling_rate",
     kHarmless, kChangesNoise},
    {"bsdf twosided", "", kUsed, "both sides have the first BSDF"},
    {"bsdf twosided", "allow_transmission", kHarmless, "light passes in any case"},
    {"bsdf mask", "opacity"},
    {"bsdf normalmap", "normalmap use_shadowing_function filename"},
    {"bsdf normalmap|bsdf bumpmap", "flip_invalid_normals", kUsed, "taken as true"},
    {"bsdf bumpmap|bsdf bump", "", kUsed, "becomes a normal map for the mean size of a shape"},
    {"bsdf bumpmap", "scale use_shadowing_function texture"},
    {"bsdf bump", "scale texture"},
    {"bsdf blendbsdf", "", kUsed,
     "exact for two diffuse surfaces and for one and null; principled for a diffuse surface and a "
     "metal; else the heavier one"},
    {"bsdf blendbsdf", "weight", kUsed, "a texture becomes its mean"},
    {"bsdf mixturebsdf", "", kUsed, "as blendbsdf"},
    {"bsdf mixturebsdf", "weights"},
    {"bsdf coating|bsdf roughcoating", "", kUsed, "becomes the surface inside"},
    {"bsdf coating", "int_ior ext_ior thickness sigma_a specular_reflectance", kIgnored,
     "the coating is left out"},
    {"bsdf roughcoating",
     "int_ior ext_ior thickness sigma_a specular_reflectance alpha distribution", kIgnored,
     "the coating is left out"},
    {"bsdf phong|bsdf ward", "diffuse_reflectance reflectance"},
    {"bsdf phong", "exponent specular_reflectance", kIgnored, "the highlight is left out"},
    {"bsdf ward", "alpha_u alpha_v specular_reflectance variant", kIgnored,
     "the highlight is left out"},
    {"bsdf polarizer|bsdf circular", "", kUsed, "becomes a grey filter"},
    {"bsdf polarizer", "theta transmittance polarizing", kIgnored, "half of the light passes"},
    {"bsdf circular", "transmittance left_handed", kIgnored, "half of the light passes"},
    {"bsdf retarder", "", kUsed, "changes nothing: light has no polarisation"},
    {"bsdf retarder", "theta delta", kHarmless, "light has no polarisation"},
    {"bsdf retarder", "transmittance", kIgnored, "all light passes"},
    {"bsdf hair|bsdf measured|bsdf measured_polarized|bsdf hk|bsdf irawan|bsdf difftrans", "",
     kIgnored, "becomes diffuse with reflectance 0.5"},
    {"bsdf hair",
     "longitudinal_roughness azimuthal_roughness scale_tilt eumelanin pheomelanin sigma_a scale "
     "int_ior ext_ior use_pigmentation eta",
     kHarmless, "the surface becomes diffuse"},
    {"bsdf measured|bsdf irawan", "filename", kHarmless, "the surface becomes diffuse"},
    {"bsdf measured_polarized", "filename alpha_sample wavelength", kHarmless,
     "the surface becomes diffuse"},
    {"bsdf hk", "material sigma_s sigma_a sigma_t albedo thickness", kHarmless,
     "the surface becomes diffuse"},
    {"bsdf difftrans", "transmittance", kHarmless, "the surface becomes diffuse"},
    // Media.
    {"medium", "scale"},
    {"medium", "sample_emitters", kHarmless, kChangesNoise},
    {"medium homogeneous", ""},
    {"medium homogeneous", "sigma_t albedo sigma_a sigma_s material"},
    {"medium homogeneous", "has_spectral_extinction", kHarmless, kChangesSpeed},
    {"medium heterogeneous", ""},
    {"medium heterogeneous", "sigma_t albedo density"},
    {"medium heterogeneous", "has_spectral_extinction method", kHarmless, kChangesSpeed},
    {"medium heterogeneous", "orientation", kHarmless, "media are isotropic"},
    {"phase isotropic|phase hg", ""},
    {"phase hg", "g"},
    {"phase rayleigh|phase blendphase|phase mixturephase|phase sggx|phase tabphase|"
     "phase microflake|phase kkay",
     "", kUsed, "becomes isotropic"},
    {"phase blendphase", "weight", kIgnored, "the phase function becomes isotropic"},
    {"phase mixturephase", "weights", kIgnored, "the phase function becomes isotropic"},
    {"phase sggx", "S diffuse", kIgnored, "the phase function becomes isotropic"},
    {"phase tabphase", "values", kIgnored, "the phase function becomes isotropic"},
    {"phase microflake", "stddev", kIgnored, "the phase function becomes isotropic"},
    {"phase kkay", "ks kd exponent", kIgnored, "the phase function becomes isotropic"},
    {"volume constvolume", ""},
    {"volume constvolume", "value to_world"},
    {"volume gridvolume", "", kUsed,
     "becomes its mean, unless it is an albedo or the extinction of a `heterogeneous` medium, "
     "whose colours become their mean"},
    {"volume gridvolume", "filename use_grid_bbox to_world wrap_mode"},
    {"volume gridvolume", "filter_type", kUsed,
     "`nearest` becomes trilinear between up to 8^3 samples for each one"},
    {"volume gridvolume", "raw", kHarmless, "colours are linear"},
    {"volume gridvolume", "accel max_value send_data min max", kHarmless, kChangesSpeed},
    {"volume gridvolume", "grid data", kIgnored, "the volume of a program is not in the file"},
    {"volume volcache", "", kIgnored, "left out"},
    {"volume volcache", "block_size voxel_width memory_limit to_world", kHarmless,
     "the volume is left out"},
    // Textures and spectra.
    {"texture bitmap|texture checkerboard|texture scale|texture uniform|texture rawconstant|"
     "texture srgb|texture d65|texture regular|texture irregular",
     ""},
    {"texture bitmap",
     "filename filter_type wrap_mode wrap_mode_u wrap_mode_v raw to_uv uoffset voffset uscale "
     "vscale uvscale"},
    {"texture bitmap", "gamma", kUsed, "1 is linear, any other sRGB"},
    {"texture bitmap", "accel cache", kHarmless, kChangesSpeed},
    {"texture bitmap", "max_anisotropy", kHarmless, "there are no mip maps"},
    {"texture bitmap", "format", kHarmless, "texels are exact"},
    {"texture bitmap", "bitmap data", kIgnored, "the image of a program is not in the file"},
    {"texture bitmap", "channel", kIgnored, "all channels are read"},
    {"texture checkerboard", "color0 color1 to_uv uoffset voffset uscale vscale uvscale"},
    {"texture mesh_attribute", "", kUsed, "exact as a reflectance; else the mean"},
    {"texture mesh_attribute", "name scale"},
    {"texture scale", "scale value"},
    {"texture volume|texture vertexcolors|texture wireframe|texture curvature", "", kIgnored,
     "becomes grey 0.5"},
    {"texture volume", "volume", kHarmless, kTextureIsGrey},
    {"texture gridtexture", "", kUsed, "becomes its first colour"},
    {"texture gridtexture", "color0"},
    {"texture gridtexture", "to_uv uoffset voffset uscale vscale", kHarmless,
     "the texture has one colour"},
    {"texture gridtexture", "color1 line_width", kIgnored, "the texture has one colour"},
    {"texture wireframe", "interior_color edge_color line_width step_width", kHarmless,
     kTextureIsGrey},
    {"texture curvature", "curvature scale", kHarmless, kTextureIsGrey},
    {"texture uniform|texture rawconstant", "value"},
    {"texture uniform|texture blackbody", "wavelength_min wavelength_max", kHarmless, kSpectral},
    {"texture srgb", "color"},
    {"texture srgb", "unbounded", kHarmless, "emission has no bound"},
    {"texture d65", "scale color value"},
    {"texture regular", "values wavelength_min wavelength_max"},
    {"texture regular", "range", kHarmless, "wavelength_min and wavelength_max are read"},
    {"texture regular|texture irregular", "value", kIgnored, "values is read"},
    {"texture irregular", "values wavelengths"},
    {"texture blackbody", "", kUsed,
     "gets the luminance of its scale; Mitsuba has it in spectral modes only"},
    {"texture blackbody", "temperature scale"},
    // Lights.
    {"emitter", "sampling_weight", kHarmless, kChangesNoise},
    {"emitter area|emitter constant|emitter envmap|emitter point|emitter spot|"
     "emitter directional",
     ""},
    {"emitter area|emitter constant", "radiance"},
    {"emitter area", "to_world", kHarmless, "an area light has the place of its shape"},
    {"emitter constant", "to_world", kHarmless, "it is the same from all sides"},
    {"emitter envmap", "filename scale"},
    {"emitter envmap", "to_world", kUsed, "skew and scale are ignored"},
    {"emitter envmap", "mis_compensation", kHarmless, kChangesNoise},
    {"emitter envmap", "cache", kHarmless, kChangesSpeed},
    {"emitter envmap", "bitmap data", kIgnored, "the image of a program is not in the file"},
    {"emitter envmap", "gamma", kIgnored, "the encoding of the file is used"},
    {"emitter point", "position intensity to_world"},
    {"emitter spot", "intensity cutoff_angle beam_width to_world"},
    {"emitter spot", "texture", kUsed, "its mean"},
    {"emitter directional", "irradiance direction to_world"},
    {"emitter sunsky|emitter sun", "", kUsed, "without limb darkening"},
    {"emitter sunsky|emitter sun_sky",
     "turbidity albedo latitude longitude timezone year month day hour minute second "
     "sun_direction to_world scale sun_scale sky_scale sun_aperture"},
    {"emitter sunsky|emitter sky|emitter sun", "resolution", kHarmless, kChangesSpeed},
    {"emitter sunsky|emitter sky|emitter sun", "sun_radius_scale", kIgnored,
     "sun_aperture is read"},
    {"emitter sunsky|emitter sky|emitter sun", "stretch extend", kIgnored,
     "the sky ends at the horizon"},
    {"emitter sunsky|emitter sun|emitter sun_sky", "complex_sun", kIgnored,
     "the sun has one colour"},
    {"emitter sky", "", kUsed, "Hosek & Wilkie"},
    {"emitter sky",
     "turbidity albedo latitude longitude timezone year month day hour minute second "
     "sun_direction to_world scale sky_scale"},
    {"emitter sky", "sun_scale sun_aperture complex_sun", kHarmless, "it has no sun"},
    {"emitter sun",
     "turbidity albedo latitude longitude timezone year month day hour minute second "
     "sun_direction to_world scale sun_scale sun_aperture"},
    {"emitter sun", "sky_scale", kHarmless, "it has no sky"},
    {"emitter sun_sky", "", kUsed, "as sunsky"},
    {"emitter timed_sunsky|emitter directionalarea|emitter projector|emitter collimated|"
     "emitter volumelight",
     "", kIgnored, "left out"},
    {"emitter timed_sunsky",
     "turbidity albedo latitude longitude timezone window_start_time window_end_time start_year "
     "start_month start_day end_year end_month end_day sun_scale sky_scale sun_aperture "
     "shutter_open shutter_close complex_sun to_world",
     kHarmless, "the light is left out"},
    {"emitter directionalarea", "radiance to_world", kHarmless, "the light is left out"},
    {"emitter projector", "irradiance scale to_world fov focal_length fov_axis", kHarmless,
     "the light is left out"},
    {"emitter collimated", "power to_world", kHarmless, "the light is left out"},
    {"emitter volumelight", "radiance", kHarmless, "the light is left out"},
};

/// Tags of plugins. A <spectrum> with a type is a texture.
std::string_view tag_of(const MitsubaObject& object) {
  constexpr std::string_view kTags[] = {"sensor",     "film",   "rfilter", "sampler",
                                        "integrator", "shape",  "bsdf",    "medium",
                                        "phase",      "volume", "emitter", "texture"};
  if (object.is_texture()) return "texture";
  for (std::string_view tag : kTags)
    if (tag == object.tag()) return tag;
  return "";
}

/// True for children that have a name as parameters have. The names of others, such as surfaces
/// inside of a surface, are arbitrary.
bool is_parameter(const MitsubaObject& child) {
  constexpr std::string_view kOthers[] = {"bsdf",    "shape", "emitter", "medium",     "phase",
                                          "sampler", "film",  "rfilter", "integrator", "sensor"};
  for (std::string_view tag : kOthers)
    if (child.tag() == tag) return false;
  return true;
}

/// True for a switch that is off, as all that are ignored are by default.
bool is_false(pugi::xml_node node) {
  return std::string_view(node.name()) == "boolean" &&
         std::string_view(node.attribute("value").value()) == "false";
}

/// @param kinds  texts of warnings so far, at most kMaxKinds
void warn_about_ignored_keys_of(const MitsubaObject& object, std::string_view tag,
                                std::set<std::string>& kinds) {
  constexpr size_t kMaxKinds = 200;
  const std::string type = object.type();
  const KnownKey* plugin = mitsuba_keys().find(tag, type, "");
  const bool is_quiet = tag == "integrator" || tag == "sampler" || tag == "film";
  if (is_quiet && !plugin)
    object.warn(
        fmt::format("a <{}> of the unknown type {} is read as others are", tag, in_quotes(type)));
  if (is_quiet && plugin && plugin->use == kIgnored)
    object.warn(fmt::format("an {} of the type {}: {}", tag, type, plugin->why));
  if (!plugin) return;
  const bool has_any_map = type == "bumpmap" || type == "bump" || type == "normalmap";
  for (pugi::xml_node node : object.node().children()) {
    const char* given = node.attribute("name").value();
    if (node.type() != pugi::node_element || *given == '\0') continue;
    if (!object.document().can_resolve(node)) continue;
    const MitsubaObject child(object.document(), node);
    if (!is_parameter(child) || (has_any_map && child.is_texture())) continue;
    const std::string name = snake_case(given);
    const KnownKey* key = mitsuba_keys().find(tag, type, name);
    if (key && (key->use != kIgnored || is_false(node))) continue;
    std::string text = fmt::format("the parameter {} of {} {} is ignored: {}", in_quotes(name), tag,
                                   one_line(type), key ? key->why : "it is unknown");
    if (kinds.size() == kMaxKinds && !kinds.contains(text))
      text = "further parameters are ignored";
    else
      kinds.insert(text);
    child.warn(text);
  }
}

}  // namespace

const KeyTable& mitsuba_keys() {
  static const KeyTable kTable(kMitsubaRows);
  return kTable;
}

void warn_about_ignored_keys(MitsubaDocument& document) {
  std::set<std::string> kinds;
  document.for_each_node([&](pugi::xml_node node) {
    if (std::string_view(node.name()) == "ref") return;
    const MitsubaObject object(document, node);
    if (const std::string_view tag = tag_of(object); !tag.empty())
      warn_about_ignored_keys_of(object, tag, kinds);
  });
}

}  // namespace winnow
