#pragma once

#include <glm/mat4x4.hpp>

#include "scene/json_reader.h"

namespace winnow {

/// The member "transform" of `shape` as one matrix, or the identity.
///
/// It is a list of steps, applied to the shape in the order of the list:
/// {"translate": [x, y, z]}, {"rotate": {"axis": [x, y, z], "angle": degrees}}, {"scale": s} or
/// {"scale": [x, y, z]}, and {"matrix": four rows of four numbers, for column vectors}.
glm::mat4 read_transform(const JsonReader& shape);

}  // namespace winnow
