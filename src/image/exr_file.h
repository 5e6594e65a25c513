// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "image/image.h"

namespace winnow {

/// A picture of an OpenEXR file, as stored: in the colours of the file and in its data window.
struct ExrPicture {
  std::string name = {};  ///< layer and view for messages
  Image image;
  Image albedo = {},
        normal = {};  ///< layers that guide a denoiser, in the same window; empty: none
};

/// An OpenEXR file in memory, whose pictures can be replaced. All else stays as it is: parts,
/// channels, their types, windows and attributes.
class ExrFile {
 public:
  /// Reads all parts. Throws Error without the name of the file.
  explicit ExrFile(std::istream& stream);
  ExrFile(ExrFile&&) noexcept;
  ~ExrFile();

  /// Moves the pictures out, the main one first: several for several views or view layers.
  std::vector<ExrPicture> take_pictures();

  /// Warnings about what is not kept, without the name of the file.
  const std::vector<std::string>& warnings() const;

  /// Names of channels that belong to no picture and guide none.
  const std::vector<std::string>& other_channels() const;

  /// Returns a picture as other formats hold it: Rec.709, in the display window.
  Image shown(size_t picture, const Image& image) const;

  /// Returns what the data window of a picture contains of an image of the display window. An image
  /// of the size of the data window stays as it is. Nothing if it has neither size.
  Image in_data_window(size_t picture, const Image& image) const;

  /// Writes the file with other pictures, whose channels become 32-bit floats. Lossy compressions
  /// become ZIP, tiles become lines. Throws Error.
  /// @param images  [picture], as in take_pictures()
  void write(std::ostream& stream, const std::vector<Image>& images) const;

 private:
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace winnow
