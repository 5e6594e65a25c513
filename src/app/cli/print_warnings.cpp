#include "app/cli/print_warnings.h"

#include <set>
#include <string>

#include "app/cli/message.h"

namespace winnow {

void print_warnings(const HostScene& scene) {
  std::set<std::string> printed;
  for (const std::string& warning : scene.warnings)
    if (printed.insert(warning).second) print_message("warning: " + warning);
}

}  // namespace winnow
