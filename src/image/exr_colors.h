// SPDX-License-Identifier: MIT
#pragma once

#include <OpenEXR/ImfHeader.h>

#include <glm/mat3x3.hpp>
#include <string>
#include <vector>

#include "image/image.h"
#include "image/image_io.h"

namespace winnow {

/// How the values of an OpenEXR part become linear Rec.709.
struct ExrColors {
  float (*decode)(float) = nullptr;  ///< decodes a value; null: values are linear
  glm::dmat3 to_rec709{1.0};         ///< matrix for decoded values; the identity for Rec.709
};

/// Reads the colour space of a part: the attributes colorInteropID, chromaticities, adoptedNeutral
/// and acesImageContainerFlag; Rec.709 without them. Bradford's adaptation maps the adopted
/// neutral, else the white, to D65. Mitsuba adapts nothing and reads chromaticities only. Color
/// Interop Forum, "An ID for Color Interop"; SMPTE ST 2065-4.
ExrColors read_exr_colors(const Imf::Header& header, ImageRules rules,
                          std::vector<std::string>& warnings);

/// Returns the colour space of CIE XYZ whose white is D65.
ExrColors exr_xyz_colors();

void convert_to_rec709(const ExrColors& colors, Image& image);

}  // namespace winnow
