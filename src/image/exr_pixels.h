// SPDX-License-Identifier: MIT
#pragma once

#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfMultiPartInputFile.h>

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "image/exr_layers.h"
#include "image/image.h"

namespace winnow {

/// Checks the headers of a file and calls `read` with it. Converts exceptions of OpenEXR to Error.
void open_exr(std::istream& stream, const std::function<void(Imf::MultiPartInputFile&)>& read);

/// Returns the layers of a file, without channels of deep parts and subsampled ones other than
/// chroma.
std::vector<ExrLayer> exr_layers_of(const Imf::MultiPartInputFile& file);

/// Returns pictures_among(). Throws Error if there is none.
std::vector<size_t> exr_pictures_of(const std::vector<ExrLayer>& layers);

/// Reads colours and alpha of a layer as stored, in the data window of its part.
/// @param stream  stream of `file`
Image read_exr_pixels(std::istream& stream, Imf::MultiPartInputFile& file, const ExrLayer& layer);

/// Returns what another window contains of an image. Pixels outside of the image are black.
/// @param from, to  windows in the same coordinates; `from` is that of the image
Image move_to_window(const Image& image, const Imath::Box2i& from, const Imath::Box2i& to);

}  // namespace winnow
