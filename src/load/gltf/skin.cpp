// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <glm/geometric.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <map>

#include "load/gltf/accessor.h"
#include "load/gltf/convert.h"

namespace winnow {
namespace {

/// [joint] From the rest pose of a vertex to world space.
std::vector<glm::mat4> joint_transforms(const GltfDocument& document, const PlacedNode& node,
                                        const std::vector<PlacedNode>& nodes) {
  constexpr size_t kNumbers = 16;  // of a matrix
  const JsonReader skin = document.item("skins", node.json.at("skin"));
  const JsonReader joints = skin.at("joints");
  if (joints.size() == 0) joints.fail("expected at least one joint");
  std::map<uint32_t, const PlacedNode*> placed;
  for (const PlacedNode& other : nodes) placed[other.index] = &other;

  std::vector<float> from_rest;
  if (const auto matrices = skin.find("inverseBindMatrices")) {
    from_rest = read_gltf_floats(document, *matrices, "MAT4");
    if (from_rest.size() < joints.size() * kNumbers)
      matrices->fail(fmt::format("expected {} matrices, found {}", joints.size(),
                                 from_rest.size() / kNumbers));
  }
  std::vector<glm::mat4> transforms;
  for (size_t i = 0; i < joints.size(); ++i) {
    const auto joint = placed.find(document.index("nodes", joints[i]));
    if (joint == placed.end()) joints[i].fail("the node is not in the scene");
    const glm::mat4 to_joint =
        from_rest.empty() ? glm::mat4(1.0f) : glm::make_mat4(&from_rest[i * kNumbers]);
    transforms.push_back(glm::mat4(joint->second->to_world) * to_joint);
  }
  return transforms;
}

}  // namespace

void apply_gltf_skin(const GltfDocument& document, const PlacedNode& node,
                     const std::vector<PlacedNode>& nodes, GltfMesh& mesh) {
  const std::vector<glm::mat4> transforms = joint_transforms(document, node, nodes);
  const auto joint_count = float(transforms.size());
  for (size_t i = 0; i < mesh.mesh.positions.size(); ++i) {
    glm::mat4 transform(0.0f);
    float sum = 0.0f;
    for (int k = 0; k < 4; ++k) {
      const float weight = mesh.weights[i][k], joint = mesh.joints[i][k];
      if (!(weight > 0.0f)) continue;
      if (!(joint >= 0.0f && joint < joint_count))
        node.json.fail(fmt::format("its mesh has the joint {}; expected one below {}", joint,
                                   transforms.size()));
      transform += weight * transforms[size_t(joint)];
      sum += weight;
    }
    transform = sum > 0.0f ? transform / sum : glm::mat4(node.to_world);
    glm::vec3& position = mesh.mesh.positions[i];
    glm::vec3& normal = mesh.mesh.normals[i];
    position = glm::vec3(transform * glm::vec4(position, 1.0f));
    if (normal != glm::vec3(0.0f))
      normal = glm::transpose(glm::inverse(glm::mat3(transform))) * normal;
  }
}

}  // namespace winnow
