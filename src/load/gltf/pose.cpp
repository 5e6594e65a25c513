// SPDX-License-Identifier: MIT
#include "load/gltf/pose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "load/gltf/convert.h"
#include "load/gltf/values.h"

namespace winnow {
namespace {

enum class Interpolation { kLinear, kStep, kCubicSpline };

/// Property that a channel animates. All but weights have a fixed number of components.
enum class ChannelPath { kTranslation, kRotation, kScale, kWeights };

using Numbers = std::vector<double>;

struct Keyframes {
  std::vector<float> times;  ///< [key], s, ascending
  /// [key][component]; for a cubic spline [key][in-tangent, value, out-tangent][component]
  std::vector<float> values;
  size_t components = 0;
  Interpolation interpolation = Interpolation::kLinear;

  size_t key_size() const {
    return components * (interpolation == Interpolation::kCubicSpline ? 3 : 1);
  }
  /// @param part  part of a cubic spline: 0 is the in-tangent, 1 the value, 2 the out-tangent
  double at(size_t key, size_t component, size_t part) const {
    const bool is_cubic = interpolation == Interpolation::kCubicSpline;
    return double(values[key * key_size() + (is_cubic ? part * components : 0) + component]);
  }
};

constexpr size_t kInTangent = 0, kValue = 1, kOutTangent = 2;
constexpr size_t kQuaternionSize = 4;

Numbers value_at_key(const Keyframes& keys, size_t key) {
  Numbers value(keys.components);
  for (size_t i = 0; i < keys.components; ++i) value[i] = keys.at(key, i, kValue);
  return value;
}

/// Returns a quaternion of unit length; glTF has w last.
glm::dquat unit_quaternion(const Numbers& numbers) {
  const glm::dquat rotation(numbers[3], numbers[0], numbers[1], numbers[2]);
  return rotation / glm::length(rotation);
}

Numbers slerp(const Numbers& from, const Numbers& to, double s) {
  const glm::dquat between = glm::slerp(unit_quaternion(from), unit_quaternion(to), s);
  return {between.x, between.y, between.z, between.w};
}

/// @param s       position between `key` and the next one, [0, 1)
/// @param length  time between them, s
Numbers hermite(const Keyframes& keys, size_t key, double s, double length) {
  const double s2 = s * s, s3 = s2 * s;
  Numbers value(keys.components);
  for (size_t i = 0; i < keys.components; ++i)
    value[i] = (2.0 * s3 - 3.0 * s2 + 1.0) * keys.at(key, i, kValue) +
               length * (s3 - 2.0 * s2 + s) * keys.at(key, i, kOutTangent) +
               (3.0 * s2 - 2.0 * s3) * keys.at(key + 1, i, kValue) +
               length * (s3 - s2) * keys.at(key + 1, i, kInTangent);
  return value;
}

/// @param is_rotation  true if the values are quaternions
Numbers value_at_time(const Keyframes& keys, double time, bool is_rotation) {
  const auto next = std::upper_bound(keys.times.begin(), keys.times.end(), time);
  if (next == keys.times.begin()) return value_at_key(keys, 0);
  const auto key = size_t(next - keys.times.begin()) - 1;
  if (next == keys.times.end() || keys.interpolation == Interpolation::kStep)
    return value_at_key(keys, key);
  const double length = double(keys.times[key + 1]) - double(keys.times[key]);
  const double s = (time - double(keys.times[key])) / length;
  if (keys.interpolation == Interpolation::kCubicSpline) return hermite(keys, key, s, length);
  Numbers value = value_at_key(keys, key);
  const Numbers to = value_at_key(keys, key + 1);
  if (is_rotation) return slerp(value, to, s);
  for (size_t i = 0; i < value.size(); ++i) value[i] = glm::mix(value[i], to[i], s);
  return value;
}

class PoseReader {
 public:
  PoseReader(GltfDocument& document, double time, std::map<uint32_t, GltfNodePose>& nodes)
      : document_(document), time_(time), nodes_(nodes) {}

  /// Applies an animation, unless an earlier one moves one of its parts.
  void add(const JsonReader& animation) {
    std::vector<std::pair<JsonReader, Target>> channels;
    for (const JsonReader& channel : items_of(find_member(animation, "channels")))
      if (const auto target = target_of(channel)) channels.emplace_back(channel, *target);
    for (const auto& [channel, target] : channels)
      if (moved_.contains(target))
        return document_.warn(animation.pointer(),
                              "an animation is ignored: an earlier one moves the same nodes");
    for (const auto& [channel, target] : channels) {
      add_channel(animation, channel, target);
      moved_.insert(target);
    }
  }

 private:
  using Target = std::pair<uint32_t, ChannelPath>;  ///< node and its animated property

  /// Returns the target of a channel; nothing, with a warning, if Winnow does not animate it.
  std::optional<Target> target_of(const JsonReader& channel) {
    const auto target = find_member(channel, "target");
    const auto node = find_member(target, "node");
    const std::string path = target ? text_of(*target, "path", "") : "";
    constexpr const char* kPaths[] = {"translation", "rotation", "scale", "weights"};
    const auto known = std::find(std::begin(kPaths), std::end(kPaths), path);
    if (!node || known == std::end(kPaths)) {
      document_.warn(channel.pointer(),
                     fmt::format("the animation of {} is ignored", in_quotes(path)));
      return std::nullopt;
    }
    std::optional<Target> found;
    document_.attempt("the animation is ignored", [&] {
      found = {document_.index("nodes", *node), ChannelPath(known - std::begin(kPaths))};
    });
    return found;
  }

  void add_channel(const JsonReader& animation, const JsonReader& channel, const Target& target) {
    document_.attempt("the animation of the node is ignored", [&] {
      const Numbers value = value_of(animation, channel, target.second);
      set(nodes_[target.first], target.second, value, channel);
    });
  }

  Numbers value_of(const JsonReader& animation, const JsonReader& channel, ChannelPath path) {
    const JsonReader samplers = animation.at("samplers"), reference = channel.at("sampler");
    const Keyframes keys =
        read_keyframes(samplers[check_gltf_index(reference, samplers.size())], path);
    Numbers value = value_at_time(keys, time_, path == ChannelPath::kRotation);
    for (double number : value)
      if (!std::isfinite(number)) channel.fail("expected finite numbers");
    return value;
  }

  Keyframes read_keyframes(const JsonReader& sampler, ChannelPath path) {
    Keyframes keys;
    keys.times = read_gltf_floats(document_, sampler.at("input"), "SCALAR");
    if (!std::is_sorted(keys.times.begin(), keys.times.end()) || std::isnan(keys.times.front()) ||
        std::isnan(keys.times.back()))
      sampler.at("input").fail("expected ascending times");
    if (const auto name = sampler.find("interpolation"))
      keys.interpolation = Interpolation(name->choice({"LINEAR", "STEP", "CUBICSPLINE"}));
    const char* type = path == ChannelPath::kRotation  ? "VEC4"
                       : path == ChannelPath::kWeights ? "SCALAR"
                                                       : "VEC3";
    const JsonReader output = sampler.at("output");
    keys.values = read_gltf_floats(document_, output, type);
    keys.components = path == ChannelPath::kRotation ? kQuaternionSize : 3;
    if (path == ChannelPath::kWeights) {
      keys.components = 1;
      keys.components = keys.values.size() / (keys.times.size() * keys.key_size());
    }
    if (keys.components == 0 || keys.values.size() != keys.times.size() * keys.key_size())
      output.fail("found {} numbers, which do not suit {} keys", keys.values.size(),
                  keys.times.size());
    return keys;
  }

  static void set(GltfNodePose& pose, ChannelPath path, const Numbers& value,
                  const JsonReader& channel) {
    switch (path) {
      case ChannelPath::kTranslation:
        pose.translation = glm::dvec3(value[0], value[1], value[2]);
        break;
      case ChannelPath::kScale:
        pose.scale = glm::dvec3(value[0], value[1], value[2]);
        break;
      case ChannelPath::kWeights:
        pose.weights = value;
        break;
      case ChannelPath::kRotation: {
        const glm::dquat rotation = unit_quaternion(value);
        if (!std::isfinite(rotation.w)) channel.fail("expected a quaternion, found zero");
        pose.rotation = rotation;
        break;
      }
    }
  }

  GltfDocument& document_;
  double time_;
  std::map<uint32_t, GltfNodePose>& nodes_;
  std::set<Target> moved_;
};

}  // namespace

GltfPose::GltfPose(GltfDocument& document, std::optional<double> time) {
  const size_t count = document.count("animations");
  if (!time) {
    if (count > 0)
      document.warn("/animations",
                    "animations are ignored: the scene is shown in its rest pose; --time shows a "
                    "moment of them");
    return;
  }
  if (count == 0) document.warn("/animations", "the file has no animation; --time changes nothing");
  PoseReader reader(document, *time, nodes_);
  for (uint32_t i = 0; i < count; ++i)
    document.attempt("the animation is ignored",
                     [&] { reader.add(document.item("animations", i)); });
}

const GltfNodePose* GltfPose::find(uint32_t node) const {
  const auto known = nodes_.find(node);
  return known == nodes_.end() ? nullptr : &known->second;
}

}  // namespace winnow
