// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace winnow {

/// What the header of a part of an OpenEXR file says about its channels.
struct ExrPartNames {
  std::string name = {};  ///< empty: the part has none
  std::string view = {};  ///< empty: the part has none
  std::vector<std::string> channels;
};

/// Channels of a part whose names differ in their last component only, such as
/// "ViewLayer.Combined.R".
struct ExrLayer {
  size_t part = 0;
  std::string name = {};  ///< "ViewLayer.Combined"; in a file of several parts, the part's name for
                          ///< channels without a layer; without the view
  std::string view = {};  ///< empty: the default view
  std::map<std::string, std::string> channels = {};  ///< names of channels by component, in lower
                                                     ///< case: {"r", "ViewLayer.Combined.R"}

  /// Returns the channels of red, green and blue, of x, y and z, or of grey three times. Empty
  /// names are black. Nothing if the channels have other meanings.
  std::optional<std::array<std::string, 3>> colors() const;

  std::string alpha() const;  ///< empty if there is none
  bool has_chroma() const;    ///< true for luminance and chroma: Y, RY and BY without R
  std::string text() const;   ///< name and view for messages
};

/// Returns the layers of a file in its order.
/// @param views  value of the attribute multiView; may be empty
std::vector<ExrLayer> exr_layers(const std::vector<ExrPartNames>& parts,
                                 const std::vector<std::string>& views);

/// Returns the indices of the layers that are pictures, the main one first: R, G and B without a
/// layer, else "Combined", "beauty", "rgba" and such names, else the first layer of colours, else
/// of numbers. There are several if a file has several views, or several view layers of Blender.
/// Empty if no layer has colours.
std::vector<size_t> pictures_among(const std::vector<ExrLayer>& layers);

/// True if a layer is a picture by its name, or has none.
bool is_named_picture(const ExrLayer& layer);

/// What a layer holds that guides a denoiser.
enum class ExrGuide { kAlbedo, kNormal };

/// Returns the index of the layer of albedo or normals that belongs to a picture, by the names that
/// Winnow and other programs give them: "albedo.R", "ViewLayer.Denoising Albedo.R", "N.X", "nn.X",
/// "Ns.X". Nothing if there is none.
std::optional<size_t> guide_among(const std::vector<ExrLayer>& layers, size_t picture,
                                  ExrGuide guide);

}  // namespace winnow
