// SPDX-License-Identifier: MIT
#include "load/pbrt/pbrt.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>
#include <memory>
#include <utility>

#include "base/error.h"
#include "load/pbrt/convert.h"
#include "scene/frame_scene.h"
#include "scene/scene_summary.h"
#include "scene/soft_sky.h"

namespace winnow {
namespace {

glm::dvec3 numbers_at(const PbrtStatement& statement, size_t first) {
  const auto& n = statement.numbers;
  return {n[first], n[first + 1], n[first + 2]};
}

/// Returns the transform from the world to a camera at `eye`, with x to the right, y up and z in
/// front.
glm::dmat4 look_at_of(const PbrtStatement& statement) {
  const glm::dvec3 eye = numbers_at(statement, 0), target = numbers_at(statement, 3),
                   up = numbers_at(statement, 6);
  const glm::dvec3 forward = glm::normalize(target - eye);
  const glm::dvec3 right = glm::normalize(glm::cross(glm::normalize(up), forward));
  if (!std::isfinite(right.x + right.y + right.z))
    fail_at(statement.place, "expected a LookAt of two points and another direction upward");
  const glm::dvec3 above = glm::cross(forward, right);
  return glm::inverse(glm::dmat4(glm::dvec4(right, 0.0), glm::dvec4(above, 0.0),
                                 glm::dvec4(forward, 0.0), glm::dvec4(eye, 1.0)));
}

/// Reads sixteen numbers, columns first.
glm::dmat4 matrix_of(const PbrtStatement& statement) {
  glm::dmat4 matrix;
  for (int i = 0; i < 16; ++i) matrix[i / 4][i % 4] = double(statement.numbers[size_t(i)]);
  const double w = matrix[3].w;
  if (matrix[0].w != 0.0 || matrix[1].w != 0.0 || matrix[2].w != 0.0 || w == 0.0)
    fail_at(statement.place, "expected an affine matrix: its fourth row is 0 0 0 1");
  if (w != 1.0) matrix = glm::dmat4(matrix[0] / w, matrix[1] / w, matrix[2] / w, matrix[3] / w);
  return matrix;
}

glm::dmat4 rotation_of(const PbrtStatement& statement) {
  const glm::dvec3 axis = numbers_at(statement, 1);
  if (!(glm::length(axis) > 0.0)) fail_at(statement.place, "expected an axis of a length above 0");
  return glm::rotate(glm::dmat4(1.0), glm::radians(double(statement.numbers[0])),
                     glm::normalize(axis));
}

void scale_light(float factor, HostScene& scene) {
  if (factor == 1.0f) return;
  for (Material& material : scene.materials) material.emission *= factor;
  for (DeltaLight& light : scene.delta_lights) light.intensity *= factor;
  for (glm::vec3* color : {&scene.sky.zenith, &scene.sky.horizon, &scene.sky.ground})
    *color *= factor;
  scene.environment.scale *= factor;
  for (EmissionPart& part : scene.emission)
    for (glm::vec3& radiance : part.radiances) radiance *= factor;
}

}  // namespace

/// Executes the statements of a scene.
class PbrtReader {
 public:
  PbrtReader(HostScene& scene, const std::filesystem::path& file,
             std::shared_ptr<const std::string> text, std::optional<double> time)
      : statements_(file, std::move(text)),
        time_(time),
        context_{scene, statements_.folder(), statements_.is_old()} {}

  /// Reads the definitions of materials and textures in the whole file, and the names of media, for
  /// uses that come before them, which version 4 allows. To be called before read().
  void read_definitions(const std::filesystem::path& file,
                        std::shared_ptr<const std::string> text) {
    using R = PbrtReader;
    definitions_ = std::make_unique<PbrtStatements>(file, std::move(text));
    while (std::optional<PbrtStatement> statement = definitions_->next()) {
      const auto run = statement->directive->execute;
      if (run == &R::object_begin)
        save(*statement);
      else if (run == &R::object_end)
        restore(*statement);
      else if (run == &R::make_named_medium) {
        if (keeps_pbrt_medium(named_object_of(*statement, "medium")))
          context_.later_media[statement->strings[0]] = kNoMedium;
      } else if (run == &R::save || run == &R::restore || run == &R::attribute ||
                 run == &R::color_space || run == &R::texture || run == &R::make_named_material)
        (this->*run)(*statement);
    }
    context_.textures.keep_for_earlier_uses();
    materials_.keep_for_earlier_uses();
    context_.warnings = {};  // read() repeats them
    saved_.clear();
    state_ = {};
  }

  /// @return  false if names were used before their definition, which read_definitions() finds
  bool read() {
    while (std::optional<PbrtStatement> statement = statements_.next()) execute(*statement);
    if (!saved_.empty())
      context_.warn(saved_.back().place,
                    fmt::format("{} has no end", saved_.back().directive->name));
    shapes_.place_instances(statements_.name());
    if (!context_.is_old && !definitions_ && defines_earlier_uses()) return false;
    finish();
    return true;
  }

 private:
  /// A state that AttributeBegin, TransformBegin or ObjectBegin saved.
  struct Saved {
    PbrtState state;
    const PbrtDirective* directive;
    PbrtPlace place;
  };

  friend struct PbrtDirective;

  bool defines_earlier_uses() const {
    const auto is_medium = [&](const std::string& name) { return context_.media.contains(name); };
    return materials_.defines_earlier_uses() || context_.textures.defines_earlier_uses() ||
           std::ranges::any_of(context_.unknown_media, is_medium);
  }

  void execute(const PbrtStatement& statement) {
    if (const auto execute = statement.directive->execute) return (this->*execute)(statement);
    context_.warn(statement.place, fmt::format("{} is ignored", statement.directive->name));
  }

  /// @param target  kind of object for which Attribute may set defaults, if any
  PbrtObject object_of(const PbrtStatement& statement, const char* target = "") {
    PbrtObject object{statement.parameters, statement.strings[0], "", statement.place, &context_,
                      state_.color_space};
    if (state_.defaults)
      if (const auto known = state_.defaults->find(target); known != state_.defaults->end())
        object.add_defaults(known->second);
    return object;
  }
  /// Returns the object of a statement whose first string is a name instead of a type.
  PbrtObject named_object_of(const PbrtStatement& statement, const char* target) {
    PbrtObject object = object_of(statement, target);
    object.name = std::exchange(object.type, "");
    return object;
  }

  void ignore(const PbrtStatement&) {}
  void accelerator(const PbrtStatement& statement) {
    object_of(statement).warn_about_unused("accelerator");
  }
  void set_option(const PbrtStatement& statement) {
    for (const PbrtParameter& option : statement.parameters.all())
      option.is_used = option.bools == std::vector{false};
    PbrtObject{statement.parameters, "", "", statement.place, &context_, state_.color_space}
        .warn_about_unused("option");
  }

  // Transforms.
  /// @param change  returns the new matrix from the current one
  template <class Change>
  void change_transform(const Change& change) {
    PbrtTransforms& ctm = state_.ctm;
    if (ctm.is_start_active) ctm.start = change(ctm.start);
    if (ctm.is_end_active) ctm.end = change(ctm.end);
  }
  void identity(const PbrtStatement&) {
    change_transform([](const glm::dmat4&) { return glm::dmat4(1.0); });
  }
  void translate(const PbrtStatement& statement) {
    change_transform(
        [&](const glm::dmat4& ctm) { return glm::translate(ctm, numbers_at(statement, 0)); });
  }
  void scale(const PbrtStatement& statement) {
    change_transform(
        [&](const glm::dmat4& ctm) { return glm::scale(ctm, numbers_at(statement, 0)); });
  }
  template <glm::dmat4 (*kMatrixOf)(const PbrtStatement&)>
  void concatenate(const PbrtStatement& statement) {
    change_transform([&](const glm::dmat4& ctm) { return ctm * kMatrixOf(statement); });
  }
  void transform(const PbrtStatement& statement) {
    change_transform([&](const glm::dmat4&) { return matrix_of(statement); });
  }
  void coordinate_system(const PbrtStatement& statement) {
    systems_[statement.strings[0]] = state_.ctm;
  }
  void coord_sys_transform(const PbrtStatement& statement) {
    const auto known = systems_.find(statement.strings[0]);
    if (known == systems_.end())
      fail_at(statement.place,
              fmt::format("the coordinate system {} is unknown", in_quotes(statement.strings[0])));
    state_.ctm.start = known->second.start;
    state_.ctm.end = known->second.end;
  }
  void active_transform(const PbrtStatement& statement) {
    const std::string& which = statement.strings[0];
    if (which != "StartTime" && which != "EndTime" && which != "All")
      fail_at(statement.place, "expected ActiveTransform StartTime, EndTime or All");
    state_.ctm.is_start_active = which != "EndTime";
    state_.ctm.is_end_active = which != "StartTime";
  }
  void transform_times(const PbrtStatement& statement) {
    const double start = statement.numbers[0], end = statement.numbers[1];
    if (!(start <= end && std::isfinite(end - start)))
      fail_at(statement.place,
              fmt::format("expected TransformTimes in order, found {:g} and {:g}", start, end));
    options_.set_transform_times(start, end);
  }

  // Options.
  void camera(const PbrtStatement& statement) {
    if (is_in_world_) return context_.warn(statement.place, "a Camera in the world is ignored");
    systems_["camera"] = {glm::inverse(state_.ctm.start), glm::inverse(state_.ctm.end)};
    options_.set_camera(object_of(statement), state_);
    camera_medium_ = state_.outside;
    camera_place_ = statement.place;
  }
  template <void (PbrtOptions::*kSet)(const PbrtObject&)>
  void option(const PbrtStatement& statement) {
    (options_.*kSet)(object_of(statement));
  }
  void color_space(const PbrtStatement& statement) {
    const std::optional<PbrtColorSpace> known = pbrt_color_space(statement.strings[0]);
    if (known) state_.color_space = *known;
    if (!known)
      context_.warn(statement.place, fmt::format("the color space {} is taken as srgb",
                                                 in_quotes(statement.strings[0])));
  }

  // Blocks.
  void save(const PbrtStatement& statement) {
    if (saved_.size() == kMaxBlockDepth) fail_at(statement.place, "blocks are nested too deeply");
    saved_.push_back({state_, statement.directive, statement.place});
  }
  void restore(const PbrtStatement& statement) {
    if (saved_.empty())
      return context_.warn(statement.place, fmt::format("{} without a beginning is ignored",
                                                        statement.directive->name));
    Saved saved = std::move(saved_.back());
    saved_.pop_back();
    // In version 4, TransformBegin is another name of AttributeBegin.
    const bool is_transform = context_.is_old && (saved.directive->name == "TransformBegin" ||
                                                  statement.directive->name == "TransformEnd");
    if (!is_transform) {
      state_ = std::move(saved.state);
      return;
    }
    state_.ctm = saved.state.ctm;
  }
  void world_begin(const PbrtStatement&) {
    is_in_world_ = true;
    context_.moment = options_.moment_of(time_);
    state_.ctm = {};
    systems_["world"] = state_.ctm;
  }
  void object_begin(const PbrtStatement& statement) {
    save(statement);
    shapes_.begin_object(statement.strings[0], statement.place);
  }
  void object_end(const PbrtStatement& statement) {
    shapes_.end_object(statement.place);
    restore(statement);
  }
  void object_instance(const PbrtStatement& statement) {
    shapes_.add_instance(statement.strings[0], state_, statement.place);
  }
  void reverse_orientation(const PbrtStatement&) { state_.is_reversed = !state_.is_reversed; }
  void attribute(const PbrtStatement& statement) {
    auto defaults = std::make_shared<std::map<std::string, PbrtParameters>>();
    if (state_.defaults) *defaults = *state_.defaults;
    PbrtParameters parameters = statement.parameters;
    PbrtParameters& known = (*defaults)[statement.strings[0]];
    parameters.add_defaults(known);
    known = std::move(parameters);
    state_.defaults = std::move(defaults);
  }

  // The world.
  void shape(const PbrtStatement& statement) {
    is_in_world_ = true;
    state_.material = materials_.defined(state_.material);
    shapes_.add(object_of(statement, "shape"), state_);
  }
  void light(const PbrtStatement& statement) {
    add_pbrt_light(object_of(statement, "light"), state_);
  }
  void area_light(const PbrtStatement& statement) {
    state_.area_light = std::make_shared<const PbrtObject>(object_of(statement, "light"));
  }
  void material(const PbrtStatement& statement) {
    state_.material = std::make_shared<const PbrtObject>(object_of(statement, "material"));
  }
  void make_named_material(const PbrtStatement& statement) {
    materials_.define(named_object_of(statement, "material"));
  }
  void named_material(const PbrtStatement& statement) {
    state_.material = materials_.named(statement.strings[0], statement.place);
  }
  void make_named_medium(const PbrtStatement& statement) {
    define_pbrt_medium(named_object_of(statement, "medium"), context_.to_file(state_));
  }
  void medium_interface(const PbrtStatement& statement) {
    state_.inside = statement.strings[0];
    state_.outside = statement.strings.size() > 1 ? statement.strings[1] : state_.inside;
  }
  void texture(const PbrtStatement& statement) {
    PbrtObject texture = named_object_of(statement, "texture");
    texture.type = statement.strings[2];
    context_.textures.define(texture, statement.strings[1]);
  }

  void finish() {
    HostScene& scene = context_.scene;
    if (!summarize(scene).has_geometry())
      throw Error(fmt::format(
          "{}: has no geometry; {}", statements_.name(),
          context_.left_out.summary("expected at least one Shape of a supported type")));
    if (!options_.finish()) {
      context_.warn({&statements_.name()}, "the scene has no Camera; the view shows all of it");
      frame_scene(scene);
    } else {
      scene.camera_medium = context_.find_medium(camera_medium_, camera_place_);
    }
    options_.warn_about_media(statements_.name());
    scene.is_animated = context_.is_animated;
    if (scene.is_animated) scene.motion_hash = context_.motion.value();
    if (context_.has_ambiguous_motion)
      context_.warn({&statements_.name()},
                    "something turns by half a circle or mirrors between its two transforms; which "
                    "way it turns is not defined");
    const auto place = [&](GridPlacement& placement) {
      placement.to_world = glm::mat4x3(context_.from_pbrt * glm::mat4(placement.to_world));
    };
    for (GridPlacement& placement : scene.grid_placements) place(placement);
    for (EmissionPart& part : scene.emission)
      for (GridPlacement* placement : {&part.placement, &part.factors}) place(*placement);
    scale_light(options_.exposure(), scene);
    if (!summarize(scene).has_light()) {
      add_soft_sky(scene);
      scene.warnings.push_back(
          fmt::format("{}: the scene has no light; a soft sky is used", statements_.name()));
    }
    for (std::string& line : context_.warnings.lines()) scene.warnings.push_back(std::move(line));
  }

  PbrtStatements statements_;
  std::unique_ptr<PbrtStatements> definitions_;  ///< statements of read_definitions()
  std::optional<double> time_;  ///< moment shown, s; nothing: the middle of the shutter's
  PbrtContext context_;
  PbrtOptions options_{context_};
  PbrtMaterials materials_{context_};
  PbrtShapes shapes_{context_, materials_};
  PbrtState state_;
  std::vector<Saved> saved_;
  std::map<std::string, PbrtTransforms> systems_;  ///< named transforms to the world of the file
  bool is_in_world_ = false;
  std::string camera_medium_;
  PbrtPlace camera_place_;
};

std::span<const PbrtDirective> PbrtDirective::all() {
  using R = PbrtReader;
  static constexpr PbrtDirective kAll[] = {
      {"Accelerator", 1, 1, 0, true, &R::accelerator},
      {"ActiveTransform", 1, 1, 0, false, &R::active_transform},
      {"AreaLightSource", 1, 1, 0, true, &R::area_light},
      {"Attribute", 1, 1, 0, true, &R::attribute},
      {"AttributeBegin", 0, 0, 0, false, &R::save},
      {"AttributeEnd", 0, 0, 0, false, &R::restore},
      {"Camera", 1, 1, 0, true, &R::camera},
      {"ColorSpace", 1, 1, 0, false, &R::color_space},
      {"ConcatTransform", 0, 0, 16, false, &R::concatenate<matrix_of>},
      {"CoordSysTransform", 1, 1, 0, false, &R::coord_sys_transform},
      {"CoordinateSystem", 1, 1, 0, false, &R::coordinate_system},
      {"Film", 1, 1, 0, true, &R::option<&PbrtOptions::set_film>},
      {"Identity", 0, 0, 0, false, &R::identity},
      {"Import", 1, 1},   // PbrtStatements executes it
      {"Include", 1, 1},  // PbrtStatements executes it
      {"Integrator", 1, 1, 0, true, &R::option<&PbrtOptions::set_integrator>},
      {"LightSource", 1, 1, 0, true, &R::light},
      {"LookAt", 0, 0, 9, false, &R::concatenate<look_at_of>},
      {"MakeNamedMaterial", 1, 1, 0, true, &R::make_named_material},
      {"MakeNamedMedium", 1, 1, 0, true, &R::make_named_medium},
      {"Material", 1, 1, 0, true, &R::material},
      {"MediumInterface", 1, 2, 0, false, &R::medium_interface},
      {"NamedMaterial", 1, 1, 0, false, &R::named_material},
      {"ObjectBegin", 1, 1, 0, false, &R::object_begin},
      {"ObjectEnd", 0, 0, 0, false, &R::object_end},
      {"ObjectInstance", 1, 1, 0, false, &R::object_instance},
      {"Option", 0, 0, 0, true, &R::set_option},
      {"PixelFilter", 1, 1, 0, true, &R::option<&PbrtOptions::set_filter>},
      {"Renderer", 1, 1, 0, true},
      {"ReverseOrientation", 0, 0, 0, false, &R::reverse_orientation},
      {"Rotate", 0, 0, 4, false, &R::concatenate<rotation_of>},
      {"Sampler", 1, 1, 0, true, &R::option<&PbrtOptions::set_sampler>},
      {"Scale", 0, 0, 3, false, &R::scale},
      {"Shape", 1, 1, 0, true, &R::shape},
      {"SurfaceIntegrator", 1, 1, 0, true, &R::option<&PbrtOptions::set_integrator>},
      {"Texture", 3, 3, 0, true, &R::texture},
      {"Transform", 0, 0, 16, false, &R::transform},
      {"TransformBegin", 0, 0, 0, false, &R::save},
      {"TransformEnd", 0, 0, 0, false, &R::restore},
      {"TransformTimes", 0, 0, 2, false, &R::transform_times},
      {"Translate", 0, 0, 3, false, &R::translate},
      {"Volume", 1, 1, 0, true},
      {"VolumeIntegrator", 1, 1, 0, true},
      {"WorldBegin", 0, 0, 0, false, &R::world_begin},
      {"WorldEnd", 0, 0, 0, false, &R::ignore},
  };
  return kAll;
}

HostScene load_pbrt(const std::filesystem::path& file, std::optional<double> time) {
  // The file may be a pipe, which is read once.
  const auto text = std::make_shared<const std::string>(read_maybe_compressed(file));
  HostScene scene;
  if (PbrtReader(scene, file, text, time).read()) return scene;
  scene = {};
  PbrtReader again(scene, file, text, time);
  again.read_definitions(file, text);
  again.read();
  return scene;
}

}  // namespace winnow
