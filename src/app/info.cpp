#include "app/info.h"

#include <fmt/core.h>

#include "app/cli/print_warnings.h"
#include "load/load_scene.h"
#include "scene/scene_summary.h"

namespace winnow {

void print_info(const std::filesystem::path& file) {
  HostScene scene = load_scene(file);
  print_warnings(scene);
  fmt::print("{}", summary_text(scene));
}

}  // namespace winnow
