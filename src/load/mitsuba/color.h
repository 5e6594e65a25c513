#pragma once

#include <glm/vec3.hpp>
#include <string_view>

#include "load/mitsuba/object.h"

namespace winnow {

/// A property that is a colour, in scene-linear Rec.709: <rgb>, <srgb>, <spectrum>, <float>, or a
/// texture, which becomes its mean colour. No channel is below 0.
glm::vec3 read_mitsuba_color(const MitsubaObject& object, std::string_view name,
                             glm::vec3 fallback);

/// The same for a reflectance: above 1 it becomes 1, with a warning.
glm::vec3 read_mitsuba_reflectance(const MitsubaObject& object, std::string_view name,
                                   glm::vec3 fallback);

/// The mean colour of the image file that <string name="filename"> of `object` names; grey, with a
/// warning, where it is missing.
glm::vec3 mean_image_color(const MitsubaObject& object);

}  // namespace winnow
