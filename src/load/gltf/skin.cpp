// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <glm/gtc/type_ptr.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <map>

#include "load/gltf/convert.h"

namespace winnow {
namespace {

using NodeTransforms = std::map<uint32_t, glm::dmat4>;  // transforms to world space, by node

NodeTransforms transforms_of(const std::vector<PlacedNode>& nodes) {
  NodeTransforms transforms;
  for (const PlacedNode& node : nodes) transforms[node.index] = node.to_world;
  return transforms;
}

/// Returns the transforms to world space: [joint]. Joints outside of the scene keep their place.
std::vector<glm::dmat4> place_joints(GltfDocument& document, const JsonReader& joints,
                                     const std::vector<PlacedNode>& nodes) {
  const NodeTransforms of_scene = transforms_of(nodes);
  NodeTransforms of_file;
  std::vector<glm::dmat4> placed;
  for (size_t i = 0; i < joints.size(); ++i) {
    const uint32_t index = document.index("nodes", joints[i]);
    if (const auto known = of_scene.find(index); known != of_scene.end()) {
      placed.push_back(known->second);
      continue;
    }
    document.warn(joints[i].pointer(), "a joint outside of the scene is where the file has it");
    if (of_file.empty()) of_file = transforms_of(place_gltf_nodes(document, GltfNodes::kOfFile));
    const auto known = of_file.find(index);
    if (known == of_file.end()) joints[i].fail("the joint is its own ancestor; expected a tree");
    placed.push_back(known->second);
  }
  return placed;
}

/// Returns the transforms from the rest pose of a vertex to world space: [joint].
std::vector<glm::mat4> joint_transforms(GltfDocument& document, const PlacedNode& node,
                                        const std::vector<PlacedNode>& nodes) {
  constexpr size_t kNumbers = 16;  // numbers of a matrix
  const JsonReader skin = document.item("skins", node.json.at("skin"));
  const JsonReader joints = skin.at("joints");
  if (joints.size() == 0) joints.fail("expected at least one joint");

  std::vector<float> from_rest;
  if (const auto matrices = skin.find("inverseBindMatrices")) {
    from_rest = read_gltf_floats(document, *matrices, "MAT4");
    if (from_rest.size() < joints.size() * kNumbers)
      matrices->fail("expected {} matrices, found {}", joints.size(), from_rest.size() / kNumbers);
  }
  std::vector<glm::mat4> transforms;
  for (const glm::dmat4& to_world : place_joints(document, joints, nodes)) {
    const size_t first = transforms.size() * kNumbers;
    const glm::mat4 to_joint =
        from_rest.empty() ? glm::mat4(1.0f) : glm::make_mat4(&from_rest[first]);
    transforms.push_back(glm::mat4(to_world) * to_joint);
  }
  return transforms;
}

}  // namespace

void apply_gltf_skin(GltfDocument& document, const PlacedNode& node,
                     const std::vector<PlacedNode>& nodes, GltfMesh& mesh) {
  const std::vector<glm::mat4> transforms = joint_transforms(document, node, nodes);
  const auto joint_count = float(transforms.size());
  bool has_unknown_joints = false;
  for (size_t i = 0; i < mesh.mesh.positions.size(); ++i) {
    glm::mat4 transform(0.0f);
    float sum = 0.0f;
    auto add = [&](float joint, float weight) {
      if (!(weight > 0.0f)) return;
      if (!(joint >= 0.0f && joint < joint_count)) {
        has_unknown_joints = true;
        return;
      }
      transform += weight * transforms[size_t(joint)];
      sum += weight;
    };
    for (const GltfJointSet& set : mesh.joint_sets)
      if (!set.joints.empty() && !set.weights.empty())
        for (int k = 0; k < 4; ++k) add(set.joints[i][k], set.weights[i][k]);
    transform = sum > 0.0f ? transform / sum : glm::mat4(node.to_world);
    glm::vec3& position = mesh.mesh.positions[i];
    glm::vec3& normal = mesh.mesh.normals[i];
    position = glm::vec3(transform * glm::vec4(position, 1.0f));
    if (normal != glm::vec3(0.0f))
      normal = glm::transpose(glm::inverse(glm::mat3(transform))) * normal;
  }
  if (has_unknown_joints)
    document.warn(node.json.pointer(),
                  fmt::format("its mesh uses joints beyond the {} of its skin; they have no effect",
                              transforms.size()));
}

}  // namespace winnow
