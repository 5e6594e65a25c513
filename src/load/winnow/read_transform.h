#pragma once

#include <glm/mat4x4.hpp>

#include "load/json/json_reader.h"

namespace winnow {

/// The member "transform" of `shape` as one matrix, or the identity.
glm::mat4 read_transform(const JsonReader& shape);

/// A list of steps, applied in the order of the list, as one matrix:
/// {"translate": [x, y, z]}, {"rotate": {"axis": [x, y, z], "angle": degrees}}, {"scale": s} or
/// {"scale": [x, y, z]}, and {"matrix": four rows of four numbers, for column vectors}.
glm::mat4 read_transform_steps(const JsonReader& steps);

}  // namespace winnow
