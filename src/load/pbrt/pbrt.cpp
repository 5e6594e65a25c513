// SPDX-License-Identifier: MIT
#include "load/pbrt/pbrt.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/limits.h"
#include "base/one_line.h"
#include "load/pbrt/camera.h"
#include "load/pbrt/color.h"
#include "load/pbrt/context.h"
#include "load/pbrt/lights.h"
#include "load/pbrt/materials.h"
#include "load/pbrt/shapes.h"
#include "load/pbrt/statements.h"
#include "load/pbrt/textures.h"
#include "load/pbrt/transforms.h"
#include "scene/frame_scene.h"
#include "scene/scene_summary.h"
#include "scene/soft_sky.h"

namespace winnow {
namespace {

/// Executes the statements of a scene.
class PbrtReader {
 public:
  PbrtReader(HostScene& scene, const std::filesystem::path& file)
      : statements_(file), context_(scene, statements_.folders(), statements_.is_old()) {}

  void read() {
    while (std::optional<PbrtStatement> statement = statements_.next()) execute(*statement);
    if (!saved_.empty())
      context_.warn(saved_.back().place, fmt::format("{} has no end", saved_.back().directive));
    shapes_.place_instances(statements_.name());
    finish();
  }

 private:
  /// A state that AttributeBegin, TransformBegin or ObjectBegin saved.
  struct Saved {
    PbrtState state;
    std::string_view directive;
    PbrtPlace place;
  };

  using Handler = void (PbrtReader::*)(const PbrtStatement&);
  static const std::unordered_map<std::string_view, Handler>& handlers();

  void execute(const PbrtStatement& statement) {
    if (apply_pbrt_transform(statement, state_, systems_)) return;
    if (statement.directive == "TransformTimes" || statement.directive == "ActiveTransform")
      return set_time(statement);
    if (const auto known = handlers().find(statement.directive); known != handlers().end())
      return (this->*known->second)(statement);
    context_.warn(statement.place, fmt::format("{} is ignored", statement.directive));
  }

  PbrtObject object_of(const PbrtStatement& statement, const char* target) const {
    PbrtObject object{statement.strings[0], "", statement.parameters, statement.place,
                      state_.to_rec709};
    if (state_.defaults)
      if (const auto known = state_.defaults->find(target); known != state_.defaults->end())
        object.parameters.add_defaults(known->second);
    return object;
  }
  std::shared_ptr<const PbrtObject> shared_object_of(const PbrtStatement& statement,
                                                     const char* target) const {
    return std::make_shared<const PbrtObject>(object_of(statement, target));
  }

  void ignore(const PbrtStatement&) {}

  // Options.
  void set_time(const PbrtStatement& statement) {
    if (statement.directive == "ActiveTransform") {
      const std::string& which = statement.strings[0];
      if (which != "StartTime" && which != "EndTime" && which != "All")
        fail_at(statement.place, "expected ActiveTransform StartTime, EndTime or All");
      state_.is_start_active = which != "EndTime";
      if (!state_.is_start_active)
        context_.warn(statement.place,
                      "motion is left out: the scene is shown at the start of the shutter");
    }
  }
  void camera(const PbrtStatement& statement) {
    if (is_in_world_) return context_.warn(statement.place, "a Camera in the world is ignored");
    systems_["camera"] = glm::inverse(state_.ctm);
    options_.set_camera(object_of(statement, "camera"), state_);
    camera_medium_ = state_.outside;
    camera_place_ = statement.place;
  }
  void film(const PbrtStatement& statement) { options_.set_film(object_of(statement, "film")); }
  void filter(const PbrtStatement& statement) {
    options_.set_filter(object_of(statement, "filter"));
  }
  void sampler(const PbrtStatement& statement) {
    options_.set_sampler(object_of(statement, "sampler"));
  }
  void integrator(const PbrtStatement& statement) {
    options_.set_integrator(object_of(statement, "integrator"));
  }
  void color_space(const PbrtStatement& statement) {
    const std::optional<glm::mat3> known = pbrt_color_space(statement.strings[0]);
    if (known) state_.to_rec709 = *known;
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
      return context_.warn(statement.place,
                           fmt::format("{} without a beginning is ignored", statement.directive));
    Saved saved = std::move(saved_.back());
    saved_.pop_back();
    const bool is_transform =
        saved.directive == "TransformBegin" || statement.directive == "TransformEnd";
    if (!is_transform) {
      state_ = std::move(saved.state);
      return;
    }
    state_.ctm = saved.state.ctm;
    state_.is_start_active = saved.state.is_start_active;
  }
  void world_begin(const PbrtStatement&) {
    is_in_world_ = true;
    state_.ctm = glm::dmat4(1.0);
    state_.is_start_active = true;
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
    shapes_.add(object_of(statement, "shape"), state_);
  }
  void light(const PbrtStatement& statement) {
    add_pbrt_light(object_of(statement, "light"), state_, context_);
  }
  void area_light(const PbrtStatement& statement) {
    state_.area_light = shared_object_of(statement, "light");
  }
  void material(const PbrtStatement& statement) {
    state_.material = shared_object_of(statement, "material");
  }
  void make_named_material(const PbrtStatement& statement) {
    PbrtObject object = object_of(statement, "material");
    object.name = std::exchange(object.type, "");
    materials_.define(object);
  }
  void named_material(const PbrtStatement& statement) {
    state_.material = materials_.named(statement.strings[0], statement.place);
  }
  void make_named_medium(const PbrtStatement& statement) {
    PbrtObject object = object_of(statement, "medium");
    object.name = std::exchange(object.type, "");
    media_.define(object);
  }
  void medium_interface(const PbrtStatement& statement) {
    state_.inside = statement.strings[0];
    state_.outside = statement.strings.size() > 1 ? statement.strings[1] : state_.inside;
  }
  void texture(const PbrtStatement& statement) { textures_.define(statement, state_); }

  void finish() {
    HostScene& scene = context_.scene;
    if (!summarize(scene).has_geometry()) fail_without_shapes();
    if (!options_.finish()) {
      context_.warn({&statements_.name()}, "the scene has no Camera; it is framed");
      frame_scene(scene);
    } else {
      scene.camera_medium = media_.find(camera_medium_, camera_place_);
    }
    scale_light(options_.exposure(), scene);
    if (!summarize(scene).has_light()) {
      add_soft_sky(scene);
      scene.warnings.push_back(
          fmt::format("{}: the scene has no light; a soft sky is used", statements_.name()));
    }
    for (std::string& line : context_.warnings.lines()) scene.warnings.push_back(std::move(line));
  }

  [[noreturn]] void fail_without_shapes() const {
    constexpr size_t kMaxReasons = 3;
    std::vector<std::string> reasons = context_.left_out.lines();
    if (reasons.size() > kMaxReasons) reasons.resize(kMaxReasons);
    if (reasons.empty()) reasons = {"expected at least one Shape of a supported type"};
    throw Error(
        fmt::format("{}: has no geometry; {}", statements_.name(), fmt::join(reasons, "; ")));
  }

  PbrtStatements statements_;
  PbrtContext context_;
  PbrtOptions options_{context_};
  PbrtTextures textures_{context_};
  PbrtMedia media_{context_};
  PbrtMaterials materials_{context_, textures_};
  PbrtShapes shapes_{context_, textures_, materials_, media_};
  PbrtState state_;
  std::vector<Saved> saved_;
  PbrtSystems systems_;
  bool is_in_world_ = false;
  std::string camera_medium_;
  PbrtPlace camera_place_;
};

const std::unordered_map<std::string_view, PbrtReader::Handler>& PbrtReader::handlers() {
  using R = PbrtReader;
  static const std::unordered_map<std::string_view, Handler> kHandlers = {
      {"Accelerator", &R::ignore},
      {"AreaLightSource", &R::area_light},
      {"Attribute", &R::attribute},
      {"AttributeBegin", &R::save},
      {"AttributeEnd", &R::restore},
      {"Camera", &R::camera},
      {"ColorSpace", &R::color_space},
      {"Film", &R::film},
      {"Integrator", &R::integrator},
      {"LightSource", &R::light},
      {"MakeNamedMaterial", &R::make_named_material},
      {"MakeNamedMedium", &R::make_named_medium},
      {"Material", &R::material},
      {"MediumInterface", &R::medium_interface},
      {"NamedMaterial", &R::named_material},
      {"ObjectBegin", &R::object_begin},
      {"ObjectEnd", &R::object_end},
      {"ObjectInstance", &R::object_instance},
      {"Option", &R::ignore},
      {"PixelFilter", &R::filter},
      {"ReverseOrientation", &R::reverse_orientation},
      {"Sampler", &R::sampler},
      {"Shape", &R::shape},
      {"SurfaceIntegrator", &R::integrator},
      {"Texture", &R::texture},
      {"TransformBegin", &R::save},
      {"TransformEnd", &R::restore},
      {"WorldBegin", &R::world_begin},
      {"WorldEnd", &R::ignore},
  };
  return kHandlers;
}

}  // namespace

HostScene load_pbrt(const std::filesystem::path& file) {
  HostScene scene;
  PbrtReader(scene, file).read();
  return scene;
}

}  // namespace winnow
