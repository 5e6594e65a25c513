// SPDX-License-Identifier: MIT
#include "load/gltf/pose.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <glm/gtc/constants.hpp>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "load/gltf/convert.h"
#include "load/gltf/gltf_keys.h"
#include "load/gltf/values.h"

namespace winnow {
namespace {

using nlohmann::json;

constexpr size_t kOfMorphTargets = 0;  ///< components of weights

/// Members with numbers that can change, of objects as in gltf_keys(): those of the glTF 2.0 Asset
/// Object Model, and of extensions that it does not list yet.
struct AnimatedKey {
  std::string_view owner, name;
  size_t components;
};
constexpr AnimatedKey kAnimatedKeys[] = {
    {"nodes", "translation", 3},
    {"nodes", "rotation", 4},
    {"nodes", "scale", 3},
    {"nodes", "weights", kOfMorphTargets},
    {"meshes", "weights", kOfMorphTargets},
    {"cameras.perspective", "yfov", 1},
    {"cameras.perspective", "aspectRatio", 1},
    {"cameras.perspective", "znear", 1},
    {"cameras.perspective", "zfar", 1},
    {"cameras.orthographic", "xmag", 1},
    {"cameras.orthographic", "ymag", 1},
    {"cameras.orthographic", "znear", 1},
    {"cameras.orthographic", "zfar", 1},
    {"materials", "alphaCutoff", 1},
    {"materials", "emissiveFactor", 3},
    {"materials.pbrMetallicRoughness", "baseColorFactor", 4},
    {"materials.pbrMetallicRoughness", "metallicFactor", 1},
    {"materials.pbrMetallicRoughness", "roughnessFactor", 1},
    {"textureInfo", "scale", 1},
    {"textureInfo", "strength", 1},
    {"KHR_lights_punctual.lights", "color", 3},
    {"KHR_lights_punctual.lights", "intensity", 1},
    {"KHR_lights_punctual.lights", "range", 1},
    {"KHR_lights_punctual.lights.spot", "innerConeAngle", 1},
    {"KHR_lights_punctual.lights.spot", "outerConeAngle", 1},
    {"KHR_materials_anisotropy", "anisotropyStrength", 1},
    {"KHR_materials_anisotropy", "anisotropyRotation", 1},
    {"KHR_materials_clearcoat", "clearcoatFactor", 1},
    {"KHR_materials_clearcoat", "clearcoatRoughnessFactor", 1},
    {"KHR_materials_diffuse_transmission", "diffuseTransmissionFactor", 1},
    {"KHR_materials_diffuse_transmission", "diffuseTransmissionColorFactor", 3},
    {"KHR_materials_dispersion", "dispersion", 1},
    {"KHR_materials_emissive_strength", "emissiveStrength", 1},
    {"KHR_materials_ior", "ior", 1},
    {"KHR_materials_iridescence", "iridescenceFactor", 1},
    {"KHR_materials_iridescence", "iridescenceIor", 1},
    {"KHR_materials_iridescence", "iridescenceThicknessMinimum", 1},
    {"KHR_materials_iridescence", "iridescenceThicknessMaximum", 1},
    {"KHR_materials_pbrSpecularGlossiness", "diffuseFactor", 4},
    {"KHR_materials_pbrSpecularGlossiness", "specularFactor", 3},
    {"KHR_materials_pbrSpecularGlossiness", "glossinessFactor", 1},
    {"KHR_materials_sheen", "sheenColorFactor", 3},
    {"KHR_materials_sheen", "sheenRoughnessFactor", 1},
    {"KHR_materials_specular", "specularFactor", 1},
    {"KHR_materials_specular", "specularColorFactor", 3},
    {"KHR_materials_transmission", "transmissionFactor", 1},
    {"KHR_materials_volume", "thicknessFactor", 1},
    {"KHR_materials_volume", "attenuationDistance", 1},
    {"KHR_materials_volume", "attenuationColor", 3},
    {"KHR_materials_volume_scatter", "multiscatterColorFactor", 3},
    {"KHR_materials_volume_scatter", "multiscatterColor", 3},
    {"KHR_materials_volume_scatter", "scatterAnisotropy", 1},
    {"KHR_node_visibility", "visible", 1},
    {"EXT_lights_image_based.lights", "rotation", 4},
    {"EXT_lights_image_based.lights", "intensity", 1},
    {"KHR_texture_transform", "offset", 2},
    {"KHR_texture_transform", "rotation", 1},
    {"KHR_texture_transform", "scale", 2},
};

const AnimatedKey* find_animated_key(std::string_view owner, std::string_view name) {
  const auto found = std::ranges::find_if(kAnimatedKeys, [&](const AnimatedKey& key) {
    return key.owner == owner && key.name == name;
  });
  return found == std::end(kAnimatedKeys) ? nullptr : &*found;
}

bool is_flag(const GltfAnimatedMember& member) {
  return member.name == "visible";
}

bool is_rotation(const GltfAnimatedMember& member) {
  constexpr size_t kQuaternion = 4;  // numbers
  return member.name == "rotation" && member.components == kQuaternion;
}

/// Returns the steps of a JSON pointer (RFC 6901); none if it is not one.
std::vector<std::string> steps_of(std::string_view pointer) {
  try {
    std::vector<std::string> steps;
    for (json::json_pointer rest{std::string(pointer)}; !rest.empty(); rest.pop_back())
      steps.push_back(rest.back());
    std::ranges::reverse(steps);
    return steps;
  } catch (const json::exception&) {
    return {};
  }
}

std::optional<size_t> index_in(const std::string& step) {
  size_t index = 0;
  const char* end = step.data() + step.size();
  const auto [rest, failure] = std::from_chars(step.data(), end, index);
  return failure == std::errc() && rest == end ? std::optional(index) : std::nullopt;
}

/// Reads the channels of a file.
class ChannelReader {
 public:
  explicit ChannelReader(GltfDocument& document) : document_(document) {}

  /// Calls add(member, keys) for the channels of an animation, unless an earlier animation moves
  /// one of its parts.
  template <class Add>
  void read(const JsonReader& animation, Add add) {
    std::vector<std::pair<JsonReader, GltfAnimatedMember>> channels;
    for (const JsonReader& channel : items_of(find_member(animation, "channels")))
      if (auto member = member_of(channel)) channels.emplace_back(channel, std::move(*member));
    for (const auto& [channel, member] : channels)
      if (is_moved(member))
        return document_.warn(animation.pointer(),
                              "an animation is ignored: an earlier one moves the same parts");
    for (const auto& one : channels) {
      const JsonReader& channel = one.first;  // clang 14 captures no structured bindings
      const GltfAnimatedMember& member = one.second;
      document_.attempt("the animation of the member is ignored", [&] {
        const JsonReader samplers = animation.at("samplers"), reference = channel.at("sampler");
        add(member, read_keyframes(samplers[check_gltf_index(reference, samplers.size())], member));
      });
      moved_.insert(member.pointer.to_string());
    }
  }

 private:
  /// Returns the member that a channel animates; nothing if Winnow does not, with a warning if it
  /// can change a picture.
  std::optional<GltfAnimatedMember> member_of(const JsonReader& channel) {
    const auto target = find_member(channel, "target");
    const auto node = find_member(target, "node");
    const std::string path = target ? text_of(*target, "path", "") : "";
    const auto extension = target ? find_extension(*target, "KHR_animation_pointer") : std::nullopt;
    std::optional<GltfAnimatedMember> member;
    document_.attempt("the animation is ignored", [&] {
      if (path == "pointer" && extension)
        member = find_animated(extension->at("pointer"));
      else if (node)
        member =
            find_animated(*node, {"nodes", std::to_string(document_.index("nodes", *node)), path});
      else
        warn(channel, path);
    });
    return member;
  }

  void warn(const JsonReader& place, const std::string& name) {
    document_.warn(place.pointer(), fmt::format("the animation of {} is ignored", in_quotes(name)));
  }

  std::optional<GltfAnimatedMember> find_animated(const JsonReader& pointer) {
    const std::vector<std::string> steps = steps_of(pointer.text());
    if (steps.empty()) pointer.fail("expected a JSON pointer, found {}", in_quotes(pointer.text()));
    return find_animated(pointer, steps);
  }

  /// Follows the steps of a pointer. Throws Error at `place` if they lead to no object of the file.
  std::optional<GltfAnimatedMember> find_animated(const JsonReader& place,
                                                  std::vector<std::string> steps) {
    std::optional<std::string> weight;
    if (steps.size() > 1 && steps[steps.size() - 2] == "weights") {
      weight = steps.back();
      steps.pop_back();
    }
    GltfAnimatedMember member{
        .owner = "root", .name = steps.back(), .pointer = json::json_pointer()};
    steps.pop_back();
    const json* object = &document_.root().value();
    for (const std::string& step : steps) {
      if (step == "extras") return std::nullopt;  // only its application knows what it means
      const std::optional<size_t> index = object->is_array() ? index_in(step) : std::nullopt;
      if (index && *index < object->size()) {
        object = &(*object)[*index];
        member.pointer /= *index;
        continue;
      }
      if (object->is_object() && object->contains(step)) {
        object = &(*object)[step];
        member.owner = gltf_owner(member.owner, step);
      } else {
        place.fail("the file has no {} in {}", in_quotes(step),
                   in_quotes(member.pointer.to_string()));
      }
      member.pointer /= step;
    }
    member.pointer /= member.name;
    const KnownKey* use = find_gltf_key(member.owner, member.name);
    if (use && use->use == KeyUse::kHarmless) return std::nullopt;
    const AnimatedKey* key = find_animated_key(member.owner, member.name);
    if (!use || use->use != KeyUse::kUsed || !key || !object->is_object()) {
      warn(place, member.name);
      return std::nullopt;
    }
    member.components = key->components;
    if (weight) choose_weight(place, *weight, member);
    return member;
  }

  /// Replaces a member that holds all weights by one of its weights, and writes all of them into
  /// the document. Throws Error at `place` if there is no such weight.
  void choose_weight(const JsonReader& place, const std::string& step, GltfAnimatedMember& member) {
    const std::optional<size_t> index = index_in(step);
    json weights = weights_at(member.pointer);
    if (!index || *index >= weights.size())
      place.fail("expected one of {} morph targets, found {}", weights.size(), in_quotes(step));
    document_.set(member.pointer, std::move(weights));
    member.pointer /= *index;
    member.components = 1;
  }

  /// Returns the weights of a mesh, or of a node, which has those of its mesh unless it has others.
  json weights_at(const json::json_pointer& pointer) const {
    const JsonReader reader = document_.root();
    const json& root = reader.value();
    const json& object = root[pointer.parent_pointer()];
    if (object.contains("weights") && object["weights"].is_array()) return object["weights"];
    if (object.contains("mesh")) {
      const JsonReader mesh(object["mesh"], document_.name());
      return weights_at(json::json_pointer() / "meshes" / document_.index("meshes", mesh) /
                        "weights");
    }
    const JsonReader mesh(object, document_.name());
    for (const JsonReader& primitive : items_of(find_member(mesh, "primitives")))
      return json(items_of(find_member(primitive, "targets")).size(), 0.0);
    return json::array();
  }

  bool is_moved(const GltfAnimatedMember& member) const {
    const json::json_pointer all = member.pointer.parent_pointer();  // all weights, for one of them
    return moved_.contains(member.pointer.to_string()) || moved_.contains(all.to_string());
  }

  GltfKeyframes read_keyframes(const JsonReader& sampler, const GltfAnimatedMember& member) {
    GltfKeyframes keys;
    keys.times = read_gltf_floats(document_, sampler.at("input"), "SCALAR");
    if (keys.times.empty() || !std::is_sorted(keys.times.begin(), keys.times.end()) ||
        std::isnan(keys.times.front()) || std::isnan(keys.times.back()))
      sampler.at("input").fail("expected ascending times");
    if (const auto name = sampler.find("interpolation"))
      keys.interpolation = GltfInterpolation(name->choice({"LINEAR", "STEP", "CUBICSPLINE"}));
    if (is_flag(member) && keys.interpolation == GltfInterpolation::kLinear)
      keys.interpolation = GltfInterpolation::kStep;
    const JsonReader output = sampler.at("output");
    const std::string type =
        member.components < 2 ? "SCALAR" : fmt::format("VEC{}", member.components);
    keys.values = read_gltf_floats(document_, output, type);
    keys.components = member.components;
    if (member.components == kOfMorphTargets) {
      keys.components = 1;
      keys.components = keys.values.size() / (keys.times.size() * keys.key_size());
    }
    keys.are_rotations = is_rotation(member);
    if (keys.components == 0 || keys.values.size() != keys.times.size() * keys.key_size())
      output.fail("found {} numbers, which do not suit {} keys", keys.values.size(),
                  keys.times.size());
    if (!std::ranges::all_of(keys.values, [](float number) { return std::isfinite(number); }))
      output.fail("expected finite numbers");
    for (size_t key = 0; keys.are_rotations && key < keys.times.size(); ++key)
      if (keys.number(key, 0) == 0.0 && keys.number(key, 1) == 0.0 && keys.number(key, 2) == 0.0 &&
          keys.number(key, 3) == 0.0)
        output.fail("expected quaternions, found zero");
    if (document_.is_by_blender() && member.owner == "KHR_lights_punctual.lights" &&
        member.name == "intensity")
      divide_power_of_blender(member, keys);
    return keys;
  }

  /// Blender 4.5 and 5.3 write the power of a lamp in W where it is animated, and that power over
  /// 4 pi as the intensity of the lamp itself. A mode of export ("Raw") does not divide that
  /// either.
  void divide_power_of_blender(const GltfAnimatedMember& member, GltfKeyframes& keys) const {
    const json::json_pointer place = member.pointer.parent_pointer();
    const JsonReader light(document_.root().value()[place], document_.name(), place.to_string());
    if (text_of(light, "type", "") == "directional") return;
    constexpr double kDivisor = 4.0 * glm::pi<double>(), kNear = 1.001;
    const auto [least, most] = std::ranges::minmax(keys.values);
    auto is_of_keys = [&, least = least, most = most](double value) {
      return value * kNear >= least && value <= most * kNear;
    };
    const double intensity = number_of(light, "intensity", 1.0);
    if (is_of_keys(intensity) && !is_of_keys(kDivisor * intensity)) return;
    for (float& value : keys.values) value = float(value / kDivisor);
  }

  GltfDocument& document_;
  std::set<std::string> moved_;  ///< pointers to members
};

}  // namespace

size_t gltf_number_count(std::string_view owner, std::string_view name) {
  const AnimatedKey* key = find_animated_key(owner, name);
  return key ? key->components : 0;
}

GltfAnimations::GltfAnimations(GltfDocument& document) {
  ChannelReader reader(document);
  for (uint32_t i = 0; i < document.count("animations"); ++i)
    document.attempt("the animation is ignored", [&] {
      reader.read(document.item("animations", i),
                  [&](const GltfAnimatedMember& member, GltfKeyframes keys) {
                    channels_.push_back({member, std::move(keys)});
                  });
    });
}

void GltfAnimations::set_time(GltfDocument& document, double time) const {
  for (const auto& [member, keys] : channels_) {
    const std::vector<double> value = keys.at(time);
    if (keys.are_rotations && std::ranges::all_of(value, [](double x) { return x == 0.0; }))
      continue;
    if (is_flag(member))
      document.set(member.pointer, value.front() != 0.0);
    else if (member.components == 1)
      document.set(member.pointer, value.front());
    else
      document.set(member.pointer, value);
    const bool is_transform = member.owner == "nodes" && member.components > 1;
    if (is_transform) document.erase(member.pointer.parent_pointer(), "matrix");
  }
}

bool GltfAnimations::change(const std::function<bool(const GltfAnimatedMember&)>& property) const {
  return std::ranges::any_of(channels_, [&](const Channel& channel) {
    return property(channel.member) && channel.keys.change();
  });
}

}  // namespace winnow
