// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace winnow {

/// Chunks of a GLB file.
struct GlbParts {
  std::string_view json;
  std::optional<std::string_view> binary;  ///< buffer without a URI
};

/// True for bytes that start like a GLB file.
bool is_glb(std::string_view bytes);

/// Splits a GLB file into its chunks. Throws Error "file: byte N: what is wrong".
GlbParts split_glb(std::string_view bytes, const std::string& file);

/// Decodes the escapes of a URI: %20 is a blank.
std::string decode_uri(std::string_view uri);

bool is_data_uri(std::string_view uri);

/// Returns the bytes of a data URI; nothing if it is malformed.
std::optional<std::string> decode_data_uri(std::string_view uri);

}  // namespace winnow
