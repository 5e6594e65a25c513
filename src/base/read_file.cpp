#include "base/read_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/error.h"

namespace winnow {

std::string read_file(const std::filesystem::path& file) {
  std::string name = file.string();
  std::error_code error;
  std::filesystem::file_status status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found)
    throw Error(fmt::format("{}: there is no such file", name));
  if (std::filesystem::is_directory(status))
    throw Error(fmt::format("{}: this is a folder; expected a scene file", name));

  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error(fmt::format("{}: cannot be opened: {}", name, std::strerror(errno)));

  std::string text;
  if (uintmax_t size = std::filesystem::file_size(file, error); !error) text.reserve(size);
  constexpr size_t kChunk = size_t{1} << 20;
  while (stream) {
    size_t filled = text.size();
    text.resize(filled + kChunk);
    stream.read(text.data() + filled, kChunk);
    text.resize(filled + static_cast<size_t>(stream.gcount()));
  }
  if (stream.bad()) throw Error(fmt::format("{}: cannot be read: {}", name, std::strerror(errno)));
  return text;
}

}  // namespace winnow
