#include "base/read_text_file.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/read_file.h"

namespace winnow {

std::string read_text_file(const std::filesystem::path& file) {
  std::string name = file.string(), text = read_file(file);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw Error(fmt::format("{}: the file is empty", name));
  if (text.find('\0') != std::string::npos)
    throw Error(fmt::format("{}: this is not a text file", name));
  return text;
}

}  // namespace winnow
