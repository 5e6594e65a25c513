#include "app/convert.h"

#include <fmt/core.h>

#include "app/cli/check_outputs.h"
#include "app/cli/print_warnings.h"
#include "base/error.h"
#include "load/load_scene.h"
#include "load/winnow/winnow_json.h"

namespace winnow {

void convert(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (to.extension() != ".json")
    throw UsageError(fmt::format("{}: expected a file of the type .json to write", to.string()));
  check_outputs({}, {to}, {from});
  HostScene scene = load_scene(from);
  print_warnings(scene);
  std::vector<std::filesystem::path> files = winnow_json_meshes(to, scene);
  const std::vector<std::filesystem::path> images = winnow_json_images(to, scene);
  files.insert(files.end(), images.begin(), images.end());
  files.push_back(to);
  check_outputs({}, files, {from});
  write_winnow_json(to, scene);
  for (const std::filesystem::path& file : files) fmt::print("{}\n", file.string());
}

}  // namespace winnow
