// SPDX-License-Identifier: MIT
#include "load/pbrt/files.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/files.h"

namespace winnow {
namespace {

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

/// Owner of a zlib stream for gzip.
struct GzipStream {
  GzipStream() {
    constexpr int kGzip = 16 + MAX_WBITS;
    is_open = inflateInit2(&z, kGzip) == Z_OK;
  }
  GzipStream(const GzipStream&) = delete;
  ~GzipStream() {
    if (is_open) inflateEnd(&z);
  }
  z_stream z = {};
  bool is_open = false;
};

/// Decompresses all members of a gzip file.
std::string decompress_gzip(std::string_view bytes, const std::string& file, uint64_t most) {
  GzipStream stream;
  if (!stream.is_open) throw Error(fmt::format("{}: cannot be decompressed", file));
  constexpr size_t kFirstSize = 1 << 16, kMaxPart = std::numeric_limits<uInt>::max();
  std::string plain;
  size_t used = 0, filled = 0;
  while (used < bytes.size()) {
    if (filled == plain.size()) plain.resize(std::max(2 * plain.size(), kFirstSize));
    const size_t in = std::min(bytes.size() - used, kMaxPart),
                 out = std::min(plain.size() - filled, kMaxPart);
    // zlib does not change its input.
    stream.z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + used));
    stream.z.avail_in = uInt(in);
    stream.z.next_out = reinterpret_cast<Bytef*>(plain.data() + filled);
    stream.z.avail_out = uInt(out);
    const int status = inflate(&stream.z, Z_NO_FLUSH);
    used += in - stream.z.avail_in;
    filled += out - stream.z.avail_out;
    if (filled > most)
      throw Error(fmt::format("{}: expected at most {} bytes after decompression", file, most));
    if (status == Z_STREAM_END) {
      if (!is_gzip(bytes.substr(used))) break;
      inflateReset(&stream.z);
    } else if (status != Z_OK) {
      throw Error(fmt::format("{}: the compressed file is damaged", file));
    } else if (used == bytes.size() && stream.z.avail_out > 0) {
      throw Error(fmt::format("{}: the compressed file is cut off", file));
    }
  }
  plain.resize(filled);
  return plain;
}

}  // namespace

std::string read_maybe_compressed(const std::filesystem::path& file, uint64_t most) {
  std::string bytes = read_file(file);
  return is_gzip(bytes) ? decompress_gzip(bytes, file.string(), most) : bytes;
}

std::optional<std::filesystem::path> PbrtFolders::find(const std::string& name,
                                                       const std::string& named_by) const {
  std::string portable = name;
  if (portable.find('/') == std::string::npos)
    std::replace(portable.begin(), portable.end(), '\\', '/');
  std::error_code status;
  for (const std::filesystem::path& folder :
       {of_scene_, std::filesystem::path(named_by).parent_path()}) {
    const std::filesystem::path file = folder / portable;
    if (!name.empty() && std::filesystem::is_regular_file(file, status)) return file;
  }
  return {};
}

}  // namespace winnow
