#include "load/gltf/camera.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include "load/json/json_reader.h"

namespace winnow {
namespace {

/// @param aspect  width over height; 0 where the file does not say
void shape_film(double aspect, HostScene& scene) {
  constexpr uint32_t kHeight = 720;                                     // pixels
  constexpr double kDefault = 16.0 / 9.0, kNarrow = 0.1, kWide = 10.0;  // width over height
  const double shape = aspect > 0.0 ? std::clamp(aspect, kNarrow, kWide) : kDefault;
  scene.height = kHeight;
  scene.width = uint32_t(std::lround(kHeight * shape));
}

}  // namespace

void read_gltf_camera(const GltfDocument& document, const PlacedNode& node, HostScene& scene) {
  const tinygltf::Camera& source =
      document.item(document.model().cameras, node.node->camera, node.place + "/camera");
  const std::string place = fmt::format("/cameras/{}", node.node->camera);
  const glm::dmat3 linear(node.to_world);
  const glm::dvec3 position(node.to_world[3]);
  auto is_usable = [](glm::dvec3 v) {
    const double length = glm::length(v);
    return length > 0.0 && std::isfinite(length);
  };
  if (!is_near(position) || !is_usable(linear[1]) || !is_usable(linear[2]) ||
      !is_usable(glm::cross(glm::normalize(linear[1]), glm::normalize(linear[2]))))
    document.fail(node.place, "the camera has no place or direction");

  CameraDescription& camera = scene.camera;
  const glm::dvec3 forward = -glm::normalize(linear[2]);
  camera.position = position;
  // As far ahead as the camera is from the origin, so that rounding does not turn it.
  camera.look_at = position + std::max(glm::length(position), 1.0) * forward;
  camera.up = glm::normalize(linear[1]);
  if (source.type == "orthographic") {
    constexpr double kMin = 1e-6;  // m
    const double width = std::abs(source.orthographic.xmag);
    const double height = std::abs(source.orthographic.ymag);
    if (!(width > kMin && height > kMin && height < kMaxSceneValue))
      document.fail(place, "expected an xmag and a ymag above 0");
    camera.projection = Projection::kOrthographic;
    camera.view_height = float(2.0 * height);
    shape_film(width / height, scene);
    return;
  }
  constexpr float kWidest = 179.9f, kNarrowest = 0.01f;  // degrees
  const auto fov = float(glm::degrees(source.perspective.yfov));
  if (!(fov >= kNarrowest && fov <= kWidest))
    document.fail(place + "/perspective/yfov",
                  fmt::format("expected an angle in (0, pi), found {}", source.perspective.yfov));
  camera.vertical_fov = fov;
  shape_film(source.perspective.aspectRatio, scene);
}

}  // namespace winnow
