#pragma once

#include <iosfwd>

namespace winnow {

/// Throws Error if a Huffman table of a JPEG stream defines more codes than a table can hold. Older
/// versions of stb_image write such a table past its end. Reads to the end of the stream.
void check_jpg_tables(std::istream& stream);

}  // namespace winnow
